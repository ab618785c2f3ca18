// SPDX-License-Identifier: Apache-2.0

package schematest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// Random writes the input schema of a tool as authors write them, only denser:
// optional properties, maps, unions, references that come back, over few names,
// so that alternatives touch; with a keyword here and there that few authors
// use. The same seed gives the same text. Not every text is admitted.
func Random(seed uint64) string {
	g := random{rand.New(rand.NewPCG(seed, 5))} //nolint:gosec // repeatable on purpose
	root := g.object(3)
	root["type"] = `"object"`
	if g.IntN(10) == 0 {
		root["anyOf"] = `[{"required":["a"]},{"required":["b"]}]`
	}
	root["$defs"] = Object(map[string]string{
		"d": Object(g.object(1)),
		"e": Object(map[string]string{
			"type": `"object"`, "properties": Object(map[string]string{"a": `{"$ref":"#/$defs/e"}`, "b": g.schema(1), "c": g.scalar()}),
			"additionalProperties": "false",
		}),
		"m": Object(g.mapOf(1)),
	})
	return Object(root)
}

type random struct{ *rand.Rand }

func (g random) pick(list ...string) string { return list[g.IntN(len(list))] }

func (g random) name() string { return g.pick("a", "b", "c", "d") }

// Object writes an object of JSON texts by name, in one order.
func Object(members map[string]string) string {
	list := make([]string, 0, len(members))
	for name, value := range members {
		list = append(list, fmt.Sprintf("%q:%s", name, value))
	}
	slices.Sort(list)
	return "{" + strings.Join(list, ",") + "}"
}

func (g random) schema(depth int) string {
	if depth == 0 {
		return g.scalar()
	}
	switch g.IntN(24) {
	case 0, 1, 2, 3, 4:
		return Object(g.object(depth - 1))
	case 5, 6, 7:
		return Object(g.mapOf(depth - 1))
	case 8, 9, 10:
		return Object(g.array(depth - 1))
	case 11, 12, 13, 14, 15:
		return g.union(depth - 1)
	case 16, 17, 18:
		return `{"$ref":"#/` + g.pick("$defs/d", "$defs/e", "$defs/m", "$defs/d", "$defs/e", "$defs/m", "properties/a", "$defs/e/properties/b") + `"}`
	case 19:
		return g.odd(depth - 1)
	default:
		return g.scalar()
	}
}

func (g random) scalar() string {
	return g.pick(
		`{"type":"string"}`, `{"type":"string"}`, `{"type":"integer"}`, `{"type":"integer","minimum":1}`, `{"type":"boolean"}`,
		`{"type":["string","null"]}`, `{"type":"string","enum":["a","b"]}`, `{"enum":["a",null]}`, `{"const":"a"}`, `{"type":"null"}`,
		`{"type":"string","pattern":"^a"}`, `{"type":"string","minLength":1}`, `{"type":["string","integer"]}`, `{}`, `true`, `false`,
		`{"type":"string","default":"a"}`, `{"anyOf":[{"type":"string"},{"type":"null"}]}`,
	)
}

func (g random) object(depth int) map[string]string {
	out := map[string]string{"type": g.pick(`"object"`, `"object"`, `"object"`, `["object","null"]`)}
	properties := map[string]string{}
	for range 1 + g.IntN(3) {
		properties[g.name()] = g.schema(depth)
	}
	out["properties"] = Object(properties)
	if g.IntN(2) == 0 {
		out["additionalProperties"] = g.pick("false", "false", "false", "true", `{"type":"string"}`)
	}
	if g.IntN(2) == 0 {
		var required []string
		for _, name := range slices.Sorted(maps.Keys(properties)) { // what is drawn must not depend on the order of a map
			if g.IntN(2) == 0 {
				required = append(required, fmt.Sprintf("%q", name))
			}
		}
		out["required"] = "[" + strings.Join(required, ",") + "]"
	}
	switch g.IntN(40) {
	case 0:
		out["minProperties"] = g.pick("1", "2")
	case 1:
		out["maxProperties"] = g.pick("1", "2")
	case 2:
		out["dependentRequired"] = `{"a":["b"]}`
	case 3:
		out["propertyNames"] = `{"maxLength":3}`
	case 4:
		out["patternProperties"] = `{"^x":` + g.scalar() + `}`
	case 5:
		out["anyOf"] = `[{"required":["a"]},{"properties":{"b":` + g.scalar() + `}}]`
	case 6:
		out["not"] = `{"required":["a"]}`
	case 7:
		out["if"], out["then"] = `{"required":["a"]}`, `{"required":["b"]}`
	case 8:
		out["default"] = `{"a":"x"}`
	case 9:
		out["dependentSchemas"] = `{"a":{"properties":{"b":` + g.scalar() + `}}}`
	case 10:
		out["unevaluatedProperties"] = "false"
	}
	return out
}

// mapOf writes a map. The order in which it draws must not depend on a map.
func (g random) mapOf(depth int) map[string]string {
	out := map[string]string{"type": g.pick(`"object"`, `"object"`, `["object","null"]`)}
	if value := g.schema(depth); g.IntN(4) > 0 {
		out["additionalProperties"] = value
		if g.IntN(5) == 0 {
			out["propertyNames"] = g.pick(`{"pattern":"^[a-c]$"}`, `{"enum":["a","b"]}`, `{"type":"string","maxLength":1}`, `{"type":["string","null"]}`, `{"type":"integer"}`)
		}
	} else {
		out["patternProperties"] = `{"` + g.pick("^x-", "^[ab]$", ".*") + `":` + value + `}`
		if g.IntN(2) == 0 {
			out["additionalProperties"] = "false"
		}
	}
	if g.IntN(6) == 0 {
		out[g.pick("minProperties", "maxProperties")] = g.pick("1", "2")
	}
	if g.IntN(10) == 0 {
		out["examples"] = `[{"a":"x"}]`
	}
	return out
}

func (g random) array(depth int) map[string]string {
	out := map[string]string{"type": `"array"`, "items": g.schema(depth)}
	switch g.IntN(12) {
	case 0:
		out["minItems"] = "1"
	case 1:
		out["uniqueItems"] = "true"
	case 2:
		out["contains"] = g.schema(0)
	case 3:
		out["prefixItems"] = "[" + g.schema(depth) + "]"
	}
	return out
}

func (g random) union(depth int) string {
	branches := make([]string, 1+g.IntN(3))
	for i := range branches {
		branches[i] = g.schema(depth)
	}
	if g.IntN(3) == 0 { // a union that is told apart by a tag
		for i := range branches {
			branches[i] = fmt.Sprintf(`{"type":"object","properties":{"d":{"const":"%d"},"a":%s},"required":["d"]}`, i, g.schema(depth))
		}
	}
	out := map[string]string{g.pick("anyOf", "anyOf", "oneOf"): "[" + strings.Join(branches, ",") + "]"}
	if g.IntN(8) == 0 {
		out["type"] = `"object"`
	}
	return Object(out)
}

// odd puts a schema where its meaning is turned or used twice.
func (g random) odd(depth int) string {
	inner := g.schema(depth)
	return g.pick(
		`{"not":`+inner+`}`,
		`{"allOf":[`+inner+`]}`,
		`{"allOf":[`+inner+`,`+g.schema(depth)+`]}`,
		`{"if":`+inner+`,"then":`+g.schema(depth)+`}`,
		`{"type":"array","contains":`+inner+`}`,
	)
}
