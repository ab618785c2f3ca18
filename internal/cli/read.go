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
	var sources []manifest.Source
	var sets []*manifest.Document
	ok, found, passed := true, false, passedOver{p: p}
	for source, err := range manifest.Open(arguments, p.In) {
		if err != nil {
			p.complain("%v", err)
			ok = false
			continue
		}
		if set != nil {
			sources = append(sources, source)
		}
		for d := range source.Documents() {
			if d.Skipped != "" {
				passed.note(d)
				continue
			}
			found = true
			if d.IsSet {
				sets = append(sets, d)
				continue
			}
			each(p.judge(d, given))
		}
	}
	passed.end()
	if ok && !found {
		p.complain("there is no ToolContract in %s", strings.Join(arguments, ", "))
	}
	if set != nil && len(sets) > 0 {
		all := p.candidates(sources)
		for _, d := range sets {
			set(p.judgeSet(d, all))
		}
	}
	return ok && found
}

const profileKind = "ProviderProfile"

// maxPassedOver is how many documents of other kinds are named that were found in
// directories. A directory may be a whole repository.
const maxPassedOver = 3

// passedOver names the documents that are none of ours.
type passedOver struct {
	p     *Program
	found int // of other APIs, in directories
}

func (o *passedOver) note(d *manifest.Document) {
	if ours := d.Revision != nil || d.OtherKind == profileKind; d.Found && !ours {
		if o.found++; o.found > maxPassedOver {
			return
		}
	}
	o.p.complain("note: %s:%d: not read: %s", d.File, d.Line, d.Skipped)
}

func (o *passedOver) end() {
	if more := o.found - maxPassedOver; more > 0 {
		o.p.complain("note: and %s of other kinds", plural(more, "more document"))
	}
}

// candidates reads the contracts once more, for sets. Until there is a set only the
// texts of thousands of contracts are kept, which are a small part of what is made
// of them.
func (p *Program) candidates(sources []manifest.Source) *inputs {
	all := &inputs{}
	for _, source := range sources {
		for d := range source.Documents() {
			if d.Skipped == "" && !d.IsSet {
				content, _ := contentOf(d)
				all.add(contractKey{p.namespaceOf(d), d.Name}, candidate{d.Contract, content})
			}
		}
	}
	return all
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
