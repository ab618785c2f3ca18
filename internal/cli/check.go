// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"maps"
	"slices"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/lint"
)

const checkUsage = `Judge ToolContracts against the provider APIs that they are meant for, and ToolSets
against what those take in one request, without a cluster. The findings are those
that the operator would report. A set is made of the contracts among the inputs.

Usage:
  {command} check FILE|DIR|-... [--profile NAME[:STRICT[:ADAPTATION]]]...
      [-o text|json|sarif|github] [--evidence FILE]... [-n NAMESPACE] [--profile-dir DIR]

A directory is searched recursively for *.yaml, *.yml and *.json; - is standard
input. Documents of other kinds are named on standard error and passed over.

Flags:
      --profile NAME[:STRICT[:ADAPTATION]]
                    judge for this profile instead of the contract's own targets;
                    may be repeated. STRICT is Required, Preferred or Disabled,
                    ADAPTATION is Keep, Narrow, Reshape or Widen. Without them the
                    contract's own target of this profile decides, else Preferred
                    and Narrow. Profiles:
                    {profiles}
  -o, --output text|json|sarif|github
                    text is for people (default); json has one result per
                    contract and profile, and a JSON Patch (RFC 6902) on what the
                    author wrote where a fix needs no judgement; sarif is a log of
                    SARIF 2.1.0 for code hosts and editors; github annotates the
                    files of a pull request in a GitHub workflow
      --evidence FILE
                    compare lines that {command} probe wrote with the profiles, and
                    name what contradicts them; may be repeated. Lines about other
                    bytes or other facts than those of now are passed over
  -n, --namespace NAMESPACE
                    the namespace of manifests that name none, for references of
                    sets (default: default)
      --profile-dir DIR
                    also know the profiles in DIR: profile files <name>.yaml, or
                    manifests of ProviderProfiles
  -h, --help        print this text

Sets are judged for their own profiles, whatever --profile says.

Lint findings say what would confuse a model or harm somebody, also between the
contracts of one namespace. The operator publishes in spite of them; here those of
severity Error count, because a pull request is where they are mended. An entry in
spec.acknowledge without a version accepts one, by rule and path.

Exit code: 0 no error finding; 1 error findings, or evidence that contradicts a
profile; 2 bad usage, an input that cannot be read, or no ToolContract in the inputs.

Examples:
  {command} check config/samples
  {command} check refund.yaml --profile openai-responses:Required -o json
  kubectl get tct -A -o json | {command} check -
  {command} check contracts -o sarif > toolcontract.sarif
  {command} check refund.yaml --evidence evidence.jsonl
`

// reporter writes what check found, one contract after the other.
type reporter interface {
	contract(j *judged)
	set(js *judgedSet)
	end(c closing)
}

// closing is what check says when all contracts are judged.
type closing struct {
	// ages are lines about profiles that are old.
	ages []string
	// evidence is what probe found before, beside what the profiles say.
	evidence []evidenceView
	// similar are contracts of one namespace that a model could take for each other.
	similar []located
}

func (p *Program) check(arguments []string) int {
	f := p.flags("check")
	profiles := f.StringArray("profile", nil, "")
	output := f.StringP("output", "o", "text", "")
	evidence := f.StringArray("evidence", nil, "")
	namespace := namespaceFlag(f)
	dir := profileDirFlag(f)
	if code, done := p.parse(f, checkUsage, arguments); done {
		return code
	}
	if code, done := p.setNamespace(f, *namespace); done {
		return code
	}
	if code, done := p.loadProfiles(f, *dir); done {
		return code
	}
	given, code, done := p.profilesAndInputs(f, *profiles)
	if done {
		return code
	}
	var r reporter
	switch *output {
	case "text":
		r = &textReporter{w: p.out, style: p.style}
	case "json":
		r = newJSONReporter(p.out)
	case "sarif":
		r = &sarifReporter{w: p.out, version: p.buildVersion()}
	case "github":
		r = &githubReporter{w: p.out}
	default:
		return p.badUsage(f, "there is no output format %q; write text, json, sarif or github", *output)
	}
	run := checkRun{p: p, places: places{}, book: evidenceBook{p: p, judged: map[string]*judged{}}, keep: len(*evidence) > 0}
	readable := p.contractsAndSets(f.Args(), given, func(j *judged) {
		run.contract(j)
		r.contract(j)
	}, func(js *judgedSet) {
		run.failed = run.failed || js.hasErrors()
		r.set(js)
	})
	views, evidenceRead := run.book.compare(*evidence)
	r.end(closing{ages: run.ages(), evidence: views, similar: run.similar()})
	switch {
	case !readable || !evidenceRead:
		return exitUsage
	case run.failed || contradicts(views):
		return exitFindings
	}
	return exitOK
}

// checkRun is what one run of check remembers of the contracts.
type checkRun struct {
	p        *Program
	book     evidenceBook
	keep     bool // contracts are held against evidence in the end
	failed   bool
	profiles []string // that were asked
	// tools are the valid contracts, by their namespace.
	tools map[string][]lint.Tool
	places
}

func (r *checkRun) contract(j *judged) {
	r.lint(j)
	r.failed = r.failed || j.hasErrors()
	for _, t := range j.targets {
		if !slices.Contains(r.profiles, t.Spec.Profile) {
			r.profiles = append(r.profiles, t.Spec.Profile)
		}
	}
	if r.keep {
		r.book.add(j)
	}
}

// lint judges a contract by the lint rules, and keeps it for the comparison with
// the others of its namespace.
func (r *checkRun) lint(j *judged) {
	if j.content == nil {
		return
	}
	j.lint = evaluate.Lint(j.content, j.Contract.Spec.Acknowledge)
	namespace := r.p.namespaceOf(j.Document)
	r.add(namespace, j)
	if r.tools == nil {
		r.tools = map[string][]lint.Tool{}
	}
	r.tools[namespace] = append(r.tools[namespace], lint.Tool{
		Namespace: namespace, Contract: j.Name, Acknowledged: evaluate.LintAcknowledgements(j.Contract.Spec.Acknowledge),
		// Words are compared; the schemas of thousands of tools would fill the memory.
		Content: &contract.Content{ToolName: j.content.ToolName, Description: j.content.Description},
	})
}

// similar judges the contracts of each namespace beside each other.
func (r *checkRun) similar() []located {
	var out []located
	for _, namespace := range slices.Sorted(maps.Keys(r.tools)) {
		out = append(out, r.places.similar(lint.Similar(r.tools[namespace]))...)
	}
	return out
}

// ages are lines about the profiles that were asked and are old. They are no
// findings: what a profile says does not change with the day.
func (r *checkRun) ages() []string {
	var out []string
	for _, profile := range r.p.used(r.profiles) {
		if line := r.p.ageLine(profile); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// hasErrors reports whether anything about the contract or a target is an error.
func (j *judged) hasErrors() bool {
	if j.invalid() || finding.HasErrors(j.lint.Findings) {
		return true
	}
	for _, t := range j.targets {
		if finding.HasErrors(t.Findings) || !t.Compatible() {
			return true
		}
	}
	return false
}
