// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/corpus"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

func TestTrapPairsHaveNoUnsafeAnswer(t *testing.T) {
	t.Parallel()
	pairs := corpus.JSON[[]struct {
		Name         string
		Old, New     json.RawMessage
		OldSubsetNew bool `json:"old_subset_new"`
		NewSubsetOld bool `json:"new_subset_old"`
	}](t, corpus.Path(t, "compat/traps/schema-pairs.json"))
	var counts labelled
	for _, p := range pairs {
		old, next := admitted(t, string(p.Old)), admitted(t, string(p.New))
		counts.check(t, p.Name+" old in new", Contains(old, next), p.OldSubsetNew)
		counts.check(t, p.Name+" new in old", Contains(next, old), p.NewSubsetOld)
	}
	t.Log(counts)
}

// respected lists the pairs of jsoncompat whose label says something else than
// containment, and why.
var respected = map[string]string{
	"format_annotation_changed new in old":                                 "it takes formats for annotations; here they are asserted",
	"unsupported_subset_pattern_properties_additional_fallback new in old": "its own prover gives up; the only name that matches is a control character",
}

// TestJSONCompatPairsHaveNoUnsafeAnswer reads labels with their meaning there:
// serializer is new in old, and deserializer is old in new for values that never
// have undeclared members. So the second label only forbids proofs, and its
// examples, which say which side accepts them, are checked one by one.
func TestJSONCompatPairsHaveNoUnsafeAnswer(t *testing.T) {
	t.Parallel()
	pairs := corpus.JSON[[]struct {
		Name     string
		Old, New json.RawMessage
		Examples struct {
			OldOnly []json.RawMessage `json:"old_only"`
			NewOnly []json.RawMessage `json:"new_only"`
		}
		Expect struct{ Serializer, Deserializer bool }
	}](t, corpus.Path(t, "compat/jsoncompat/backcompat.json"))
	var counts labelled
	refused := 0
	for _, p := range pairs {
		old, okOld := admit(string(p.Old))
		next, okNew := admit(string(p.New))
		if !okOld || !okNew {
			refused++ // references that come back to the same place
			continue
		}
		forward, backward := Contains(old, next), Contains(next, old)
		checkExamples(t, p.Name+" old in new", forward, old, next, p.Examples.OldOnly)
		checkExamples(t, p.Name+" new in old", backward, next, old, p.Examples.NewOnly)
		if forward.Answer == Proven && !p.Expect.Deserializer {
			t.Errorf("%s old in new: Proven, but values without undeclared members tell them apart", p.Name)
		}
		if respected[p.Name+" new in old"] == "" {
			counts.check(t, p.Name+" new in old", backward, p.Expect.Serializer)
		}
	}
	t.Logf("new in old: %s; %d not admitted", counts, refused)
}

// checkExamples tries instances that a label claims to tell the schemas apart.
func checkExamples(t *testing.T, name string, r Result, a, b *schema.Schema, examples []json.RawMessage) {
	t.Helper()
	for _, text := range examples {
		v := schematest.Value(t, string(text))
		if r.Answer == Proven && distinguishes(t, a, b, v) {
			t.Errorf("%s: Proven, but %s distinguishes", name, v.JSON())
		}
	}
}

// labelled counts answers against labels.
type labelled struct{ proven, refuted, unknownTrue, unknownFalse int }

func (c *labelled) check(t *testing.T, name string, r Result, contained bool) {
	t.Helper()
	switch {
	case r.Defect:
		t.Errorf("%s: %s", name, r.Reason)
	case r.Answer == Proven && !contained:
		t.Errorf("%s: Proven, but it does not hold", name)
	case r.Answer == Refuted && contained:
		t.Errorf("%s: Refuted by %s, but it holds", name, r.Witness.JSON())
	case r.Answer == Proven:
		c.proven++
	case r.Answer == Refuted:
		c.refuted++
	case contained:
		c.unknownTrue++
		t.Logf("%s: %s", name, r.Reason)
	default:
		c.unknownFalse++
		t.Logf("%s: %s", name, r.Reason)
	}
}

func (c labelled) String() string {
	return fmt.Sprintf("Proven %d of %d that hold, Refuted %d of %d that do not",
		c.proven, c.proven+c.unknownTrue, c.refuted, c.refuted+c.unknownFalse)
}
