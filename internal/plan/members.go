// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8slabels "k8s.io/apimachinery/pkg/labels"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/publish"
	"github.com/toolcontract/operator/internal/snapshot"
)

// member is one tool that a set names, by a reference or through a selector.
type member struct {
	pointer          string
	selected         bool
	key              key
	channel, version string
	deferLoading     bool
	group            string

	// content is what the set gets; nil if the member does not resolve, for the
	// reason given.
	content *contract.Content
	targets []v1alpha1.Target
	reason  string
	// keeps says that what is published of the tool stays.
	keeps bool
	// unknown says that only the cluster can tell.
	unknown string
}

// followers are what sets ask of one contract.
type followers struct {
	versions []contract.Version
	lines    map[string][]string
}

// followersOf reads what the sets of the world ask of a contract that permits them.
func (m *maker) followersOf(c *v1alpha1.ToolContract) followers {
	f := followers{lines: map[string][]string{}}
	at := key{c.Namespace, c.Name}
	for _, setKey := range m.setKeys() {
		set := m.after.sets[setKey]
		if yes, _ := m.after.permits(c, set.Namespace); !yes {
			continue
		}
		for i := range set.Spec.Tools {
			t := &set.Spec.Tools[i]
			if (key{cmp.Or(t.Namespace, set.Namespace), t.Contract}) != at {
				continue
			}
			if t.Channel != "" {
				f.lines[t.Channel] = append(f.lines[t.Channel], setKey.String())
			} else if v, err := contract.ParseVersion(t.Version); err == nil {
				f.versions = append(f.versions, v)
			}
		}
		for i := range set.Spec.Selectors {
			if s := &set.Spec.Selectors[i]; set.Namespace == c.Namespace && selects(s, c) {
				f.lines[s.Channel] = append(f.lines[s.Channel], setKey.String())
			}
		}
	}
	return f
}

func selects(s *v1alpha1.ToolSelector, c *v1alpha1.ToolContract) bool {
	selector, err := metav1.LabelSelectorAsSelector(&s.Labels)
	return err == nil && selector.Matches(k8slabels.Set(c.Labels))
}

// membersOf are the tools of a set in its order: the references, then what each
// selector adds, by name.
func (w *World) membersOf(set *v1alpha1.ToolSet, publications []*publication) []*member {
	var out []*member
	have := map[key]bool{}
	for i := range set.Spec.Tools {
		t := &set.Spec.Tools[i]
		m := &member{
			pointer: finding.Pointer("/spec/tools", strconv.Itoa(i)), key: key{cmp.Or(t.Namespace, set.Namespace), t.Contract},
			channel: t.Channel, version: t.Version, deferLoading: t.DeferLoading, group: t.Group,
		}
		if have[m.key] {
			m.reason = v1alpha1.ReasonDuplicateReference
		}
		have[m.key] = true
		out = append(out, m)
	}
	for i := range set.Spec.Selectors {
		s := &set.Spec.Selectors[i]
		for _, at := range sortedKeys(w.contracts) {
			if at.namespace != set.Namespace || have[at] || !selects(s, w.contracts[at]) {
				continue
			}
			have[at] = true
			out = append(out, &member{
				pointer: finding.Pointer("/spec/selectors", strconv.Itoa(i)), selected: true, key: at,
				channel: s.Channel, deferLoading: s.DeferLoading, group: s.Group,
			})
		}
	}
	return slices.DeleteFunc(out, func(m *member) bool { return m.reason == "" && !w.find(m, set, publications) })
}

// find looks for what a member leads to. It reports whether the member is one: a
// selector does not reach a contract that never served its line.
func (w *World) find(m *member, set *v1alpha1.ToolSet, publications []*publication) bool {
	c := w.contracts[m.key]
	if c == nil {
		m.reason, m.keeps = v1alpha1.ReasonNotFound, true
		return true
	}
	switch yes, known := w.permits(c, set.Namespace); {
	case !known:
		m.reason, m.keeps, m.unknown = v1alpha1.ReasonRefNotPermitted, true, "the labels of namespace "+set.Namespace+" decide, which could not be read"
		return true
	case !yes:
		m.reason = v1alpha1.ReasonRefNotPermitted
		return true
	}
	revision := channel(c, m.channel).Revision
	if v, err := contract.ParseVersion(m.version); err == nil {
		revision = publish.RevisionName(c.Name, v)
	}
	if revision == "" && m.selected {
		served := slices.ContainsFunc(publications, func(p *publication) bool {
			t := p.find(m.key)
			v, err := contract.ParseVersion(t.version)
			return err == nil && v.Line() == m.channel
		})
		if !served {
			return false
		}
	}
	m.content = frozenContent(w.revisions[m.key][revision])
	if m.content != nil {
		m.targets = w.targetsOf(m.key, c, revision, m.content)
	}
	if m.content == nil || m.targets == nil {
		m.content, m.reason, m.keeps = nil, v1alpha1.ReasonNotFound, true
		return true
	}
	for _, p := range publications {
		if has := p.find(m.key); has.version == m.content.Version.String() && has.digest != m.content.Digest() {
			m.content, m.reason, m.keeps = nil, v1alpha1.ReasonRevisionConflict, true
			return true
		}
	}
	return true
}

// targetsOf are those that a revision is published for: what its files say or, of
// a version that was never published so, what the contract says.
func (w *World) targetsOf(at key, c *v1alpha1.ToolContract, revision string, content *contract.Content) []v1alpha1.Target {
	if ch := channel(c, content.Version.Line()); ch.Revision == revision {
		if cm := w.files(at, ch); cm != nil {
			if digest, targets := evaluate.Delivery(cm.Data); digest == content.Digest() {
				return targets
			}
		}
		return nil
	}
	var newest *snapshot.PublishedConfigMap
	var found []v1alpha1.Target
	for _, name := range sortedNames(w.published[owner{at, false}]) {
		cm := w.configMap(at, name)
		digest, targets := evaluate.Delivery(cm.Data)
		if !strings.HasPrefix(name, revision+"-") || digest != content.Digest() || len(targets) == 0 {
			continue
		}
		if newest == nil || !cm.Created.Before(newest.Created) {
			newest, found = cm, targets
		}
	}
	if newest == nil && isReady(c) {
		return c.Spec.Targets
	}
	return found
}

func isReady(c *v1alpha1.ToolContract) bool {
	return c.Status.ObservedGeneration == c.Generation && slices.ContainsFunc(c.Status.Conditions, func(condition metav1.Condition) bool {
		return condition.Type == v1alpha1.ConditionReady && condition.Status == metav1.ConditionTrue
	})
}
