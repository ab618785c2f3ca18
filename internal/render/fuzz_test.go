// SPDX-License-Identifier: Apache-2.0

package render_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"runtime"
	"testing"

	"github.com/toolcontract/operator/internal/adapt"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/render"
	"github.com/toolcontract/operator/internal/schema"
)

// seeds are one schema of each kind that adaptation has rules for, and some
// that nobody would write.
var seeds = []string{
	`{"type":"object","properties":{"a":{"type":"string","minLength":1,"maxLength":20},"b":{"type":"integer","exclusiveMinimum":0}},"required":["a"]}`,
	`{"type":"object","properties":{"u":{"oneOf":[{"type":"string"},{"type":"object","properties":{"k":{"const":1}}}]},"n":{"type":["null","boolean"],"enum":[null,true]}}}`,
	`{"type":"object","properties":{"m":{"type":"object","additionalProperties":{"type":"string"}},"p":{"type":"object","patternProperties":{"^x-":{}}}}}`,
	`{"type":"object","$defs":{"node":{"type":"object","properties":{"next":{"$ref":"#/$defs/node"},"v":{"type":"number","multipleOf":0.5}}}},"properties":{"head":{"$ref":"#/$defs/node","description":"d"}}}`,
	`{"type":"object","definitions":{"e":{"enum":["a","b"]}},"properties":{"x":{"allOf":[{"$ref":"#/definitions/e"},{"minLength":1}]},"t":{"prefixItems":[{"type":"string"}],"items":false}}}`,
	`{"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}],"properties":{"a":{},"b":true,"c":false},"unevaluatedProperties":false}`,
	`{"type":"object","properties":{"d":{"type":"string","format":"date-time","x-unit":"s","default":"x","examples":[1]},"not":{"not":{"type":"null"}},"if":{"if":{"const":1},"then":{"minimum":2},"else":{"maximum":3}}}}`,
	`{"$ref":"#/$defs/a","$defs":{"a":{"type":"object","properties":{"b":{"items":{"$ref":"#/$defs/a"},"uniqueItems":true,"contains":{"const":1},"minContains":2}}}}}`,
	`{"type":"object","dependentRequired":{"a":["b"]},"propertyNames":{"pattern":"^(?=a)"},"minProperties":1,"additionalProperties":{"$ref":"#"}}`,
	`{"type":["object","null"],"properties":{"properties":{"type":"object","properties":{"required":{"type":"array"},"type":{"type":"string"}}}}}`,
	`{}`, `true`, `{"type":"object","required":["missing"]}`,
}

// FuzzAdaptAndRender takes any text for a schema through the whole engine, for
// one profile in one mode: nothing panics, what is adapted is admitted again,
// the second run gives the same bytes, and the bytes are JSON.
func FuzzAdaptAndRender(f *testing.F) {
	for i, seed := range seeds {
		f.Add([]byte(seed), uint8(i), uint8(i))
	}
	f.Fuzz(func(t *testing.T, text []byte, profile, policy uint8) {
		value, failed := schema.Parse(text)
		if failed != nil {
			return
		}
		run(t, value, profile, policy)
	})
}

// run is one use of the engine.
func run(t *testing.T, value *schema.Value, profile, policy uint8) {
	t.Helper()
	author, _ := schema.Admit(value)
	if author == nil {
		return
	}
	names := provider.Builtin().Names()
	p, _ := provider.Builtin().Lookup(names[int(profile)%len(names)])
	strict, most := adapt.Strict(policy%3), adapt.Effect(policy/3%4)
	target := adapt.ForTarget(author, p, strict, nil, most)
	if target.Schema == nil {
		return
	}
	if again, findings := schema.Admit(target.Schema.Root()); again == nil {
		t.Fatalf("%s makes %s of %s, which is not admitted: %v", p.Name, target.Schema.Root().JSON(), value.JSON(), findings)
	}
	for _, r := range target.Rewrites {
		if r.Effect > most {
			t.Fatalf("%s uses %s, which is more than %s: %+v", p.Name, r.Effect, most, r)
		}
	}
	tool := render.Tool{Name: "t", Description: "d", Input: target.Schema.Root()}
	first, err := render.Render(p.WireFormat, tool)
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(first) {
		t.Fatalf("%s renders %s, which is not JSON", p.Name, first)
	}
	tool.Input = adapt.ForTarget(author, p, strict, nil, most).Schema.Root()
	if second, _ := render.Render(p.WireFormat, tool); string(second) != string(first) {
		t.Fatalf("%s renders %s and then %s", p.Name, first, second)
	}
}

// TestHeapStaysAsItIs runs many mutated schemas through the engine: nothing of
// one run may be kept. A million runs with TOOLCONTRACT_SOAK, some of them
// without.
func TestHeapStaysAsItIs(t *testing.T) {
	runs := 5_000
	if os.Getenv("TOOLCONTRACT_SOAK") != "" {
		runs = 1_000_000
	}
	m := mutator{rand.New(rand.NewPCG(1, 2)), nil}
	for _, seed := range seeds {
		value, failed := schema.Parse([]byte(seed))
		if failed != nil {
			t.Fatal(failed)
		}
		m.pool = append(m.pool, value)
		run(t, value, 0, 0)
	}
	for i := range provider.Builtin().Names() { // warm up whatever is built once
		run(t, m.pool[i%len(m.pool)], uint8(i), 9)
	}
	before := heap()
	for i := range runs {
		run(t, m.mutate(m.pool[i%len(m.pool)], 0), uint8(m.IntN(256)), uint8(m.IntN(12)))
	}
	if after := heap(); after > 2*before {
		t.Errorf("the heap grew from %d to %d bytes over %d runs", before, after, runs)
	} else {
		t.Logf("%d runs: %d bytes before, %d after", runs, before, after)
	}
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// mutator puts parts of some seeds into others.
type mutator struct {
	*rand.Rand
	pool []*schema.Value
}

func (m mutator) mutate(v *schema.Value, depth int) *schema.Value {
	if depth > 8 || m.IntN(12) == 0 {
		return m.part(m.pool[m.IntN(len(m.pool))])
	}
	switch v.Kind() {
	case schema.Object:
		var f schema.Fields
		for _, member := range v.Members() {
			if m.IntN(15) > 0 {
				f.Add(member.Name, m.mutate(member.Value, depth+1))
			}
		}
		return f.Object()
	case schema.Array:
		items := make([]*schema.Value, 0, v.Len())
		for _, item := range v.Items() {
			items = append(items, m.mutate(item, depth+1))
		}
		return schema.NewArray(items...)
	default:
		return v
	}
}

// part is some value inside a value.
func (m mutator) part(v *schema.Value) *schema.Value {
	for v.Len() > 0 && m.IntN(3) > 0 {
		if v.Kind() == schema.Object {
			v = v.Members()[m.IntN(v.Len())].Value
		} else {
			v = v.Items()[m.IntN(v.Len())]
		}
	}
	return v
}

// TestEveryProfileHasAWireFormat: a profile whose format is not here would be
// taken for compatible and could not be written.
func TestEveryProfileHasAWireFormat(t *testing.T) {
	t.Parallel()
	for _, name := range provider.Builtin().Names() {
		if p, _ := provider.Builtin().Lookup(name); render.Version(p.WireFormat) == 0 {
			t.Errorf("%s has the wire format %q, which nobody renders", name, p.WireFormat)
		}
	}
}
