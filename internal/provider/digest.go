// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"encoding/json"

	"github.com/toolcontract/operator/internal/schema"
)

// Digest is the digest of all that the profile says, as "sha256:<hex>". How a
// file says it does not matter: what it extends, how it groups keywords, the
// order of its entries and sources. A profile with an equal digest is the same.
func (p *Profile) Digest() string { return p.digest() }

func (f *Facts) digest() string {
	type list map[Mode]map[string][]Case
	resolve := func(groups []Verdicts) list {
		out := list{}
		for _, mode := range modes {
			out[mode] = casesByName(groups, mode)
		}
		return out
	}
	sources := map[string]Source{}
	for _, s := range f.Sources {
		sources[s.Key] = s
	}
	said := *f
	said.Extends, said.Sources, said.RootKeywords, said.Shapes, said.Keywords = "", nil, nil, nil, nil
	text, err := json.Marshal(struct {
		Facts                          Facts
		Sources                        map[string]Source
		RootKeywords, Shapes, Keywords list
	}{said, sources, resolve(f.RootKeywords), resolve(f.Shapes), resolve(f.Keywords)})
	if err != nil { // no type in it can fail
		return ""
	}
	return schema.DigestBytes(text)
}
