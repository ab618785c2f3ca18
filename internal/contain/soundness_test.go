// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

const (
	soundnessPairs     = 2_500
	soundnessInstances = 60
)

// world is the instances that every pair is tried on, beside those drawn for it.
func world(g grammar, n int) []*schema.Value {
	out := make([]*schema.Value, 0, n)
	for range n {
		out = append(out, g.Instance())
	}
	return out
}

// related writes a schema near another one: with one text replaced, so that
// containments are common, or an unrelated one.
func (g grammar) related(document string) string {
	if g.IntN(4) == 0 {
		return g.document(3)
	}
	return g.mutate(document)
}

func TestRandomPairsAreNeverProvenAgainstAnInstance(t *testing.T) {
	t.Parallel()
	g := newGrammar(1)
	var answers [3]int
	pairs := 0
	for pairs < soundnessPairs {
		textA := g.document(3)
		a, okA := admit(textA)
		textB := g.related(textA)
		b, okB := admit(textB)
		if !okA || !okB {
			continue
		}
		pairs++
		r := Contains(a, b)
		answers[r.Answer]++
		if r.Defect {
			t.Errorf("%s\nA %s\nB %s", r.Reason, textA, textB)
		}
		instances := world(g, soundnessInstances)
		if r.Answer == Proven {
			checkProven(t, textA, textB, a, b, instances)
		}
		if r.Answer == Refuted && r.Witness != nil && !distinguishes(t, a, b, r.Witness) {
			t.Errorf("witness %s does not distinguish\nA %s\nB %s", r.Witness.JSON(), textA, textB)
		}
		checkJudge(t, textA, a, instances)
	}
	t.Logf("%d pairs: Unknown %d, Proven %d, Refuted %d", pairs, answers[Unknown], answers[Proven], answers[Refuted])
	if answers[Proven] < pairs/10 || answers[Refuted] < pairs/10 {
		t.Errorf("the grammar exercises too little: %v", answers)
	}
}

// unevaluated writes a schema with an unevaluated keyword beside others that
// look at the same value.
func (g grammar) unevaluated() string {
	branches := make([]string, 1+g.IntN(3))
	for i := range branches {
		branches[i] = g.Schema(2)
	}
	members := map[string]string{
		g.Pick("allOf", "allOf", "anyOf", "oneOf"):            "[" + strings.Join(branches, ",") + "]",
		g.Pick("unevaluatedProperties", "unevaluatedItems"):   g.Pick("false", "false", g.Schema(1)),
		g.Pick("title", "properties", "additionalProperties"): g.Pick(`{"a":true}`, `{}`),
		g.Pick("title", "contains", "items"):                  "true",
	}
	if _, isText := members["title"]; isText {
		members["title"] = `"t"`
	}
	body := schematest.Object(members)
	return body[:len(body)-1] + `,"$defs":` + g.Definitions() + "}"
}

func TestUnevaluatedKeywordsAreReadRight(t *testing.T) {
	t.Parallel()
	g := newGrammar(5)
	for pairs := 0; pairs < soundnessPairs/4; {
		textA := g.unevaluated()
		textB := g.mutate(textA)
		a, okA := admit(textA)
		b, okB := admit(textB)
		if !okA || !okB {
			continue
		}
		pairs++
		r := Contains(a, b)
		if r.Defect {
			t.Errorf("%s\nA %s\nB %s", r.Reason, textA, textB)
		}
		instances := world(g, soundnessInstances)
		if r.Answer == Proven {
			checkProven(t, textA, textB, a, b, instances)
		}
		checkJudge(t, textA, a, instances)
	}
}

func checkProven(t *testing.T, textA, textB string, a, b *schema.Schema, instances []*schema.Value) {
	t.Helper()
	for _, v := range instances {
		if distinguishes(t, a, b, v) {
			t.Errorf("Proven, but %s distinguishes\nA %s\nB %s", v.JSON(), textA, textB)
			return
		}
	}
}

func distinguishes(t testing.TB, a, b *schema.Schema, v *schema.Value) bool {
	t.Helper()
	return accepts(t, a, v) && !accepts(t, b, v)
}

func accepts(t testing.TB, s *schema.Schema, v *schema.Value) bool {
	t.Helper()
	validator, findings := s.Compile()
	if len(findings) > 0 {
		t.Fatalf("compiling: %s", findings[0].Message)
	}
	ok, err := validator.Accepts(v)
	if err != nil {
		t.Fatalf("validating: %v", err)
	}
	return ok
}

// checkJudge compares what the canonical form knows of single values with the
// validator: it may not know, but it may not be wrong.
func checkJudge(t *testing.T, text string, s *schema.Schema, instances []*schema.Value) {
	t.Helper()
	root := newGraph(s).root()
	for _, v := range instances {
		j := judge{budget: maxJudged}
		answer := j.admits(root, v)
		if answer != maybe && (answer == yes) != accepts(t, s, v) {
			t.Errorf("the canonical form answers %v for %s\nschema %s", answer == yes, v.JSON(), text)
			return
		}
	}
}
