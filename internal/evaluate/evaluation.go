// SPDX-License-Identifier: Apache-2.0

package evaluate

import (
	"fmt"
	"maps"
	"slices"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/envelope"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/lint"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/publish"
)

// Evaluation is everything the engine says of a contract.
type Evaluation struct {
	// Content is nil if the contract itself is not valid; then only Findings
	// and Reason are set.
	Content *contract.Content
	// Digest is the content digest.
	Digest string
	// Findings are about the contract itself, whatever the target.
	Findings []finding.Finding
	// Reason is the reason of the SchemaValid condition.
	Reason string
	// Targets are the results in the order of the spec.
	Targets []Target
	// Removed are findings about targets that are served and no longer wanted.
	Removed []finding.Finding
	// Decision is about the version.
	Decision Decision
	// Lint is what the lint rules say of the content. It blocks nothing.
	Lint lint.Report
	// Bundle is what would be published; nil if nothing can be.
	Bundle *publish.Bundle
	// TooLarge says that the bundle does not fit into a ConfigMap.
	TooLarge *publish.TooLargeError
}

// Contract evaluates a contract against its history and the profiles.
func Contract(name string, spec *v1alpha1.ToolContractSpec, history History, profiles *provider.Catalog) *Evaluation {
	return Prepare(name, spec, profiles).Against(history)
}

// Prepared is what is known of a contract without its history, which is the
// costly part: the content is read, and adapted and rendered for every target.
type Prepared struct {
	name string
	spec *v1alpha1.ToolContractSpec
	// evaluation lacks what the history decides.
	evaluation Evaluation
}

// Prepare reads a contract and renders it for its targets. The spec must not
// change afterwards.
func Prepare(name string, spec *v1alpha1.ToolContractSpec, profiles *provider.Catalog) *Prepared {
	p := &Prepared{name: name, spec: spec}
	e := &p.evaluation
	e.Content, e.Findings = Read(&spec.ToolContent)
	e.Reason = Reason(e.Findings)
	if e.Content != nil {
		e.Digest = e.Content.Digest()
		e.Targets = targetsOf(name, e.Content, e.Digest, spec.Targets, profiles)
		e.Lint = Lint(e.Content, spec.Acknowledge)
	}
	return p
}

// Against evaluates the contract against its history. It may be asked again,
// with another one.
func (p *Prepared) Against(history History) *Evaluation {
	e := p.evaluation
	if e.Content == nil {
		return &e
	}
	e.Targets = slices.Clone(e.Targets)
	history.servedLines = ServedLines(p.spec)
	e.Decision = Decide(e.Content, history, p.spec.Acknowledge)
	if served, ok := history.Served[e.Content.Version.Line()]; ok && !e.Content.Version.IsPrerelease() {
		e.protect(served, p.spec.Acknowledge)
	}
	e.Bundle, e.TooLarge = pack(p.name, e.Content, e.Digest, e.Targets)
	return &e
}

// protect applies what is served to the targets: a served target blocks, one
// that loses strictness is told, and one that is no longer wanted stays served
// until its removal is acknowledged for this version.
func (e *Evaluation) protect(served Served, acks []v1alpha1.Acknowledgement) {
	for i := range e.Targets {
		t := &e.Targets[i]
		strict, isServed := served.Strict[t.Spec.Profile]
		if !isServed {
			continue
		}
		t.Spec.OnIncompatible = v1alpha1.IncompatibleBlock
		if strict && t.Compatible() && !t.Given {
			t.Findings = finding.Sort(append(slices.Clone(t.Findings), finding.Finding{
				Rule: RuleStrictLost, Severity: finding.Warning, Side: finding.Contract,
				Pointer: finding.Pointer("/spec/targets", fmt.Sprint(i), "strict"),
				Message: fmt.Sprintf("%s is served strict by %s and would not be any more", t.Spec.Profile, served.Version),
				Fix:     "set strict: Required to see what is in the way, or strict: Disabled if this is meant",
			}))
		}
	}
	for _, profile := range slices.Sorted(maps.Keys(served.Strict)) {
		if slices.ContainsFunc(e.Targets, func(t Target) bool { return t.Spec.Profile == profile }) {
			continue
		}
		path := finding.Pointer("/spec/targets", profile)
		if acknowledged(acks, e.Content.Version, RuleTargetRemoved, path) {
			continue
		}
		e.Removed = append(e.Removed, finding.Finding{
			Rule: RuleTargetRemoved, Severity: finding.Error, Side: finding.Contract, Pointer: path,
			Message: fmt.Sprintf("%s is served by %s and is no longer a target; agents that read it would lose the tool", profile, served.Version),
			Fix: fmt.Sprintf("restore the target, or add to spec.acknowledge: {version: %s, rule: %s, path: %s, reason: ...}",
				e.Content.Version, RuleTargetRemoved, path),
		})
	}
}

func acknowledged(acks []v1alpha1.Acknowledgement, v contract.Version, rule, path string) bool {
	return slices.ContainsFunc(acks, func(a v1alpha1.Acknowledgement) bool {
		return a.Version == v.String() && a.Rule == rule && a.Path == path
	})
}

// Blocking returns the findings that keep everything from being published:
// those of incompatible Block targets and of unwanted removals.
func (e *Evaluation) Blocking() []finding.Finding {
	out := slices.Clone(e.Removed)
	for _, t := range e.Targets {
		if !t.Compatible() && t.Blocks() {
			out = append(out, finding.Errors(t.Findings)...)
		}
	}
	return finding.Sort(out)
}

// BlockingReason is the reason of the ProvidersCompatible condition for blocking
// findings: UnknownProfile only if that is all there is.
func BlockingReason(findings []finding.Finding) string {
	for _, f := range findings {
		if f.Rule != RuleUnknownProfile {
			return v1alpha1.ReasonTargetsIncompatible
		}
	}
	return v1alpha1.ReasonUnknownProfile
}

// Excluded returns the targets that are left out.
func (e *Evaluation) Excluded() []Target {
	var out []Target
	for _, t := range e.Targets {
		if !t.Compatible() && !t.Blocks() {
			out = append(out, t)
		}
	}
	return out
}

// Publishable reports whether everything that can be judged without the API
// server allows the contract to be published.
func (e *Evaluation) Publishable() bool {
	return e.Content != nil && len(e.Blocking()) == 0 && e.Decision.Accepted && e.Bundle != nil
}

// Pack builds the bundle of the compatible targets; both results are nil if
// there is none.
func Pack(name string, content *contract.Content, targets []Target) (*publish.Bundle, *publish.TooLargeError) {
	return pack(name, content, content.Digest(), targets)
}

func pack(name string, content *contract.Content, digest string, targets []Target) (*publish.Bundle, *publish.TooLargeError) {
	var files []publish.File
	var views []publish.TargetView
	for _, t := range targets {
		if t.Compatible() {
			files = append(files, publish.File{Profile: t.Profile.Name, Bytes: t.Bytes})
			views = append(views, t.View())
		}
	}
	if len(files) == 0 {
		return nil, nil
	}
	return publish.Build(publish.Host{
		View:   publish.HostView(name, content, digest, views),
		Result: envelope.ResultSchema(content), Audit: envelope.AuditSchema(name, content, digest),
	}, files)
}
