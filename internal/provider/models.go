// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"fmt"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
)

// StrictFor reports whether all of these models have strict mode. A model is
// an identifier, or a prefix followed by *, which stands for every model that
// begins so; no models stand for those of the profile. A model that the
// profile does not know has none: asking it could fail the whole request.
//
// Where strict mode is not available the finding, an error, says why. Callers
// that only prefer strict mode lower its severity.
func (p *Profile) StrictFor(models []string) (available bool, f *finding.Finding) {
	if p.Strict.Place == NoStrict {
		none := p.noStrictMode()
		none.Side, none.Pointer = finding.Contract, targetsPointer
		return false, &none
	}
	for _, m := range models {
		if why := p.withoutStrict(m); why != "" {
			return false, &finding.Finding{
				Rule: RuleModelWithoutStrict, Severity: finding.Error, Side: finding.Contract, Pointer: targetsPointer,
				Message: fmt.Sprintf("strict mode of the %s is not available for model %s: %s", p.Title, finding.Quote(m), why),
				Fix:     "name models that have strict mode, or write strict: Disabled. Known to have it: " + p.strictModels(),
			}
		}
	}
	return true, nil
}

const targetsPointer = "/spec/targets"

func (p *Profile) noStrictMode() finding.Finding {
	return finding.Finding{
		Rule: RuleNoStrictMode, Severity: finding.Error,
		Message: "the " + p.Title + " has no strict mode: nothing holds the model to the schema",
		Fix:     "write strict: Preferred or Disabled for this target; the host validates the arguments",
	}
}

// withoutStrict says why a model or prefix has no strict mode, or nothing.
func (p *Profile) withoutStrict(model string) string {
	model = p.withoutPrefix(model)
	for i := range p.Models {
		known := &p.Models[i]
		if !overlaps(known.Pattern, model) {
			continue
		}
		if !known.Strict {
			why := "the profile knows it to have none for " + known.Pattern
			if known.Note != "" {
				why += " (" + known.Note + ")"
			}
			return why
		}
		if covers(known.Pattern, model) {
			return ""
		}
	}
	if strings.HasSuffix(model, "*") {
		return "it also stands for models that the profile does not know"
	}
	return "the profile does not know the model"
}

// withoutPrefix leaves out the prefix that says where a model runs.
func (p *Profile) withoutPrefix(model string) string {
	for _, prefix := range p.ModelPrefixes {
		if bare, found := strings.CutPrefix(model, prefix); found {
			return bare
		}
	}
	return model
}

// strictModels lists the patterns of models with strict mode.
func (p *Profile) strictModels() string {
	var patterns []string
	for _, m := range p.Models {
		if m.Strict {
			patterns = append(patterns, m.Pattern)
		}
	}
	return strings.Join(patterns, ", ")
}

// covers reports whether every model that b stands for matches pattern a.
func covers(a, b string) bool {
	prefix, open := strings.CutSuffix(a, "*")
	if !open {
		return a == b
	}
	return strings.HasPrefix(strings.TrimSuffix(b, "*"), prefix)
}

// overlaps reports whether some model matches both patterns.
func overlaps(a, b string) bool {
	return covers(a, b) || covers(b, a)
}
