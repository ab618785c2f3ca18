// SPDX-License-Identifier: Apache-2.0

package adapt

import (
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
		if strict == Required {
			result := Schema(s, p, provider.Strict, most)
			return Target{Result: result, Given: !finding.HasErrors(result.Findings)}
		}
		result, fault := strictly(s, p, most)
		if fault == nil {
			return Target{Result: result, Given: true}
		}
		return standard(s, p, most, notGiven(p, *fault))
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

// strictly adapts a schema to strict mode, or says what is in the way first. Most
// schemas of servers have optional properties, and APIs that take none are
// asked for by most contracts: that is seen without a rewrite.
func strictly(s *schema.Schema, p *provider.Profile, most Effect) (Result, *finding.Finding) {
	if most < Reshape {
		for _, f := range p.OptionalProperties(s, provider.Strict) {
			if f.Severity == finding.Error && staysOptional(s, f.Pointer) {
				f = p.Explain(s, provider.Strict, f)
				return Result{}, &f
			}
		}
	}
	d := draft{profile: p, mode: provider.Strict, author: s, schema: s}
	admitted := d.reach(min(most, Reshape))
	if most == Widen && admitted && d.refused() {
		result := d.widened()
		if !finding.HasErrors(result.Findings) {
			return result, nil
		}
		return Result{}, &result.Findings[0]
	}
	if admitted && !d.refused() {
		return d.result(true), nil
	}
	return Result{}, d.first()
}

// staysOptional reports whether no rewrite up to Narrow can require the
// property at a pointer: it is one of a plain object that is reached from the
// root through properties and items alone, and cannot be null.
func staysOptional(s *schema.Schema, pointer string) bool {
	i, ok := s.IndexAt(pointer)
	if !ok {
		return false
	}
	nodes := s.Nodes()
	if types := schema.Types(nodes[i].Value); len(types) != 1 || types[0] == "null" {
		return false
	}
	for ; i > 0; i = nodes[i].Parent {
		if in := nodes[i].In; in != "properties" && in != "items" {
			return false
		}
		if parent := nodes[nodes[i].Parent].Value; parent.Has("$ref") || parent.Has("allOf") || parent.Has("anyOf") || parent.Has("oneOf") {
			return false
		}
	}
	return true
}

// first explains the first thing that is in the way, by place.
func (d *draft) first() *finding.Finding {
	d.refused()
	if d.texts {
		return &d.reported(d.findings)[0]
	}
	var first, original *finding.Finding
	for i := range d.findings {
		moved := d.findings[i]
		moved.Pointer = d.toAuthor(moved.Pointer)
		if first == nil || finding.Compare(moved, *first) < 0 {
			first, original = &moved, &d.findings[i]
		}
	}
	explained := d.profile.Explain(d.schema, d.mode, *original)
	explained.Pointer, explained.Patch = first.Pointer, nil
	return &explained
}

// notGiven explains the fallback by the first thing that strict mode refuses.
func notGiven(p *provider.Profile, first finding.Finding) finding.Finding {
	message := p.Name + " is not asked for strict mode: "
	if p.Strict.Place == provider.Implied {
		message = p.Name + " always constrains what the model writes, but not to the whole schema: "
	}
	return finding.Finding{
		Rule: RuleStrictNotGiven, Severity: finding.Info, Pointer: first.Pointer, Keyword: first.Keyword,
		Message: message + first.Message, Fix: first.Fix,
	}
}
