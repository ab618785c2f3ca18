// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/lint"
	"github.com/toolcontract/operator/internal/manifest"
	"github.com/toolcontract/operator/internal/toolset"
)

// Rules about a set among the given manifests.
const (
	ruleToolExcluded = "tool-excluded"
	ruleToolDemoted  = "tool-demoted"
	ruleSetTooLarge  = "set-too-large"
	ruleSetProfile   = "unknown-profile"
)

// contractKey names a contract in a cluster.
type contractKey struct{ namespace, name string }

func (k contractKey) String() string { return k.namespace + "/" + k.name }

// inputs are the contracts of one run, in which is looked up what sets refer to.
// Several versions of one contract may be among them.
type inputs struct {
	contracts map[contractKey][]candidate
}

// candidate is what a set needs of a contract. The rest is not kept: there may be
// thousands of contracts.
type candidate struct {
	contract *v1alpha1.ToolContract
	content  *contract.Content // nil for an invalid contract
}

func (in *inputs) add(key contractKey, c candidate) {
	if in.contracts == nil {
		in.contracts = map[contractKey][]candidate{}
	}
	in.contracts[key] = append(in.contracts[key], c)
}

// highest is the highest valid version of a contract that fits, if there is one.
func (in *inputs) highest(key contractKey, fits func(contract.Version) bool) (out candidate, ok bool) {
	for _, c := range in.contracts[key] {
		if c.content != nil && fits(c.content.Version) && (!ok || c.content.Version.Compare(out.content.Version) > 0) {
			out, ok = c, true
		}
	}
	return out, ok
}

// serves reports whether a version is served on a line.
func serves(line string) func(contract.Version) bool {
	return func(v contract.Version) bool { return !v.IsPrerelease() && v.Line() == line }
}

// judgedSet is a set with everything that was found about it.
type judgedSet struct {
	*manifest.Document
	findings []finding.Finding
	// lint is about tools that a model could take for each other, and about groups.
	lint     lint.Report
	members  []setMember
	profiles []judgedProfile
}

// judgedProfile is a set for one profile; result is nil for an unknown profile.
type judgedProfile struct {
	spec     v1alpha1.SetProfile
	result   *toolset.Result
	findings []finding.Finding
}

// judgeSet renders a set from the contracts among the inputs.
func (p *Program) judgeSet(d *manifest.Document, in *inputs) *judgedSet {
	js := &judgedSet{Document: d, findings: d.Findings}
	if d.Set == nil || finding.HasErrors(d.Findings) {
		return js
	}
	js.members = js.resolve(in, p.namespaceOf(d))
	for i, spec := range d.Set.Spec.Profiles {
		js.profiles = append(js.profiles, p.judgeSetProfile(d.Set, i, spec, js.members))
	}
	js.findings = finding.Sort(js.findings)
	js.lint = lintSet(d.Set, js.members)
	return js
}

// lintSet says which tools of the set a model could take for each other, and what
// is wrong with the words of its groups.
func lintSet(set *v1alpha1.ToolSet, members []setMember) lint.Report {
	tools := make([]lint.Tool, len(members))
	for i, m := range members {
		tools[i] = lint.Tool{
			Namespace: m.key.namespace, Contract: m.key.name, Content: m.content,
			Acknowledged: evaluate.LintAcknowledgements(m.contract.Spec.Acknowledge),
		}
	}
	return evaluate.LintSet(&set.Spec, tools)
}

func (p *Program) judgeSetProfile(set *v1alpha1.ToolSet, at int, spec v1alpha1.SetProfile, members []setMember) judgedProfile {
	out := judgedProfile{spec: spec}
	profile, known := p.profiles.Lookup(spec.Profile)
	if !known {
		out.findings = []finding.Finding{{
			Rule: ruleSetProfile, Severity: finding.Error, Side: finding.Contract,
			Pointer: finding.Pointer("/spec/profiles", strconv.Itoa(at), "profile"),
			Message: fmt.Sprintf("there is no profile %s", finding.Quote(spec.Profile)), Fix: "use one of " + strings.Join(p.profiles.Names(), ", "),
		}}
		return out
	}
	request := toolset.Request{
		Set: set.Name, Profile: profile, Models: spec.Models, Groups: set.Spec.Groups, OnIncompatible: set.Spec.OnIncompatible,
	}
	if spec.TokenBudget != nil {
		request.TokenBudget = int(*spec.TokenBudget)
	}
	for _, m := range members {
		t := toolset.Tool{
			Namespace: m.key.namespace, Contract: m.key.name, Content: m.content, Digest: m.content.Digest(),
			DeferLoading: m.deferred, Group: m.group, Selected: m.selected,
		}
		for _, target := range m.contract.Spec.Targets {
			if target.Profile == spec.Profile {
				t.Target = &target
			}
		}
		request.Tools = append(request.Tools, t)
	}
	out.result = toolset.Render(request)
	out.findings = setFindings(out.result, members, finding.Pointer("/spec/profiles", strconv.Itoa(at)), set.Spec.OnIncompatible == v1alpha1.IncompatibleBlock)
	return out
}

// setFindings says the result for a profile as findings. A tool that is left out
// is a Warning where the set names it, and an Error where it blocks the others.
func setFindings(r *toolset.Result, members []setMember, at string, blocks bool) []finding.Finding {
	out := slices.Clone(r.Findings)
	for i := range out {
		if out[i].Pointer == "/spec/profiles" {
			out[i].Pointer = at
		}
	}
	for i, t := range r.Tools {
		f := finding.Finding{Side: finding.Contract, Pointer: members[i].at, Severity: finding.Warning}
		switch {
		case t.Demoted:
			f.Rule, f.Severity = ruleToolDemoted, finding.Info
		case t.Included:
			continue
		default:
			f.Rule = ruleToolExcluded
			if blocks {
				f.Severity = finding.Error
			}
		}
		message := t.Message
		if f.Severity != finding.Info {
			f.Fix = "see the contract, or take it out of the set"
		}
		if errors := finding.Errors(t.Findings); len(errors) > 0 && !t.Included {
			message, f.Fix = errors[0].Message, errors[0].Fix
			if more := len(errors) - 1; more > 0 {
				message += fmt.Sprintf("; and %d more", more)
			}
		}
		f.Message = fmt.Sprintf("%s (%s) %s: %s", t.Name(), t.Reason, t.Pointer, message)
		out = append(out, f)
	}
	if r.TooLarge != nil {
		out = append(out, finding.Finding{
			Rule: ruleSetTooLarge, Severity: finding.Error, Side: finding.Contract, Pointer: at, Message: r.TooLarge.Error(), Fix: splitText(r.Split),
		})
	} else if r.Split != nil {
		out = append(out, finding.Finding{
			Rule: toolset.RuleRequestLimit, Severity: finding.Warning, Side: finding.Contract, Pointer: at,
			Message: "the set does not fit into one request", Fix: splitText(r.Split),
		})
	}
	return finding.Sort(out)
}

// splitText says a proposed split.
func splitText(split [][]string) string {
	if split == nil {
		return "shorten the largest tools"
	}
	parts := make([]string, len(split))
	for i, names := range split {
		parts[i] = fmt.Sprintf("(%d) %s", i+1, strings.Join(names, " "))
	}
	return fmt.Sprintf("split it into %d sets: %s", len(split), strings.Join(parts, "; "))
}

// hasErrors reports whether anything about the set is an error.
func (js *judgedSet) hasErrors() bool {
	if finding.HasErrors(js.findings) || finding.HasErrors(js.lint.Findings) {
		return true
	}
	return slices.ContainsFunc(js.profiles, func(j judgedProfile) bool { return finding.HasErrors(j.findings) })
}

// identity is how messages name the set.
func (js *judgedSet) identity() string {
	name := cmp.Or(js.Name, "a set without a name")
	if js.Namespace != "" {
		name = js.Namespace + "/" + name
	}
	return name
}
