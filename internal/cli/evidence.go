// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"strings"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/probe"
	"github.com/toolcontract/operator/internal/schema"
)

// evidenceView is one line of evidence beside what the profile says now.
type evidenceView struct {
	File      string     `json:"file"`
	Line      int        `json:"line"`
	Date      string     `json:"date"`
	Profile   string     `json:"profile"`
	Model     string     `json:"model"`
	Namespace string     `json:"namespace"`
	Contract  string     `json:"contract"`
	ToolName  string     `json:"toolName"`
	Kind      probe.Kind `json:"kind"`
	// Cells are the facts to correct, as pointers into the profile.
	Cells   []string `json:"cells"`
	Message string   `json:"message"`
	Fix     string   `json:"fix"`
}

// identity names what a line is about.
func (v evidenceView) identity() string {
	name := v.Contract
	if v.Namespace != "" {
		name = v.Namespace + "/" + name
	}
	return fmt.Sprintf("%s (%s) for %s, %s on %s", name, v.ToolName, v.Profile, v.Model, v.Date)
}

// evidenceBook holds the contracts of a run until its evidence is compared.
type evidenceBook struct {
	p      *Program
	judged map[string]*judged // by namespace and name; of several the first
}

func (b *evidenceBook) add(j *judged) {
	if key := j.Namespace + "/" + j.Name; b.judged[key] == nil {
		b.judged[key] = j
	}
}

// compare reads the files and holds each line against the contract that it is
// about. It returns false if something could not be read.
func (b *evidenceBook) compare(paths []string) (views []evidenceView, readable bool) {
	readable = true
	for _, path := range paths {
		source, err := b.p.open("evidence", path)
		if err != nil {
			b.p.complain("%v", err)
			readable = false
			continue
		}
		isEmpty := true
		for line, parsed := range probe.Lines(source.Data) {
			isEmpty = false
			if parsed.Wrong != "" {
				b.p.complain("%s:%d: %s; write evidence with %s probe", path, line, parsed.Wrong, b.p.spelling())
				readable = false
				continue
			}
			views = append(views, b.view(path, line, parsed.Evidence))
		}
		if isEmpty {
			b.p.complain("%s: there is no evidence in it; write evidence with %s probe", path, b.p.spelling())
			readable = false
		}
	}
	return views, readable
}

func (b *evidenceBook) view(path string, line int, e probe.Evidence) evidenceView {
	c := b.compareLine(e)
	clip := func(s string) string { return finding.Clip(s, 128) }
	return evidenceView{
		File: path, Line: line, Date: clip(e.Date), Profile: clip(e.Profile), Model: clip(e.Model),
		Namespace: clip(e.Namespace), Contract: clip(e.Contract), ToolName: clip(e.ToolName),
		Kind: c.Kind, Cells: orNone(c.Cells), Message: c.Message, Fix: c.Fix,
	}
}

// compareLine compares one line. What is about other bytes or another profile
// than those of now is stale.
func (b *evidenceBook) compareLine(e probe.Evidence) probe.Comparison {
	stale := func(format string, arguments ...any) probe.Comparison {
		return probe.Comparison{Kind: probe.Stale, Message: "ignored: " + fmt.Sprintf(format, arguments...), Fix: "run probe again"}
	}
	j := b.judged[e.Namespace+"/"+e.Contract]
	profile, known := b.p.profiles.Lookup(e.Profile)
	switch {
	case j == nil:
		return stale("no contract of this name is in the inputs")
	case j.invalid():
		return stale("the contract is not valid")
	case !known:
		return stale("there is no profile %s", finding.Quote(e.Profile))
	case e.Version != j.content.Version.String():
		return stale("it is about version %s and the contract has %s", finding.Clip(e.Version, 40), j.content.Version)
	case e.ContentDigest != j.content.Digest():
		return stale("it is about other content of version %s", j.content.Version)
	case e.ProfileRevision != profile.Revision:
		return stale("it is about revision %d of the profile, which has %d", e.ProfileRevision, profile.Revision)
	case e.ProfileDigest != profile.Digest():
		return stale("it is about other facts of the profile")
	}
	spec := wanted(j.Targets, []v1alpha1.Target{{
		Profile: e.Profile, Strict: v1alpha1.StrictPolicy(e.Strict), Adaptation: v1alpha1.Effect(e.Adaptation),
	}})[0]
	t := evaluate.Targets(j.Name, j.content, []v1alpha1.Target{spec}, b.p.profiles)[0]
	sent := probe.Sent{ToolName: j.content.ToolName, Description: j.content.Description.Text(), Strict: e.StrictSent, Model: e.Model}
	text := t.Bytes
	if e.Form == probe.AsWritten {
		sent.Schema = j.content.Input.Schema
		var err error
		if text, err = asWritten(j, t, e.StrictSent); err != nil {
			return stale("%v", err)
		}
	}
	if schema.DigestBytes(text) != e.RenderingDigest {
		return stale("what would be sent now has other bytes")
	}
	tool, _ := schema.Parse(text)
	return e.Compare(profile, probe.Expect(profile, sent), tool)
}

// contradicts reports whether a line demands that something is corrected.
func contradicts(views []evidenceView) bool {
	for _, v := range views {
		if v.Kind == probe.Contradicts {
			return true
		}
	}
	return false
}

// evidence writes what the lines say that is worth reading, and counts them.
func (r *textReporter) evidence(views []evidenceView) {
	if len(views) == 0 {
		return
	}
	counts := map[probe.Kind]int{}
	fmt.Fprintln(r.w)
	for _, v := range views {
		counts[v.Kind]++
		if v.Kind == probe.Agrees {
			continue
		}
		r.printf("%s:%d: %s: %s", v.File, v.Line, v.identity(), v.Kind)
		text := v.Message
		if len(v.Cells) > 0 {
			text += ". Cells: " + strings.Join(v.Cells, ", ")
		}
		r.printf("  %s. Fix: %s", text, v.Fix)
	}
	r.printf("%s of evidence: %d agree, %d contradict, %d settle what was unknown, %d stale, %d silent", plural(len(views), "line"),
		counts[probe.Agrees], counts[probe.Contradicts], counts[probe.Settles], counts[probe.Stale], counts[probe.Silent])
}
