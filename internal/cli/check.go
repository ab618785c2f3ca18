// SPDX-License-Identifier: Apache-2.0

package cli

import "github.com/toolcontract/operator/internal/finding"

const checkUsage = `Judge ToolContracts against the provider APIs that they are meant for, without a
cluster. The findings are those that the operator would report.

Usage:
  {command} check FILE|DIR|-... [--profile NAME[:STRICT[:ADAPTATION]]]... [-o text|json]

A directory is searched recursively for *.yaml, *.yml and *.json; - is standard
input. Documents of other kinds are named on standard error and passed over.

Flags:
      --profile NAME[:STRICT[:ADAPTATION]]
                    judge for this profile instead of the contract's own targets;
                    may be repeated. STRICT is Required, Preferred or Disabled,
                    ADAPTATION is Keep or Narrow. Without them the contract's own
                    target of this profile decides, else Preferred and Narrow.
                    Profiles: {profiles}
  -o, --output text|json
                    text is for people (default); json has one result per
                    contract and profile
  -h, --help        print this text

Exit code: 0 no error finding; 1 error findings; 2 bad usage, an input that cannot
be read, or no ToolContract in the inputs.

Examples:
  {command} check config/samples
  {command} check refund.yaml --profile openai-responses:Required -o json
  kubectl get tct -A -o json | {command} check -
`

// reporter writes what check found, one contract after the other.
type reporter interface {
	contract(j *judged)
	end()
}

func (p *Program) check(arguments []string) int {
	f := p.flags("check")
	profiles := f.StringArray("profile", nil, "")
	output := f.StringP("output", "o", "text", "")
	if code, done := p.parse(f, checkUsage, arguments); done {
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
	failed := false
	readable := p.contracts(f.Args(), given, func(j *judged) {
		failed = failed || j.hasErrors()
		r.contract(j)
	})
	r.end()
	switch {
	case !readable:
		return exitUsage
	case failed:
		return exitFindings
	}
	return exitOK
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
