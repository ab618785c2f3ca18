// SPDX-License-Identifier: Apache-2.0

package evaluate

import (
	"slices"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/change"
	"github.com/toolcontract/operator/internal/contract"
)

// Frozen is a version as a revision holds it.
type Frozen struct {
	Content *contract.Content
	// Acknowledgements are those that the version may rest on.
	Acknowledgements []v1alpha1.Acknowledgement
	// Issued says that the contract is known to have issued it: it is measured
	// against and not judged itself.
	Issued bool
}

// Chain judges versions that are there together, in any order, as if they had been
// issued one after the other, the lowest first. It returns the refusals, by
// version. A version that is refused is not measured against. One that would break
// the next issued version of its line is refused as well, so that it does not
// matter which of the two was there first.
func Chain(frozen []Frozen, checker *change.Checker) map[string]Decision {
	sorted := slices.SortedStableFunc(slices.Values(frozen), func(a, b Frozen) int {
		return a.Content.Version.Compare(b.Content.Version)
	})
	contents := map[string]*contract.Content{}
	for _, f := range sorted {
		contents[f.Content.Version.String()] = f.Content
	}
	history := History{Checker: checker, Content: func(v contract.Version) *contract.Content { return contents[v.String()] }}
	refusals := map[string]Decision{}
	for i, f := range sorted {
		version := f.Content.Version
		next := history
		next.Issued = append(slices.Clone(history.Issued), Issued{Version: version, Digest: f.Content.Digest()})
		if !f.Issued {
			decision := Decide(f.Content, history, f.Acknowledgements)
			if after, ok := nextRelease(sorted[i+1:], version.Line()); decision.Accepted && ok && after.Issued && !version.IsPrerelease() {
				decision = Decide(after.Content, next, after.Acknowledgements)
			}
			if !decision.Accepted {
				refusals[version.String()] = decision
				continue
			}
		}
		history = next
	}
	return refusals
}

// nextRelease is the first release of a line.
func nextRelease(sorted []Frozen, line string) (Frozen, bool) {
	for _, f := range sorted {
		if f.Content.Version.Line() == line && !f.Content.Version.IsPrerelease() {
			return f, true
		}
	}
	return Frozen{}, false
}
