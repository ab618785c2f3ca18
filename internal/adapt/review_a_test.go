// SPDX-License-Identifier: Apache-2.0

package adapt_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/adapt"
	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// isKept adapts a schema at Keep and holds it to what is said: it admits the
// author's values and no others, of which some are given.
func isKept(t *testing.T, author *schema.Schema, p *provider.Profile, mode provider.Mode, admits map[string]bool) {
	t.Helper()
	got := adapt.Schema(author, p, mode, adapt.Keep)
	if got.Schema == nil {
		t.Fatalf("no schema: %v", got.Findings)
	}
	for _, w := range got.Rewrites {
		if w.Effect != adapt.Keep {
			t.Errorf("%s at %s has the effect %s", w.Rule, w.Pointer, w.Effect)
		}
	}
	before, _ := author.Compile()
	after, _ := got.Schema.Compile()
	for text, want := range admits {
		v := schematest.Value(t, text)
		was, _ := before.Accepts(v)
		if is, _ := after.Accepts(v); was != want || is != want {
			t.Errorf("%s: before %t, after %t, want %t", text, was, is, want)
		}
	}
	if r := contain.Contains(got.Schema, author); r.Answer == contain.Refuted || r.Defect {
		t.Errorf("admits %s, which the author's does not", r.Witness.JSON())
	}
	if r := contain.Contains(author, got.Schema); r.Answer == contain.Refuted || r.Defect {
		t.Errorf("refuses %s, which the author's admits", r.Witness.JSON())
	}
	if t.Failed() {
		t.Logf("rewritten %s\n%v", got.Schema.Root().JSON(), rewrites(got))
	}
}

// A pointer into the document means another place, or none, in a part of it.
func TestPointersIntoTheDocumentAreNotReadInAPartOfIt(t *testing.T) {
	t.Parallel()
	const byPointer = `{"type":"object","properties":{"x":{"type":"string","enum":["a","b"]},"o":{"type":"object","properties":{"x":{"type":"string","enum":["c"]},"y":{"$ref":"#/properties/x"}},` +
		`"required":["x","y"],"additionalProperties":false,"not":{"properties":{"y":{"const":"a"}},"required":["y"]}}},"required":["x","o"],"additionalProperties":false}`
	const toRoot = `{"type":"object","properties":{"x":{"type":"string","enum":["a","b"]},"o":{"type":"object","properties":{"x":{"type":"string","enum":["c"]},"y":{"$ref":"#"}},` +
		`"required":["x","y"],"additionalProperties":false,"not":{"properties":{"y":{"properties":{"x":{"const":"a"}},"required":["x"]}},"required":["y"]}}},"required":["x"],"additionalProperties":false}`
	// The definition leads out of the definitions.
	const transitive = `{"type":"object","properties":{"x":{"type":"string","enum":["a","b"]},"o":{"type":"object","properties":{"x":{"type":"string","enum":["c"]},"y":{"$ref":"#/$defs/Y"}},` +
		`"required":["x","y"],"additionalProperties":false,"not":{"properties":{"y":{"const":"a"}},"required":["y"]}}},"required":["x","o"],"additionalProperties":false,"$defs":{"Y":{"$ref":"#/properties/x"}}}`
	// The node has definitions of its own.
	const hidden = `{"type":"object","properties":{"o":{"type":"object","properties":{"y":{"$ref":"#/$defs/Y"}},` +
		`"required":["y"],"additionalProperties":false,"not":{"properties":{"y":{"const":"a"}},"required":["y"]},"$defs":{"Y":{"type":"string","enum":["c"]}}}},"required":["o"],"additionalProperties":false,"$defs":{"Y":{"type":"string","enum":["a","b"]}}}`
	noNot := map[string][]verdict{"not": rejected}
	for name, c := range map[string]struct {
		in      string
		refused string
	}{
		"a property":                {byPointer, `{"x":"a","o":{"x":"c","y":"a"}}`},
		"the root":                  {toRoot, `{"x":"a","o":{"x":"c","y":{"x":"a"}}}`},
		"a definition leads out":    {transitive, `{"x":"a","o":{"x":"c","y":"a"}}`},
		"definitions hide the root": {hidden, `{"o":{"y":"a"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			author := schematest.Schema(t, c.in)
			isKept(t, author, custom(t, noNot), provider.Standard, map[string]bool{c.refused: false})
			for _, p := range []string{"openai-responses", "gemini-json-schema", "vertex-gemini", "mistral-chat", "moonshot-chat", "llama-cpp", "vllm-xgrammar"} {
				for _, mode := range []provider.Mode{provider.Standard, provider.Strict} {
					isKept(t, author, profile(t, p), mode, map[string]bool{c.refused: false})
				}
			}
		})
	}
}

// In the same schema as a part that stands for itself, the proof holds still.
func TestWhatRefersToDefinitionsOnlyIsProved(t *testing.T) {
	t.Parallel()
	run(t, map[string]rewriteCase{
		"redundant beside a reference to a definition": {
			verdicts: map[string][]verdict{"not": rejected},
			in: `{"type":"object","properties":{"o":{"type":"object","properties":{"y":{"$ref":"#/$defs/Y"}},"required":["y"],"additionalProperties":false,` +
				`"not":{"properties":{"y":{"const":"z"}},"required":["y"]}}},"$defs":{"Y":{"type":"string","enum":["a","b"]}}}`,
			want: `{"type":"object","properties":{"o":{"type":"object","properties":{"y":{"$ref":"#/$defs/Y"}},"required":["y"],"additionalProperties":false}},` +
				`"$defs":{"Y":{"type":"string","enum":["a","b"]}}}`,
			rewrites: []string{"Keep drop-redundant /properties/o/not"},
		},
	})
}

// A member of an enum may stand there twice.
func TestABooleanThatIsListedTwiceIsOneValue(t *testing.T) {
	t.Parallel()
	noLists := map[string][]verdict{"type": {{"valueKinds: [array]", "Rejected"}}}
	run(t, map[string]rewriteCase{
		"true twice": property(noLists,
			`{"type":["boolean","string"],"enum":[true,true,"a"]}`,
			`{"anyOf":[{"type":"boolean","enum":[true,true]},{"type":"string","enum":["a"]}]}`, "Keep types-to-any-of /type"),
		"true and false": property(noLists,
			`{"type":["boolean","string"],"enum":[true,false,true,"a"]}`,
			`{"anyOf":[{"type":"boolean"},{"type":"string","enum":["a"]}]}`, "Keep types-to-any-of /type"),
	})
}

// A branch that a reference leads to looks at other values than those of the
// node that holds it.
func TestABranchThatIsReferredToDoesNotHaveTheTypeAroundIt(t *testing.T) {
	t.Parallel()
	const in = `{"type":"object","properties":{"a":{"type":"string","anyOf":[{"minLength":1},{"maxLength":3}]},"b":{"$ref":"#/properties/a/anyOf/0"}}}`
	author := schematest.Schema(t, in)
	for _, mode := range []provider.Mode{provider.Standard, provider.Strict} {
		isKept(t, author, profile(t, "xai-chat"), mode, map[string]bool{`{"b":5}`: true, `{"b":""}`: false})
	}
	untyped := custom(t, map[string][]verdict{"UntypedSchema": rejected, "type": {{"valueKinds: [array]", "Rejected"}}})
	isKept(t, author, untyped, provider.Standard, map[string]bool{`{"b":5}`: true})
	got := adapt.Schema(author, untyped, provider.Standard, adapt.Narrow)
	want := []string{"Narrow add-type /properties/a/anyOf/0", "Keep add-type /properties/a/anyOf/1"}
	if diff := cmp.Diff(want, rewrites(got)); diff != "" {
		t.Errorf("rewrites (-want +got):\n%s", diff)
	}
}

// What is no schema has findings of its own; rewriting it must end well.
func TestStepsThatAreNoneAreLeftAlone(t *testing.T) {
	t.Parallel()
	noBounds := custom(t, map[string][]verdict{"minimum, maximum, multipleOf": rejected})
	for _, step := range []string{"0", "0.0", "-1", "-0.5"} {
		in := inProperty(`{"type":"integer","minimum":1,"maximum":3,"multipleOf":` + step + `}`)
		author, findings := schema.Admit(schematest.Value(t, in))
		if author == nil {
			t.Fatalf("%s: %v", step, findings)
		}
		got := adapt.Schema(author, noBounds, provider.Standard, adapt.Widen)
		if got.Schema == nil {
			t.Fatalf("%s: no schema: %v", step, got.Findings)
		}
		for _, w := range got.Rewrites {
			if w.Rule == adapt.RuleRangeToEnum {
				t.Errorf("%s: the range is listed", step)
			}
		}
	}
}

// What was done in a keyword that is left out is not told.
func TestRewritesInWhatIsLeftOutAreNotListed(t *testing.T) {
	t.Parallel()
	untyped := map[string][]verdict{"not": rejected, "UntypedSchema": rejected}
	noRefs := map[string][]verdict{"not": rejected, "$ref": rejected}
	run(t, map[string]rewriteCase{
		"in the same pass": property(untyped,
			`{"type":"object","properties":{"y":{"type":"string","enum":["a","b"]}},"required":["y"],"additionalProperties":false,"not":{"type":"object","properties":{"y":{"const":"z"}},"required":["y"]}}`,
			`{"type":"object","properties":{"y":{"type":"string","enum":["a","b"]}},"required":["y"],"additionalProperties":false}`,
			"Keep drop-redundant /not"),
		"in a pass before": {
			verdicts: noRefs,
			in: `{"type":"object","properties":{"x":{"type":"string","enum":["a","b"]},"o":{"type":"object","properties":{"y":{"$ref":"#/properties/x"}},"required":["y"],` +
				`"additionalProperties":false,"not":{"properties":{"y":{"enum":["z"],"allOf":[{"$ref":"#/properties/x"}]}},"required":["y"]}}}}`,
			want: `{"type":"object","properties":{"x":{"type":"string","enum":["a","b"]},"o":{"type":"object","properties":{"y":{"type":"string","enum":["a","b"]}},"required":["y"],` +
				`"additionalProperties":false}}}`,
			rewrites: []string{"Keep drop-redundant /properties/o/not", "Keep inline-ref /properties/o/properties/y/$ref"},
		},
	})
}

// A definition is not named by a number alone.
func TestABranchThatBecomesADefinitionHasAName(t *testing.T) {
	t.Parallel()
	inDefs := map[string][]verdict{"$ref": {{"refOutside: [$defs]", "Rejected"}}}
	run(t, map[string]rewriteCase{
		"branches": {
			verdicts: inDefs,
			in: `{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}]},"b":{"$ref":"#/properties/a/anyOf/0"},` +
				`"c":{"anyOf":[{"type":"integer"},{"type":"null"}]},"d":{"$ref":"#/properties/c/anyOf/0"}}}`,
			want: `{"type":"object","properties":{"a":{"anyOf":[{"$ref":"#/$defs/anyOf0"},{"type":"null"}]},"b":{"$ref":"#/$defs/anyOf0"},` +
				`"c":{"anyOf":[{"$ref":"#/$defs/anyOf0_2"},{"type":"null"}]},"d":{"$ref":"#/$defs/anyOf0_2"}},"$defs":{"anyOf0":{"type":"string"},"anyOf0_2":{"type":"integer"}}}`,
			rewrites: []string{"Keep move-to-definitions /properties/a/anyOf/0", "Keep move-to-definitions /properties/c/anyOf/0"},
		},
		"items of a tuple, and items": {
			verdicts: inDefs,
			in:       `{"type":"object","properties":{"a":{"prefixItems":[{"type":"string"}],"items":{"type":"integer"}},"b":{"$ref":"#/properties/a/prefixItems/0"},"c":{"$ref":"#/properties/a/items"}}}`,
			want: `{"type":"object","properties":{"a":{"prefixItems":[{"$ref":"#/$defs/prefixItems0"}],"items":{"$ref":"#/$defs/items"}},"b":{"$ref":"#/$defs/prefixItems0"},"c":{"$ref":"#/$defs/items"}},` +
				`"$defs":{"prefixItems0":{"type":"string"},"items":{"type":"integer"}}}`,
			rewrites: []string{"Keep move-to-definitions /properties/a/items", "Keep move-to-definitions /properties/a/prefixItems/0"},
		},
	})
}

// A definition that is left out leaves no reference behind.
func TestWhatAKeptDefinitionRefersToIsKept(t *testing.T) {
	t.Parallel()
	run(t, map[string]rewriteCase{
		"beside the place that is used": {
			verdicts: map[string][]verdict{"not": rejected},
			in: `{"type":"object","properties":{"p":{"$ref":"#/$defs/d/properties/a"}},"$defs":{"d":{"anyOf":[{"$ref":"#/$defs/e"}],"properties":{"a":{"type":"string"}}},"e":{"type":"object"},` +
				`"u":{"not":{"type":"null"}}}}`,
			want:     `{"type":"object","properties":{"p":{"$ref":"#/$defs/d/properties/a"}},"$defs":{"d":{"properties":{"a":{"type":"string"}},"anyOf":[{"$ref":"#/$defs/e"}]},"e":{"type":"object"}}}`,
			rewrites: []string{"Keep drop-unused-definition /$defs/u"},
		},
		"a place in a definition that nothing uses does not move": {
			verdicts: map[string][]verdict{"$ref": {{`valueMatches: "properties"`, "Rejected"}}},
			in:       `{"type":"object","$defs":{"e":{"properties":{"n":{"$ref":"#/$defs/e"},"a":{"$ref":"#/$defs/e/properties/n"}}}}}`,
			want:     `{"type":"object"}`,
			rewrites: []string{"Keep drop-unused-definition /$defs/e"},
		},
	})
}
