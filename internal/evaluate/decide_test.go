// SPDX-License-Identifier: Apache-2.0

package evaluate_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/adapt"
	"github.com/toolcontract/operator/internal/change"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
)

const (
	narrow  = `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`
	wider   = `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a"],"additionalProperties":false}`
	another = `{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"],"additionalProperties":false}`
)

// version builds a content from a version and an input schema, and optionally
// another summary.
func version(t *testing.T, number, input string, summary ...string) *contract.Content {
	t.Helper()
	api := v1alpha1.ToolContent{
		Version: number, ToolName: "t", Description: v1alpha1.Description{Summary: strings.Join(append([]string{"s"}, summary...), " ")},
		Input: v1alpha1.Input{SchemaText: input},
	}
	content, findings := evaluate.Read(&api)
	if content == nil {
		t.Fatal(findings)
	}
	return content
}

// history is a history in which all these contents were issued and their
// revisions are there; the last release of each line is served.
func history(contents ...*contract.Content) evaluate.History {
	h := evaluate.History{Served: map[string]evaluate.Served{}}
	byVersion := map[string]*contract.Content{}
	for _, c := range contents {
		h.Issued = append(h.Issued, evaluate.Issued{Version: c.Version, Digest: c.Digest()})
		byVersion[c.Version.String()] = c
		if !c.Version.IsPrerelease() {
			h.Served[c.Version.Line()] = evaluate.Served{Version: c.Version}
		}
	}
	h.Content = func(v contract.Version) *contract.Content { return byVersion[v.String()] }
	return h
}

func TestDecide(t *testing.T) {
	t.Parallel()
	v := func(number, input string, summary ...string) *contract.Content {
		return version(t, number, input, summary...)
	}
	rolledBack := history(v("1.0.0", narrow), v("1.1.0", wider))
	rolledBack.Served["1"] = evaluate.Served{Version: v("1.0.0", narrow).Version}
	collected := history(v("1.0.0", narrow))
	collected.Content = func(contract.Version) *contract.Content { return nil }

	cases := map[string]struct {
		next     *contract.Content
		history  evaluate.History
		accepted bool
		reason   string
		says     []string
	}{
		"the first version is accepted whatever its number": {v("3.2.1", narrow), history(), true, "Accepted", []string{"first version of line 3"}},
		"an issued version with the same content is accepted again": {
			v("1.0.0", narrow), history(v("1.0.0", narrow), v("1.1.0", wider)), true, "Accepted", []string{"is issued with this content"},
		},
		"an issued version with other content conflicts": {
			v("1.0.0", wider), history(v("1.0.0", narrow)), false, "RevisionConflict", []string{"1.0.0", "differs at input schema", "Fix: restore"},
		},
		"a lower version is refused":          {v("1.0.1", narrow), history(v("1.0.0", narrow), v("1.1.0", wider)), false, "VersionNotHigher", []string{"1.1.0"}},
		"a proven widening is a Minor":        {v("1.1.0", wider), history(v("1.0.0", narrow)), true, "Accepted", []string{"needs Minor"}},
		"a widening under a Patch is refused": {v("1.0.1", wider), history(v("1.0.0", narrow)), false, "MinorBumpRequired", []string{"set version 1.1.0"}},
		"a break under a Minor is refused":    {v("1.1.0", another), history(v("1.0.0", narrow)), false, "MajorBumpRequired", []string{"2.0.0", "Example accepted by 1.0.0"}},
		"the way out of a break is a line that is not used": {
			v("1.1.0", another), history(v("1.0.0", narrow), v("2.0.0", wider)), false, "MajorBumpRequired", []string{"set version 3.0.0"},
		},
		"a break as a new line is accepted":            {v("2.0.0", another), history(v("1.0.0", narrow)), true, "Accepted", []string{"first version of line 2"}},
		"a text needs a Patch":                         {v("1.0.1", narrow, "more"), history(v("1.0.0", narrow)), true, "Accepted", []string{"needs Patch"}},
		"a version alone needs nothing":                {v("1.0.1", narrow), history(v("1.0.0", narrow)), true, "Accepted", []string{"needs None"}},
		"below 1.0.0 a patch declares a Minor":         {v("0.3.1", wider), history(v("0.3.0", narrow)), true, "Accepted", nil},
		"below 1.0.0 a break needs the next minor":     {v("0.3.1", another), history(v("0.3.0", narrow)), false, "MajorBumpRequired", []string{"set version 0.4.0"}},
		"a pre-release needs no bump":                  {v("1.1.0-rc.1", another), history(v("1.0.0", narrow)), true, "Accepted", []string{"moves no channel"}},
		"a pre-release must be higher than all issued": {v("1.0.0-rc.1", narrow), history(v("1.0.0", narrow)), false, "VersionNotHigher", nil},
		"a pre-release is never the old side": {
			v("1.1.0", wider), history(v("1.0.0", narrow), v("1.1.0-rc.1", another)), true, "Accepted", []string{"over 1.0.0"},
		},
		"after a rollback the highest issued version counts too": {
			v("1.2.0", narrow, "x"), rolledBack, false, "MajorBumpRequired", []string{"1.1.0"},
		},
		"a predecessor that is gone cannot be compared with": {v("1.1.0", wider), collected, false, "MajorBumpRequired", []string{"gone"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := evaluate.Decide(c.next, c.history, nil)
			if got.Accepted != c.accepted || got.Reason != c.reason {
				t.Errorf("accepted=%v %s: %s", got.Accepted, got.Reason, got.Message)
			}
			for _, text := range c.says {
				if !strings.Contains(got.Message, text) {
					t.Errorf("the message lacks %q: %s", text, got.Message)
				}
			}
		})
	}
}

// A condition names the place of a difference once, and shows no character of
// a property name that could drive a terminal.
func TestARefusedBumpNamesThePlaceOnce(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"object","properties":{"a\u001b[31m":{"type":"integer"%s}},"additionalProperties":false}`
	old, next := version(t, "1.0.0", fmt.Sprintf(schema, "")), version(t, "1.0.1", fmt.Sprintf(schema, `,"maximum":9`))
	got := evaluate.Decide(next, history(old), nil).Message
	want := `/spec/version: 1.0.1 is a Patch bump over 1.0.0, but the change needs Major: ` +
		`input schema /properties/a\x1b[31m: maximum none → 9 needs major. ` +
		`Example accepted by 1.0.0, rejected now: {"a\u001b[31m":10}. Declared bump: patch (1.0.1). Fix: set version 2.0.0, or leave maximum out`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestAcknowledge accepts what could not be proved for one version, and
// freezes the reason; a counter-example can never be acknowledged.
func TestAcknowledge(t *testing.T) {
	t.Parallel()
	// Patterns with a back-reference cannot be compared.
	open := `{"type":"object","properties":{"a":{"type":"string","pattern":"^(.)\\1$"}},"required":["a"],"additionalProperties":false}`
	other := `{"type":"object","properties":{"a":{"type":"string","pattern":"^(.)\\1{1}$"}},"required":["a"],"additionalProperties":false}`
	old, next := version(t, "1.0.0", open), version(t, "1.1.0", other)
	refused := evaluate.Decide(next, history(old), nil)
	if refused.Accepted || refused.Reason != v1alpha1.ReasonMajorBumpRequired {
		t.Fatalf("an unproved change was accepted: %s", refused.Message)
	}
	unproved := refused.Findings[0]
	ack := v1alpha1.Acknowledgement{Version: "1.1.0", Rule: unproved.Rule, Path: unproved.Pointer, Reason: "the same language"}
	accepted := evaluate.Decide(next, history(old), []v1alpha1.Acknowledgement{ack, {Version: "1.1.0", Rule: "unused", Reason: "r"}})
	if !accepted.Accepted {
		t.Fatalf("the acknowledgement did not help: %s", accepted.Message)
	}
	if diff := cmp.Diff([]v1alpha1.Acknowledgement{ack}, accepted.Used); diff != "" {
		t.Errorf("used acknowledgements (-want +got):\n%s", diff)
	}
	ack.Version = "1.0.0"
	if again := evaluate.Decide(next, history(old), []v1alpha1.Acknowledgement{ack}); again.Accepted {
		t.Errorf("an acknowledgement for another version counted")
	}

	broken := version(t, "1.1.0", another)
	witnessed := evaluate.Decide(broken, history(version(t, "1.0.0", narrow)), nil)
	var acks []v1alpha1.Acknowledgement
	for _, f := range witnessed.Findings {
		acks = append(acks, v1alpha1.Acknowledgement{Version: "1.1.0", Rule: f.Rule, Path: f.Pointer, Reason: "please"})
	}
	if got := evaluate.Decide(broken, history(version(t, "1.0.0", narrow)), acks); got.Accepted {
		t.Errorf("a counter-example was acknowledged: %v", got.Message)
	}
}

// TestUnusedAcknowledgements are told where findings are, as Info, unless one of
// the comparisons used them.
func TestUnusedAcknowledgements(t *testing.T) {
	t.Parallel()
	referring := func(number, pattern string) *contract.Content {
		return version(t, number, fmt.Sprintf(`{"type":"object","properties":{"a":{"type":"string","pattern":%q}},"required":["a"],"additionalProperties":false}`, pattern))
	}
	first, second, next := referring("1.0.0", `^(.)\1$`), referring("1.1.0", `^(.)\1{1}$`), referring("1.2.0", `^(.)\1{1}$`)
	h := history(first, second)
	h.Pinned = []contract.Version{first.Version}
	f := evaluate.Decide(next, h, nil).Findings[0]
	used := v1alpha1.Acknowledgement{Version: "1.2.0", Rule: f.Rule, Path: f.Pointer, Reason: "the same language"}
	unused := v1alpha1.Acknowledgement{Version: "1.2.0", Rule: f.Rule, Path: "/properties/b", Reason: "a slip"}
	for name, test := range map[string]struct {
		next *contract.Content
		acks []v1alpha1.Acknowledgement
		want []string
	}{
		"the second comparison used it":   {next, []v1alpha1.Acknowledgement{used}, nil},
		"one lowers nothing":              {next, []v1alpha1.Acknowledgement{used, unused}, []string{"/spec/acknowledge/1"}},
		"of another version":              {next, []v1alpha1.Acknowledgement{used, {Version: "1.1.0", Rule: f.Rule, Reason: "old"}}, nil},
		"about a target that was removed": {next, []v1alpha1.Acknowledgement{used, {Version: "1.2.0", Rule: evaluate.RuleTargetRemoved, Path: "/spec/targets/x", Reason: "gone"}}, nil},
	} {
		got := evaluate.Decide(test.next, h, test.acks)
		if !got.Accepted {
			t.Fatalf("%s: refused: %s", name, got.Message)
		}
		var places []string
		for _, f := range got.Findings {
			if f.Rule == change.RuleUnusedAcknowledgement {
				places = append(places, f.Pointer)
				if f.Severity != finding.Info {
					t.Errorf("%s: %s is %s", name, f.Pointer, f.Severity)
				}
			}
		}
		if diff := cmp.Diff(test.want, places); diff != "" {
			t.Errorf("%s: told are (-want +got):\n%s", name, diff)
		}
		if says := strings.Contains(got.Message, "lowers nothing"); says != (len(test.want) > 0) {
			t.Errorf("%s: the message is %s", name, got.Message)
		}
	}
}

// TestServedTargets: what is served blocks, and is not dropped without a word.
func TestServedTargets(t *testing.T) {
	t.Parallel()
	sample := load(t, "config/samples/get-order-status.yaml")
	served := evaluate.History{Served: map[string]evaluate.Served{"1": {
		Version: version(t, "1.0.0", narrow).Version,
		Strict:  map[string]bool{"openai-responses": true, "gone-from-targets": false},
	}}}
	digest := evaluateFirst(sample).Digest
	served.Issued = []evaluate.Issued{{Version: served.Served["1"].Version, Digest: digest}}
	sample.Spec.Targets[0].Strict = v1alpha1.StrictDisabled
	e := evaluate.Contract(sample.Name, &sample.Spec, served, builtin)
	if e.Publishable() || len(e.Removed) != 1 || e.Removed[0].Rule != evaluate.RuleTargetRemoved {
		t.Errorf("a served target was dropped: %v", e.Removed)
	}
	if !strings.Contains(fmt.Sprint(e.Targets[0].Findings), evaluate.RuleStrictLost) {
		t.Errorf("strictness was lost without a word: %v", e.Targets[0].Findings)
	}
	sample.Spec.Acknowledge = []v1alpha1.Acknowledgement{{
		Version: "1.0.0", Rule: evaluate.RuleTargetRemoved, Path: "/spec/targets/gone-from-targets", Reason: "no agent reads it",
	}}
	if e := evaluate.Contract(sample.Name, &sample.Spec, served, builtin); len(e.Removed) != 0 || !e.Publishable() {
		t.Errorf("the acknowledged removal still blocks: %v", e.Removed)
	}
}

// TestStrictRequiredListsWhatItRewrote: minLength is outside OpenAI's strict
// subset, and a pattern says the same. The rewrite is listed, in the evaluation
// and for the host.
func TestStrictRequiredListsWhatItRewrote(t *testing.T) {
	t.Parallel()
	sample := load(t, "config/samples/create-refund-draft.yaml")
	sample.Spec.Targets = []v1alpha1.Target{{Profile: "openai-responses", Strict: v1alpha1.StrictRequired}}
	e := evaluateFirst(sample)
	if !e.Publishable() || !e.Targets[0].Given {
		t.Fatalf("it is not given strictly: %v", e.Blocking())
	}
	want := []adapt.Rewrite{{Rule: adapt.RuleLengthToPattern, Effect: adapt.Keep, Pointer: "/properties/order_ref/minLength"}}
	ignoreText := cmpopts.IgnoreFields(adapt.Rewrite{}, "Message")
	if diff := cmp.Diff(want, e.Targets[0].Rewrites, ignoreText); diff != "" {
		t.Error(diff)
	}
	if host := e.Bundle.Files[v1alpha1.FileContract]; !strings.Contains(host, adapt.RuleLengthToPattern) {
		t.Errorf("the host is not told: %s", host)
	}
}

// TestStrictRequiredTellsWhereAndWhy: the format uri-reference is outside OpenAI's strict
// subset and nothing in it says the same, so the author is told the place, the
// reason and what to write instead; to say it in the description needs Widen.
func TestStrictRequiredTellsWhereAndWhy(t *testing.T) {
	t.Parallel()
	sample := load(t, "config/samples/create-refund-draft.yaml")
	sample.Spec.Targets = []v1alpha1.Target{{Profile: "openai-responses", Strict: v1alpha1.StrictRequired}}
	bounds := regexp.MustCompile(`"minLength": 1,\s+"maxLength": 64`)
	sample.Spec.Input.SchemaText = bounds.ReplaceAllString(sample.Spec.Input.SchemaText, `"format": "uri-reference"`)
	e := evaluateFirst(sample)
	blocking := e.Blocking()
	if len(blocking) != 1 || e.Publishable() {
		t.Fatalf("want one finding, got %v", blocking)
	}
	f := blocking[0]
	if f.Pointer != "/properties/order_ref/format" || f.Keyword != "format" || f.Rule != provider.RuleFormatRejected {
		t.Errorf("the finding is about %s %s [%s]", f.Pointer, f.Keyword, f.Rule)
	}
	if !strings.Contains(f.Message, "strict") || f.Fix == "" {
		t.Errorf("the finding does not say why and what to write: %s", f)
	}
	sample.Spec.Targets[0].Adaptation = v1alpha1.EffectWiden
	if e := evaluateFirst(sample); !e.Publishable() || !e.Targets[0].Given {
		t.Errorf("Widen does not help: %v", e.Blocking())
	}
}
