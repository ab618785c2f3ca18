// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"slices"

	"github.com/toolcontract/operator/internal/finding"
)

const checkUsage = `Judge ToolContracts against the provider APIs that they are meant for, without a
cluster. The findings are those that the operator would report.

Usage:
  {command} check FILE|DIR|-... [--profile NAME[:STRICT[:ADAPTATION]]]... [-o text|json]
      [--evidence FILE]... [--profile-dir DIR]

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
  -o, --output text|json
                    text is for people (default); json has one result per
                    contract and profile, and a JSON Patch (RFC 6902) on what the
                    author wrote where a fix needs no judgement
      --evidence FILE
                    compare lines that {command} probe wrote with the profiles, and
                    name what contradicts them; may be repeated. Lines about other
                    bytes or other facts than those of now are passed over
      --profile-dir DIR
                    also know the profiles in DIR: profile files <name>.yaml, or
                    manifests of ProviderProfiles
  -h, --help        print this text

Exit code: 0 no error finding; 1 error findings, or evidence that contradicts a
profile; 2 bad usage, an input that cannot be read, or no ToolContract in the inputs.

Examples:
  {command} check config/samples
  {command} check refund.yaml --profile openai-responses:Required -o json
  kubectl get tct -A -o json | {command} check -
  {command} check refund.yaml --evidence evidence.jsonl
`

// reporter writes what check found, one contract after the other.
type reporter interface {
	contract(j *judged)
	end(c closing)
}

// closing is what check says when all contracts are judged.
type closing struct {
	// ages are lines about profiles that are old.
	ages []string
	// evidence is what probe found before, beside what the profiles say.
	evidence []evidenceView
}

func (p *Program) check(arguments []string) int {
	f := p.flags("check")
	profiles := f.StringArray("profile", nil, "")
	output := f.StringP("output", "o", "text", "")
	evidence := f.StringArray("evidence", nil, "")
	dir := profileDirFlag(f)
	if code, done := p.parse(f, checkUsage, arguments); done {
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
		r = &textReporter{w: p.out}
	case "json":
		r = &jsonReporter{w: p.out}
	default:
		return p.badUsage(f, "there is no output format %q; write text or json", *output)
	}
	run := checkRun{p: p, book: evidenceBook{p: p, judged: map[string]*judged{}}, keep: len(*evidence) > 0}
	readable := p.contracts(f.Args(), given, func(j *judged) {
		run.contract(j)
		r.contract(j)
	})
	views, evidenceRead := run.book.compare(*evidence)
	r.end(closing{ages: run.ages(), evidence: views})
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
}

func (r *checkRun) contract(j *judged) {
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
	if j.invalid() {
		return true
	}
	for _, t := range j.targets {
		if finding.HasErrors(t.Findings) || !t.Compatible() {
			return true
		}
	}
	return false
}
