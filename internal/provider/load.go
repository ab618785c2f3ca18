// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/toolcontract/operator/internal/finding"
)

// maxExtends is the longest chain of profiles that extend each other.
const maxExtends = 8

// loader reads profile files, given by the name that each must carry, resolves
// what they extend, and checks the result.
type loader struct {
	files   map[string][]byte
	base    *Catalog // what files may extend beside each other; nil for nothing
	formats []string // wire formats that exist; nil for any
	read    map[string]*readFile
}

// readFile is a file with what came of it; profile is nil if there are problems.
type readFile struct {
	problems problems
	facts    Facts // resolved
	chain    int   // how many profiles it extends
	open     bool  // being resolved, to notice circles
	profile  *Profile
}

// load reads all files. A broken one leaves the others usable, except those
// that extend it.
func (l *loader) load() (profiles map[string]*Profile, broken map[string][]finding.Finding) {
	l.read = map[string]*readFile{}
	profiles, broken = map[string]*Profile{}, map[string][]finding.Finding{}
	for _, name := range slices.Sorted(maps.Keys(l.files)) {
		f := l.file(name)
		if len(f.problems) > 0 {
			broken[name] = finding.Sort(f.problems)
			continue
		}
		profiles[name] = f.profile
	}
	return profiles, broken
}

func (l *loader) file(name string) *readFile {
	if f, ok := l.read[name]; ok {
		return f
	}
	f := &readFile{open: true}
	l.read[name] = f
	defer func() { f.open = false }()

	own, found := readFacts(name, l.files[name])
	f.problems = found
	if own == nil {
		return f
	}
	malformed := len(found) > 0
	f.facts = *own
	if own.Extends != "" {
		parent, chain, why := l.parent(name, own.Extends)
		if why != "" {
			f.problems.report(RuleProfileExtends, "/extends", why, "extend another profile, or write all facts out")
			malformed = true // of what the parent gives nothing can be said
		} else {
			f.facts, f.chain = merge(parent, *own), chain+1
		}
	}
	validate(&f.problems, own, &f.facts, l.formats, !malformed)
	if len(f.problems) == 0 {
		f.profile = newProfile(f.facts, f.chain, &f.problems)
	}
	return f
}

// parent returns the resolved facts that a file extends: those of another file,
// or of a profile that was there before, which may have the file's own name. It
// says why there are none.
func (l *loader) parent(name, parent string) (facts Facts, chain int, why string) {
	_, isFile := l.files[parent]
	before, isBefore := l.base.Lookup(parent)
	switch {
	case isFile && (parent != name || !isBefore):
		f := l.file(parent)
		switch {
		case f.open:
			return Facts{}, 0, fmt.Sprintf("it extends itself through %s", finding.Quote(parent))
		case len(f.problems) > 0:
			return Facts{}, 0, fmt.Sprintf("the profile %s that it extends is not valid", finding.Quote(parent))
		}
		facts, chain = f.facts, f.chain
	case isBefore:
		facts, chain = before.Facts, before.chain
	default:
		return Facts{}, 0, fmt.Sprintf("there is no profile %s to extend", finding.Quote(parent))
	}
	if chain+1 > maxExtends {
		return Facts{}, 0, fmt.Sprintf("the chain of profiles that extend each other is longer than %d", maxExtends)
	}
	return facts, chain, ""
}

// merge puts the facts of a file over those of its parent: verdicts by name and
// mode, sources by key, every other field as a whole where the file gives it.
func merge(parent, child Facts) Facts {
	child.Sources = mergeSources(parent.Sources, child.Sources)
	child.RootKeywords = mergeVerdicts(parent.RootKeywords, child.RootKeywords)
	child.Shapes = mergeVerdicts(parent.Shapes, child.Shapes)
	child.Keywords = mergeVerdicts(parent.Keywords, child.Keywords)
	child.Title = orElse(child.Title, parent.Title)
	child.Provider = orElse(child.Provider, parent.Provider)
	child.API = orElse(child.API, parent.API)
	child.WireFormat = orElse(child.WireFormat, parent.WireFormat)
	if isAbsent(child.Strict) {
		child.Strict = parent.Strict
	}
	if child.Models == nil {
		child.Models = parent.Models
	}
	if child.ModelPrefixes == nil {
		child.ModelPrefixes = parent.ModelPrefixes
	}
	if child.ToolNames == nil {
		child.ToolNames = parent.ToolNames
	}
	if isAbsent(child.Description) {
		child.Description = parent.Description
	}
	if child.PropertyNames == nil {
		child.PropertyNames = parent.PropertyNames
	}
	if isAbsent(child.Examples) {
		child.Examples = parent.Examples
	}
	if isAbsent(child.OutputSchema) {
		child.OutputSchema = parent.OutputSchema
	}
	if isAbsent(child.Effective.Strict) {
		child.Effective.Strict = parent.Effective.Strict
	}
	if isAbsent(child.Effective.Standard) {
		child.Effective.Standard = parent.Effective.Standard
	}
	if child.Limits == nil {
		child.Limits = parent.Limits
	}
	if isAbsent(child.ToolTypes) {
		child.ToolTypes = parent.ToolTypes
	}
	if isAbsent(child.Request) {
		child.Request = parent.Request
	}
	return child
}

// isAbsent reports whether a file says nothing of a part: any field of it is
// enough, so that half a part is reported and is never silently the parent's.
func isAbsent[T any](part T) bool { return reflect.ValueOf(part).IsZero() }

func orElse(s, otherwise string) string {
	if s != "" {
		return s
	}
	return otherwise
}

func mergeSources(parent, child []Source) []Source {
	out := slices.Clone(parent)
	for _, s := range child {
		if i := slices.IndexFunc(out, func(p Source) bool { return p.Key == s.Key }); i >= 0 {
			out[i] = s
			continue
		}
		out = append(out, s)
	}
	return out
}

// mergeVerdicts appends the child's entries: where names meet, the last entry
// counts (see casesByName).
func mergeVerdicts(parent, child []Verdicts) []Verdicts {
	return append(slices.Clone(parent), child...)
}
