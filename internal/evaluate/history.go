// SPDX-License-Identifier: Apache-2.0

package evaluate

import (
	"slices"

	"github.com/toolcontract/operator/internal/change"
	"github.com/toolcontract/operator/internal/contract"
)

// Issued is one accepted version, known from a revision or remembered after
// its revision was collected.
type Issued struct {
	Version contract.Version
	Digest  string
}

// History is what happened to a contract before.
type History struct {
	// Issued are all accepted versions, in any order, each once.
	Issued []Issued
	// Content returns what a version said, or nil if its revision is gone. A nil
	// function knows none.
	Content func(version contract.Version) *contract.Content
	// Served is what each line's channel serves now, by line.
	Served map[string]Served
	// Pinned are the versions that something mounts, in any order. What runs with
	// one of them must go on working with the next version of its line.
	Pinned []contract.Version
	// RetiredLine is the highest line that was retired, empty for none.
	RetiredLine string
	// Checker remembers what comparisons found; nil compares without memory.
	Checker *change.Checker

	// servedLines is how many lines are served; zero is no limit.
	servedLines int
}

// Served is what a channel serves.
type Served struct {
	Version contract.Version
	// Strict holds the served profiles: whether each was rendered strict.
	Strict map[string]bool
}

// content is Content for a history that may know none.
func (h History) content(v contract.Version) *contract.Content {
	if h.Content == nil {
		return nil
	}
	return h.Content(v)
}

// find returns the digest under which a version was issued.
func (h History) find(v contract.Version) (digest string, ok bool) {
	for _, i := range h.Issued {
		if i.Version.Compare(v) == 0 {
			return i.Digest, true
		}
	}
	return "", false
}

// highest returns the highest issued version of a line; with releases only,
// pre-releases do not count.
func (h History) highest(line string, releasesOnly bool) (v contract.Version, ok bool) {
	for _, i := range h.Issued {
		if i.Version.Line() != line || (releasesOnly && i.Version.IsPrerelease()) {
			continue
		}
		if !ok || i.Version.Compare(v) > 0 {
			v, ok = i.Version, true
		}
	}
	return v, ok
}

// newLine is the first version of the lowest line above everything that was
// issued or retired, and above v.
func (h History) newLine(v contract.Version) contract.Version {
	highest := v
	if retired, ok := firstOf(h.RetiredLine); ok && contract.CompareLines(retired, highest) > 0 {
		highest = retired
	}
	for _, i := range h.Issued {
		if contract.CompareLines(i.Version, highest) > 0 {
			highest = i.Version
		}
	}
	return highest.Next(contract.Major)
}

// predecessors are the versions that a new version of the line is compared
// with: the highest issued, what is served, and what something mounts, each
// once. Pre-releases are never the old side.
func (h History) predecessors(line string) []contract.Version {
	var out []contract.Version
	add := func(v contract.Version) {
		isV := func(w contract.Version) bool { return w.Compare(v) == 0 }
		if !v.IsPrerelease() && v.Line() == line && !slices.ContainsFunc(out, isV) {
			out = append(out, v)
		}
	}
	if highest, ok := h.highest(line, true); ok {
		add(highest)
	}
	if served, ok := h.Served[line]; ok {
		add(served.Version)
	}
	pinned := slices.Clone(h.Pinned)
	slices.SortFunc(pinned, func(v, w contract.Version) int { return -v.Compare(w) })
	for _, v := range pinned {
		add(v)
	}
	return out
}
