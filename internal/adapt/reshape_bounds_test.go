// SPDX-License-Identifier: Apache-2.0

package adapt_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/adapt"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// Alternatives that come back to themselves in two ways have more places than
// could be written down, as an automaton has more sets of states than states.
// Such a document keeps its form; a rule is never much larger than its schema.
func TestPlansAreBounded(t *testing.T) {
	t.Parallel()
	// After an "a" the alternative remembers how many steps follow: 2^n places.
	var remembering strings.Builder
	const steps = 9
	fmt.Fprint(&remembering, `{"type":"object","properties":{"s":{"$ref":"#/$defs/s"}},"required":["s"],"additionalProperties":false,"$defs":{`+
		`"s":{"anyOf":[{"$ref":"#/$defs/o"},{"$ref":"#/$defs/m"}]},`+
		`"o":{"type":"object","properties":{"a":{"$ref":"#/$defs/s"},"b":{"$ref":"#/$defs/o2"}},"required":["a","b"],"additionalProperties":false},`+
		`"o2":{"$ref":"#/$defs/s"},"m":{"type":"object","properties":{"a":{"$ref":"#/$defs/n0"}},"required":["a"],"additionalProperties":false}`)
	for i := range steps {
		fmt.Fprintf(&remembering, `,"n%d":{"type":"object","properties":{"a":{"$ref":"#/$defs/n%d"},"b":{"$ref":"#/$defs/n%d"}},"required":["a","b"],"additionalProperties":false}`, i, i+1, i+1)
	}
	fmt.Fprintf(&remembering, `,"n%d":{"type":"object","properties":{"end":{"type":"string"}},"additionalProperties":false}}}`, steps)

	var wide strings.Builder
	for i := range 1_500 {
		fmt.Fprintf(&wide, `,"p%d":{"type":"string"}`, i)
	}
	wideObject := `{"type":"object","properties":{` + wide.String()[1:] + `},"additionalProperties":false}`

	branches := make([]string, 120)
	for i := range branches {
		branches[i] = fmt.Sprintf(`{"type":"object","properties":{"t":{"const":%d},"a":{"type":"string"},"b":{"type":"object","additionalProperties":{"type":"string"}}},"required":["t"],"additionalProperties":false}`, i)
	}
	tagged := `{"type":"object","properties":{"u":{"oneOf":[` + strings.Join(branches, ",") + `]}},"required":["u"],"additionalProperties":false}`

	deep := `{"type":"object","additionalProperties":{"type":"string"}}`
	for range 40 {
		deep = `{"type":"object","properties":{"p":` + deep + `},"additionalProperties":false}`
	}
	cases := map[string]struct {
		schema   string
		reshaped bool
	}{
		"alternatives that remember": {remembering.String(), false},
		"a wide object":              {wideObject, true},
		"many alternatives":          {tagged, true},
		"a deep object":              {deep, true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			author := schematest.Schema(t, c.schema)
			got := adapt.Schema(author, formless(t), provider.Standard, adapt.Widen)
			if got.Schema == nil {
				t.Fatalf("no schema: %v", got.Findings)
			}
			if (got.Decode != nil) != c.reshaped {
				t.Errorf("reshaped is %v", got.Decode != nil)
			}
			if rule := got.Decode.Value().JSON(); len(rule) > 4*len(c.schema) {
				t.Errorf("a schema of %d bytes has a rule of %d", len(c.schema), len(rule))
			}
		})
	}
}

// FuzzSchema: whatever the schema, nothing panics at any level, and what is
// admitted is, decoded, the author's.
func FuzzSchema(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(schematest.Random(seed), uint8(seed), uint8(seed))
	}
	f.Add(`{"type":"object","properties":{"a":{"$ref":"#"},"b":{"type":"object","additionalProperties":{"type":"string"}}},"anyOf":[{"required":["a"]}]}`, uint8(0), uint8(3))
	names := provider.Builtin().Names()
	f.Fuzz(func(t *testing.T, text string, which, level uint8) {
		value, failed := schema.Parse([]byte(text))
		if failed != nil {
			return
		}
		author, _ := schema.Admit(value)
		if author == nil {
			return
		}
		if _, invalid := author.Compile(); len(invalid) > 0 {
			return
		}
		p := profile(t, names[int(which)%len(names)])
		mode := []provider.Mode{provider.Strict, provider.Standard}[which%2]
		r := adapt.Schema(author, p, mode, adapt.Effect(level%4))
		if r.Schema == nil || strongest(r) == adapt.Widen {
			return
		}
		checkDecoding(t, p.Name, author, r, p, mode, uint64(which), &outcomes{})
	})
}
