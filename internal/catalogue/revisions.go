// SPDX-License-Identifier: Apache-2.0

package catalogue

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/toolcontract/operator/internal/change"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
)

// revisionView is a version on the page of a contract.
type revisionView struct {
	Anchor, Version, Origin, Digest, Required, Verdict, Against string
	Refused, Open                                               bool
	Changes                                                     []changeView
	Diff                                                        []diffLine
}

// changeView is one difference to the version before.
type changeView struct {
	findingView
	Bump, Proof, Witness, WitnessLabel string
}

// revisions are the versions of a contract, the highest first.
func (s *site) revisions(page string, c *Contract) []revisionView {
	var out []revisionView
	for i, r := range slices.Backward(c.Revisions) {
		v := revisionView{
			Anchor: "v-" + strconv.Itoa(i+1), Version: r.Content.Version.String(), Origin: r.Origin, Digest: r.Content.Digest(), Refused: r.Refused(),
			Verdict: "It is the first version that this catalogue knows.",
		}
		if r.Before != nil {
			v.Against = r.Before.Version.String()
			v.Required = strings.ToLower(r.Change.Required.String())
			v.Verdict = verdict(r)
			for _, f := range r.Change.Findings {
				v.Changes = append(v.Changes, changeOf(f, r, page))
			}
			v.Diff = difference(pretty(r.Before.Canonical()), pretty(r.Content.Canonical()))
			v.Open = len(v.Diff) < 40 && i == len(c.Revisions)-1
		}
		out = append(out, v)
	}
	return out
}

// verdict says whether the version says what it changes.
func verdict(r Revision) string {
	required, declared := strings.ToLower(r.Change.Required.String()), strings.ToLower(r.Change.Declared.String())
	needs := fmt.Sprintf("Against %s it needs a %s bump, ", r.Before.Version, required)
	switch {
	case r.Change.Required == contract.None:
		return fmt.Sprintf("Against %s nothing changed.", r.Before.Version)
	case r.Refused() && r.Change.Declared == contract.None:
		return needs + "and its number says none: it is refused, and what was served stays."
	case r.Refused():
		return needs + fmt.Sprintf("and its number says only %s: it is refused, and what was served stays.", declared)
	case r.Content.Version.IsPrerelease():
		return needs + "which a pre-release does not have to say."
	case required == declared:
		return needs + "and its number says so."
	}
	return needs + fmt.Sprintf("and its number says %s, which is more.", declared)
}

// proofs say what a finding rests on.
var proofs = map[change.Proof]string{
	change.Proven: "proven", change.Refuted: "shown by a counter-example", change.Unknown: "not proven, so the worst is assumed",
	change.Declared: "declared by the author",
}

// refusing are the findings that ask for more than the version says, as the
// errors that they are.
func (r Revision) refusing() []finding.Finding {
	if !r.Refused() {
		return nil
	}
	var out []finding.Finding
	for _, f := range r.Change.Findings {
		if f.Bump > r.Change.Declared {
			g := f.Finding
			g.Severity = finding.Error
			out = append(out, g)
		}
	}
	return finding.Sort(out)
}

func changeOf(f change.Finding, r Revision, page string) changeView {
	class := map[contract.Bump]string{contract.Major: "error", contract.Minor: "warning"}[f.Bump]
	if class == "" {
		class = "info"
	}
	v := changeView{
		findingView: findingView{Class: class, Place: f.Place(), Message: f.Message, Fix: f.Fix, Rule: f.Rule},
		Bump:        strings.ToLower(f.Bump.String()), Proof: proofs[f.Proof],
	}
	if r.Refused() && f.Bump > r.Change.Declared { // then the rule has a page
		v.Href = root(page) + ruleFile(f.Rule)
	}
	if f.Witness != nil {
		v.Witness = pretty(f.Witness)
		v.WitnessLabel = "The counter-example: a value on which the two versions differ."
	}
	return v
}
