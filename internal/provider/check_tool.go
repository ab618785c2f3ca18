// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/toolcontract/operator/internal/finding"
)

// CheckTool returns what the API has against the name and the description of a
// tool. Pointers lead into the manifest.
func (p *Profile) CheckTool(toolName, description string) []finding.Finding {
	var out []finding.Finding
	for i := range p.ToolNames {
		out = append(out, p.checkName(i, toolName)...)
	}
	return finding.Sort(append(out, p.checkDescription(description)...))
}

const (
	namePointer        = "/spec/toolName"
	descriptionPointer = "/spec/description"
)

func (p *Profile) checkName(i int, name string) []finding.Finding {
	r := &p.ToolNames[i]
	report := func(rule string, severity finding.Severity, message, fix string) finding.Finding {
		return finding.Finding{Rule: rule, Severity: severity, Side: finding.Contract, Pointer: namePointer, Message: message, Fix: fix}
	}
	severity := finding.Severity(r.Severity)
	var out []finding.Finding
	if n := utf8.RuneCountInString(name); n > r.MaxLength {
		out = append(out, report(RuleToolName, severity,
			fmt.Sprintf("the name has %d characters; %s takes at most %d%s", n, p.readers(severity), r.MaxLength, said(r.Error)),
			fmt.Sprintf("shorten the name to %d characters, in a new contract: models know the tool by its name", r.MaxLength)))
	}
	if !p.toolNames[i].MatchString(name) {
		out = append(out, report(RuleToolName, severity,
			fmt.Sprintf("the name %s does not match %s, which %s asks for%s", finding.Quote(name), r.Pattern, p.readers(severity), said(r.Error)),
			"use a name of letters, digits and underscores that starts with a letter; every provider takes it"))
	}
	if slices.Contains(r.Reserved, name) {
		out = append(out, report(RuleToolNameReserved, finding.Info,
			fmt.Sprintf("the %s has a tool of its own called %s; a request that holds both is refused", p.Title, finding.Quote(name)),
			"use another name if agents may turn that tool on"))
	}
	return out
}

// readers names who has the rule: a rule that only warns is that of programs
// behind the API.
func (p *Profile) readers(severity finding.Severity) string {
	if severity == finding.Warning {
		return "a client of the " + p.Title
	}
	return "the " + p.Title
}

func (p *Profile) checkDescription(description string) []finding.Finding {
	r := &p.Description
	f := finding.Finding{Rule: RuleDescriptionLength, Side: finding.Contract, Pointer: descriptionPointer}
	n := utf8.RuneCountInString(description)
	switch {
	case n == 0 && r.Required:
		f.Rule, f.Severity = RuleDescriptionMissing, finding.Warning
		f.Message = "the " + p.Title + " documents a description as required"
		f.Fix = "describe what the tool does and when to use it"
	case 0 < n && n < r.MinLength:
		f.Severity = finding.Error
		f.Message = fmt.Sprintf("the description has %d characters; the %s needs at least %d%s", n, p.Title, r.MinLength, said(r.Error))
		f.Fix = "describe what the tool does and when to use it"
	case r.MaxLength > 0 && n > r.MaxLength:
		f.Severity = finding.Error
		f.Message = fmt.Sprintf("the description has %d characters; the %s takes at most %d%s", n, p.Title, r.MaxLength, said(r.Error))
		f.Fix = fmt.Sprintf("shorten the description to %d characters", r.MaxLength)
	case r.WarnAbove > 0 && n > r.WarnAbove:
		f.Severity = finding.Warning
		f.Message = fmt.Sprintf("the description has %d characters; the %s has refused more than %d%s", n, p.Title, r.WarnAbove, said(r.Error))
		f.Fix = fmt.Sprintf("shorten the description to %d characters", r.WarnAbove)
	default:
		return nil
	}
	return []finding.Finding{f}
}
