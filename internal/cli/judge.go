// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"slices"
	"strconv"
	"strings"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/lint"
	"github.com/toolcontract/operator/internal/manifest"
	"github.com/toolcontract/operator/internal/publish"
)

// ruleBundleTooLarge says that the files of a contract do not fit into one
// ConfigMap.
const ruleBundleTooLarge = "bundle-too-large"

// judged is a contract with everything that was found about it.
type judged struct {
	*manifest.Document
	// content is nil if the contract is invalid; then there are no targets.
	content *contract.Content
	// findings are about the contract, whatever the target.
	findings []finding.Finding
	// wanted are the targets that it was judged for, as far as they are known.
	wanted  []v1alpha1.Target
	targets []evaluate.Target
	// lint is what check found by the lint rules.
	lint lint.Report
	// bundle is what would be published; nil if nothing can be.
	bundle *publish.Bundle
}

// judge evaluates a document for its own targets or for those given.
func (p *Program) judge(d *manifest.Document, given []v1alpha1.Target) *judged {
	p.progress.step()
	j := &judged{Document: d, wanted: wanted(d.Targets, given)}
	if j.content, j.findings = contentOf(d); j.content == nil {
		return j
	}
	content := j.content
	j.targets = evaluate.Targets(d.Name, content, j.wanted, p.profiles)
	if len(given) > 0 {
		ownPointers(j.targets, d.Targets)
	}
	bundle, overflow := evaluate.Pack(d.Name, content, j.targets)
	j.bundle = bundle
	if overflow != nil {
		j.findings = finding.Sort(append(j.findings, tooLarge(overflow)))
	}
	return j
}

// contentOf reads the content of a contract, nil if it is not valid.
func contentOf(d *manifest.Document) (*contract.Content, []finding.Finding) {
	if d.Contract == nil {
		return nil, d.Findings
	}
	content, found := evaluate.Read(&d.Contract.Spec.ToolContent)
	findings := finding.Sort(merge(d.Findings, found))
	if finding.HasErrors(findings) {
		return nil, findings
	}
	return content, findings
}

func tooLarge(overflow *publish.TooLargeError) finding.Finding {
	return finding.Finding{
		Rule: ruleBundleTooLarge, Severity: finding.Error, Side: finding.Contract, Pointer: "/spec/targets",
		Message: overflow.Error(), Fix: "remove targets, or shorten the schema",
	}
}

// merge adds what the engine found to what the form of the manifest says. What
// is wrong with the form of a field explains it; the engine does not repeat it.
func merge(form, found []finding.Finding) []finding.Finding {
	out := slices.Clone(form)
	for _, f := range found {
		explained := slices.ContainsFunc(form, func(g finding.Finding) bool {
			return g.Severity == finding.Error && f.Side == finding.Contract &&
				(g.Pointer == f.Pointer || strings.HasPrefix(g.Pointer, f.Pointer+"/") || strings.HasPrefix(f.Pointer, g.Pointer+"/"))
		})
		if !explained {
			out = append(out, f)
		}
	}
	return out
}

// ownPointers corrects pointers to targets that come from the command line:
// they lead to the contract's own target of that profile, or to the list.
func ownPointers(targets []evaluate.Target, own []v1alpha1.Target) {
	for i, t := range targets {
		given := finding.Pointer("/spec/targets", strconv.Itoa(i))
		at := slices.IndexFunc(own, func(o v1alpha1.Target) bool { return o.Profile == t.Spec.Profile })
		for k, f := range t.Findings {
			rest, ok := strings.CutPrefix(f.Pointer, given+"/")
			switch {
			case !ok || f.Side != finding.Contract:
			case at < 0:
				t.Findings[k].Pointer = "/spec/targets"
			default:
				t.Findings[k].Pointer = finding.Pointer("/spec/targets", strconv.Itoa(at)) + "/" + rest
			}
		}
	}
}

// invalid reports whether no target matters because the contract itself is wrong.
func (j *judged) invalid() bool { return finding.HasErrors(j.findings) }

// identity is how messages name the contract.
func (j *judged) identity() string {
	name := j.Name
	if name == "" {
		name = "a contract without a name"
	}
	if j.Namespace != "" {
		name = j.Namespace + "/" + name
	}
	return name
}

// line is the line of a finding in the file.
func (j *judged) line(f finding.Finding) int { return j.position(f).Line }

// position is where a finding is in the file.
func (j *judged) position(f finding.Finding) manifest.Position {
	at, embedded := j.place(f)
	if embedded {
		return j.PositionInText(at, f.Pointer)
	}
	return j.PositionOf(at + f.Pointer)
}

// place is the pointer of what the pointer of a finding leads into; embedded says
// that it is a text that holds a schema.
func (j *judged) place(f finding.Finding) (at string, embedded bool) {
	if j.Contract == nil || f.Side == finding.Contract || f.Side == "" {
		return "", false
	}
	at, schema, output := "/spec/input", j.Contract.Spec.Input.Schema, j.Contract.Spec.Output
	if f.Side == finding.Output && output != nil {
		at, schema = "/spec/output", output.Schema
	}
	if schema == nil {
		return at + "/schemaText", true
	}
	return at + "/schema", false
}
