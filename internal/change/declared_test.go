// SPDX-License-Identifier: Apache-2.0

package change

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
)

const (
	openA    = `{"type":"object","properties":{"a":{"type":"string"}}}`
	openAB   = `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}}}`
	closedA  = `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`
	closedAB = `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"additionalProperties":false}`
	tightA   = `{"type":"object","properties":{"a":{"type":"string","maxLength":5}}}`
)

func TestWhoWritesDeclaredMembersOnly(t *testing.T) {
	t.Parallel()
	const pointer = "/spec/input/writer"
	for _, c := range []struct {
		name               string
		old, new           string
		oldWriter, newOnes string
		want               []said
	}{
		{
			"a new property of an open object", openA, openAB, "Declared", "Declared",
			[]said{{"input-widened", "/properties/b", minor, Proven}},
		},
		{
			"the same, and the host ceases to refuse", openA, openAB, "Declared", "",
			[]said{{"input-writer", pointer, minor, Declared}, {"input-widened", "/properties/b", minor, Proven}},
		},
		{
			"the same, and the host begins to refuse", openA, openAB, "AsDeclared", "Declared",
			[]said{{"input-writer", pointer, major, Refuted}, {"input-widened", "/properties/b", minor, Proven}},
		},
		{
			"a tighter property", openA, tightA, "Declared", "Declared",
			[]said{{"input-length", "/properties/a", major, Refuted}},
		},
		{"the host begins to refuse", openA, openA, "", "Declared", []said{{"input-writer", pointer, major, Refuted}}},
		{"the host begins to refuse what was refused", closedA, closedA, "", "Declared", []said{{"input-writer", pointer, major, Declared}}},
		{"the host ceases to refuse", openA, openA, "Declared", "AsDeclared", []said{{"input-writer", pointer, minor, Declared}}},
		{"what absence stands for", openA, openA, "", "AsDeclared", []said{{"input-writer", pointer, patch, Declared}}},
		{"closed where the host closed it", openA, closedA, "Declared", "Declared", []said{{"noise", "", patch, Proven}}},
	} {
		old, next := onSide(t, finding.Input, c.old, c.new)
		old.Input.Writer, next.Input.Writer = c.oldWriter, c.newOnes
		if diff := cmp.Diff(c.want, allSaid(compare(old, next))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestWhoReadsDeclaredMembersOnly(t *testing.T) {
	t.Parallel()
	const pointer = "/spec/output/reader"
	for _, c := range []struct {
		name                 string
		old, new             string
		oldReader, newReader string
		want                 []said
	}{
		{
			"a new property of a closed object", closedA, closedAB, "IgnoreUnknown", "IgnoreUnknown",
			[]said{{"output-narrowed", "/properties/b", minor, Proven}},
		},
		{
			"the same, without the reader", closedA, closedAB, "", "",
			[]said{{"output-property-added", "/properties/b", major, Refuted}},
		},
		{
			"the same, and the reader comes too late", closedA, closedAB, "", "IgnoreUnknown",
			[]said{{"output-reader", pointer, minor, Declared}, {"output-property-added", "/properties/b", major, Refuted}},
		},
		{
			"a wider property", tightA, openA, "IgnoreUnknown", "IgnoreUnknown",
			[]said{{"output-length", "/properties/a", major, Refuted}},
		},
		{"undeclared members reach callers", closedA, closedA, "IgnoreUnknown", "AsDeclared", []said{{"output-reader", pointer, major, Declared}}},
		{"undeclared members are left out", openA, openA, "AsDeclared", "IgnoreUnknown", []said{{"output-reader", pointer, minor, Declared}}},
		{"what absence stands for", openA, openA, "AsDeclared", "", []said{{"output-reader", pointer, patch, Declared}}},
		{"opened where nobody sees it", closedA, openA, "IgnoreUnknown", "IgnoreUnknown", []said{{"noise", "", patch, Proven}}},
	} {
		old, next := onSide(t, finding.Output, c.old, c.new)
		old.Output.Reader, next.Output.Reader = c.oldReader, c.newReader
		if diff := cmp.Diff(sorted(c.want), sorted(allSaid(compare(old, next)))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestAPropertyOfAnOpenObjectHasTwoWaysOut(t *testing.T) {
	t.Parallel()
	f := compare(onSide(t, finding.Input, openA, openAB)).Findings[0]
	for _, way := range []string{"additionalProperties: false", "input.writer to Declared"} {
		if !strings.Contains(f.Fix, way) {
			t.Errorf("the way out lacks %s: %s", way, f.Fix)
		}
	}
	f = compare(onSide(t, finding.Output, closedA, closedAB)).Findings[0]
	for _, way := range []string{"open the object", "output.reader to IgnoreUnknown"} {
		if !strings.Contains(f.Fix, way) {
			t.Errorf("the way out lacks %s: %s", way, f.Fix)
		}
	}
}

func TestThatCallsAreRefusedNowIsShownByOne(t *testing.T) {
	t.Parallel()
	old, next := onSide(t, finding.Input, openA, openA)
	next.Input.Writer = contract.WriterDeclared
	f := one(t, compare(old, next))
	if !strings.HasPrefix(f.Message, "writer none → Declared needs major: members that the schema does not declare are refused now. Example accepted by 1.4.2, rejected now: {") {
		t.Error(f.Message)
	}
	if want := "set version 2.0.0, or keep writer AsDeclared"; f.Fix != want {
		t.Errorf("fix %q, want %q", f.Fix, want)
	}
}
