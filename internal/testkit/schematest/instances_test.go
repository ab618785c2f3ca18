// SPDX-License-Identifier: Apache-2.0

package schematest_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// What is required and leads back to itself must not grow without end; neither
// may a proposal share parts so often that its text does.
func TestProposalsAreBounded(t *testing.T) {
	t.Parallel()
	wide := make([]string, 3000)
	for i := range wide {
		wide[i] = "n" + strconv.Itoa(i)
	}
	names := `"` + strings.Join(wide, `","`) + `"`
	cases := map[string]string{
		"an array of itself":         `{"type":"object","properties":{"b":{"type":"array","minItems":3,"maxItems":1,"items":{"$ref":"#/properties/b"}}},"required":["b"]}`,
		"a long array of itself":     `{"type":"array","minItems":1000000,"items":{"$ref":"#"}}`,
		"an object that requires it": `{"type":"object","properties":{"a":{"$ref":"#"},"b":{"$ref":"#"},"c":{"$ref":"#"}},"required":["a","b","c"]}`,
		"a tuple of itself":          `{"type":"array","prefixItems":[{"$ref":"#"},{"$ref":"#"},{"$ref":"#"}]}`,
		"all of itself":              `{"type":"object","properties":{"a":{"allOf":[{"$ref":"#"},{"$ref":"#"}]}},"required":["a"],"allOf":[{"properties":{"b":{"$ref":"#"}},"required":["b"]}]}`,
		"many required names":        `{"type":"array","minItems":40,"items":{"type":"object","required":[` + names + `]}}`,
		"a large constant":           `{"type":"array","minItems":40,"items":{"const":[` + names + `]}}`,
		"a map of itself":            `{"type":"object","minProperties":3,"additionalProperties":{"$ref":"#"}}`,
	}
	for name, text := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := schematest.NewInstances(schematest.Schema(t, text), 1)
			for range 200 {
				v := g.Next()
				if n := size(v, 0); n > 2000 {
					t.Fatalf("a proposal has more than 2000 values")
				}
				if d := depth(v); d > 40 {
					t.Fatalf("a proposal is %d values deep", d)
				}
			}
		})
	}
}

// size counts the values in a value, up to what is asked about.
func size(v *schema.Value, n int) int {
	n++
	for _, item := range v.Items() {
		if n > 2000 {
			return n
		}
		n = size(item, n)
	}
	for _, m := range v.Members() {
		if n > 2000 {
			return n
		}
		n = size(m.Value, n)
	}
	return n
}

func depth(v *schema.Value) int {
	most := 0
	for _, item := range v.Items() {
		most = max(most, depth(item))
	}
	for _, m := range v.Members() {
		most = max(most, depth(m.Value))
	}
	return most + 1
}

// A bound must not keep the proposals of ordinary schemas from being valid.
func TestValidFindsValuesOfOrdinarySchemas(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"an object":    `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"array","items":{"type":"integer"},"minItems":2}},"required":["a","b"],"additionalProperties":false}`,
		"a tree":       `{"type":"object","properties":{"children":{"type":"array","items":{"$ref":"#"}}},"required":["children"],"additionalProperties":false}`,
		"a long array": `{"type":"array","items":{"type":"boolean"},"minItems":30}`,
	} {
		if got := schematest.NewInstances(schematest.Schema(t, text), 1).Valid(5, 100); len(got) < 5 {
			t.Errorf("%s: %d values are valid", name, len(got))
		}
	}
}
