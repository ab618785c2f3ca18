// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/yaml"
)

// load reads profile files, given by the name that each must carry, resolves
// what they extend, and checks the result.
func load(files map[string][]byte) (*Catalog, error) {
	l := loader{files: files, facts: map[string]Facts{}, open: map[string]bool{}}
	c := &Catalog{profiles: map[string]*Profile{}}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		facts, err := l.resolve(name)
		if err != nil {
			return nil, err
		}
		if err := validate(facts); err != nil {
			return nil, fmt.Errorf("checking profile %s: %w", name, err)
		}
		p, err := newProfile(facts)
		if err != nil {
			return nil, fmt.Errorf("building profile %s: %w", name, err)
		}
		c.profiles[name] = p
	}
	return c, nil
}

type loader struct {
	files map[string][]byte
	facts map[string]Facts // resolved
	open  map[string]bool  // being resolved, to notice circles
}

// resolve returns the facts of a file over those that it extends.
func (l *loader) resolve(name string) (Facts, error) {
	if done, ok := l.facts[name]; ok {
		return done, nil
	}
	raw, ok := l.files[name]
	if !ok {
		return Facts{}, fmt.Errorf("resolving profile %s: there is no such profile", name)
	}
	if l.open[name] {
		return Facts{}, fmt.Errorf("resolving profile %s: it extends itself", name)
	}
	l.open[name] = true
	defer delete(l.open, name)

	facts, err := decode(name, raw)
	if err != nil {
		return Facts{}, err
	}
	if facts.Extends != "" {
		parent, err := l.resolve(facts.Extends)
		if err != nil {
			return Facts{}, fmt.Errorf("resolving profile %s: %w", name, err)
		}
		facts = merge(parent, facts)
	}
	l.facts[name] = facts
	return facts, nil
}

// decode reads one file. Unknown and repeated fields are errors, so that a
// misspelt fact is never silently no fact.
func decode(name string, raw []byte) (Facts, error) {
	var f Facts
	if err := yaml.UnmarshalStrict(raw, &f); err != nil {
		return Facts{}, fmt.Errorf("reading profile %s: %w", name, err)
	}
	if f.Name != name {
		return Facts{}, fmt.Errorf("reading profile %s: its name is %q", name, f.Name)
	}
	for _, groups := range [][]Verdicts{f.RootKeywords, f.Shapes, f.Keywords} {
		if err := checkGroups(groups); err != nil {
			return Facts{}, fmt.Errorf("reading profile %s: %w", name, err)
		}
	}
	return f, nil
}

// checkGroups refuses a name that a file gives two lists for one mode, before
// merging would let the last one win.
func checkGroups(groups []Verdicts) error {
	seen := map[string]bool{}
	for _, g := range groups {
		if len(g.Names) == 0 {
			return fmt.Errorf("an entry has no names")
		}
		if (len(g.Both) > 0) == (len(g.Strict)+len(g.Standard) > 0) {
			return fmt.Errorf("the entry of %s needs either both, or strict and standard", g.Names[0])
		}
		for _, name := range g.Names {
			for _, mode := range modes {
				if len(casesByName([]Verdicts{g}, mode)[name]) == 0 {
					continue
				}
				key := string(mode) + " " + name
				if seen[key] {
					return fmt.Errorf("%s has two entries in %s", name, mode)
				}
				seen[key] = true
			}
		}
	}
	return nil
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
	if child.Strict.Place == "" {
		child.Strict = parent.Strict
	}
	if child.Models == nil {
		child.Models = parent.Models
	}
	if child.ToolNames == nil {
		child.ToolNames = parent.ToolNames
	}
	if len(child.Description.Sources) == 0 {
		child.Description = parent.Description
	}
	if child.PropertyNames == nil {
		child.PropertyNames = parent.PropertyNames
	}
	if len(child.Examples.Sources) == 0 {
		child.Examples = parent.Examples
	}
	if len(child.OutputSchema.Sources) == 0 {
		child.OutputSchema = parent.OutputSchema
	}
	if len(child.Effective.Strict.Sources) == 0 {
		child.Effective = parent.Effective
	}
	if child.Limits == nil {
		child.Limits = parent.Limits
	}
	return child
}

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
