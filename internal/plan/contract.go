// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/change"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/publish"
	"github.com/toolcontract/operator/internal/snapshot"
)

// plannedUID is that of objects that are not there yet.
const plannedUID = "planned"

// outcome is what became of one contract.
type outcome struct {
	evaluation *evaluate.Evaluation
	// issued says that a new revision was made.
	issued bool
	// kept are the lines that go on serving what would not be published now.
	kept []keptLine
}

type keptLine struct {
	line, version string
	evaluation    *evaluate.Evaluation
}

// settleContract does to a contract what the operator would: it judges the
// version, freezes and publishes it, renders the other lines again, and retires
// lines.
func (m *maker) settleContract(at key) outcome {
	w := m.after
	c := *w.contracts[at]
	c.Status = *c.Status.DeepCopy()
	w.contracts[at] = &c
	m.adoptRevisions(at, &c)
	history := m.history(at, &c)
	e := evaluate.Prepare(c.Name, &c.Spec, m.Profiles).Against(history)
	out := outcome{evaluation: e}
	lines := map[string]v1alpha1.Channel{}
	for _, ch := range c.Status.Channels {
		lines[ch.Line] = ch
	}
	served := ""
	if e.Publishable() {
		name := publish.RevisionName(c.Name, e.Content.Version)
		if out.issued = w.revisions[at][name] == nil; out.issued {
			put(w.revisions, at, name, newRevision(&c, e))
		}
		c.Status.Issued = withIssued(c.Status.Issued, e.Content.Version.String(), e.Digest)
		ch := m.publish(at, &c, e)
		if !e.Content.Version.IsPrerelease() {
			served = ch.Line
			lines[ch.Line] = ch
		}
	}
	for _, line := range slices.Sorted(maps.Keys(lines)) {
		if line != served {
			m.keepLine(at, &c, lines, line, history, &out)
		}
	}
	m.retire(at, &c, e, lines)
	c.Status.Channels = slices.SortedFunc(maps.Values(lines), func(a, b v1alpha1.Channel) int { return -evaluate.CompareLines(a.Line, b.Line) })
	c.Status.ObservedGeneration = c.Generation
	ready := metav1.Condition{Type: v1alpha1.ConditionReady, Status: metav1.ConditionFalse}
	if e.Publishable() {
		ready.Status = metav1.ConditionTrue
	}
	c.Status.Conditions = []metav1.Condition{ready}
	return out
}

func withIssued(issued []v1alpha1.IssuedVersion, version, digest string) []v1alpha1.IssuedVersion {
	if slices.ContainsFunc(issued, func(i v1alpha1.IssuedVersion) bool { return i.Version == version }) {
		return issued
	}
	return append(slices.Clone(issued), v1alpha1.IssuedVersion{Version: version, Digest: digest})
}

func newRevision(c *v1alpha1.ToolContract, e *evaluate.Evaluation) *v1alpha1.ToolRevision {
	return &v1alpha1.ToolRevision{
		ObjectMeta: metav1.ObjectMeta{Namespace: c.Namespace, Name: publish.RevisionName(c.Name, e.Content.Version)},
		Spec: v1alpha1.ToolRevisionSpec{
			ContractRef: v1alpha1.ContractReference{Name: c.Name}, Content: *c.Spec.ToolContent.DeepCopy(), ContentDigest: e.Digest,
			CheckerVersion: change.CheckerVersion, Acknowledgements: e.Decision.Used,
		},
	}
}

// publish puts the files of an evaluation into the world. Of a pre-release there is
// no channel.
func (m *maker) publish(at key, c *v1alpha1.ToolContract, e *evaluate.Evaluation) v1alpha1.Channel {
	version := e.Content.Version
	ch := v1alpha1.Channel{
		Line: version.Line(), Revision: publish.RevisionName(c.Name, version), ConfigMap: publish.ChannelName(c.Name, version.Line()), Digest: e.Bundle.Digest,
	}
	names := []string{renderingOf(ch)}
	if !version.IsPrerelease() {
		names = append(names, ch.ConfigMap)
	}
	for i, name := range names {
		if have := m.after.configMap(at, name); have != nil && bundleDigest(have) == e.Bundle.Digest {
			continue
		}
		put(m.after.published, owner{at, false}, name, &snapshot.PublishedConfigMap{
			Namespace: c.Namespace, Name: name, Immutable: i == 0, Data: e.Bundle.Files,
			Annotations: map[string]string{v1alpha1.AnnotationDigest: e.Bundle.Digest, v1alpha1.AnnotationContentDigest: e.Digest},
		})
	}
	return ch
}

// keepLine keeps a line that the contract's version does not publish. It is
// rendered again if the profiles say otherwise by now.
func (m *maker) keepLine(at key, c *v1alpha1.ToolContract, lines map[string]v1alpha1.Channel, line string, history evaluate.History, out *outcome) {
	ch := lines[line]
	source := m.after.files(at, ch)
	version, ok := versionOf(c.Name, ch.Revision)
	if source == nil || !ok {
		return
	}
	digest, targets := evaluate.Delivery(source.Data)
	content := history.Content(version)
	if content == nil || len(targets) == 0 || content.Digest() != digest {
		return
	}
	again := evaluate.Line(c.Name, content, targets, history.Served[line], m.Profiles)
	switch {
	case len(again.Blocking()) > 0 || again.Bundle == nil:
		out.kept = append(out.kept, keptLine{line, version.String(), again})
	case again.Bundle.Digest != ch.Digest:
		lines[line] = m.publish(at, c, again)
	}
}

// retire removes the channels of lines beyond those that are served, as far as
// nothing follows or mounts them.
func (m *maker) retire(at key, c *v1alpha1.ToolContract, e *evaluate.Evaluation, lines map[string]v1alpha1.Channel) {
	if !e.Publishable() {
		return
	}
	c.Status.RetiredLine = evaluate.Retired(slices.Collect(maps.Keys(lines)), evaluate.ServedLines(&c.Spec), c.Status.RetiredLine)
	for _, line := range slices.Sorted(maps.Keys(lines)) {
		if evaluate.CompareLines(line, c.Status.RetiredLine) > 0 || line == e.Content.Version.Line() {
			continue
		}
		ch := lines[line]
		follows := len(m.followersOf(c).lines[line]) > 0
		if follows || m.TrackMounts && len(m.after.consumers(at.namespace, ch.ConfigMap)) > 0 {
			ch.Retired = true
			lines[line] = ch
			continue
		}
		delete(lines, line)
		delete(m.after.published[owner{at, false}], ch.ConfigMap)
	}
}

// history is what the operator knows of a contract: revisions, which are the
// truth, and what the status and the names of renderings remember.
func (m *maker) history(at key, c *v1alpha1.ToolContract) evaluate.History {
	w := m.after
	h := evaluate.History{
		Served: map[string]evaluate.Served{}, RetiredLine: c.Status.RetiredLine, Checker: m.checker, Pinned: m.pinned(at, c),
	}
	known := map[string]bool{}
	add := func(text, digest string) {
		if version, err := contract.ParseVersion(text); err == nil && digest != "" && !known[text] {
			known[text] = true
			h.Issued = append(h.Issued, evaluate.Issued{Version: version, Digest: digest})
		}
	}
	byVersion := map[string]*v1alpha1.ToolRevision{}
	for _, name := range slices.Sorted(maps.Keys(w.revisions[at])) {
		r := w.revisions[at][name]
		if named, ok := versionOf(c.Name, name); ok && named.String() == r.Spec.Content.Version {
			add(r.Spec.Content.Version, r.Spec.ContentDigest)
			byVersion[r.Spec.Content.Version] = r
		}
	}
	for _, issued := range c.Status.Issued {
		add(issued.Version, issued.Digest)
	}
	published := w.published[owner{at, false}]
	for _, name := range slices.Sorted(maps.Keys(published)) {
		if version, ok := renderedVersion(c.Name, name); ok {
			add(version.String(), published[name].Annotations[v1alpha1.AnnotationContentDigest])
		}
	}
	h.Content = func(v contract.Version) *contract.Content { return frozenContent(byVersion[v.String()]) }
	for _, ch := range c.Status.Channels {
		version, ok := versionOf(c.Name, ch.Revision)
		if cm := w.files(at, ch); ok && cm != nil {
			strict := map[string]bool{}
			for _, t := range ServedTargets(cm.Data) {
				strict[t.Profile] = t.Strict
			}
			h.Served[ch.Line] = evaluate.Served{Version: version, Strict: strict}
		}
	}
	return h
}

// frozenContent reads a revision, and trusts it only if it has the digest that it
// names.
func frozenContent(r *v1alpha1.ToolRevision) *contract.Content {
	if r == nil {
		return nil
	}
	content, _ := evaluate.Read(&r.Spec.Content)
	if content == nil || content.Digest() != r.Spec.ContentDigest {
		return nil
	}
	return content
}

// pinned are the versions that sets name and, where the operator tracks mounts,
// those of which something mounts a rendering.
func (m *maker) pinned(at key, c *v1alpha1.ToolContract) []contract.Version {
	var out []contract.Version
	if m.TrackMounts {
		for name := range m.after.published[owner{at, false}] {
			if version, ok := renderedVersion(c.Name, name); ok && len(m.after.consumers(at.namespace, name)) > 0 {
				out = append(out, version)
			}
		}
	}
	for _, version := range m.followersOf(c).versions {
		if frozenContent(m.after.revisions[at][publish.RevisionName(c.Name, version)]) != nil {
			out = append(out, version)
		}
	}
	return out
}

// adoptRevisions takes over revisions that the manifests have, if they prove
// themselves and could have been issued one after the other.
func (m *maker) adoptRevisions(at key, c *v1alpha1.ToolContract) {
	var frozen []evaluate.Frozen
	found := map[string]*v1alpha1.ToolRevision{}
	for _, r := range m.revisions[at] {
		content := frozenContent(r)
		if content == nil || r.Name != publish.RevisionName(c.Name, content.Version) || m.after.revisions[at][r.Name] != nil {
			continue
		}
		found[r.Name] = r
		frozen = append(frozen, evaluate.Frozen{Content: content, Acknowledgements: r.Spec.Acknowledgements})
	}
	if len(found) == 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(m.after.revisions[at])) {
		if content := frozenContent(m.after.revisions[at][name]); content != nil {
			frozen = append(frozen, evaluate.Frozen{Content: content, Issued: true})
		}
	}
	refused := evaluate.Chain(frozen, m.checker)
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if _, no := refused[found[name].Spec.Content.Version]; no {
			continue
		}
		put(m.after.revisions, at, name, found[name])
		c.Status.Issued = withIssued(c.Status.Issued, found[name].Spec.Content.Version, found[name].Spec.ContentDigest)
	}
}

// applyContract replaces the spec of a contract. changed says that it differs.
func (m *maker) applyContract(at key, next *v1alpha1.ToolContract) (changed bool) {
	c := v1alpha1.ToolContract{Spec: next.Spec}
	old := m.after.contracts[at]
	c.ObjectMeta = metav1.ObjectMeta{Namespace: at.namespace, Name: at.name, Labels: next.Labels, UID: types.UID(plannedUID), Generation: 1}
	if old != nil {
		c.UID, c.Generation, c.Status = old.UID, old.Generation, old.Status
		if changed = !sameJSON(old.Spec, next.Spec); changed {
			c.Generation++
		}
	}
	m.after.contracts[at] = &c
	return changed || old == nil
}

// remove takes a contract away, with everything that it owns.
func (m *maker) remove(at key) {
	delete(m.after.contracts, at)
	delete(m.after.revisions, at)
	delete(m.after.published, owner{at, false})
}
