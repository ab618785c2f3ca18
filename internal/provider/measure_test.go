// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/testkit/schematest"
)

func TestMeasure(t *testing.T) {
	t.Parallel()
	members := make([]string, 251)
	for i := range members {
		members[i] = fmt.Sprintf(`"m%03d"`, i)
	}
	cases := map[string]struct {
		schema string
		want   Counts
	}{
		"an empty object": {`{"type":"object"}`, Counts{Depth: 1, Tools: 1, StrictTools: 1}},
		"properties at every level": {
			`{"type":"object","properties":{"ab":{"type":"object","properties":{"c":{"type":"string"}}},"é":{"type":"string"}},"required":["é"]}`,
			Counts{Properties: 3, OptionalProperties: 2, Depth: 3, NameCharacters: 4, Tools: 1, StrictTools: 1},
		},
		"unions count once at a node, in both spellings": {
			`{"properties":{"a":{"type":["string","null"],"anyOf":[{}]},"b":{"anyOf":[{},{}]},"c":{"type":"string"}},"required":["a","b","c"]}`,
			Counts{Properties: 3, UnionParameters: 2, Depth: 3, NameCharacters: 3, Tools: 1, StrictTools: 1},
		},
		"enums, const and definitions": {
			`{"properties":{"a":{"enum":["xy",10,null]},"b":{"const":"abc"}},"required":["a","b"],"$defs":{"Long":{}}}`,
			Counts{Properties: 2, EnumValues: 3, Depth: 2, NameCharacters: 2 + 8 + 3 + 4, Tools: 1, StrictTools: 1},
		},
		"a large enum": {
			`{"properties":{"a":{"enum":[` + strings.Join(members, ",") + `]}},"required":["a"]}`,
			Counts{Properties: 1, EnumValues: 251, LargeEnumCharacters: 251 * 4, Depth: 2, NameCharacters: 1 + 251*4, Tools: 1, StrictTools: 1},
		},
		"maxItems, however large": {
			`{"properties":{"a":{"maxItems":10},"b":{"maxItems":9007199254740992},"c":{"maxItems":9007199254740992}},"required":["a","b","c"]}`,
			Counts{Properties: 3, MaxItemsSum: maxCountedItems, Depth: 2, NameCharacters: 3, Tools: 1, StrictTools: 1},
		},
		"a long required list": {
			`{"properties":{` + manyProperties(40) + `},"required":["p00","p01","p02","p03","p04","p05","p06","p07","p08","p09","p10","p11","p12","p13","p14","p15","p16"]}`,
			Counts{Properties: 40, OptionalProperties: 23, Depth: 2, NameCharacters: 120, Tools: 1, StrictTools: 1},
		},
		"a property named like a keyword": {
			`{"properties":{"enum":{"type":"string"},"properties":{"type":"string"}},"required":["enum","properties"]}`,
			Counts{Properties: 2, Depth: 2, NameCharacters: 14, Tools: 1, StrictTools: 1},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, Measure(schematest.Schema(t, c.schema))); diff != "" {
				t.Errorf("counts (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEveryMeasureIsACount(t *testing.T) {
	t.Parallel()
	c := Counts{Properties: 1, OptionalProperties: 2, UnionParameters: 3, Depth: 4, NameCharacters: 5, EnumValues: 6, LargeEnumCharacters: 7, MaxItemsSum: 8, Tools: 9, StrictTools: 10}
	for i, m := range measures {
		if got := c.Of(m.name); got != i+1 {
			t.Errorf("%s is %d, want %d", m.name, got, i+1)
		}
	}
	if got := c.Of("Beauty"); got != 0 {
		t.Errorf("a measure that is none is %d", got)
	}
}
