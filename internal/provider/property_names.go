// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"fmt"
	"slices"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// propertyNames judges the names of properties and not their schemas.
func (c *checker) propertyNames(i int, properties *schema.Value) {
	if properties == nil {
		return
	}
	for j := range c.profile.PropertyNames {
		r := &c.profile.PropertyNames[j]
		isInScope := r.Scope == AllProperties || (r.Scope == RootProperties) == (i == 0)
		if !isInScope {
			continue
		}
		for _, p := range properties.Members() {
			switch parent := c.schema.Nodes()[i].Pointer; {
			case slices.Contains(r.Reserved, p.Name):
				c.findings = append(c.findings, c.profile.reservedPropertyName(r, parent, p.Name))
			case !c.profile.propertyNames[j].MatchString(p.Name):
				c.findings = append(c.findings, c.profile.badPropertyName(r, parent, p.Name))
			}
		}
	}
}

func (p *Profile) reservedPropertyName(r *PropertyNameRule, parent, name string) finding.Finding {
	message := fmt.Sprintf("the %s takes no property named %s%s", p.Title, finding.Quote(name), said(r.Error))
	if r.Severity == string(finding.Warning) {
		message = fmt.Sprintf("the %s may take no property named %s", p.Title, finding.Quote(name))
	}
	return finding.Finding{
		Rule: RulePropertyNameReserved, Severity: finding.Severity(r.Severity),
		Pointer: finding.Pointer(parent, "properties", name), Keyword: "properties",
		Message: message,
		Fix:     "rename the property; the host can translate the name for the tool behind it",
	}
}

func (p *Profile) badPropertyName(r *PropertyNameRule, parent, name string) finding.Finding {
	message := fmt.Sprintf("the %s takes property names that match %s%s", p.Title, r.Pattern, said(r.Error))
	if r.Severity == string(finding.Warning) {
		message = fmt.Sprintf("the %s may take only property names that match %s", p.Title, r.Pattern)
	}
	return finding.Finding{
		Rule: RulePropertyName, Severity: finding.Severity(r.Severity),
		Pointer: finding.Pointer(parent, "properties", name), Keyword: "properties",
		Message: message,
		Fix:     "rename the property; the host can translate the name for the tool behind it",
	}
}
