// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// admitted reads a schema that must be admitted.
func admitted(t testing.TB, text string) *schema.Schema {
	t.Helper()
	s, ok := admit(text)
	if !ok {
		t.Fatalf("not a schema: %s", text)
	}
	return s
}

func admit(text string) (*schema.Schema, bool) {
	v, failed := schema.Parse([]byte(text))
	if failed != nil {
		return nil, false
	}
	s, findings := schema.Admit(v)
	if finding.HasErrors(findings) {
		return nil, false
	}
	if _, findings := s.Compile(); len(findings) > 0 {
		return nil, false
	}
	return s, true
}

func TestEverySchemaContainsItselfAndLiesBetweenFalseAndTrue(t *testing.T) {
	t.Parallel()
	nothing, anything := admitted(t, `false`), admitted(t, `true`)
	g := newGrammar(2)
	texts := []string{}
	for _, p := range rulePairs {
		texts = append(texts, p.narrow, p.wide)
	}
	for _, p := range equalPairs {
		texts = append(texts, p.a, p.b)
	}
	for range 300 {
		texts = append(texts, g.document(3))
	}
	for _, text := range texts {
		s, ok := admit(text)
		if !ok {
			continue
		}
		// A title makes another document of the same schema, so that the
		// shortcut for equal documents is not what is tested.
		again := s
		if s.Root().Kind() == schema.Object {
			again = admitted(t, s.Root().With("title", schema.NewString("again")).JSON())
		}
		for name, r := range map[string]Result{
			"itself": Contains(s, again), "true": Contains(s, anything), "false inside it": Contains(nothing, s),
		} {
			if r.Answer != Proven {
				t.Errorf("%s: %s: %s\nschema %s", name, r.Answer, r.Reason, text)
			}
		}
		// The rules prove it too, without the comparison of the documents.
		if q := ask(s, again, mustConvene(t, s, again)); !q.contained(q.left, q.right) {
			t.Errorf("itself, by the rules: not proven\nschema %s", text)
		}
	}
}

// A pair is taken for proven while it is being judged. Here the pair below b is
// proven with the help of the pair at a, which then fails; the second time it
// must not be taken for proven any more. Confluent's registry once did.
func TestAProofThatUsedAFailedAssumptionIsForgotten(t *testing.T) {
	t.Parallel()
	const form = `{"type":"object","properties":{"a":%s,"b":{"$ref":"#/$defs/r"}},"$defs":{
		"p":{"type":"object","properties":{"n":{"$ref":"#/$defs/r"},"v":%s}},
		"r":{"type":"object","properties":{"n":{"$ref":"#/$defs/p"}}}}}`
	a := admitted(t, fmt.Sprintf(form, `{"$ref":"#/$defs/p"}`, `{"type":"integer"}`))
	b := admitted(t, fmt.Sprintf(form, `{"anyOf":[{"$ref":"#/$defs/p"},{"type":"object","maxProperties":9},{"type":"object"}]}`, `{"type":"string"}`))
	r := Contains(a, b)
	if r.Answer != Refuted {
		t.Fatalf("%s: %s", r.Answer, r.Reason)
	}
	if diff := cmp.Diff(`{"b":{"n":{"v":0}}}`, r.Witness.JSON()); diff != "" {
		t.Errorf("witness (-want +got):\n%s", diff)
	}
}

func TestProofsAreTransitive(t *testing.T) {
	t.Parallel()
	g := newGrammar(3)
	chains := 0
	for chains < 100 {
		a, okA := admit(g.document(2))
		b, okB := admit(g.document(2))
		c, okC := admit(g.document(2))
		if !okA || !okB || !okC || Contains(a, b).Answer != Proven || Contains(b, c).Answer != Proven {
			continue
		}
		chains++
		if r := Contains(a, c); r.Answer == Refuted {
			t.Errorf("%s\nin %s\nin %s\nrefuted by %s", a.Root().JSON(), b.Root().JSON(), c.Root().JSON(), r.Witness.JSON())
		}
	}
}

func TestTheSamePairHasTheSameAnswer(t *testing.T) {
	t.Parallel()
	for _, p := range append(hostile[:3:3], hostile[4]) {
		first := Differences(admitted(t, p.a), admitted(t, p.b))
		for range 3 {
			again := Differences(admitted(t, p.a), admitted(t, p.b))
			if diff := cmp.Diff(first, again, cmp.Comparer((*schema.Value).Equal)); diff != "" {
				t.Errorf("%s (-first +again):\n%s", p.name, diff)
			}
		}
	}
}

func TestAWitnessIsShortOrLeftOut(t *testing.T) {
	t.Parallel()
	short := Contains(admitted(t, `{"type":"string"}`), admitted(t, `{"type":"string","maxLength":400}`))
	if short.Answer != Refuted || short.Witness == nil || len(short.Witness.JSON()) > MaxWitness {
		t.Errorf("short: %+v", short.Answer)
	}
	long := Contains(admitted(t, `{"type":"string"}`), admitted(t, `{"type":"string","maxLength":600}`))
	if long.Answer != Refuted || long.Witness != nil || !strings.Contains(long.Reason, "longer than 512 bytes") {
		t.Errorf("long: %v %q", long.Answer, long.Reason)
	}
}

func TestAWrongProofIsADefectAndClaimsNothing(t *testing.T) {
	t.Parallel()
	for _, p := range rulePairs {
		wide, narrow := admitted(t, p.wide), admitted(t, p.narrow)
		list := ask(wide, narrow, mustConvene(t, wide, narrow)).defects()
		if len(list) != 1 || list[0].Answer != Unknown || !list[0].Defect || !distinguishes(t, wide, narrow, list[0].Witness) {
			t.Errorf("%s: the attack finds nothing", p.name)
		}
	}
}

func TestDifferencesNamesEveryPlace(t *testing.T) {
	t.Parallel()
	old := admitted(t, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer","maximum":9},"c":{}},"required":["a"]}`)
	tighter := admitted(t, `{"type":"object","properties":{"a":{"type":"string","minLength":1},"b":{"type":"integer","maximum":5},"c":{}},"required":["a","c"]}`)
	type place struct{ Pointer, Keyword, Name, InA, InB, Witness string }
	var got []place
	for _, r := range Differences(old, tighter) {
		got = append(got, place{r.Pointer, r.Keyword, r.Name, r.InA, r.InB, r.Witness.JSON()})
	}
	// Each example breaks one demand only: what the second schema requires is there.
	want := []place{
		{"", "required", "c", "", "", `{"a":"x"}`},
		{"/properties/a", "minLength", "", "", "1", `{"a":"","c":"x"}`},
		{"/properties/b", "maximum", "", "9", "5", `{"b":6,"a":"x","c":"x"}`},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Somebody may acknowledge every Unknown place. Then no other place may have
// been passed over because the first one was enough for the answer.
func TestAnUnknownAlternativeHidesNoOther(t *testing.T) {
	t.Parallel()
	a := admitted(t, `{"type":"string","anyOf":[{"pattern":"^([0-9])\\1$"},{"minLength":9},{"pattern":"^zz"}]}`)
	b := admitted(t, `{"type":"string","anyOf":[{"pattern":"^([0-9])\\1{1}$"},{"minLength":9}]}`)
	var got []string
	for _, r := range Differences(a, b) {
		got = append(got, r.Answer.String()+" "+r.Keyword+" at "+r.Pointer)
	}
	if diff := cmp.Diff([]string{"Unknown pattern at /anyOf/0", "Refuted anyOf at "}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAnInvalidSchemaHasNoAnswer(t *testing.T) {
	t.Parallel()
	v, failed := schema.Parse([]byte(`{"type":"object","minLength":"x"}`))
	if failed != nil {
		t.Fatal(failed.Message)
	}
	invalid, findings := schema.Admit(v)
	if finding.HasErrors(findings) {
		t.Fatal(findings)
	}
	good := admitted(t, `true`)
	for _, r := range []Result{Contains(invalid, good), Contains(good, invalid)} {
		if r.Answer != Unknown || r.Keyword != "minLength" || r.Reason == "" {
			t.Errorf("%s at %s: %s", r.Answer, r.Pointer, r.Reason)
		}
	}
}

func FuzzContains(f *testing.F) {
	for _, p := range rulePairs {
		f.Add(p.narrow, p.wide, p.witness)
	}
	for _, p := range equalPairs {
		f.Add(p.a, p.b, `{"a":[1,"x",null]}`)
	}
	f.Fuzz(func(t *testing.T, textA, textB, instance string) {
		a, okA := admit(textA)
		b, okB := admit(textB)
		if !okA || !okB {
			return
		}
		r := Contains(a, b)
		if r.Defect {
			t.Fatal(r.Reason)
		}
		v, failed := schema.Parse([]byte(instance))
		if failed != nil || r.Answer != Proven {
			return
		}
		va, _ := a.Compile()
		vb, _ := b.Compile()
		inA, errA := va.Accepts(v)
		inB, errB := vb.Accepts(v)
		if errA == nil && errB == nil && inA && !inB {
			t.Fatalf("Proven, but %s distinguishes", instance)
		}
	})
}
