// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/finding"
)

func TestObjectFormGetsTheOrderOfRequiredThenOfNames(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ object, want string }{
		"required first, in its order": {
			`{"type":"object","required":["c","a"],"properties":{"a":{},"b":{},"c":{},"d":{}}}`,
			`{"properties":{"c":{},"a":{},"b":{},"d":{}},"required":["c","a"],"type":"object"}`,
		},
		"without required by name": {
			`{"properties":{"b":{},"a":{}}}`,
			`{"properties":{"a":{},"b":{}}}`,
		},
		"a required name that is not declared": {
			`{"required":["x","b"],"properties":{"a":{},"b":{}}}`,
			`{"properties":{"b":{},"a":{}},"required":["x","b"]}`,
		},
		"a name that is required twice counts where it is first": {
			`{"required":["b","a","b"],"properties":{"a":{},"b":{}}}`,
			`{"properties":{"b":{},"a":{}},"required":["b","a","b"]}`,
		},
		"at every level": {
			`{"properties":{"a":{"items":{"required":["z","y"],"properties":{"y":{},"z":{}}}}},` +
				`"$defs":{"d":{"anyOf":[{"required":["z","y"],"properties":{"y":{},"z":{}}}]}}}`,
			`{"$defs":{"d":{"anyOf":[{"properties":{"z":{},"y":{}},"required":["z","y"]}]}},` +
				`"properties":{"a":{"items":{"properties":{"z":{},"y":{}},"required":["z","y"]}}}}`,
		},
		"properties that are named like keywords": {
			`{"properties":{"required":{"type":"array"},"properties":{"properties":{"b":{},"a":{}},"required":["b"]}}}`,
			`{"properties":{"properties":{"properties":{"b":{},"a":{}},"required":["b"]},"required":{"type":"array"}}}`,
		},
		"data is ordered by name and is no schema": {
			`{"const":{"required":["b"],"properties":{"b":1,"a":2}},"examples":[{"z":1,"y":[{"x":1,"w":2}]}]}`,
			`{"const":{"properties":{"a":2,"b":1},"required":["b"]},"examples":[{"y":[{"w":2,"x":1}],"z":1}]}`,
		},
		"arrays keep their order": {
			`{"enum":["b","a",null]}`,
			`{"enum":["b","a",null]}`,
		},
		"values of the wrong type are left to others": {
			`{"properties":[1],"required":{"b":1,"a":2}}`,
			`{"properties":[1],"required":{"a":2,"b":1}}`,
		},
		"a value that is no object": {`[{"b":1,"a":2}]`, `[{"a":2,"b":1}]`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v, failed := FromObject([]byte(test.object))
			if failed != nil {
				t.Fatal(failed)
			}
			if diff := cmp.Diff(test.want, v.JSON()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestObjectFormForgetsTheOrderOfMembers(t *testing.T) {
	t.Parallel()
	original := parsed(t, `{"type":"object","required":["c","b"],"properties":{"a":{"enum":[{"y":1,"x":2}]},"b":{"title":"B","type":"string"},`+
		`"c":{"properties":{"e":{},"d":{}}}},"$defs":{"g":{},"f":{}},"dependentRequired":{"i":["j"],"h":[]}}`)
	want, failed := FromObject([]byte(original.JSON()))
	if failed != nil {
		t.Fatal(failed)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		got, failed := FromObject([]byte(shuffled(original, random, func([]string) bool { return true }).JSON()))
		if failed != nil {
			t.Fatal(failed)
		}
		if got.JSON() != want.JSON() {
			t.Fatalf("the order shows through: %s, want %s", got.JSON(), want.JSON())
		}
	}
}

// shuffled is v with the members of those objects in a random order whose
// path satisfies where.
func shuffled(v *Value, random *rand.Rand, where func(path []string) bool) *Value {
	var visit func(v *Value, path []string) *Value
	visit = func(v *Value, path []string) *Value {
		switch v.kind {
		case Array:
			items := make([]*Value, len(v.items))
			for i, item := range v.items {
				items[i] = visit(item, append(path, "[]"))
			}
			return NewArray(items...)
		case Object:
			members := slices.Clone(v.members)
			for i, m := range members {
				members[i].Value = visit(m.Value, append(path, m.Name))
			}
			if where(path) {
				random.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
			}
			return NewObject(members...)
		default:
			return v
		}
	}
	return visit(v, nil)
}

func TestObjectFormRefusesNullMembers(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ object, pointer string }{
		"at the root":                    {`{"default":null}`, "/default"},
		"in an object":                   {`{"properties":{"a":{"const":null}}}`, "/properties/a/const"},
		"in an object in an array":       {`{"examples":[1,{"a/b":null}]}`, "/examples/1/a~1b"},
		"in data":                        {`{"enum":[{"a":{"b":null}}]}`, "/enum/0/a/b"},
		"the first by name, of several":  {`{"z":null,"a":[{"c":null,"b":null}]}`, "/a/0/b"},
		"as a schema":                    {`{"properties":{"a":null}}`, "/properties/a"},
		"with an empty name":             {`{"":null}`, "/"},
		"in an example that is an array": {`[{"a":null}]`, "/0/a"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v, failed := FromObject([]byte(test.object))
			if failed == nil {
				t.Fatalf("it was read as %s", v.JSON())
			}
			if failed.Rule != RuleNullInObject || failed.Pointer != test.pointer || failed.Severity != finding.Error {
				t.Errorf("got %v at %s, want %s", failed, failed.Pointer, test.pointer)
			}
			checkTexts(t, []finding.Finding{*failed})
		})
	}
}

func TestObjectFormTakesNullItems(t *testing.T) {
	t.Parallel()
	for _, object := range []string{`{"enum":["a",null]}`, `[null,[null]]`, `null`, `{"examples":[[{"a":[null]}]]}`} {
		v, failed := FromObject([]byte(object))
		if failed != nil {
			t.Errorf("%s: %v", object, failed)
			continue
		}
		if v.JSON() != object {
			t.Errorf("%s became %s", object, v.JSON())
		}
	}
}

func TestObjectFormRefusesWhatTextFormRefuses(t *testing.T) {
	t.Parallel()
	for text, rule := range map[string]string{
		`{"a":1,"a":2}`: RuleDuplicateKey, `{"a":1e400}`: RuleNumberRange, `{`: RuleJSONSyntax, `{} // x`: RuleJSONComment,
	} {
		if _, failed := FromObject([]byte(text)); failed == nil || failed.Rule != rule {
			t.Errorf("%s: got %v, want %s", text, failed, rule)
		}
	}
}

func TestCheckYAMLNamesFindsPropertiesNamedTrueAndFalse(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		schema string
		want   []place
	}{
		"a coordinate y": {
			`{"properties":{"x":{},"true":{}}}`,
			[]place{{RuleYAMLBoolean, "/properties/true", "properties"}},
		},
		"at every level": {
			`{"properties":{"a":{"items":{"properties":{"false":{},"true":true}}}},"$defs":{"d":{"properties":{"true":{}}}}}`,
			[]place{
				{RuleYAMLBoolean, "/properties/a/items/properties/false", "properties"},
				{RuleYAMLBoolean, "/properties/a/items/properties/true", "properties"},
				{RuleYAMLBoolean, "/$defs/d/properties/true", "properties"},
			},
		},
		"other spellings are only names": {
			`{"properties":{"True":{},"y":{},"on":{},"yes":{},"true_":{}}}`,
			nil,
		},
		"definitions and patterns may be called so": {
			`{"$defs":{"true":{}},"patternProperties":{"true":{}},"dependentSchemas":{"true":{}}}`,
			nil,
		},
		"data is not looked at": {
			`{"const":{"properties":{"true":{}}},"default":{"true":1}}`,
			nil,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := admitted(t, test.schema).CheckYAMLNames()
			if diff := cmp.Diff(test.want, places(got)); diff != "" {
				t.Error(diff)
			}
			checkTexts(t, got)
		})
	}
}
