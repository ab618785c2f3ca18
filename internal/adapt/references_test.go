// SPDX-License-Identifier: Apache-2.0

package adapt_test

import "testing"

func TestReferences(t *testing.T) {
	t.Parallel()
	var (
		alone    = map[string][]verdict{"$ref": {{"hasSiblings: true", "Rejected"}}}
		inDefs   = map[string][]verdict{"$ref": {{"refOutside: [$defs]", "Rejected"}}, "definitions": rejected}
		noRefs   = map[string][]verdict{"$ref": rejected, "root/$defs": rejected, "root/definitions": rejected}
		plain    = map[string][]verdict{"$ref": {{`valueMatches: "~|%"`, "Rejected"}}}
		siblings = map[string][]verdict{"maxLength": {{"has: [$ref]", "Dropped"}}}
	)
	const (
		object  = `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`
		someDef = `"$defs":{"A":{"type":"string","minLength":1}}`
	)
	run(t, map[string]rewriteCase{
		"a reference with constraints beside it": {
			verdicts: alone,
			in:       `{"type":"object","properties":{"p":{"$ref":"#/$defs/A","description":"d","maxLength":9}},` + someDef + `}`,
			want:     `{"type":"object","properties":{"p":{"type":"string","description":"d","minLength":1,"maxLength":9}},` + someDef + `}`,
			rewrites: []string{"Keep inline-ref /properties/p/$ref"},
		},
		"a constraint that is dropped beside a reference": {
			verdicts: siblings,
			in:       `{"type":"object","properties":{"p":{"$ref":"#/$defs/A","maxLength":9}},` + someDef + `}`,
			want:     `{"type":"object","properties":{"p":{"type":"string","minLength":1,"maxLength":9}},` + someDef + `}`,
			rewrites: []string{"Keep inline-ref /properties/p/$ref"},
		},
		"a recursive reference with constraints beside it": {
			verdicts: alone,
			in:       `{"type":"object","properties":{"p":{"$ref":"#/$defs/N","required":["n"]}},"$defs":{"N":{"type":"object","properties":{"n":{"$ref":"#/$defs/N"}}}}}`,
			want:     `{"type":"object","properties":{"p":{"required":["n"],"anyOf":[{"$ref":"#/$defs/N"}]}},"$defs":{"N":{"type":"object","properties":{"n":{"$ref":"#/$defs/N"}}}}}`,
			rewrites: []string{"Keep wrap-ref /properties/p/$ref"},
		},
		"the root is a reference": {
			in:       `{"$ref":"#/$defs/A","description":"d","$defs":{"A":` + object + `}}`,
			want:     `{"type":"object","description":"d","properties":{"a":{"type":"string"}},"required":["a"],"$defs":{"A":` + object + `}}`,
			rewrites: []string{"Keep inline-ref /$ref"},
		},
		"the root is a reference into a recursive definition": {
			in:       `{"$ref":"#/$defs/N","$defs":{"N":{"type":"object","properties":{"n":{"$ref":"#/$defs/N"}}}}}`,
			want:     `{"type":"object","properties":{"n":{"$ref":"#/$defs/N"}},"$defs":{"N":{"type":"object","properties":{"n":{"$ref":"#/$defs/N"}}}}}`,
			rewrites: []string{"Keep inline-ref /$ref"},
		},
		"definitions becomes $defs": {
			verdicts: inDefs,
			in:       `{"type":"object","properties":{"p":{"$ref":"#/definitions/A"}},"definitions":{"A":` + object + `,"B":{"items":{"$ref":"#/definitions/A"}}}}`,
			want:     `{"type":"object","properties":{"p":{"$ref":"#/$defs/A"}},"$defs":{"A":` + object + `}}`,
			rewrites: []string{"Keep rename-definitions /definitions", "Keep drop-unused-definition /definitions/B"},
		},
		"definitions joins $defs": {
			verdicts: inDefs,
			in:       `{"type":"object","properties":{"p":{"$ref":"#/definitions/A"},"q":{"$ref":"#/$defs/A"}},"$defs":{"A":` + object + `},"definitions":{"A":{"type":"string"}}}`,
			want:     `{"type":"object","properties":{"p":{"$ref":"#/$defs/A2"},"q":{"$ref":"#/$defs/A"}},"$defs":{"A":` + object + `,"A2":{"type":"string"}}}`,
			rewrites: []string{"Keep rename-definitions /definitions"},
		},
		"a place that is referred to becomes a definition": {
			verdicts: inDefs,
			in:       `{"type":"object","properties":{"a":` + object + `,"b":{"$ref":"#/properties/a"},"c":{"$ref":"#/properties/a/properties/a"}}}`,
			want: `{"type":"object","properties":{"a":{"$ref":"#/$defs/a"},"b":{"$ref":"#/$defs/a"},"c":{"$ref":"#/$defs/a2"}},` +
				`"$defs":{"a":{"type":"object","properties":{"a":{"$ref":"#/$defs/a2"}},"required":["a"]},"a2":{"type":"string"}}}`,
			rewrites: []string{"Keep move-to-definitions /properties/a", "Keep move-to-definitions /properties/a/properties/a"},
		},
		"a recursive place becomes a definition": {
			verdicts: inDefs,
			in:       `{"type":"object","properties":{"n":{"type":"object","properties":{"next":{"$ref":"#/properties/n"}}}}}`,
			want:     `{"type":"object","properties":{"n":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"object","properties":{"next":{"$ref":"#/$defs/n"}}}}}`,
			rewrites: []string{"Keep move-to-definitions /properties/n"},
		},
		"the root becomes a definition beside itself": {
			verdicts: inDefs,
			in:       `{"type":"object","properties":{"next":{"$ref":"#"}}}`,
			want:     `{"type":"object","properties":{"next":{"$ref":"#/$defs/definition"}},"$defs":{"definition":{"type":"object","properties":{"next":{"$ref":"#/$defs/definition"}}}}}`,
			rewrites: []string{"Keep move-to-definitions "},
		},
		"definitions below the root move up": {
			verdicts: inDefs,
			in:       `{"type":"object","properties":{"p":{"type":"object","properties":{"q":{"$ref":"#/properties/p/$defs/A"}},"$defs":{"A":{"type":"string"}}}}}`,
			want:     `{"type":"object","properties":{"p":{"type":"object","properties":{"q":{"$ref":"#/$defs/A"}}}},"$defs":{"A":{"type":"string"}}}`,
			rewrites: []string{"Keep move-to-definitions /properties/p/$defs/A"},
		},
		"a definition whose name needs an escape": {
			verdicts: plain,
			in:       `{"type":"object","properties":{"p":{"$ref":"#/$defs/a~1b"},"q":{"$ref":"#/$defs/a_b"}},"$defs":{"a/b":{"type":"string"},"a_b":{"type":"integer"}}}`,
			want:     `{"type":"object","properties":{"p":{"$ref":"#/$defs/a_b2"},"q":{"$ref":"#/$defs/a_b"}},"$defs":{"a_b2":{"type":"string"},"a_b":{"type":"integer"}}}`,
			rewrites: []string{"Keep rename-definition /$defs/a~1b"},
		},
		"an anchor that is not taken": {
			verdicts: map[string][]verdict{"$anchor": rejected},
			in:       `{"type":"object","properties":{"p":{"$ref":"#x"}},"$defs":{"A":{"$anchor":"x","type":"string"}}}`,
			want:     `{"type":"object","properties":{"p":{"$ref":"#/$defs/A"}},"$defs":{"A":{"type":"string"}}}`,
			rewrites: []string{"Keep drop-anchor /$defs/A/$anchor"},
		},
		"everything is written out where no definition is taken": {
			verdicts: noRefs,
			in:       `{"type":"object","properties":{"p":{"$ref":"#/$defs/A"},"q":{"items":{"$ref":"#/$defs/B","description":"d"}}},"$defs":{"A":{"items":{"$ref":"#/$defs/B"}},"B":{"type":"string"}}}`,
			want:     `{"type":"object","properties":{"p":{"items":{"type":"string"}},"q":{"items":{"type":"string","description":"d"}}}}`,
			rewrites: []string{
				"Keep drop-unused-definition /$defs/A", "Keep inline-ref /$defs/A/items/$ref", "Keep drop-unused-definition /$defs/B",
				"Keep inline-ref /properties/p/$ref", "Keep inline-ref /properties/q/items/$ref",
			},
		},
		"recursion cannot be written out": {
			verdicts: noRefs,
			in:       `{"type":"object","properties":{"p":{"$ref":"#/$defs/N"}},"$defs":{"N":{"type":"object","properties":{"n":{"$ref":"#/$defs/N"}}}}}`,
			want:     `{"type":"object","properties":{"p":{"$ref":"#/$defs/N"}},"$defs":{"N":{"type":"object","properties":{"n":{"$ref":"#/$defs/N"}}}}}`,
			errors:   []string{"root-keyword /$defs", "keyword-rejected /$defs/N/properties/n/$ref", "keyword-rejected /properties/p/$ref"},
		},
		"unused definitions stay where they hurt nobody": {
			verdicts: alone,
			in:       `{"type":"object","$defs":{"A":{"type":"string"}}}`,
			want:     `{"type":"object","$defs":{"A":{"type":"string"}}}`,
		},
		"an unused definition goes with what is refused in it": {
			verdicts: map[string][]verdict{"format": rejected},
			in:       `{"type":"object","properties":{"p":{"$ref":"#/$defs/C"}},"$defs":{"A":{"type":"string","format":"x"},"B":{"items":{"$ref":"#/$defs/A"}},"C":{"type":"string"}}}`,
			want:     `{"type":"object","properties":{"p":{"$ref":"#/$defs/C"}},"$defs":{"C":{"type":"string"}}}`,
			rewrites: []string{"Keep drop-unused-definition /$defs/A", "Keep drop-unused-definition /$defs/B"},
		},
		"what is referred to by pointer does not move": {
			verdicts: map[string][]verdict{"allOf": rejected},
			in:       `{"type":"object","properties":{"p":{"allOf":[{"type":"string"},{"maxLength":2}]},"q":{"$ref":"#/properties/p/allOf/1"}}}`,
			want:     `{"type":"object","properties":{"p":{"allOf":[{"type":"string"},{"maxLength":2}]},"q":{"$ref":"#/properties/p/allOf/1"}}}`,
			errors:   []string{"keyword-rejected /properties/p/allOf"},
		},
	})
}
