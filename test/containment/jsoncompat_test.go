// SPDX-License-Identifier: Apache-2.0

package containment

import (
	"encoding/json"
	"testing"

	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/corpus"
	"github.com/toolcontract/operator/internal/testkit/naive"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// fixture is a pair of jsoncompat. Its deserializer label says that the old
// schema is contained in the new one, for values that never have a property
// which the old one does not declare; its serializer label that the new one is
// contained in the old one. Its examples are instances of one side only.
type fixture struct {
	Name     string
	Old, New json.RawMessage
	Examples struct {
		OldOnly []json.RawMessage `json:"old_only"`
		NewOnly []json.RawMessage `json:"new_only"`
	}
	Expect struct{ Serializer, Deserializer bool }
}

func fixtures(t testing.TB) []fixture {
	t.Helper()
	return corpus.JSON[[]fixture](t, corpus.Path(t, "compat/jsoncompat/backcompat.json"))
}

// explained are the fixtures one by one: whether old is contained in new
// (forward) and new in old (backward), and why this is not what the label says
// where it is not.
var explained = []struct {
	name              string
	forward, backward contain.Answer
	// why explains a difference from the label; refused, why neither is asked.
	why, refused string
}{
	{name: "additionalprops_expanded", forward: contain.Proven, backward: contain.Refuted},
	{name: "additionalprops_reduced", forward: contain.Refuted, backward: contain.Proven},
	{name: "allof_relaxed", forward: contain.Refuted, backward: contain.Refuted},
	{name: "allof_single_conjunct_subset", forward: contain.Refuted, backward: contain.Proven},
	{name: "allof_tighten", forward: contain.Refuted, backward: contain.Proven},
	{name: "anyof_broaden", forward: contain.Proven, backward: contain.Refuted},
	{name: "closed_object_property_capacity", forward: contain.Proven, backward: contain.Proven},
	{name: "complex_optional_prop_added", forward: contain.Proven, backward: contain.Refuted},
	{name: "complex_required_prop_added", forward: contain.Refuted, backward: contain.Refuted},
	{name: "const_changed", forward: contain.Refuted, backward: contain.Refuted},
	{name: "const_keyword", forward: contain.Refuted, backward: contain.Proven},
	{name: "constrained_enum_bounds_equivalent", forward: contain.Proven, backward: contain.Proven},
	{name: "contains_guaranteed_prefix_match", forward: contain.Refuted, backward: contain.Proven},
	{name: "contains_maxcontains_relaxed", forward: contain.Proven, backward: contain.Refuted},
	{name: "contains_mincontains_narrow_items", forward: contain.Refuted, backward: contain.Refuted},
	{name: "deep_ref", forward: contain.Refuted, backward: contain.Refuted},
	{name: "dependent_required", forward: contain.Refuted, backward: contain.Proven},
	{name: "dependent_required_pattern_properties", forward: contain.Proven, backward: contain.Refuted},
	{name: "dependent_required_recursive_property_names", refused: "a reference comes back to its own place"},
	{name: "dependent_required_unsupported_pattern_properties", forward: contain.Proven, backward: contain.Refuted},
	{name: "dependent_required_unsupported_property_names", forward: contain.Proven, backward: contain.Refuted},
	{name: "enum_expanded", forward: contain.Proven, backward: contain.Refuted},
	{name: "enum_inside_anyof", forward: contain.Proven, backward: contain.Refuted},
	{name: "enum_narrowed", forward: contain.Refuted, backward: contain.Proven},
	{name: "exclusive_bounds", forward: contain.Refuted, backward: contain.Proven},
	{name: "float_form_number_enum_precision", forward: contain.Proven, backward: contain.Proven},
	{name: "format_annotation_changed", forward: contain.Refuted, backward: contain.Refuted, why: "it takes formats for annotations; here they are asserted"},
	{name: "integer_fractional_multiple_of", forward: contain.Proven, backward: contain.Refuted},
	{name: "integer_to_number", forward: contain.Proven, backward: contain.Refuted},
	{name: "large_integer_enum_precision", forward: contain.Refuted, backward: contain.Refuted},
	{name: "maxlength_relaxed", forward: contain.Proven, backward: contain.Refuted},
	{name: "minlength_tighten", forward: contain.Refuted, backward: contain.Proven},
	{name: "nested_port_tighten", forward: contain.Refuted, backward: contain.Proven},
	{name: "nested_unsupported_pattern_enum_not_empty", forward: contain.Refuted, backward: contain.Refuted},
	{name: "not_keyword", forward: contain.Proven, backward: contain.Refuted},
	{name: "nullability_added", forward: contain.Proven, backward: contain.Refuted},
	{name: "number_enum_satisfies_integer_constraints", forward: contain.Refuted, backward: contain.Proven},
	{name: "number_singleton_is_integer", forward: contain.Proven, backward: contain.Proven},
	{name: "oneof_array_partition_with_extra_union_type", forward: contain.Proven, backward: contain.Refuted},
	{name: "oneof_expanded_to_anyof", forward: contain.Proven, backward: contain.Refuted},
	{name: "oneof_narrowed_against_allof_anyof", forward: contain.Refuted, backward: contain.Proven},
	{name: "oneof_narrowed_against_anyof", forward: contain.Refuted, backward: contain.Proven},
	{name: "oneof_object_partition_with_extra_union_type", forward: contain.Proven, backward: contain.Refuted},
	{name: "oneof_object_presence_partition_with_extra_union_type", forward: contain.Proven, backward: contain.Refuted},
	{name: "oneof_overlap", forward: contain.Refuted, backward: contain.Refuted},
	{name: "oneof_string_partition_with_extra_union_type", forward: contain.Proven, backward: contain.Refuted},
	{name: "oneof_type_expanded", forward: contain.Proven, backward: contain.Refuted},
	{name: "optional_to_required", forward: contain.Refuted, backward: contain.Proven},
	{name: "overlapping_pattern_properties", forward: contain.Refuted, backward: contain.Refuted},
	{name: "pattern_properties", forward: contain.Proven, backward: contain.Refuted},
	{name: "pattern_properties_fall_back_to_additional_properties", forward: contain.Refuted, backward: contain.Proven, why: "it assumes that writers never send a property that the old schema does not declare; the old schema admits {\"x\":\"\"}"},
	{name: "prefixitems_first_item_changed", forward: contain.Refuted, backward: contain.Refuted},
	{name: "property_names_excludes_declared_constraint", forward: contain.Refuted, backward: contain.Proven},
	{name: "property_names_expanded", forward: contain.Proven, backward: contain.Refuted},
	{name: "recursive_allof_enum_not_empty", refused: "a reference comes back to its own place"},
	{name: "recursive_optional_added", forward: contain.Proven, backward: contain.Refuted},
	{name: "required_to_optional", forward: contain.Refuted, backward: contain.Proven},
	{name: "same_value_recursive_applicator_narrowed", refused: "a reference comes back to its own place"},
	{name: "type_change_string_number", forward: contain.Refuted, backward: contain.Refuted},
	{name: "uniqueitems_added", forward: contain.Refuted, backward: contain.Proven},
	{name: "unsupported_pattern_enum_not_empty", forward: contain.Refuted, backward: contain.Refuted},
	{name: "unsupported_subset_pattern_properties_additional_fallback", forward: contain.Refuted, backward: contain.Proven, why: "its prover gives up on \\cC; the only name that matches is U+0003, which the old schema leaves open"},
	{name: "unsupported_superset_pattern_enum_membership", forward: contain.Refuted, backward: contain.Refuted},
}

func TestFixturesOfJSONCompatAreExplained(t *testing.T) {
	t.Parallel()
	all := map[string]fixture{}
	for _, f := range fixtures(t) {
		all[f.Name] = f
	}
	if len(all) != len(explained) {
		t.Errorf("there are %d fixtures and %d explanations", len(all), len(explained))
	}
	for _, e := range explained {
		f, known := all[e.name]
		if !known {
			t.Errorf("%s is no fixture", e.name)
			continue
		}
		a, okA := admit(schematest.Value(t, string(f.Old)))
		b, okB := admit(schematest.Value(t, string(f.New)))
		if refused := !okA || !okB; refused || e.refused != "" {
			if !refused || e.refused == "" {
				t.Errorf("%s: refused is %t, and the table says %q", e.name, refused, e.refused)
			}
			continue
		}
		for _, q := range []question{
			{e.name + ", old in new", a, b, e.forward == contain.Proven},
			{e.name + ", new in old", b, a, e.backward == contain.Proven},
		} {
			if wrong := q.failure(); wrong != "" {
				t.Errorf("%s: %s", q.name, wrong)
			}
		}
		differs := (e.forward == contain.Proven) != f.Expect.Deserializer || (e.backward == contain.Proven) != f.Expect.Serializer
		if differs != (e.why != "") {
			t.Errorf("%s: the answers differ from the label is %t, and the table explains %q", e.name, differs, e.why)
		}
		checkExamples(t, e.name+", old in new", e.forward, a, b, f.Examples.OldOnly)
		checkExamples(t, e.name+", new in old", e.backward, b, a, f.Examples.NewOnly)
	}
}

// checkExamples judges the instances that a fixture says are of one side only.
func checkExamples(t *testing.T, name string, answer contain.Answer, a, b *schema.Schema, examples []json.RawMessage) {
	t.Helper()
	for _, text := range examples {
		v := schematest.Value(t, string(text))
		inA, whyA := naive.New(a).Accepts(v)
		inB, whyB := naive.New(b).Accepts(v)
		if tellsApart := inA && !inB && whyA+whyB == ""; tellsApart && answer == contain.Proven {
			t.Errorf("%s: Proven, but %s tells them apart", name, v.JSON())
		}
	}
}
