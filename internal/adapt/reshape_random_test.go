// SPDX-License-Identifier: Apache-2.0

package adapt_test

import (
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/toolcontract/operator/internal/adapt"
	"github.com/toolcontract/operator/internal/decode"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// soaking reports whether the long form of the property tests was asked for.
func soaking() bool { return os.Getenv("TOOLCONTRACT_SOAK") != "" }

// outcomes counts what a property test has seen, so that one that sees nothing
// fails.
type outcomes struct {
	reshaped, undone, repeated, carried, examples int
}

// checkDecoding holds an adapted schema to its promise: a value that it admits,
// as the API reads it, is, once decoded, one that the author's schema admits; and
// a value of the author's schema comes back from its encoded form. Only the
// validators judge; nothing here knows of the rewrites.
func checkDecoding(t *testing.T, name string, author *schema.Schema, r adapt.Result, p *provider.Profile, mode provider.Mode, seed uint64, seen *outcomes) {
	t.Helper()
	judge, invalid := author.Compile()
	rendered, broken := r.Schema.Compile()
	if len(invalid) > 0 {
		return
	}
	if len(broken) > 0 {
		t.Errorf("%s: a valid schema was rewritten into %v", name, broken)
		return
	}
	if r.Decode != nil {
		seen.reshaped++
	}
	root, _ := p.EffectiveSchema(r.Schema, mode)
	effective, findings := schema.Admit(root)
	if effective == nil {
		t.Errorf("%s: the effective schema is not admitted: %v", name, findings)
		return
	}
	for _, written := range schematest.NewInstances(effective, seed).Valid(12, 60) {
		if ok, err := rendered.Accepts(written); err != nil || !ok {
			continue // the API drops a constraint, which is a finding of its own
		}
		value, err := r.Decode.Apply(written)
		var failed *decode.Error
		if errors.As(err, &failed) && failed.Problem == decode.RepeatedKey {
			seen.repeated++
			continue
		}
		if err != nil {
			t.Errorf("%s: %s is admitted and cannot be decoded: %v", name, written.JSON(), err)
			continue
		}
		if ok, err := judge.Accepts(value); err == nil && !ok {
			t.Errorf("%s: admitted is %s, decoded %s, which the author's schema refuses\nauthor   %s\nrendered %s\nrule     %s\nrewrites %v",
				name, finding.Clip(written.JSON(), 300), finding.Clip(value.JSON(), 300), finding.Clip(author.Root().JSON(), 2000),
				finding.Clip(r.Schema.Root().JSON(), 2000), r.Decode.Value().JSON(), r.Rewrites)
		}
		if value != written {
			seen.undone++
		}
	}
	for _, value := range schematest.NewInstances(author, seed).Valid(6, 30) {
		seen.examples++
		written, ok := r.Encode(value)
		if !ok {
			continue
		}
		back, err := r.Decode.Apply(written)
		if err != nil || !back.Equal(value) {
			t.Errorf("%s: %s is written %s and comes back as %v (%v); rule %s",
				name, value.JSON(), written.JSON(), back, err, r.Decode.Value().JSON())
		}
		if ok, err := rendered.Accepts(written); err == nil && ok {
			seen.carried++
		}
	}
}

// TestDecodedValuesOfRandomSchemas holds what Reshape makes of random schemas
// to its promise, for every profile and mode.
func TestDecodedValuesOfRandomSchemas(t *testing.T) {
	t.Parallel()
	seeds := uint64(15)
	if soaking() {
		seeds = 5_000
	}
	var seen outcomes
	for seed := range seeds {
		author, _ := schema.Admit(schematest.Value(t, schematest.Random(seed)))
		if author == nil {
			continue
		}
		done := map[string]bool{}
		for _, profileName := range provider.Builtin().Names() {
			for _, mode := range []provider.Mode{provider.Strict, provider.Standard} {
				r := adapt.Schema(author, profile(t, profileName), mode, adapt.Reshape)
				if r.Schema == nil || r.Schema == author {
					continue
				}
				key := r.Schema.Digest() + r.Decode.Value().JSON()
				if done[key] {
					continue
				}
				done[key] = true
				checkDecoding(t, profileName, author, r, profile(t, profileName), mode, seed, &seen)
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d: %s", seed, author.Root().JSON())
		}
	}
	t.Logf("%+v", seen)
	if seen.reshaped < int(seeds) || seen.undone < 4*int(seeds) || seen.carried < seen.examples/10 {
		t.Errorf("the test sees too little: %+v", seen)
	}
}

// TestDecodedValuesOfArbitraryForms gives random parts of random schemas another
// form, as no profile of today asks for it: an optional property here and not
// there, a map that stays beside one that does not.
func TestDecodedValuesOfArbitraryForms(t *testing.T) {
	t.Parallel()
	seeds := uint64(400)
	if soaking() {
		seeds = 100_000
	}
	var seen outcomes
	for seed := range seeds {
		author, _ := schema.Admit(schematest.Value(t, schematest.Random(seed)))
		if author == nil {
			continue
		}
		p := profile(t, "openai-responses")
		r := adapt.ReshapeFor(author, arbitrary(author, seed), p)
		checkDecoding(t, "", author, r, p, provider.Strict, seed, &seen)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Logf("%+v", seen)
	if seen.reshaped < int(seeds)/4 || seen.undone < int(seeds) || seen.carried < seen.examples*9/10 {
		t.Errorf("the test sees too little: %+v", seen)
	}
}

// arbitrary says of some optional properties and some maps that they are
// refused.
func arbitrary(s *schema.Schema, seed uint64) []finding.Finding {
	random := rand.New(rand.NewPCG(seed, 3))
	often := 1 + random.IntN(3)
	var out []finding.Finding
	refuse := func(rule, pointer, keyword string) {
		if random.IntN(4) < often {
			out = append(out, finding.Finding{Rule: rule, Severity: finding.Error, Pointer: pointer, Keyword: keyword})
		}
	}
	for i := range s.Nodes() {
		n := &s.Nodes()[i]
		if properties := n.Value.Get("properties"); properties != nil {
			for _, p := range properties.Members() {
				if !slices.Contains(n.Value.Get("required").Strings(), p.Name) {
					refuse(provider.RulePropertyNotRequired, finding.Pointer(n.Pointer, "properties", p.Name), "required")
				}
			}
		}
		for _, keyword := range []string{"additionalProperties", "patternProperties"} {
			if n.Value.Has(keyword) {
				refuse(provider.RuleObjectNotClosed, finding.Pointer(n.Pointer, keyword), keyword)
			}
		}
	}
	return out
}

// TestDecodedValuesOfRealTools holds what Reshape makes of real tools to its
// promise: a sample, or all of them when soaking.
func TestDecodedValuesOfRealTools(t *testing.T) {
	t.Parallel()
	schemas := realSchemas(t)
	names := slices.Sorted(maps.Keys(schemas))
	every := max(1, len(names)/300)
	if soaking() {
		every = 1
	}
	var seen outcomes
	for i := 0; i < len(names); i += every {
		author := schemas[names[i]]
		done := map[string]bool{}
		for _, profileName := range provider.Builtin().Names() {
			for _, mode := range []provider.Mode{provider.Strict, provider.Standard} {
				r := adapt.Schema(author, profile(t, profileName), mode, adapt.Reshape)
				if r.Schema == nil || r.Schema == author {
					continue
				}
				if key := r.Schema.Digest() + r.Decode.Value().JSON(); !done[key] {
					done[key] = true
					checkDecoding(t, names[i]+" for "+profileName, author, r, profile(t, profileName), mode, uint64(i), &seen)
				}
			}
		}
	}
	t.Logf("%+v", seen)
	if seen.reshaped < 100 || seen.undone < 500 || seen.carried < seen.examples/4 {
		t.Errorf("the test sees too little: %+v", seen)
	}
}
