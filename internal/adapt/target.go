// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"fmt"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
)

// Strict is the wanted strictness of a target.
type Strict uint8

// The policies, as in the API.
const (
	Preferred Strict = iota
	Required
	Disabled
)

// RuleStrictNotGiven says why a target that prefers strict mode is not strict.
const RuleStrictNotGiven = "strict-not-given"

// Target is a schema adapted to what a target asks for.
type Target struct {
	Result
	// Given reports whether the rendering is strict.
	Given bool
}

// Compatible reports whether the provider takes the adapted schema.
func (t Target) Compatible() bool { return t.Schema != nil && !finding.HasErrors(t.Findings) }

// ForTarget adapts a schema to a profile as strictly as the policy asks:
// Required strictly or not at all, Preferred strictly if that needs no stronger
// effect than is allowed, Disabled never strictly.
func ForTarget(s *schema.Schema, p *provider.Profile, strict Strict, models []string, most Effect) Target {
	if strict == Disabled {
		return Target{Result: Schema(s, p, provider.Standard, most)}
	}
	available, missing := p.StrictFor(models)
	if available {
		result := Schema(s, p, provider.Strict, most)
		if strict == Required || !finding.HasErrors(result.Findings) {
			return Target{Result: result, Given: !finding.HasErrors(result.Findings)}
		}
		return standard(s, p, most, notGiven(p, result.Findings))
	}
	if strict == Required {
		result := Schema(s, p, provider.Standard, most)
		if missing != nil {
			result.Findings = finding.Sort(append(result.Findings, *missing))
		}
		return Target{Result: result}
	}
	if missing == nil || p.Strict.Place == provider.NoStrict {
		return Target{Result: Schema(s, p, provider.Standard, most)}
	}
	softened := *missing
	softened.Severity = finding.Warning
	return standard(s, p, most, softened)
}

func standard(s *schema.Schema, p *provider.Profile, most Effect, why finding.Finding) Target {
	result := Schema(s, p, provider.Standard, most)
	result.Findings = finding.Sort(append(result.Findings, why))
	return Target{Result: result}
}

// notGiven explains the fallback by the first thing that strict mode refuses.
func notGiven(p *provider.Profile, findings []finding.Finding) finding.Finding {
	first := findings[0]
	return finding.Finding{
		Rule: RuleStrictNotGiven, Severity: finding.Info, Pointer: first.Pointer, Keyword: first.Keyword,
		Message: fmt.Sprintf("%s is not asked for strict mode: %s", p.Name, first.Message),
		Fix:     first.Fix,
	}
}
