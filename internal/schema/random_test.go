// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/finding"
)

// generator makes schemas that a fuzzer of bytes does not reach: of every
// keyword, mostly with values of the right shape.
type generator struct{ *rand.Rand }

func (g generator) pick(texts ...string) *Value {
	v, failed := Parse([]byte(texts[g.IntN(len(texts))]))
	if failed != nil {
		return NewNull()
	}
	return v
}

func (g generator) schema(depth int) *Value {
	if depth == 0 || g.IntN(8) == 0 {
		return g.pick(`true`, `false`, `{}`, `{"type":"string"}`, `{"$ref":"#/$defs/a"}`, `{"$ref":"#"}`, `{"$ref":"#x"}`, `{"const":1}`)
	}
	members := map[string]*Value{}
	for range 1 + g.IntN(4) {
		k := g.oneOf()
		members[k.Name] = g.keyword(k, depth-1)
	}
	return objectOf(members, g.Rand)
}

// oneOf picks a keyword, seldom one that is always refused.
func (g generator) oneOf() Keyword {
	k := keywords[g.IntN(len(keywords))]
	if refusedKeywords[k.Name] != "" || k.Name == "$id" {
		return keywords[g.IntN(len(keywords))]
	}
	return k
}

func objectOf(members map[string]*Value, random *rand.Rand) *Value {
	out := make([]Member, 0, len(members))
	for _, k := range keywords { // in one order: maps have none
		if v, ok := members[k.Name]; ok {
			out = append(out, Member{k.Name, v})
		}
	}
	random.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return NewObject(out...)
}

func (g generator) keyword(k Keyword, depth int) *Value {
	if g.IntN(60) == 0 {
		return g.instance(2) // of any type
	}
	switch k.Shape {
	case One:
		return g.schema(depth)
	case List:
		return NewArray(g.schema(depth), g.schema(depth))
	case Map:
		return NewObject(Member{"a", g.schema(depth)}, Member{"b/~", g.schema(depth)})
	case Instance:
		return g.instance(2)
	case InstanceList:
		return NewArray(g.instance(2), g.instance(1))
	default:
		return g.plain(k.Name)
	}
}

func (g generator) plain(keyword string) *Value {
	switch keyword {
	case "$schema":
		return NewString(Dialect)
	case "$id":
		return g.pick(`"https://example.com/a"`, `"a"`, `"%zz"`, `"#"`)
	case "$ref":
		return g.pick(`"#"`, `"#/$defs/a"`, `"#/properties/b~1~0"`, `"#x"`, `"#/allOf/0"`, `"other.json"`)
	case "$anchor":
		return g.pick(`"x"`, `"y"`, `"a b"`)
	case "type":
		return g.pick(`"object"`, `"array"`, `"string"`, `"integer"`, `["null","number"]`, `"int"`, `[]`)
	case "format":
		return g.pick(`"date-time"`, `"regex"`, `"email"`, `"uri"`, `"uuid"`, `"unknown"`)
	case "pattern":
		return g.pick(`"^a"`, `"(?=a)b"`, `"["`, `"^(a+)+(?=b)$"`, `"\\p{L}"`)
	case "required":
		return g.pick(`["a"]`, `[]`, `["a","a"]`, `["b/~","a"]`)
	case "dependentRequired":
		return g.pick(`{"a":["b/~"]}`, `{}`, `{"a":[1]}`)
	case "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		return g.pick(`1`, `0.1`, `1e300`, `-5`, `9007199254740993`, `5e-324`)
	case "uniqueItems", "deprecated", "readOnly", "writeOnly":
		return g.pick(`true`, `false`)
	case "title", "description", "$comment", "contentEncoding", "contentMediaType":
		return g.pick(`"text"`, `"application/json"`, `"base64"`)
	}
	return g.pick(`0`, `1`, `2`, `1e300`, `1.0`, `-1`)
}

func (g generator) instance(depth int) *Value {
	if depth == 0 || g.IntN(2) == 0 {
		return g.pick(`null`, `true`, `0`, `1.5`, `1e300`, `"a"`, `""`, `"2026-01-01T00:00:00Z"`, `[]`, `{}`, `9007199254740993`)
	}
	if g.IntN(2) == 0 {
		return NewArray(g.instance(depth-1), g.instance(depth-1), g.instance(depth-1))
	}
	return NewObject(Member{"a", g.instance(depth - 1)}, Member{"b/~", g.instance(depth - 1)}, Member{"c", g.instance(depth - 1)})
}

func TestRandomSchemasOfEveryKeyword(t *testing.T) {
	t.Parallel()
	outcomes := map[string]int{}
	for seed := range uint64(5_000) {
		g := generator{rand.New(rand.NewPCG(seed, 0))}
		members := map[string]*Value{"$defs": NewObject(Member{"a", g.schema(2)})}
		for range 1 + g.IntN(5) {
			k := g.oneOf()
			members[k.Name] = g.keyword(k, 3)
		}
		root := objectOf(members, g.Rand)
		s, findings := Admit(root)
		checkTexts(t, findings)
		if s == nil {
			outcomes["refused"]++
			continue
		}
		validator, findings := s.Compile()
		checkTexts(t, findings)
		for _, f := range findings {
			if f.Pointer == "" && root.Get(f.Keyword) == nil || containsAny(f.Message, "could not") {
				t.Errorf("seed %d: a finding without a place: %v in %s", seed, f, root.JSON())
			}
		}
		if validator == nil {
			outcomes["invalid"]++
			continue
		}
		for range 4 {
			instance := g.instance(3)
			found := validator.Validate(instance)
			checkTexts(t, found)
			for _, f := range found {
				if containsAny(f.Message, "could not") {
					t.Errorf("seed %d: the library failed: %v; %s in %s", seed, f, instance.JSON(), root.JSON())
				}
				if instance.At(finding.Tokens(f.Pointer)) == nil {
					t.Errorf("seed %d: there is nothing at %q in %s", seed, f.Pointer, instance.JSON())
				}
			}
			if diff := cmp.Diff(found, validator.Validate(instance)); diff != "" {
				t.Errorf("seed %d: the second answer is another: %s", seed, diff)
			}
			outcomes[fmt.Sprint("valid ", len(found) == 0)]++
		}
	}
	t.Log(outcomes)
	for _, outcome := range []string{"refused", "invalid", "valid true", "valid false"} {
		if outcomes[outcome] < 300 {
			t.Errorf("the generator gives too few cases that are %s: %v", outcome, outcomes)
		}
	}
}
