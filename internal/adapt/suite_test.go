// SPDX-License-Identifier: Apache-2.0

package adapt_test

import (
	"encoding/json"
	"testing"

	"github.com/toolcontract/operator/internal/adapt"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/corpus"
)

// suiteEvery is how many groups of the official suite the short form passes
// over for one that it looks at.
const suiteEvery = 10

// TestOfficialSuiteIsKept adapts the schemas of the official suite, which use
// every keyword in every way, to profiles that refuse much, and tries the
// instances of the suite on both sides.
func TestOfficialSuiteIsKept(t *testing.T) {
	t.Parallel()
	profiles := fussy(t)
	if soaking() {
		for _, name := range provider.Builtin().Names() {
			profiles = append(profiles, profile(t, name))
		}
	}
	count, tried := 0, 0
	for file, groups := range corpus.Suite(t, "draft2020-12") {
		for _, group := range groups {
			if count++; count%suiteEvery != 0 && !soaking() {
				continue
			}
			author := admitted(group.Schema)
			if author == nil {
				continue
			}
			var instances []*schema.Value
			for _, test := range group.Tests {
				if v, failed := schema.Parse(test.Data); failed == nil {
					instances = append(instances, v)
				}
			}
			for _, p := range profiles {
				for _, mode := range []provider.Mode{provider.Strict, provider.Standard} {
					tried += tryBoth(t, file+", "+group.Description, author, p, mode, instances)
				}
			}
		}
	}
	t.Logf("%d instances tried", tried)
	if tried < 1_000 {
		t.Errorf("only %d instances were tried", tried)
	}
}

// admitted reads a schema that is admitted and valid; nil for others.
func admitted(text json.RawMessage) *schema.Schema {
	v, failed := schema.Parse(text)
	if failed != nil {
		return nil
	}
	s, _ := schema.Admit(v)
	if s == nil {
		return nil
	}
	if _, invalid := s.Compile(); len(invalid) > 0 {
		return nil
	}
	return s
}

// tryBoth compares an author's schema with what becomes of it, up to Keep and
// up to Narrow. It returns how many instances it tried.
func tryBoth(t *testing.T, name string, author *schema.Schema, p *provider.Profile, mode provider.Mode, instances []*schema.Value) (tried int) {
	t.Helper()
	before, _ := author.Compile()
	for _, most := range []adapt.Effect{adapt.Keep, adapt.Narrow} {
		r := adapt.Schema(author, p, mode, most)
		if r.Schema == author || impliesClosing(r) {
			continue
		}
		if r.Schema == nil {
			t.Errorf("%s for %s: no schema: %v", name, p.Name, r.Findings)
			return tried
		}
		after, broken := r.Schema.Compile()
		if len(broken) > 0 {
			t.Errorf("%s for %s: a valid schema was rewritten into %v\n%s\n%v", name, p.Name, broken, r.Schema.Root().JSON(), r.Rewrites)
			return tried
		}
		for _, v := range instances {
			tried++
			was, errBefore := before.Accepts(v)
			is, errAfter := after.Accepts(v)
			if errBefore == nil && errAfter == nil && ((is && !was) || (was && !is && most == adapt.Keep)) {
				t.Errorf("%s for %s up to %s: %s was accepted: %v, and is: %v\n%s\n%s\n%v",
					name, p.Name, most, v.JSON(), was, is, author.Root().JSON(), r.Schema.Root().JSON(), r.Rewrites)
				return tried
			}
		}
	}
	return tried
}
