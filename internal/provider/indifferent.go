// SPDX-License-Identifier: Apache-2.0

package provider

import "github.com/toolcontract/operator/internal/schema"

// IsIndifferent reports whether the API takes every keyword of a schema in the
// same way, as text that it shows to the model, and has nothing against any of
// it: then no other spelling could do more, and there is nothing to adapt. It is
// so for most schemas without strict mode. False may also mean that it was not
// worth finding out.
func (p *Profile) IsIndifferent(s *schema.Schema, mode Mode) bool {
	facts := p.Effective.Standard
	if mode == Strict {
		facts = p.Effective.Strict
	}
	if facts.OpenObjects != ObjectsKept || facts.Patterns != PatternsSearch || facts.Enums != EnumsExact || facts.OneOf != OneOfExact {
		return false
	}
	t, o := p.table(mode), outlineOf(s)
	for _, m := range s.Root().Members() {
		if e := t.root[m.Name]; e != nil && !e.accepts {
			return false
		}
	}
	needsProperties := p.NeedsProperties()
	for i := range o.nodes {
		if needsProperties && o.nodes[i].object && !s.Nodes()[i].Value.Has("properties") {
			return false // written for the other mode as well
		}
		for _, keyword := range o.nodes[i].keywords {
			if keyword < 0 || !t.keywords[keyword].accepts {
				return false
			}
		}
	}
	return len(p.Faults(s, mode)) == 0
}
