// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/manifest"
)

// contracts reads and judges every contract of the arguments, in order, and
// hands them over one by one. It returns false if an input could not be read
// or if there is nothing to judge. Sets are passed over.
func (p *Program) contracts(arguments []string, given []v1alpha1.Target, each func(*judged)) bool {
	return p.contractsAndSets(arguments, given, each, nil)
}

// contractsAndSets is like contracts, and hands sets over when all contracts have
// been read.
func (p *Program) contractsAndSets(arguments []string, given []v1alpha1.Target, each func(*judged), set func(*judgedSet)) bool {
	var all inputs
	ok, found := true, false
	for source, err := range manifest.Open(arguments, p.In) {
		if err != nil {
			p.complain("%v", err)
			ok = false
			continue
		}
		for d := range source.Documents() {
			if d.Skipped != "" {
				p.complain("note: %s:%d: not read: %s", d.File, d.Line, d.Skipped)
				continue
			}
			found = true
			if d.IsSet {
				all.sets = append(all.sets, d)
				continue
			}
			j := p.judge(d, given)
			if set != nil {
				all.add(contractKey{p.namespaceOf(d), d.Name}, candidate{d.Contract, j.content})
			}
			each(j)
		}
	}
	if ok && !found {
		p.complain("there is no ToolContract in %s", strings.Join(arguments, ", "))
	}
	for _, d := range all.sets {
		if set != nil {
			set(p.judgeSet(d, &all))
		}
	}
	return ok && found
}

// profilesAndInputs judges what check and render have in common: the values of
// --profile and the list of inputs. done is as of [Program.parse].
func (p *Program) profilesAndInputs(f *pflag.FlagSet, profiles []string) (given []v1alpha1.Target, code int, done bool) {
	given, err := parseTargets("profile", profiles, p.profiles)
	if err != nil {
		return nil, p.badUsage(f, "%v", err), true
	}
	if wrong := checkInputs(f.Args()); wrong != "" {
		return nil, p.badUsage(f, "%s", wrong), true
	}
	return given, exitOK, false
}

// checkInputs says what is wrong with the list of inputs, if anything.
func checkInputs(arguments []string) string {
	if len(arguments) == 0 {
		return "name a file, a directory, or - for standard input"
	}
	if stdin := slices.Index(arguments, manifest.Stdin); stdin >= 0 && slices.Contains(arguments[stdin+1:], manifest.Stdin) {
		return "standard input (-) can be read once only"
	}
	return ""
}
