// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"fmt"

	"github.com/toolcontract/operator/internal/card"
	"github.com/toolcontract/operator/internal/finding"
)

const showUsage = `Show what a model sees of a tool, and apart from it what only the host knows: who
runs it, what a call does, approval, retries, answers, errors. For a reviewer.

Usage:
  {command} show FILE|DIR|-... [--profile NAME[:STRICT[:ADAPTATION]]] [-o text|json]
      [--profile-dir DIR]

Without --profile the model's side is the contract as it is written. With it, it is
read back from the bytes that the API of this profile gets. What the author wrote
stands behind a bar; characters that a terminal acts on, or that nobody sees, are
written as escapes.

Flags:
      --profile NAME[:STRICT[:ADAPTATION]]
                    show what is sent for this profile. STRICT and ADAPTATION are
                    those of check. Profiles:
                    {profiles}
  -o, --output text|json
                    text is for people (default), in lines of at most 100 columns
      --profile-dir DIR
                    also know the profiles in DIR, as for the command profiles
  -h, --help        print this text

Exit code: 0 everything is shown; 1 a contract is not valid, or the profile cannot
take it; 2 bad usage, or an input that cannot be read.

Examples:
  {command} show config/samples/submit-refund.yaml
  {command} show refund.yaml --profile openai-responses
  git show main:refund.yaml | {command} show - -o json
`

func (p *Program) show(arguments []string) int {
	f := p.flags("show")
	profiles := f.StringArray("profile", nil, "")
	output := f.StringP("output", "o", "text", "")
	dir := profileDirFlag(f)
	if code, done := p.parse(f, showUsage, arguments); done {
		return code
	}
	if code, done := p.loadProfiles(f, *dir); done {
		return code
	}
	given, code, done := p.profilesAndInputs(f, *profiles)
	switch {
	case done:
		return code
	case len(given) > 1:
		return p.badUsage(f, "name one profile at a time")
	case *output != "text" && *output != "json":
		return p.badUsage(f, "there is no output format %q; write text or json", *output)
	}
	var cards []*card.Card
	code = exitOK
	readable := p.contracts(f.Args(), given, func(j *judged) {
		c := p.card(j, len(given) > 0)
		if c == nil {
			code = exitFindings
			return
		}
		cards = append(cards, c)
		if *output == "text" {
			if len(cards) > 1 {
				fmt.Fprintln(p.out)
			}
			fmt.Fprint(p.out, c.Text())
		}
	})
	if *output == "json" {
		_, _ = p.out.Write(card.JSON(cards)) // the writer is buffered and reports its error when flushed
	}
	if !readable {
		return exitUsage
	}
	return code
}

// card makes the card of a contract, or says why there is none.
func (p *Program) card(j *judged, rendered bool) *card.Card {
	refuse := func(why string, findings []finding.Finding) *card.Card {
		p.complain("%s:%d: %s: %s", j.File, j.Line, j.identity(), why)
		for _, f := range finding.Errors(findings) {
			p.complain("  line %d: %s", j.line(f), f)
		}
		return nil
	}
	switch {
	case j.invalid():
		return refuse("it is not valid", j.findings)
	case rendered && !j.targets[0].Compatible():
		return refuse(j.targets[0].Spec.Profile+" cannot take it", j.targets[0].Findings)
	}
	return card.Of(card.Source{
		Namespace: j.Namespace, Contract: cmp.Or(j.Name, j.identity()), Content: j.content, Targets: j.targets, Rendered: rendered,
	})
}
