// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/change"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/importer"
	"github.com/toolcontract/operator/internal/manifest"
)

// diffSide is one of the two inputs of diff.
type diffSide struct {
	bare  bool // tools that are no contracts
	tools []diffTool
	// whole is false if something of the input could not be read.
	whole bool
}

// diffTool is a tool at one or several versions, in their order.
type diffTool struct {
	namespace, name string
	versions        []diffVersion
}

type diffVersion struct {
	content          *contract.Content
	acknowledgements []change.Acknowledgement
}

// label is how the output names the tool.
func (t diffTool) label(long bool) string {
	if long && t.namespace != "" {
		return t.namespace + "/" + t.name
	}
	return t.name
}

// before is what a version is compared with: the highest of its line, as the
// operator does, else the highest of all. A pre-release counts only if there is
// nothing else.
func (t diffTool) before(v contract.Version) *contract.Content {
	best := t.versions[0].content
	rank := func(c *contract.Content) int {
		switch {
		case c.Version.IsPrerelease():
			return 0
		case c.Version.Line() != v.Line():
			return 1
		}
		return 2
	}
	for _, version := range t.versions[1:] { // in their order
		if rank(version.content) >= rank(best) {
			best = version.content
		}
	}
	return best
}

// find returns the tool of the same name, or nil.
func (s *diffSide) find(tool diffTool, long bool) *diffTool {
	for i := range s.tools {
		if s.tools[i].label(long) == tool.label(long) {
			return &s.tools[i]
		}
	}
	return nil
}

// repeatsNames reports whether names alone do not tell the tools of a side apart.
func repeatsNames(s *diffSide) bool {
	seen := map[string]bool{}
	for _, t := range s.tools {
		if seen[t.name] {
			return true
		}
		seen[t.name] = true
	}
	return false
}

// diffSide reads one input; nil if there is nothing to compare in it. Everything
// that is wrong with it was said.
func (p *Program) diffSide(argument string) *diffSide {
	source, err := p.open("manifests or tools", argument)
	if err != nil {
		p.complain("%v", err)
		return nil
	}
	r := diffReader{p: p, source: source, side: &diffSide{whole: true}}
	if r.side.bare = isBareTools(source.Data); r.side.bare {
		r.bareTools()
	} else {
		r.manifests()
	}
	if len(r.side.tools) == 0 && r.side.whole && !r.list {
		p.complain("%s: there is no ToolContract, no ToolRevision and no tool in it", source.Name)
		return nil
	}
	if len(r.side.tools) == 0 && !r.side.whole {
		return nil
	}
	for _, t := range r.side.tools {
		slices.SortStableFunc(t.versions, func(a, b diffVersion) int { return a.content.Version.Compare(b.content.Version) })
	}
	return r.side
}

// isBareTools reports whether a text is JSON that is no Kubernetes object.
func isBareTools(data []byte) bool {
	data = bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\ufeff")), " \t\r\n")
	if len(data) == 0 || data[0] != '{' && data[0] != '[' {
		return false
	}
	first, err := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowDuplicateNames(true)).ReadValue()
	if err != nil || first.Kind() == '[' {
		return err == nil
	}
	var header map[string]json.RawMessage
	return json.Unmarshal(first, &header) == nil && header["apiVersion"] == nil
}

// diffReader reads one input.
type diffReader struct {
	p      *Program
	source manifest.Source
	side   *diffSide
	list   bool // an input that may have no tool in it
}

// bareTools makes contracts of tools, as import does.
func (r *diffReader) bareTools() {
	contracts, report, found := importer.Import(r.source.Data, importer.Options{Targets: commonTargets(), Version: "1.0.0"})
	r.list = found
	for _, line := range report.SkippedLines() {
		r.complain("%s", line)
	}
	for _, c := range contracts {
		if r.side.find(diffTool{name: c.Spec.ToolName}, false) != nil {
			r.complain("the tool %s is in it twice; keep one", finding.Quote(c.Spec.ToolName))
			continue
		}
		r.add("", c.Spec.ToolName, &c.Spec.ToolContent, nil)
	}
}

// manifests reads contracts and revisions.
func (r *diffReader) manifests() {
	for d := range r.source.Documents() {
		switch {
		case d.Revision != nil:
			r.add(d.Namespace, d.Revision.Spec.ContractRef.Name, &d.Revision.Spec.Content, nil)
		case d.Skipped != "":
			r.p.complain("note: %s:%d: not read: %s", d.File, d.Line, d.Skipped)
		case d.Contract == nil || finding.HasErrors(d.Findings):
			for _, f := range finding.Errors(d.Findings) {
				r.complain("line %d: %s", d.LineOf(f.Pointer), f)
			}
		default:
			r.add(d.Namespace, d.Name, &d.Contract.Spec.ToolContent, d.Contract.Spec.Acknowledge)
		}
	}
}

// add takes one version of a tool, unless it cannot be read.
func (r *diffReader) add(namespace, name string, content *v1alpha1.ToolContent, acks []v1alpha1.Acknowledgement) {
	read, findings := evaluate.Read(content)
	if read == nil {
		for _, f := range finding.Errors(findings) {
			r.complain("%s: %s", cmp.Or(name, "a contract without a name"), f)
		}
		return
	}
	version := diffVersion{content: read}
	for _, a := range acks {
		version.acknowledgements = append(version.acknowledgements, change.Acknowledgement{Version: a.Version, Rule: a.Rule, Path: a.Path, Reason: a.Reason})
	}
	for i := range r.side.tools {
		t := &r.side.tools[i]
		if t.namespace != namespace || t.name != name {
			continue
		}
		if slices.ContainsFunc(t.versions, func(v diffVersion) bool { return v.content.Version.Compare(read.Version) == 0 }) {
			r.complain("%s: version %s is in it twice; keep one", name, read.Version)
			return
		}
		t.versions = append(t.versions, version)
		return
	}
	r.side.tools = append(r.side.tools, diffTool{namespace, name, []diffVersion{version}})
}

// complain says what cannot be read; the rest is compared all the same.
func (r *diffReader) complain(format string, arguments ...any) {
	r.side.whole = false
	r.p.complain("%s: %s", r.source.Name, fmt.Sprintf(format, arguments...))
}
