// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"fmt"
	"slices"
	"unicode"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// reading reports what the API takes and reads in a wider sense than JSON
// Schema does: members of an enum in any case, oneOf as anyOf. The schema that
// holds is then wider than the one that was sent; see [Profile.EffectiveSchema].
func (c *checker) reading(i int) {
	facts := c.profile.Effective.Standard
	if c.mode == Strict {
		facts = c.profile.Effective.Strict
	}
	if facts.Enums == EnumsExact && facts.OneOf == OneOfExact {
		return
	}
	n := &c.schema.Nodes()[i]
	for _, m := range n.Value.Members() {
		if c.reported(i, m) {
			continue
		}
		switch {
		case m.Name == "oneOf" && facts.OneOf == OneOfAsAnyOf && m.Value.Len() > 1:
			c.findings = append(c.findings, finding.Finding{
				Rule: RuleOneOfAsAnyOf, Severity: finding.Warning, Pointer: finding.Pointer(n.Pointer, m.Name), Keyword: m.Name,
				Message: fmt.Sprintf("the %s reads oneOf as anyOf: a value that matches two branches passes", c.profile.Title),
				Fix:     "give each branch a property with a const of its own, so that no value matches two, or let the host check it",
			})
		case (m.Name == "enum" || m.Name == "const") && facts.Enums == EnumsAnyCase && hasCasedMember(m):
			c.findings = append(c.findings, finding.Finding{
				Rule: RuleEnumCasing, Severity: finding.Info, Pointer: finding.Pointer(n.Pointer, m.Name), Keyword: m.Name,
				Message: fmt.Sprintf("the %s does not hold to upper and lower case of the members of %s", c.profile.Title, m.Name),
				Fix:     "let the host compare without regard to case, or refuse other spellings",
			})
		}
	}
}

// reported reports whether the keyword has a finding of its own where it stands.
func (c *checker) reported(i int, m schema.Member) bool {
	e := c.table.entry(m.Name, i == 0)
	if e.quiet {
		return false
	}
	at := place{schema: c.schema, node: i, keyword: m.Name, value: m.Value}
	o := e.match(&at)
	return o != nil && o.severity != ""
}

// hasCasedMember reports whether a listed text has letters of two cases.
func hasCasedMember(m schema.Member) bool {
	members := []*schema.Value{m.Value}
	if m.Name == "enum" {
		members = m.Value.Items()
	}
	return slices.ContainsFunc(members, func(v *schema.Value) bool {
		if v.Kind() != schema.String {
			return false
		}
		for _, r := range v.Text() {
			if unicode.SimpleFold(r) != r {
				return true
			}
		}
		return false
	})
}
