// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"os"
	"testing"

	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// smallPairs is how many pairs of the small worlds are tried: more with
// TOOLCONTRACT_SOAK.
func smallPairs() int {
	if os.Getenv("TOOLCONTRACT_SOAK") != "" {
		return 20_000
	}
	return 100
}

func (g grammar) scalar() string {
	return g.Pick("true", "false", `{"type":"integer"}`, `{"const":0}`, `{"enum":[0,1]}`, `{"type":"string"}`, `{"type":"boolean"}`,
		`{"type":["string","integer"]}`, `{"minimum":1}`, `{"not":{"const":0}}`, `{"not":{"type":"integer"}}`, `{"const":"a"}`, `{"type":"integer","maximum":0}`)
}

// combine puts schemas of one kind together.
func (g grammar) combine(depth int, own func() map[string]string) string {
	if depth == 0 || g.IntN(3) > 0 {
		return schematest.Object(own())
	}
	below := func() string { return g.combine(depth-1, own) }
	members := map[string]string{}
	if g.IntN(2) == 0 {
		members = own()
	}
	switch g.IntN(6) {
	case 0, 1:
		members[g.Pick("anyOf", "oneOf", "allOf")] = "[" + below() + "," + below() + "]"
	case 2:
		members["not"] = below()
	case 3:
		members["if"], members[g.Pick("then", "else")] = below(), below()
	case 4:
		members["oneOf"] = "[" + below() + "," + below() + "," + below() + "]"
	default:
		members["dependentSchemas"] = `{"a":` + below() + `}`
	}
	return schematest.Object(members)
}

func (g grammar) smallArray() string {
	return g.combine(2, func() map[string]string {
		members := map[string]string{"type": `"array"`}
		for range 1 + g.IntN(3) {
			switch g.IntN(9) {
			case 0:
				members["minItems"] = g.Length()
			case 1, 2:
				members["maxItems"] = g.Length()
			case 3:
				members["prefixItems"] = "[" + g.scalar() + "," + g.scalar() + "]"
			case 4:
				members["items"] = g.scalar()
			case 5, 6:
				members["contains"] = g.scalar()
				if g.IntN(2) == 0 {
					members["minContains"] = g.Length()
				}
				if g.IntN(2) == 0 {
					members["maxContains"] = g.Length()
				}
			case 7:
				members["uniqueItems"] = "true"
			default:
				members["unevaluatedItems"] = g.scalar()
			}
		}
		return members
	})
}

func (g grammar) smallObject() string {
	name := func() string { return g.Pick("a", "b", "ab", "x") }
	return g.combine(2, func() map[string]string {
		members := map[string]string{"type": `"object"`}
		for range 1 + g.IntN(3) {
			switch g.IntN(10) {
			case 0, 1:
				members["properties"] = schematest.Object(map[string]string{name(): g.scalar(), name(): g.scalar()})
			case 2:
				members["patternProperties"] = schematest.Object(map[string]string{g.Pick("^a", "b$", "^[ab]$", "^x|b"): g.scalar()})
			case 3, 4:
				members["additionalProperties"] = g.scalar()
			case 5:
				members["required"] = `["` + name() + `"]`
			case 6:
				members["propertyNames"] = g.Pick(`{"enum":["a","b"]}`, `{"pattern":"^[abx]+$"}`, `{"pattern":"b"}`, `{"pattern":"^(a|b|ab|q)$"}`, `{"maxLength":1}`, `{"not":{"const":"x"}}`)
			case 7:
				members[g.Pick("minProperties", "maxProperties")] = g.Length()
			case 8:
				members["dependentRequired"] = g.DependentRequired(name)
			default:
				members["unevaluatedProperties"] = g.scalar()
			}
		}
		return members
	})
}

// smallWorld is every array of up to three items and every object of up to four
// names over a few values.
func smallWorld() (arrays, objects []*schema.Value) {
	values := []*schema.Value{schema.NewInt(0), schema.NewInt(1), schema.NewString("a"), schema.NewBool(true), schema.NewNull()}
	arrays = []*schema.Value{schema.NewArray()}
	for start, n := 0, 0; n < 3; n++ {
		end := len(arrays)
		for _, shorter := range arrays[start:end] {
			for _, v := range values {
				arrays = append(arrays, schema.NewArray(append(shorter.Items()[:shorter.Len():shorter.Len()], v)...))
			}
		}
		start = end
	}
	objects = []*schema.Value{schema.NewObject()}
	for _, name := range []string{"a", "b", "ab", "x"} {
		for _, smaller := range objects {
			for _, v := range values[:3] {
				objects = append(objects, smaller.With(name, v))
			}
		}
	}
	for _, one := range []string{"q", "qb", "b7"} { // names that no schema speaks of
		for _, v := range values[:3] {
			objects = append(objects, schema.NewObject(schema.Member{Name: one, Value: v}))
		}
	}
	return arrays, objects
}

// In small worlds every instance can be tried. A proof holds for all of them,
// and there is an answer for every pair.
func TestSmallWorldsAreDecidedRight(t *testing.T) {
	t.Parallel()
	pairs := smallPairs()
	arrays, objects := smallWorld()
	for _, world := range []struct {
		name      string
		write     func(grammar) string
		instances []*schema.Value
	}{
		{"arrays", grammar.smallArray, arrays},
		{"objects", grammar.smallObject, objects},
	} {
		t.Run(world.name, func(t *testing.T) {
			t.Parallel()
			g := newGrammar(21)
			var answers [3]int
			for range pairs {
				a, b := admitted(t, world.write(g)), admitted(t, world.write(g))
				found := newProver().refuter().noneOf([]signed{{"", a, false}, {"", b, true}})
				r := Contains(a, b)
				answers[r.Answer]++
				if r.Defect {
					t.Errorf("%s\nA %s\nB %s", r.Reason, a.Root().JSON(), b.Root().JSON())
				}
				if r.Answer == Unknown {
					t.Logf("Unknown: %s\nA %s\nB %s", r.Reason, a.Root().JSON(), b.Root().JSON())
				}
				if !found.empty && r.Answer != Proven {
					continue
				}
				for _, v := range world.instances {
					if distinguishes(t, a, b, v) {
						t.Errorf("%s, empty %v, but %s distinguishes\nA %s\nB %s", r.Answer, found.empty, v.JSON(), a.Root().JSON(), b.Root().JSON())
						break
					}
				}
			}
			t.Logf("Unknown %d, Proven %d, Refuted %d", answers[Unknown], answers[Proven], answers[Refuted])
			if answers[Unknown] > pairs/50 || answers[Proven] < pairs/20 {
				t.Errorf("Unknown %d, Proven %d of %d", answers[Unknown], answers[Proven], pairs)
			}
		})
	}
}
