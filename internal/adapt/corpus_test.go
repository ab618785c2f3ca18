// SPDX-License-Identifier: Apache-2.0

package adapt_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/toolcontract/operator/internal/adapt"
	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/corpus"
)

// realSchemas reads the input schemas of all real tools that are admitted.
func realSchemas(t *testing.T) map[string]*schema.Schema {
	t.Helper()
	out := map[string]*schema.Schema{}
	for _, path := range corpus.ToolFiles(t) {
		n := 0
		for tool := range corpus.Lines[corpus.Tool](t, path) {
			n++
			value, failed := schema.Parse(tool.InputSchema)
			if failed != nil {
				continue
			}
			if s, _ := schema.Admit(value); s != nil {
				out[fmt.Sprintf("%s:%d", filepath.Base(path), n)] = s
			}
		}
	}
	return out
}

// sampleSize is how many real tools the short form of the proofs looks at.
const sampleSize = 300

// sampled returns the names of a fixed sample of the tools, or of all of them
// when soaking.
func sampled(schemas map[string]*schema.Schema) []string {
	names := slices.Sorted(maps.Keys(schemas))
	if soaking() || len(names) <= sampleSize {
		return names
	}
	out := make([]string, 0, sampleSize)
	for i := range sampleSize {
		out = append(out, names[i*len(names)/sampleSize])
	}
	return out
}

// TestRenderedSchemasAreContained: for every real tool, profile, mode and
// effect up to Narrow, the schema that really holds admits nothing that the
// author's refuses, apart from what the profile says that the API loses. A rewrite that
// widened would show here as a counter-example, which contain looks for
// wherever it has no proof.
func TestRenderedSchemasAreContained(t *testing.T) {
	t.Parallel()
	schemas := realSchemas(t)
	p := proofs{known: map[[2]string]contain.Answer{}, compatible: map[string]int{}, strict: map[string]int{}}
	names := sampled(schemas)
	for _, name := range names {
		if _, invalid := schemas[name].Compile(); len(invalid) > 0 {
			p.invalid++ // it is never published
			continue
		}
		for _, profileName := range provider.Builtin().Names() {
			for _, mode := range []provider.Mode{provider.Strict, provider.Standard} {
				for _, most := range []adapt.Effect{adapt.Keep, adapt.Narrow} {
					p.check(t, name, schemas[name], profile(t, profileName), mode, most)
				}
			}
		}
	}
	for _, name := range provider.Builtin().Names() {
		t.Logf("%-28s of %d tools: %d compatible, %d strict", name, len(names), p.compatible[name], p.strict[name])
	}
	answers := map[contain.Answer]int{}
	for _, answer := range p.known {
		answers[answer]++
	}
	t.Logf("%d tools whose schema is not valid are left out", p.invalid)
	t.Logf("%d pairs: %d proven contained, %d not decided", len(p.known), answers[contain.Proven], answers[contain.Unknown])
	t.Logf("%d pairs with Keep: %d proven equal, %d not decided", p.equal+p.undecided, p.equal, p.undecided)
	if answers[contain.Proven] < len(p.known)*9/10 {
		t.Errorf("only %d of %d are proven", answers[contain.Proven], len(p.known))
	}
}

// proofs collects what is known, by the digests of a pair.
type proofs struct {
	known              map[[2]string]contain.Answer
	compatible, strict map[string]int
	equal, undecided   int
	invalid            int
}

func (p *proofs) check(t *testing.T, name string, author *schema.Schema, profile *provider.Profile, mode provider.Mode, most adapt.Effect) {
	t.Helper()
	result := adapt.Schema(author, profile, mode, most)
	where := fmt.Sprintf("%s for %s in %s up to %s", name, profile.Name, mode, most)
	for _, w := range result.Rewrites {
		if author.Root().At(finding.Tokens(w.Pointer)) == nil {
			t.Errorf("%s: %s at %s, where the author has nothing", where, w.Rule, w.Pointer)
		}
	}
	if result.Schema == nil {
		return
	}
	if most == adapt.Narrow && !finding.HasErrors(result.Findings) {
		count := map[provider.Mode]map[string]int{provider.Strict: p.strict, provider.Standard: p.compatible}[mode]
		count[profile.Name]++
	}
	effective := effectiveSchema(t, where, result, profile, mode)
	if effective == nil {
		return
	}
	pair := [2]string{effective.Digest(), author.Digest()}
	if _, done := p.known[pair]; done {
		return
	}
	forward := contain.Contains(effective, author)
	p.known[pair] = forward.Answer
	if forward.Answer == contain.Unknown {
		t.Logf("%s is not decided: %s", where, forward.Reason)
	}
	if forward.Defect || forward.Answer == contain.Refuted {
		t.Errorf("%s admits %s, which the author's schema refuses: %v %s", where, shown(forward), result.Rewrites, forward.Reason)
	}
	if most != adapt.Keep {
		return
	}
	switch back := contain.Contains(author, result.Schema); back.Answer {
	case contain.Refuted:
		t.Errorf("%s refuses %s, which the author's schema admits: %v", where, shown(back), result.Rewrites)
	case contain.Proven:
		p.equal++
	default:
		p.undecided++
	}
}

// effectiveSchema is the schema that really holds. Where the API itself loses
// something of it, which the profile says, it is the schema that was sent, with
// the objects closed that the API closes.
func effectiveSchema(t *testing.T, where string, result adapt.Result, profile *provider.Profile, mode provider.Mode) *schema.Schema {
	t.Helper()
	root, losses := profile.EffectiveSchema(result.Schema, mode)
	if len(losses) > 0 {
		root = result.Schema.Root()
		if impliesClosing(result) {
			root = closed(root)
		}
	}
	if root == result.Schema.Root() {
		return result.Schema
	}
	effective, findings := result.Schema.AdmitRewritten(root)
	if effective == nil {
		t.Errorf("%s: the schema that holds is not admitted: %v", where, findings)
	}
	return effective
}

// impliesClosing reports whether the API is left to close objects by itself.
func impliesClosing(r adapt.Result) bool {
	return slices.ContainsFunc(r.Rewrites, func(w adapt.Rewrite) bool { return w.Rule == adapt.RuleImpliedClosing })
}

// closed closes every object.
func closed(v *schema.Value) *schema.Value {
	if v.Kind() != schema.Object {
		return v
	}
	members := make([]schema.Member, 0, v.Len()+1)
	for _, m := range v.Members() {
		members = append(members, schema.MapChildren(m, func(c schema.Child) *schema.Value { return closed(c.Value) }))
	}
	if slices.Contains(schema.Types(v), "object") && !v.Has("additionalProperties") {
		members = append(members, schema.Member{Name: "additionalProperties", Value: schema.NewBool(false)})
	}
	return schema.NewObject(members...)
}

func shown(r contain.Result) string {
	if r.Witness == nil {
		return "a long value"
	}
	return finding.Clip(r.Witness.JSON(), 200)
}
