// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"maps"
	"slices"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/change"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/snapshot"
)

// Manifest is one object of the manifests.
type Manifest struct {
	File string
	Line int
	// Namespace and Name are known also of an object that cannot be decoded.
	Namespace, Name string
	// One of these is set, or none if the object cannot be decoded. IsSet says
	// which it would be.
	Contract *v1alpha1.ToolContract
	Set      *v1alpha1.ToolSet
	Revision *v1alpha1.ToolRevision
	IsSet    bool
	// Findings are what the API server would refuse.
	Findings []finding.Finding
}

// Manifests are what would be applied.
type Manifests struct {
	Objects   []Manifest
	Workloads []snapshot.Workload
}

// Options are what else decides.
type Options struct {
	// Profiles is the catalogue of the operator.
	Profiles *provider.Catalog
	// Prune removes the contracts and sets that the manifests do not have, in the
	// namespaces that they are about, or in all if All is set.
	Prune, All bool
	// TrackMounts says that the operator knows what mounts ConfigMaps.
	TrackMounts bool
	// Whole says that the world has all that a set may refer to. Otherwise a contract
	// that is not there may be elsewhere.
	Whole bool
}

// maker makes one plan.
type maker struct {
	Options
	before, after *World
	checker       *change.Checker
	revisions     map[key][]*v1alpha1.ToolRevision
	sorted        []key // of the sets of after
}

// comparisons is how many comparisons of schemas are remembered.
const comparisons = 512

// Make applies manifests to a world. It returns the plan, and the world as the
// operator would leave it.
func Make(before *World, manifests Manifests, o Options) (*Plan, *World) {
	m := &maker{Options: o, before: before, after: before.clone(), checker: change.NewChecker(comparisons), revisions: map[key][]*v1alpha1.ToolRevision{}}
	m.after.workloads = append(m.after.workloads, manifests.Workloads...)
	contracts, sets := map[key]*Contract{}, map[key]*Set{}
	namespaces := map[string]bool{}
	for i := range manifests.Objects {
		object := &manifests.Objects[i]
		at := key{object.Namespace, object.Name}
		namespaces[at.namespace] = true
		switch {
		case object.Revision != nil:
			owner := key{at.namespace, object.Revision.Spec.ContractRef.Name}
			m.revisions[owner] = append(m.revisions[owner], object.Revision)
		case object.IsSet:
			sets[at] = m.declareSet(at, object, sets[at])
		default:
			contracts[at] = m.declareContract(at, object, contracts[at])
		}
	}
	m.sorted = sortedKeys(m.after.sets)
	if o.Prune {
		m.prune(contracts, sets, namespaces)
	}
	m.sorted = sortedKeys(m.after.sets)
	p := &Plan{SchemaVersion: SchemaVersion, Contracts: []Contract{}, Sets: []Set{}, Summary: Summary{Impact: ImpactNone}}
	touched := map[key]bool{}
	for _, at := range sortedKeys(contracts) {
		c := contracts[at]
		m.planContract(at, c)
		touched[at] = true
		p.Contracts = append(p.Contracts, *c)
	}
	for _, at := range m.setKeys() {
		if sets[at] == nil && m.holds(at, touched) {
			sets[at] = &Set{Namespace: at.namespace, Name: at.name, Change: Unchanged, Impact: ImpactNone}
		}
	}
	for _, at := range sortedKeys(sets) {
		m.planSet(at, sets[at])
		p.Sets = append(p.Sets, *sets[at])
	}
	m.nameSets(p)
	p.summarize()
	return p, m.after
}

// setKeys are the sets of the world as it would be, in order.
func (m *maker) setKeys() []key { return m.sorted }

// declareContract applies a contract, unless the API server would refuse it.
func (m *maker) declareContract(at key, object *Manifest, earlier *Contract) *Contract {
	c := &Contract{Namespace: at.namespace, Name: at.name, File: object.File, Line: object.Line, Change: Unchanged, Impact: ImpactNone}
	if object.Contract != nil {
		c.ToolName, c.Version = object.Contract.Spec.ToolName, object.Contract.Spec.Version
	}
	old := m.before.contracts[at]
	switch {
	case earlier != nil:
		c = earlier
		c.refuse("DuplicateObject", "/metadata/name: the manifests have this contract twice: the other one is in "+place(object)+". Fix: keep one of them, since the last one applied wins")
	case finding.HasErrors(object.Findings):
		c.refuse("Invalid", finding.Summary(finding.Errors(object.Findings), maxFindings))
	case object.Contract == nil:
		c.refuse("Invalid", "the object cannot be read")
	case old != nil && old.Spec.ToolName != object.Contract.Spec.ToolName:
		c.refuse("Invalid", "/spec/toolName: toolName is immutable, and models know the tool as "+finding.Quote(old.Spec.ToolName)+". Fix: restore it, or give the tool a contract of its own")
	default:
		m.applyContract(at, object.Contract)
	}
	return c
}

func (m *maker) declareSet(at key, object *Manifest, earlier *Set) *Set {
	s := &Set{Namespace: at.namespace, Name: at.name, File: object.File, Line: object.Line, Change: Unchanged, Impact: ImpactNone}
	switch {
	case earlier != nil:
		s = earlier
		s.refuse("DuplicateObject", "/metadata/name: the manifests have this set twice: the other one is in "+place(object)+". Fix: keep one of them, since the last one applied wins")
	case finding.HasErrors(object.Findings):
		s.refuse("Invalid", finding.Summary(finding.Errors(object.Findings), maxFindings))
	case object.Set == nil:
		s.refuse("Invalid", "the object cannot be read")
	default:
		m.applySet(at, object.Set)
	}
	return s
}

// maxFindings is how many findings a message carries, as in conditions.
const maxFindings = 3

// prune removes what the manifests do not have.
func (m *maker) prune(contracts map[key]*Contract, sets map[key]*Set, namespaces map[string]bool) {
	for _, at := range sortedKeys(m.before.contracts) {
		if contracts[at] == nil && (m.All || namespaces[at.namespace]) {
			contracts[at] = &Contract{Namespace: at.namespace, Name: at.name, ToolName: m.before.contracts[at].Spec.ToolName, Change: Removed, Impact: ImpactMajor}
			m.remove(at)
		}
	}
	for _, at := range sortedKeys(m.before.sets) {
		if sets[at] == nil && (m.All || namespaces[at.namespace]) {
			sets[at] = &Set{Namespace: at.namespace, Name: at.name, Change: Removed, Impact: ImpactMajor}
			delete(m.after.sets, at)
			delete(m.after.published, owner{at, true})
		}
	}
}

// holds reports whether a set has to do with one of the contracts.
func (m *maker) holds(at key, touched map[key]bool) bool {
	set := m.after.sets[at]
	for i := range set.Spec.Tools {
		t := &set.Spec.Tools[i]
		namespace := t.Namespace
		if namespace == "" {
			namespace = at.namespace
		}
		if touched[key{namespace, t.Contract}] {
			return true
		}
	}
	for i := range set.Spec.Selectors {
		for c := range touched {
			for _, w := range []*World{m.before, m.after} {
				if contract := w.contracts[c]; contract != nil && c.namespace == at.namespace && selects(&set.Spec.Selectors[i], contract) {
					return true
				}
			}
		}
	}
	return false
}

// nameSets notes on each contract the sets that hold it, before or after.
func (m *maker) nameSets(p *Plan) {
	for i := range p.Contracts {
		c := &p.Contracts[i]
		at := map[key]bool{{c.Namespace, c.Name}: true}
		for _, set := range m.setKeys() {
			if m.holds(set, at) {
				c.Sets = append(c.Sets, set.String())
			}
		}
	}
}

func (p *Plan) summarize() {
	for _, c := range p.Contracts {
		p.Summary.Contracts.add(c.Change)
		p.Summary.Impact.raise(c.Impact)
		if c.Revision != nil && c.Revision.New {
			p.Summary.NewRevisions++
		}
	}
	for _, s := range p.Sets {
		p.Summary.Sets.add(s.Change)
		p.Summary.Impact.raise(s.Impact)
	}
}

func (c *Contract) refuse(reason, message string) {
	c.Change, c.Impact = Refused, ImpactRefused
	c.Refusals = append(c.Refusals, Refusal{reason, message})
}

func (s *Set) refuse(reason, message string) {
	s.Change, s.Impact = Refused, ImpactRefused
	s.Refusals = append(s.Refusals, Refusal{reason, message})
}

func sortedKeys[V any](of map[key]V) []key { return slices.SortedFunc(maps.Keys(of), compareKeys) }

func sortedNames[V any](of map[string]V) []string { return slices.Sorted(maps.Keys(of)) }
