// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/manifest"
	"github.com/toolcontract/operator/internal/probe"
	"github.com/toolcontract/operator/internal/yamledit"
)

// ruleEvidence says that an answer of an API contradicts a profile.
const ruleEvidence = "evidence-contradicts"

// located is a finding by itself, for the outputs that are lists of findings: it
// names its file, its place, the object that it is about, and the profile.
type located struct {
	finding.Finding
	file string
	at   manifest.Position
	// object is a kind and a name: "ToolContract shop/get-order".
	object string
	// profile is empty for what is about the object, whatever the profile.
	profile string
	// replaced are the edits of the file that do what the patch says.
	replaced []replacement
	// accepted says that a person has acknowledged the finding.
	accepted bool
}

// replacement is a text in place of what is from start up to end.
type replacement struct {
	start, end manifest.Position
	text       string
}

// maxFixes bounds for how many findings of one contract the edits are looked for:
// each time the document is read.
const maxFixes = 100

// withEdits are the findings of a contract with the edits of its file, where no
// person is needed.
func (j *judged) withEdits(all []located) []located { return withEdits(j.Document, j.edits, all) }

// withEdits is the same for a set.
func (js *judgedSet) withEdits(all []located) []located {
	// The findings of a set are about the object itself, as those of a contract that
	// is only a document.
	return withEdits(js.Document, (&judged{Document: js.Document}).edits, all)
}

func withEdits(d *manifest.Document, edits func(finding.Finding) ([]yamledit.Edit, error), all []located) []located {
	left := maxFixes
	for i, l := range all {
		if len(l.Patch) == 0 || left == 0 {
			continue
		}
		left--
		found, err := edits(l.Finding)
		if err != nil {
			continue // a person has to do it
		}
		for _, e := range found {
			all[i].replaced = append(all[i].replaced, replacement{d.PositionAt(e.Offset), d.PositionAt(e.Offset + e.Length), e.Text})
		}
	}
	return all
}

// located are all findings of a contract.
func (j *judged) located() []located {
	base := located{file: j.File, object: "ToolContract " + j.identity()}
	out := base.each(j.position, j.findings)
	for _, t := range j.targets {
		of := base
		of.profile = t.Spec.Profile
		out = append(out, of.each(j.position, t.Findings)...)
	}
	out = append(out, base.each(j.position, j.lint.Findings)...)
	base.accepted = true
	return append(out, base.each(j.position, j.lint.Acknowledged)...)
}

// located are all findings of a set.
func (js *judgedSet) located() []located {
	base := located{file: js.File, object: "ToolSet " + js.identity()}
	out := base.each(js.position, js.findings)
	for _, p := range js.profiles {
		of := base
		of.profile = p.spec.Profile
		out = append(out, of.each(js.position, p.findings)...)
	}
	out = append(out, base.each(js.position, js.lint.Findings)...)
	base.accepted = true
	return append(out, base.each(js.position, js.lint.Acknowledged)...)
}

func (l located) each(position func(finding.Finding) manifest.Position, findings []finding.Finding) []located {
	out := make([]located, len(findings))
	for i, f := range findings {
		out[i] = l
		out[i].Finding, out[i].at = f, position(f)
	}
	return out
}

// located are the findings that show only at the end.
func (c closing) located() []located {
	out := c.similar
	for _, v := range c.evidence {
		if v.Kind != probe.Contradicts {
			continue
		}
		out = append(out, located{
			Finding: finding.Finding{
				Rule: ruleEvidence, Severity: finding.Error, Side: finding.Contract,
				Message: v.Message + " (" + strings.Join(v.Cells, ", ") + ")", Fix: v.Fix,
			},
			file: v.File, at: manifest.Position{Line: v.Line, Column: 1, Width: 1}, profile: v.Profile,
			object: "ToolContract " + strings.TrimPrefix(v.Namespace+"/"+v.Contract, "/"),
		})
	}
	return out
}

// places are where the contracts of a run are, by namespace and name, for findings
// about several of them.
type places map[string]located

func (p places) add(namespace string, j *judged) {
	key := namespace + "/" + j.Name
	if _, known := p[key]; !known {
		p[key] = located{file: j.File, at: j.PositionOf(similarPointer), object: "ToolContract " + key}
	}
}

// similarPointer is where a contract would say which of two tools is right.
const similarPointer = "/spec/description/doNotUseWhen"

// similar gives findings of package lint about several contracts their places:
// each message begins with the name of the contract that it is about.
func (p places) similar(findings []finding.Finding) []located {
	out := make([]located, len(findings))
	for i, f := range findings {
		name, _, _ := strings.Cut(f.Message, ": ")
		out[i] = p[name]
		out[i].Finding = f
	}
	return out
}

// fingerprint is what tells a finding from all others, wherever the file and the
// lines have moved: the object, the place in it, the rule and the profile.
func (l located) fingerprint() string {
	return strings.Join([]string{l.object, string(cmp.Or(l.Side, finding.Contract)), l.Pointer, l.Rule, l.Keyword, l.profile}, "\n")
}

// text is what is wrong and the way out, as whole sentences.
func (l located) text() string {
	text := finding.Printable(l.object) + " " + l.Place() + ": " + finding.Printable(l.Message)
	if l.Fix != "" {
		text += ". Fix: " + finding.Printable(l.Fix)
	}
	return text
}
