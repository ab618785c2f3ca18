// SPDX-License-Identifier: Apache-2.0

package adapt_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/adapt"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// formless takes everything but optional properties and maps.
func formless(t testing.TB, more ...string) *provider.Profile {
	t.Helper()
	verdicts := map[string][]verdict{
		"OptionalProperty":     rejected,
		"additionalProperties": {{"valueKinds: [object]", "Rejected"}},
		"patternProperties":    rejected,
	}
	for _, keyword := range more {
		verdicts[keyword] = rejected
	}
	return custom(t, verdicts)
}

func TestReshape(t *testing.T) {
	t.Parallel()
	// around puts the schema of a required property into an object.
	around := func(schema string) string {
		return `{"type":"object","properties":{"p":` + schema + `},"required":["p"]}`
	}
	const (
		inOrder  = `"required":["a","b"]`
		optional = `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`
		dropA    = `{"properties":{"p":{"dropNull":["a"]}}}`
		pairOf   = `{"type":"object","properties":{"key":{"type":"string"},"value":{"type":"string"}},"required":["key","value"],"additionalProperties":false}`
		text     = `"description":"One entry per key; no key twice."`
	)
	cases := map[string]struct {
		reason, in, want, decode string
		most                     adapt.Effect // 0 is Reshape
		rewrites                 []string
		refused                  bool
		takesMaps                bool
	}{
		"an optional property is required and may be null": {
			reason: "the API asks for all of them", decode: `{"dropNull":["b"]}`,
			in:       `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer","minimum":1}},"required":["a"]}`,
			want:     `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":["integer","null"],"minimum":1}},` + inOrder + `}`,
			rewrites: []string{"Reshape optional-to-null /properties/b"},
		},
		"required follows the order of the properties": {
			reason: "models write in that order", decode: `{"dropNull":["a"]}`,
			in:       `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["b"]}`,
			want:     `{"type":"object","properties":{"a":{"type":["string","null"]},"b":{"type":"string"}},` + inOrder + `}`,
			rewrites: []string{"Reshape optional-to-null /properties/a"},
		},
		"one that may be null already becomes required": {
			reason: "absent is merely not admitted any more", most: adapt.Narrow,
			in:       `{"type":"object","properties":{"a":{"type":["string","null"]},"b":{"anyOf":[{"type":"null"},{"type":"string"}]}}}`,
			want:     `{"type":"object","properties":{"a":{"type":["string","null"]},"b":{"anyOf":[{"type":"null"},{"type":"string"}]}},` + inOrder + `}`,
			rewrites: []string{"Narrow require-nullable /properties/a", "Narrow require-nullable /properties/b"},
		},
		"the two kinds stand together": {
			reason: "each for itself", decode: `{"dropNull":["b"]}`,
			in:       `{"type":"object","properties":{"a":{"enum":["x",null]},"b":{"enum":["x"]}}}`,
			want:     `{"type":"object","properties":{"a":{"enum":["x",null]},"b":{"anyOf":[{"enum":["x"]},{"type":"null"}]}},` + inOrder + `}`,
			rewrites: []string{"Narrow require-nullable /properties/a", "Reshape optional-to-null /properties/b"},
		},
		"nothing is required without null at Narrow": {
			reason: "a caller could not leave it out any more", most: adapt.Narrow, refused: true,
			in:   `{"type":"object","properties":{"a":{"type":"string"}}}`,
			want: `{"type":"object","properties":{"a":{"type":"string"}}}`,
		},
		"an enum gets null as a member": {
			reason: "the type alone would not admit it", decode: `{"dropNull":["a"]}`,
			in:       `{"type":"object","properties":{"a":{"type":"string","enum":["x","y"]}}}`,
			want:     `{"type":"object","properties":{"a":{"type":["string","null"],"enum":["x","y",null]}},"required":["a"]}`,
			rewrites: []string{"Reshape optional-to-null /properties/a"},
		},
		"an enum that lists null under a type that refuses it": {
			reason: "null is in the list and was not admitted", decode: `{"dropNull":["a"]}`,
			in:       `{"type":"object","properties":{"a":{"type":"string","enum":["x",null]}}}`,
			want:     `{"type":"object","properties":{"a":{"type":["string","null"],"enum":["x",null]}},"required":["a"]}`,
			rewrites: []string{"Reshape optional-to-null /properties/a"},
		},
		"a constant goes into an alternative": {
			reason: "it would refuse null beside any type", decode: `{"dropNull":["a"]}`,
			in:       `{"type":"object","properties":{"a":{"type":"string","const":"x","description":"d"}}}`,
			want:     `{"type":"object","properties":{"a":{"description":"d","anyOf":[{"type":"string","const":"x"},{"type":"null"}]}},"required":["a"]}`,
			rewrites: []string{"Reshape optional-to-null /properties/a"},
		},
		"a reference goes into an alternative": {
			reason: "its target serves others too", decode: `{"dropNull":["a"]}`,
			in: `{"type":"object","properties":{"a":{"$ref":"#/$defs/S"},"b":{"$ref":"#/$defs/S"}},"required":["b"],"$defs":{"S":{"type":"string"}}}`,
			want: `{"type":"object","properties":{"a":{"anyOf":[{"$ref":"#/$defs/S"},{"type":"null"}]},"b":{"$ref":"#/$defs/S"}},` + inOrder +
				`,"$defs":{"S":{"type":"string"}}}`,
			rewrites: []string{"Reshape optional-to-null /properties/a"},
		},
		"alternatives get one more": {
			reason: "that is the shortest way to say it", decode: `{"dropNull":["a"]}`,
			in:       `{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"integer"}]}}}`,
			want:     `{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"integer"},{"type":"null"}]}},"required":["a"]}`,
			rewrites: []string{"Reshape optional-to-null /properties/a"},
		},
		"a property that is never given": {
			reason: "null is all that may stand there", decode: `{"dropNull":["a"]}`,
			in:       `{"type":"object","properties":{"a":false}}`,
			want:     `{"type":"object","properties":{"a":{"type":"null"}},"required":["a"]}`,
			rewrites: []string{"Reshape optional-to-null /properties/a"},
		},
		"whether it may be null cannot be told": {
			reason: "null would then mean absent, or itself", refused: true,
			in:   `{"type":"object","properties":{"a":{"if":{"type":"string"},"then":{"minLength":1}}}}`,
			want: `{"type":"object","properties":{"a":{"if":{"type":"string"},"then":{"minLength":1}}}}`,
		},
		"a count that null members would satisfy": {
			reason: "decoded, there would be too few", refused: true,
			in:   `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"minProperties":1}`,
			want: `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"minProperties":1}`,
		},
		"a count that all members would exceed": {
			reason: "nothing would be admitted", refused: true,
			in:   `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"maxProperties":1}`,
			want: `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"maxProperties":1}`,
		},
		"a union of required groups": {
			reason: "all groups would be there, and decoded none", refused: true,
			in:   `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`,
			want: `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`,
		},
		"what another reference means by its place": {
			reason: "b would become nullable as well", refused: true,
			in:   `{"type":"object","properties":{"a":{"type":"string"},"b":{"$ref":"#/properties/a"}},"required":["b"]}`,
			want: `{"type":"object","properties":{"a":{"type":"string"},"b":{"$ref":"#/properties/a"}},"required":["b"]}`,
		},

		"a map becomes an array of pairs": {
			reason: "a strict API takes no free names", decode: `{"properties":{"p":{"pairs":{}}}}`,
			in:       around(`{"type":"object","description":"d","additionalProperties":{"type":"string"}}`),
			want:     around(`{"type":"array","description":"d. One entry per key; no key twice.","items":` + pairOf + `}`),
			rewrites: []string{"Reshape map-to-pairs /properties/p"},
		},
		"counts of members become counts of items": {
			reason: "each key comes once", decode: `{"properties":{"p":{"pairs":{}}}}`,
			in:       around(`{"type":"object","minProperties":1,"maxProperties":3,"additionalProperties":{"type":"string"}}`),
			want:     around(`{"type":"array",` + text + `,"items":` + pairOf + `,"minItems":1,"maxItems":3}`),
			rewrites: []string{"Reshape map-to-pairs /properties/p"},
		},
		"rules of names go to the key": {
			reason: "there the API can enforce them", decode: `{"properties":{"p":{"pairs":{}}}}`,
			in: around(`{"type":"object","propertyNames":{"pattern":"^[a-z]+$"},"additionalProperties":{"type":"string"}}`),
			want: around(`{"type":"array",` + text + `,"items":{"type":"object","properties":{"key":{"type":"string","pattern":"^[a-z]+$"},"value":{"type":"string"}},` +
				`"required":["key","value"],"additionalProperties":false}}`),
			rewrites: []string{"Reshape map-to-pairs /properties/p"},
		},
		"a key is a string": {
			reason: "every name is one", decode: `{"properties":{"p":{"pairs":{}}}}`,
			in: around(`{"type":"object","propertyNames":{"type":["string","null"],"maxLength":3},"additionalProperties":{"type":"string"}}`),
			want: around(`{"type":"array",` + text + `,"items":{"type":"object","properties":{"key":{"type":"string","maxLength":3},"value":{"type":"string"}},` +
				`"required":["key","value"],"additionalProperties":false}}`),
			rewrites: []string{"Reshape map-to-pairs /properties/p"},
		},
		"names that are never admitted": {
			reason: "a key of another type would be no name", refused: true,
			in:   around(`{"type":"object","propertyNames":{"type":"integer"},"additionalProperties":{"type":"string"}}`),
			want: around(`{"type":"object","propertyNames":{"type":"integer"},"additionalProperties":{"type":"string"}}`),
		},
		"one pattern of names is the pattern of the key": {
			reason: "other names are not admitted any more", decode: `{"properties":{"p":{"pairs":{}}}}`,
			in: around(`{"type":["object","null"],"patternProperties":{"^x-":{"type":"string"}}}`),
			want: around(`{"type":["array","null"],` + text + `,"items":{"type":"object","properties":{"key":{"type":"string","pattern":"^x-"},"value":{"type":"string"}},` +
				`"required":["key","value"],"additionalProperties":false}}`),
			rewrites: []string{"Reshape map-to-pairs /properties/p"},
		},
		"a map of maps": {
			reason: "every level has its pairs", decode: `{"properties":{"p":{"pairs":{"pairs":{}}}}}`,
			in: around(`{"type":"object","additionalProperties":{"type":"object","additionalProperties":{"type":"string"}}}`),
			want: around(`{"type":"array",` + text + `,"items":{"type":"object","properties":{"key":{"type":"string"},"value":{"type":"array",` + text +
				`,"items":` + pairOf + `}},"required":["key","value"],"additionalProperties":false}}`),
			rewrites: []string{"Reshape map-to-pairs /properties/p", "Reshape map-to-pairs /properties/p/additionalProperties"},
		},
		"an optional map may be null": {
			reason: "null is absent, and no pairs are an empty map", decode: `{"dropNull":["p"],"properties":{"p":{"pairs":{}}}}`,
			in:       `{"type":"object","properties":{"p":{"type":"object","additionalProperties":{"type":"string"}}}}`,
			want:     around(`{"type":["array","null"],` + text + `,"items":` + pairOf + `}`),
			rewrites: []string{"Reshape map-to-pairs /properties/p", "Reshape optional-to-null /properties/p"},
		},
		"objects in a map": {
			reason: "they are decoded too", decode: `{"properties":{"p":{"pairs":{"dropNull":["a"]}}}}`,
			in: around(`{"type":"object","additionalProperties":` + optional + `}`),
			want: around(`{"type":"array",` + text + `,"items":{"type":"object","properties":{"key":{"type":"string"},"value":{"type":"object",` +
				`"properties":{"a":{"type":["string","null"]}},"required":["a"],"additionalProperties":false}},"required":["key","value"],"additionalProperties":false}}`),
			rewrites: []string{"Reshape map-to-pairs /properties/p", "Reshape optional-to-null /properties/p/additionalProperties/properties/a"},
		},
		"a map with declared properties": {
			reason: "one array cannot hold both", refused: true,
			in:   around(`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":{"type":"string"}}`),
			want: around(`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":{"type":"string"}}`),
		},
		"a map that requires names": {
			reason: "an array cannot require an entry", refused: true,
			in:   around(`{"type":"object","required":["a"],"additionalProperties":{"type":"string"}}`),
			want: around(`{"type":"object","required":["a"],"additionalProperties":{"type":"string"}}`),
		},
		"a map of anything": {
			reason: "no strict API takes a value without a type", refused: true,
			in:   around(`{"type":"object","additionalProperties":{"description":"any"}}`),
			want: around(`{"type":"object","additionalProperties":{"description":"any"}}`),
		},
		"two patterns of names": {
			reason: "a value can be under both", refused: true,
			in:   around(`{"type":"object","patternProperties":{"^x":{"type":"string"},"y$":{"type":"string"}}}`),
			want: around(`{"type":"object","patternProperties":{"^x":{"type":"string"},"y$":{"type":"string"}}}`),
		},
		"a map that may be something else": {
			reason: "an array could then be either", refused: true,
			in:   around(`{"anyOf":[{"type":"object","additionalProperties":{"type":"string"}},{"type":"array","items":{"type":"string"}}]}`),
			want: around(`{"anyOf":[{"type":"object","additionalProperties":{"type":"string"}},{"type":"array","items":{"type":"string"}}]}`),
		},
		"a map under a type that says object": {
			reason: "an array would never be admitted", refused: true,
			in:   around(`{"type":"object","anyOf":[{"type":"object","additionalProperties":{"type":"string"}}]}`),
			want: around(`{"type":"object","anyOf":[{"type":"object","additionalProperties":{"type":"string"}}]}`),
		},
		"the arguments themselves": {
			reason: "every API wants an object there", refused: true,
			in:   `{"type":"object","additionalProperties":{"type":"string"}}`,
			want: `{"type":"object","additionalProperties":{"type":"string"}}`,
		},
		"a map that a reference leads into": {
			reason: "the place would be gone; the rest is not held up", refused: true, decode: `{"dropNull":["r"]}`,
			in: `{"type":"object","properties":{"p":{"type":"object","additionalProperties":{"type":"string"}},` +
				`"q":{"$ref":"#/properties/p/additionalProperties"},"r":{"type":"string"}},"required":["p","q"]}`,
			want: `{"type":"object","properties":{"p":{"type":"object","additionalProperties":{"type":"string"}},` +
				`"q":{"$ref":"#/properties/p/additionalProperties"},"r":{"type":["string","null"]}},"required":["p","q","r"]}`,
			rewrites: []string{"Reshape optional-to-null /properties/r"},
		},
		"null that matches two alternatives": {
			reason: "oneOf refuses it, so it can stand for absent", decode: `{"dropNull":["a"]}`,
			in:       `{"type":"object","properties":{"a":{"oneOf":[{"type":["string","null"]},{"type":["integer","null"]}]}}}`,
			want:     `{"type":"object","properties":{"a":{"anyOf":[{"oneOf":[{"type":["string","null"]},{"type":["integer","null"]}]},{"type":"null"}]}},"required":["a"]}`,
			rewrites: []string{"Reshape optional-to-null /properties/a"},
		},
		"maps that the API takes": {
			reason: "their values are decoded where they are, and declared members are none of them", takesMaps: true,
			decode: `{"properties":{"p":{"properties":{"b":{}},"values":{"dropNull":["a"]}}}}`,
			in:     around(`{"type":"object","properties":{"b":{"type":"object","properties":{"a":{"type":"null"}},"required":["a"]}},"required":["b"],"additionalProperties":` + optional + `}`),
			want: around(`{"type":"object","properties":{"b":{"type":"object","properties":{"a":{"type":"null"}},"required":["a"]}},"required":["b"],` +
				`"additionalProperties":{"type":"object","properties":{"a":{"type":["string","null"]}},"required":["a"],"additionalProperties":false}}`),
			rewrites: []string{"Reshape optional-to-null /properties/p/additionalProperties/properties/a"},
		},

		"alternatives that agree": {
			reason: "null is never more than absent in either", decode: dropA,
			in: around(`{"anyOf":[` + optional + `,{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"}},"required":["a","b"],"additionalProperties":false}]}`),
			want: around(`{"anyOf":[{"type":"object","properties":{"a":{"type":["string","null"]}},"required":["a"],"additionalProperties":false},` +
				`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"}},"required":["a","b"],"additionalProperties":false}]}`),
			rewrites: []string{"Reshape optional-to-null /properties/p/anyOf/0/properties/a"},
		},
		"an alternative where null is a value": {
			reason: "the host could not tell which was meant", refused: true,
			in:   around(`{"anyOf":[` + optional + `,{"type":"object","properties":{"a":{"type":"null"},"b":{"type":"string"}},"required":["a","b"],"additionalProperties":false}]}`),
			want: around(`{"anyOf":[` + optional + `,{"type":"object","properties":{"a":{"type":"null"},"b":{"type":"string"}},"required":["a","b"],"additionalProperties":false}]}`),
		},
		"an alternative that admits any member": {
			reason: "a null there may be one of the author's", refused: true,
			in:   around(`{"anyOf":[` + optional + `,{"type":"object","properties":{"b":{"type":"string"}},"required":["b"]}]}`),
			want: around(`{"anyOf":[` + optional + `,{"type":"object","properties":{"b":{"type":"string"}},"required":["b"]}]}`),
		},
		"alternatives that disagree further down": {
			reason: "the rule sees the same place", refused: true,
			in: around(`{"anyOf":[{"type":"object","properties":{"q":` + optional + `},"required":["q"],"additionalProperties":false},` +
				`{"type":"object","additionalProperties":{"type":["object","string"],"description":"any"},"required":["x"]}]}`),
			want: around(`{"anyOf":[{"type":"object","properties":{"q":` + optional + `},"required":["q"],"additionalProperties":false},` +
				`{"type":"object","additionalProperties":{"type":["object","string"],"description":"any"},"required":["x"]}]}`),
		},
		"two maps at one place": {
			reason: "their values share a rule", decode: `{"properties":{"p":{"pairs":{"dropNull":["a"]}}}}`,
			in: around(`{"anyOf":[{"type":"object","additionalProperties":` + optional + `},{"type":"object","additionalProperties":{"type":"string"}}]}`),
			want: around(`{"anyOf":[{"type":"array",` + text + `,"items":{"type":"object","properties":{"key":{"type":"string"},"value":` +
				`{"type":"object","properties":{"a":{"type":["string","null"]}},"required":["a"],"additionalProperties":false}},"required":["key","value"],"additionalProperties":false}},` +
				`{"type":"array",` + text + `,"items":` + pairOf + `}]}`),
			rewrites: []string{
				"Reshape map-to-pairs /properties/p/anyOf/0", "Reshape optional-to-null /properties/p/anyOf/0/additionalProperties/properties/a",
				"Reshape map-to-pairs /properties/p/anyOf/1",
			},
		},
		"alternatives of oneOf that are told apart": {
			reason: "a value matches one of them before and after", decode: `{"properties":{"p":{"dropNull":["a"]}}}`,
			in: around(`{"oneOf":[{"type":"object","properties":{"t":{"const":1},"a":{"type":"string"}},"required":["t"],"additionalProperties":false},` +
				`{"type":"object","properties":{"t":{"const":2}},"required":["t"],"additionalProperties":false}]}`),
			want: around(`{"oneOf":[{"type":"object","properties":{"t":{"const":1},"a":{"type":["string","null"]}},"required":["t","a"],"additionalProperties":false},` +
				`{"type":"object","properties":{"t":{"const":2}},"required":["t"],"additionalProperties":false}]}`),
			rewrites: []string{"Reshape optional-to-null /properties/p/oneOf/0/properties/a"},
		},
		"alternatives of oneOf that overlap": {
			reason: "a value could match another number of them", refused: true,
			in:   around(`{"oneOf":[` + optional + `,{"type":"object","properties":{"b":{"type":"string"}},"required":["b"],"additionalProperties":false}]}`),
			want: around(`{"oneOf":[` + optional + `,{"type":"object","properties":{"b":{"type":"string"}},"required":["b"],"additionalProperties":false}]}`),
		},
		"what is negated": {
			reason: "more would be refused, not less", refused: true,
			in:   around(`{"type":"string","not":` + optional + `}`),
			want: around(`{"type":"string","not":` + optional + `}`),
		},
		"items that are looked at twice": {
			reason: "contains would see another form", refused: true,
			in:   around(`{"type":"array","items":` + optional + `,"contains":{"required":["a"]}}`),
			want: around(`{"type":"array","items":` + optional + `,"contains":{"required":["a"]}}`),
		},
		"an alternative that knows its items by position": {
			reason: "the rule cannot tell positions apart", refused: true,
			in:   around(`{"anyOf":[{"type":"array","items":` + optional + `},{"type":"array","prefixItems":[{"type":"object","properties":{"a":{"type":"null"}},"required":["a"]}],"items":{"type":"string"}}]}`),
			want: around(`{"anyOf":[{"type":"array","items":` + optional + `},{"type":"array","prefixItems":[{"type":"object","properties":{"a":{"type":"null"}},"required":["a"]}],"items":{"type":"string"}}]}`),
		},
		"items that must differ": {
			reason: "two arrays of pairs can be one map", refused: true,
			in:   around(`{"type":"array","uniqueItems":true,"items":{"type":"object","additionalProperties":{"type":"string"}}}`),
			want: around(`{"type":"array","items":{"type":"object","additionalProperties":{"type":"string"}},"uniqueItems":true}`),
		},
		"a definition that is negated elsewhere": {
			reason: "it is written in one place for all", refused: true,
			in:   `{"type":"object","properties":{"p":{"$ref":"#/$defs/D"},"q":{"not":{"$ref":"#/$defs/D"}}},"required":["p","q"],"$defs":{"D":` + optional + `}}`,
			want: `{"type":"object","properties":{"p":{"$ref":"#/$defs/D"},"q":{"not":{"$ref":"#/$defs/D"}}},"required":["p","q"],"$defs":{"D":` + optional + `}}`,
		},

		"a schema that comes back to itself": {
			reason: "its rule does too", decode: `{"ref":"rule","definitions":{"rule":{"dropNull":["next"],"properties":{"next":{"ref":"rule"}}}}}`,
			in:       `{"type":"object","properties":{"next":{"$ref":"#"}},"additionalProperties":false}`,
			want:     `{"type":"object","properties":{"next":{"anyOf":[{"$ref":"#"},{"type":"null"}]}},"required":["next"],"additionalProperties":false}`,
			rewrites: []string{"Reshape optional-to-null /properties/next"},
		},
		"a definition that is used twice": {
			reason: "its rule has its name",
			decode: `{"properties":{"l":{"items":{"ref":"D"}},"p":{"ref":"D"}},"definitions":{"D":{"dropNull":["a"]}}}`,
			in:     `{"type":"object","properties":{"p":{"$ref":"#/$defs/D"},"l":{"type":"array","items":{"$ref":"#/$defs/D"}}},"required":["p","l"],"$defs":{"D":` + optional + `}}`,
			want: `{"type":"object","properties":{"p":{"$ref":"#/$defs/D"},"l":{"type":"array","items":{"$ref":"#/$defs/D"}}},"required":["p","l"],` +
				`"$defs":{"D":{"type":"object","properties":{"a":{"type":["string","null"]}},"required":["a"],"additionalProperties":false}}}`,
			rewrites: []string{"Reshape optional-to-null /$defs/D/properties/a"},
		},
		"defaults and examples follow": {
			reason: "a model would copy the old form", decode: `{"properties":{"p":{"dropNull":["b"],"properties":{"a":{"pairs":{}}}}}}`,
			in: around(`{"type":"object","properties":{"a":{"type":"object","additionalProperties":{"type":"string"},"default":{"k":"v"}},"b":{"type":"string"}},"required":["a"],` +
				`"default":{"a":{"x":"y"}},"examples":[{"a":{}},{"a":{},"b":"z"}]}`),
			want: around(`{"type":"object","properties":{"a":{"type":"array",` + text + `,"items":` + pairOf + `,"default":[{"key":"k","value":"v"}]},"b":{"type":["string","null"]}},` + inOrder +
				`,"default":{"a":[{"key":"x","value":"y"}],"b":null},"examples":[{"a":[],"b":null},{"a":[],"b":"z"}]}`),
			rewrites: []string{"Reshape map-to-pairs /properties/p/properties/a", "Reshape optional-to-null /properties/p/properties/b"},
		},
		"the property is named like a keyword": {
			reason: "one real tool in nine has such a parameter", decode: `{"dropNull":["properties"],"properties":{"properties":{"dropNull":["required"]}}}`,
			in: `{"type":"object","properties":{"properties":{"type":"object","properties":{"required":{"type":"string"}}}}}`,
			want: `{"type":"object","properties":{"properties":{"type":["object","null"],"properties":{"required":{"type":["string","null"]}},"required":["required"]}},` +
				`"required":["properties"]}`,
			rewrites: []string{"Reshape optional-to-null /properties/properties", "Reshape optional-to-null /properties/properties/properties/required"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			author := schematest.Schema(t, c.in)
			most := c.most
			if most == adapt.Keep {
				most = adapt.Reshape
			}
			p := formless(t)
			if c.takesMaps {
				p = custom(t, map[string][]verdict{"OptionalProperty": rejected})
			}
			got := adapt.Schema(author, p, provider.Standard, most)
			if got.Schema == nil {
				t.Fatalf("%s: no schema: %v", c.reason, got.Findings)
			}
			if diff := cmp.Diff(schematest.Schema(t, c.want).Root().JSON(), got.Schema.Root().JSON()); diff != "" {
				t.Errorf("%s: schema (-want +got):\n%s", c.reason, diff)
			}
			if diff := cmp.Diff(c.rewrites, rewrites(got)); diff != "" {
				t.Errorf("%s: rewrites (-want +got):\n%s", c.reason, diff)
			}
			rule := ""
			if got.Decode != nil {
				rule = got.Decode.Value().JSON()
			}
			if diff := cmp.Diff(c.decode, rule); diff != "" {
				t.Errorf("%s: decode rule (-want +got):\n%s", c.reason, diff)
			}
			if refused := finding.HasErrors(got.Findings); refused != c.refused {
				t.Errorf("%s: refused is %v: %v", c.reason, refused, got.Findings)
			}
			for _, f := range got.Findings {
				if author.Root().At(finding.Tokens(f.Pointer)) == nil {
					t.Errorf("%s at %s: the author has nothing there", f.Rule, f.Pointer)
				}
			}
			checkDecoding(t, c.reason, author, got, p, provider.Standard, 1, &outcomes{})
		})
	}
}

// Findings about what was moved lead to where the author wrote it.
func TestFindingsOfAnotherFormLeadToTheAuthors(t *testing.T) {
	t.Parallel()
	author := schematest.Schema(t, `{"type":"object","properties":{
		"p":{"type":"object","minProperties":2,"propertyNames":{"format":"uri"},"additionalProperties":{"type":"object","properties":{"a":{"type":"string","format":"uri"}}}}}}`)
	got := adapt.Schema(author, formless(t, "minItems", "format"), provider.Standard, adapt.Reshape)
	var places []string
	for _, f := range finding.Errors(got.Findings) {
		places = append(places, f.Pointer)
	}
	want := []string{
		"/properties/p/additionalProperties/properties/a/format",
		"/properties/p/minProperties", "/properties/p/propertyNames/format",
	}
	if diff := cmp.Diff(want, places); diff != "" {
		t.Error(diff)
	}
}

// The profile decides how null is spelled.
func TestNullIsSpelledAsTheProfileTakesIt(t *testing.T) {
	t.Parallel()
	const in = `{"type":"object","properties":{"a":{"type":"string","enum":["x"]},"b":{"type":["string","integer"]}},"required":[]}`
	cases := map[string]struct {
		types []verdict
		want  string
	}{
		"a type list is taken": {
			nil,
			`{"type":"object","properties":{"a":{"type":["string","null"],"enum":["x",null]},"b":{"type":["string","integer","null"]}},"required":["a","b"]}`,
		},
		"a type list is refused": {
			[]verdict{{"valueKinds: [array], countAbove: 2", "Rejected"}},
			`{"type":"object","properties":{"a":{"type":["string","null"],"enum":["x",null]},"b":{"anyOf":[{"type":["string","integer"]},{"type":"null"}]}},"required":["a","b"]}`,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			verdicts := map[string][]verdict{"OptionalProperty": rejected}
			if c.types != nil {
				verdicts["type"] = c.types
			}
			got := adapt.Schema(schematest.Schema(t, in), custom(t, verdicts), provider.Standard, adapt.Reshape)
			if diff := cmp.Diff(c.want, got.Schema.Root().JSON()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEncode(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"object","properties":{
		"a":{"type":"string"},
		"labels":{"type":"object","additionalProperties":{"type":"object","properties":{"x":{"type":"integer"}},"additionalProperties":false}},
		"either":{"anyOf":[{"type":"object","properties":{"t":{"const":1},"u":{"type":"string"}},"required":["t"],"additionalProperties":false},
			{"type":"object","properties":{"t":{"const":2},"v":{"type":"string"}},"required":["t"],"additionalProperties":false}]},
		"list":{"type":"array","items":{"$ref":"#"}}},"additionalProperties":false}`
	got := adapt.Schema(schematest.Schema(t, schema), formless(t), provider.Standard, adapt.Reshape)
	cases := map[string]struct{ in, want string }{
		"what is absent becomes null":     {`{}`, `{"a":null,"labels":null,"either":null,"list":null}`},
		"what is there stays":             {`{"a":"x","list":[]}`, `{"a":"x","list":[],"labels":null,"either":null}`},
		"a map becomes pairs":             {`{"labels":{"k":{},"l":{"x":1}}}`, `{"labels":[{"key":"k","value":{"x":null}},{"key":"l","value":{"x":1}}],"a":null,"either":null,"list":null}`},
		"the alternative that fits":       {`{"either":{"t":2}}`, `{"either":{"t":2,"v":null},"a":null,"labels":null,"list":null}`},
		"what comes back":                 {`{"list":[{"a":"x"}]}`, `{"list":[{"a":"x","labels":null,"either":null,"list":null}],"a":null,"labels":null,"either":null}`},
		"what is not the author's at all": {`{"a":null}`, ``},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			written, ok := got.Encode(schematest.Value(t, c.in))
			if !ok {
				if c.want != "" {
					t.Errorf("%s has no form", c.in)
				}
				return
			}
			if diff := cmp.Diff(c.want, written.JSON()); diff != "" {
				t.Error(diff)
			}
			validator, _ := got.Schema.Compile()
			if findings := validator.Validate(written); len(findings) > 0 {
				t.Errorf("the adapted schema refuses it: %v", findings)
			}
		})
	}
}
