// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/change"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
)

const diffUsage = `Say which version bump the change from OLD to NEW needs, and why, with a counter-example
where a caller can break. It is what the operator would say if OLD were issued.

Usage:
  {command} diff OLD NEW [-o text|json] [--bump None|Patch|Minor|Major]

OLD and NEW are files, one of them may be - for standard input, with either

  manifests     ToolContracts or ToolRevisions, as YAML or JSON. One on each side are
                compared whatever their names, several by name. Of several revisions of
                one contract the highest of the line counts. spec.acknowledge of NEW counts
  bare tools    the JSON of one tool, or a list, in a form that import reads: MCP, a
                tools/list answer, the body of a request. Lists are compared by tool name.
                Older dialects of JSON Schema are converted. A tool has no version: OLD
                counts as 1.0.0 in messages

Flags:
      --bump BUMP   what the release of bare tools declares: None, Patch, Minor or Major.
                    Without it nothing is declared, and only a Major is not sufficient
  -o, --output text|json
                    text is for people (default); json has one object, for lists
                    {"tools":[...]} with the tool name in each
  -h, --help        print this text

Exit code: 0 the declared bump is sufficient; 1 it is not; 2 bad usage, or an input that
cannot be read.

Examples:
  git show main:refund.yaml | {command} diff - refund.yaml
  {command} freeze create-refund-draft | {command} diff - refund.yaml
  {command} diff tools-before.json tools-after.json --bump Minor -o json
`

func (p *Program) diff(arguments []string) int {
	f := p.flags("diff")
	bump := f.String("bump", "", "")
	output := f.StringP("output", "o", "text", "")
	if code, done := p.parse(f, diffUsage, arguments); done {
		return code
	}
	declared, known := parseBump(*bump)
	switch {
	case *output != "text" && *output != "json":
		return p.badUsage(f, "there is no output format %q; write text or json", *output)
	case f.Changed("bump") && !known:
		return p.badUsage(f, "there is no bump %s; write None, Patch, Minor or Major", finding.Quote(*bump))
	case f.NArg() != 2:
		return p.badUsage(f, "name two files: the old and the new one")
	}
	if wrong := checkInputs(f.Args()); wrong != "" {
		return p.badUsage(f, "%s", wrong)
	}
	old, next := p.diffSide(f.Arg(0)), p.diffSide(f.Arg(1))
	if old == nil || next == nil {
		return exitUsage
	}
	switch {
	case old.bare != next.bare:
		return p.badUsage(f, "%s has bare tools and the other file has manifests; turn the tools into contracts with import first",
			fileName(f.Arg(map[bool]int{true: 0, false: 1}[old.bare])))
	case f.Changed("bump") && !old.bare:
		return p.badUsage(f, "--bump is for bare tools; contracts declare it by their versions")
	}
	d := differ{bare: old.bare}
	if f.Changed("bump") {
		d.declared = &declared
	}
	d.run(old, next)
	if *output == "json" {
		p.writeJSON(d.json())
	} else {
		p.writeDiff(&d)
	}
	switch {
	case !old.whole || !next.whole:
		return exitUsage
	case d.failed():
		return exitFindings
	}
	return exitOK
}

// parseBump reads the word for a bump.
func parseBump(text string) (b contract.Bump, known bool) {
	for b := contract.None; b <= contract.Major; b++ {
		if b.String() == text {
			return b, true
		}
	}
	return contract.None, false
}

// diffReport is the JSON output about one tool. Members are only added to it.
type diffReport struct {
	RequiredBump string `json:"requiredBump"`
	// DeclaredBump is null, and so is Sufficient, where nothing is declared: for bare
	// tools without --bump. That of a contract which is gone is null as well.
	DeclaredBump *string       `json:"declaredBump"`
	Sufficient   *bool         `json:"sufficient"`
	Findings     []diffFinding `json:"findings"`
}

// diffFinding is one difference. Pointer leads into what Side names: the manifest
// (Contract), or the Input or Output schema; into the old one if only that has
// the place.
type diffFinding struct {
	Rule    string          `json:"rule"`
	Side    finding.Side    `json:"side"`
	Pointer string          `json:"pointer"`
	Bump    string          `json:"bump"`
	Proof   change.Proof    `json:"proof"`
	Witness json.RawMessage `json:"witness"`
	Message string          `json:"message"`
	Fix     string          `json:"fix"`
}

// diffEntry is a tool of a list.
type diffEntry struct {
	Tool string `json:"tool"`
	diffReport
}

// diffList is the JSON output about lists.
type diffList struct {
	Tools []diffEntry `json:"tools"`
}

// The rules about tools that only one of two lists has.
const (
	ruleToolRemoved = "tool-removed"
	ruleToolAdded   = "tool-added"
)

// differ compares two sides.
type differ struct {
	bare     bool
	declared *contract.Bump // of bare tools
	list     bool           // there are several tools, or none
	results  []diffResult
}

// diffResult is what came out for one tool.
type diffResult struct {
	name, title string
	required    contract.Bump
	declared    *contract.Bump
	sufficient  *bool
	findings    []change.Finding
}

// failed reports whether a change is not said by its version. Where nothing is
// declared, only a break fails.
func (d *differ) failed() bool {
	return slices.ContainsFunc(d.results, func(r diffResult) bool {
		if r.sufficient == nil {
			return r.required == contract.Major
		}
		return !*r.sufficient
	})
}

func (d *differ) run(old, next *diffSide) {
	if len(old.tools) == 1 && len(next.tools) == 1 {
		d.compare(old.tools[0], next.tools[0], false)
		return
	}
	d.list = true
	long := repeatsNames(old) || repeatsNames(next)
	for _, tool := range next.tools {
		if before := old.find(tool, long); before != nil {
			d.compare(*before, tool, long)
			continue
		}
		d.alone(tool, long, ruleToolAdded, contract.None, "new tool; there is nothing to compare it with")
	}
	for _, tool := range old.tools {
		if next.find(tool, long) == nil {
			d.alone(tool, long, ruleToolRemoved, contract.Major, "removal of the tool needs major: its callers have nothing to call")
		}
	}
}

// compare judges one tool that both sides have.
func (d *differ) compare(old, next diffTool, long bool) {
	after := next.versions[len(next.versions)-1]
	before := old.before(after.content.Version)
	to := after.content
	if d.bare && d.declared != nil && *d.declared > contract.None {
		copied := *to
		copied.Version = before.Version.Next(*d.declared)
		to = &copied
	}
	report, _ := change.Compare(before, to, newLine(before.Version, to.Version)).Acknowledge(to.Version, after.acknowledgements)
	r := diffResult{name: next.label(long), required: report.Required, declared: &report.Declared, findings: report.Findings}
	if d.bare {
		r.title = r.name
		r.declared = d.declared
		r.findings = withoutVersions(r.findings, d.declared == nil)
	} else {
		r.title = fmt.Sprintf("%s %s → %s (%s)", r.name, before.Version, to.Version, to.ToolName)
	}
	if r.declared != nil {
		sufficient := *r.declared >= r.required
		r.sufficient = &sufficient
	}
	d.results = append(d.results, r)
}

// newLine is the first version of a line that neither version is of.
func newLine(old, next contract.Version) contract.Version {
	if contract.CompareLines(next, old) > 0 {
		return next.Next(contract.Major)
	}
	return old.Next(contract.Major)
}

// withoutVersions takes out of the texts what only contracts have: bare tools
// cannot acknowledge anything, and may declare nothing.
func withoutVersions(findings []change.Finding, undeclared bool) []change.Finding {
	out := slices.Clone(findings)
	for i := range out {
		f := &out[i]
		if before, after, found := strings.Cut(f.Fix, ", or acknowledge rule "); found {
			_, rest, _ := strings.Cut(after, "no caller breaks")
			f.Fix = before + rest
		}
		if undeclared {
			f.Message = strings.Replace(f.Message, ". Declared bump: none (1.0.0)", "", 1)
		}
	}
	return out
}

// alone reports a tool that only one side has. A contract that is gone declares
// nothing any more.
func (d *differ) alone(tool diffTool, long bool, rule string, bump contract.Bump, message string) {
	r := diffResult{name: tool.label(long), title: tool.label(long), required: bump, declared: d.declared}
	r.findings = []change.Finding{{
		Finding: finding.Finding{Rule: rule, Severity: finding.Info, Side: finding.Contract, Message: message},
		Bump:    bump, Proof: change.Declared,
	}}
	if bump == contract.Major {
		r.findings[0].Fix = "keep it, or release the list as a major version"
		if !d.bare {
			r.findings[0].Fix = "keep the contract as long as agents use it"
		}
	}
	if d.declared != nil || !d.bare {
		sufficient := bump == contract.None || d.declared != nil && *d.declared >= bump
		r.sufficient = &sufficient
	}
	d.results = append(d.results, r)
}

// json is the machine-readable form.
func (d *differ) json() any {
	entries := []diffEntry{}
	for _, r := range d.results {
		entries = append(entries, diffEntry{r.name, r.report()})
	}
	if d.list {
		return diffList{entries}
	}
	return entries[0].diffReport
}

func (r diffResult) report() diffReport {
	out := diffReport{RequiredBump: r.required.String(), Sufficient: r.sufficient, Findings: []diffFinding{}}
	if r.declared != nil {
		word := r.declared.String()
		out.DeclaredBump = &word
	}
	for _, f := range r.findings {
		view := diffFinding{
			Rule: f.Rule, Side: f.Side, Pointer: f.Pointer, Bump: f.Bump.String(), Proof: f.Proof,
			Message: f.Message, Fix: f.Fix, Witness: json.RawMessage("null"),
		}
		if view.Side == "" {
			view.Side = finding.Contract
		}
		if f.Witness != nil {
			view.Witness = json.RawMessage(f.Witness.JSON())
		}
		out.Findings = append(out.Findings, view)
	}
	return out
}
