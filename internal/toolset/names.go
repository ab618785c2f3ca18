// SPDX-License-Identifier: Apache-2.0

package toolset

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/render"
	"github.com/toolcontract/operator/internal/schema"
)

// seniority orders tools for what only one of them can have: by rank, what somebody named before
// what labels lead to, then by namespace and name of the contract. Who may label a
// contract must not put it in the place of one that the set names.
func (s *set) seniority() []*candidate {
	order := s.included()
	slices.SortStableFunc(order, func(a, b *candidate) int {
		return cmp.Or(byRank(a, b), namedFirst(a, b), cmp.Compare(a.Tool.Namespace, b.Tool.Namespace), cmp.Compare(a.Tool.Contract, b.Tool.Contract))
	})
	return order
}

func namedFirst(a, b *candidate) int {
	switch {
	case a.Selected == b.Selected:
		return 0
	case b.Selected:
		return -1
	}
	return 1
}

// names settles tools that a request cannot tell apart: of one name, as the API
// reads names, or the same tool of the same server. A host tells tools apart by the
// name in the contract, a model by the one in the request; for a tool of a server
// these can be two.
func (s *set) names() {
	named, placed := map[string]*candidate{}, map[render.Place]*candidate{}
	for _, c := range s.seniority() {
		at := render.PlaceOf(c.form.element)
		names := []string{c.form.entry.Get("toolName").Text()}
		if at.Server == "" && !at.BuiltIn {
			names = append(names, at.Name)
		}
		if holder := placed[at]; holder != nil && at.Server != "" {
			c.exclude(v1alpha1.ReasonDuplicateToolName, "/spec/mcp/tool",
				fmt.Sprintf("%s is the tool %s of the server %s too; keep one of them in the set", holder.Name(), finding.Quote(at.Name), finding.Quote(at.Server)))
			continue
		}
		for _, name := range names {
			if holder := named[s.Profile.Request.Folded(name)]; holder != nil && c.Included {
				c.exclude(v1alpha1.ReasonDuplicateToolName, "/spec/toolName",
					fmt.Sprintf("%s is called %s; a request cannot hold both. Rename one of them in a new contract, or put them into two sets", holder.Name(), s.sameName(holder, name)))
			}
		}
		if !c.Included {
			continue
		}
		placed[at] = c
		for _, name := range names {
			named[s.Profile.Request.Folded(name)] = c
		}
	}
}

// sameName says the name of another tool that a name cannot be told from.
func (s *set) sameName(holder *candidate, name string) string {
	for _, other := range []string{holder.form.entry.Get("toolName").Text(), render.PlaceOf(holder.form.element).Name} {
		if other == name {
			return finding.Quote(name) + " too"
		}
		if s.Profile.Request.Folded(other) == s.Profile.Request.Folded(name) {
			return fmt.Sprintf("%s, which clients of the %s cannot tell from %s", finding.Quote(other), s.Profile.Title, finding.Quote(name))
		}
	}
	return finding.Quote(name)
}

// servers settles MCP servers of one label: a request has one entry for each
// label, so all its tools must be of the same server.
func (s *set) servers() {
	holders := map[string]*candidate{}
	for _, c := range s.seniority() {
		label := render.ServerLabel(c.form.element)
		if label == "" {
			continue
		}
		holder := holders[label]
		if holder == nil {
			holders[label] = c
			continue
		}
		if !serverOf(c.form.entry).Equal(serverOf(holder.form.entry)) {
			c.exclude(v1alpha1.ReasonDuplicateToolName, "/spec/mcp/server/label",
				fmt.Sprintf("%s has a server of the label %s with another address or other credentials; a request has one server of a label. Use another label", holder.Name(), finding.Quote(label)))
		}
	}
}

// serverOf is what makes two servers the same: all but the description.
func serverOf(entry *schema.Value) *schema.Value {
	server := entry.Get("mcp").Get("server")
	if server == nil {
		return schema.NewNull()
	}
	return server.Without("description")
}
