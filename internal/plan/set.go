// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/publish"
	"github.com/toolcontract/operator/internal/snapshot"
	"github.com/toolcontract/operator/internal/toolset"
)

// publication is what a set serves for a profile.
type publication struct {
	configMap *snapshot.PublishedConfigMap
	digest    string
	tools     []publishedTool
	read      *toolset.Published
}

// publishedTool is one tool of it.
type publishedTool struct {
	key             key
	version, digest string
}

func (p *publication) find(at key) publishedTool {
	if p != nil {
		for _, t := range p.tools {
			if t.key == at {
				return t
			}
		}
	}
	return publishedTool{}
}

// lastPublished is what a set serves for a profile, nil for nothing: the ConfigMap
// that agents mount, or the immutable one that the status names.
func (w *World) lastPublished(at key, profile string) *publication {
	set := w.sets[at]
	names := []string{publish.SetName(at.name, profile)}
	if set != nil {
		for _, s := range set.Status.Profiles {
			if s.Profile == profile {
				names = append(names, s.Rendering)
			}
		}
	}
	for _, name := range names {
		cm := w.published[owner{at, true}][name]
		if cm == nil {
			continue
		}
		read, err := toolset.ReadPublished(cm.Data)
		digest := bundleDigest(cm)
		if err != nil || digest == "" {
			continue
		}
		p := &publication{configMap: cm, digest: digest, read: read}
		for _, t := range read.Tools {
			p.tools = append(p.tools, publishedTool{key{t.Namespace, t.Contract}, t.Version, t.ContentDigest})
		}
		return p
	}
	return nil
}

// profileOutcome is what became of a set for one profile.
type profileOutcome struct {
	spec v1alpha1.SetProfile
	last *publication
	// result is nil for an unknown profile, bundle if all stays as it is.
	result, bundle *toolset.Result
	// of are the members that stand in the request.
	of []*member
}

// settleSet renders a set for each of its profiles over what it published.
func (m *maker) settleSet(at key) (members []*member, profiles []profileOutcome) {
	set := m.after.sets[at]
	publications := make([]*publication, len(set.Spec.Profiles))
	for i, spec := range set.Spec.Profiles {
		publications[i] = m.after.lastPublished(at, spec.Profile)
	}
	members = m.after.membersOf(set, publications)
	for i, spec := range set.Spec.Profiles {
		profiles = append(profiles, m.settleProfile(at, set, spec, publications[i], members))
	}
	for _, name := range sortedNames(m.after.published[owner{at, true}]) {
		cm := m.after.published[owner{at, true}][name]
		profile := cm.Labels[v1alpha1.LabelProfile]
		named := slices.ContainsFunc(set.Spec.Profiles, func(p v1alpha1.SetProfile) bool { return p.Profile == profile })
		if named || name != publish.SetName(at.name, profile) || m.TrackMounts && len(m.after.consumers(at.namespace, name)) > 0 {
			continue
		}
		delete(m.after.published[owner{at, true}], name)
	}
	return members, profiles
}

func (m *maker) settleProfile(at key, set *v1alpha1.ToolSet, spec v1alpha1.SetProfile, last *publication, members []*member) profileOutcome {
	out := profileOutcome{spec: spec, last: last}
	profile, known := m.Profiles.Lookup(spec.Profile)
	if !known {
		return out
	}
	request := toolset.Request{
		Set: set.Name, Profile: profile, Models: spec.Models, Groups: set.Spec.Groups, OnIncompatible: set.Spec.OnIncompatible,
	}
	if spec.TokenBudget != nil {
		request.TokenBudget = int(*spec.TokenBudget)
	}
	kept := map[key]*toolset.PublishedTool{}
	if last != nil {
		for i := range last.read.Tools {
			t := &last.read.Tools[i]
			kept[key{t.Namespace, t.Contract}] = t
		}
	}
	served := map[key]bool{}
	for _, mb := range members {
		was := kept[mb.key]
		t := toolset.Tool{
			Namespace: mb.key.namespace, Contract: mb.key.name, DeferLoading: mb.deferLoading, Group: mb.group, Selected: mb.selected,
			Served: was != nil && !served[mb.key],
		}
		switch {
		case mb.content != nil:
			t.Content, t.Digest = mb.content, mb.content.Digest()
			t.Unchanged = was != nil && was.ContentDigest == t.Digest
			for i := range mb.targets {
				if mb.targets[i].Profile == spec.Profile {
					t.Target = &mb.targets[i]
				}
			}
		case mb.keeps && t.Served:
			t.Kept = &was.Kept
		default:
			continue
		}
		served[mb.key] = true
		request.Tools, out.of = append(request.Tools, t), append(out.of, mb)
	}
	out.result = toolset.Render(request)
	out.bundle = out.result
	if out.result.Bundle == nil || out.result.Included == 0 && len(request.Tools) > 0 {
		// That no tool can be in the request must not take everything away that is served.
		out.bundle = withoutForbidden(request, last, kept, members)
	}
	if out.bundle != nil && out.bundle.Included == 0 && last == nil {
		out.bundle = nil
	}
	m.publishSet(at, spec.Profile, out.bundle)
	return out
}

// withoutForbidden is what is served without the tools that the set may not hold or
// does not name any more; nil if there are none.
func withoutForbidden(request toolset.Request, last *publication, kept map[key]*toolset.PublishedTool, members []*member) *toolset.Result {
	if last == nil {
		return nil
	}
	stays := map[key]bool{}
	for _, mb := range members {
		if mb.reason != v1alpha1.ReasonDuplicateReference {
			stays[mb.key] = mb.reason != v1alpha1.ReasonRefNotPermitted || mb.unknown != ""
		}
	}
	if !slices.ContainsFunc(last.tools, func(t publishedTool) bool { return !stays[t.key] }) {
		return nil
	}
	request.Tools, request.Groups, request.OnIncompatible = nil, last.read.Groups, v1alpha1.IncompatibleExclude
	for _, t := range last.tools {
		if stays[t.key] {
			was := kept[t.key]
			request.Tools = append(request.Tools, toolset.Tool{Namespace: t.key.namespace, Contract: t.key.name, Group: was.Group, Served: true, Kept: &was.Kept})
		}
	}
	if result := toolset.Render(request); result.Bundle != nil {
		return result
	}
	return nil
}

// publishSet puts the files of a set into the world.
func (m *maker) publishSet(at key, profile string, result *toolset.Result) {
	if result == nil {
		return
	}
	for i, name := range []string{publish.SetRenderingName(at.name, profile, result.Bundle.Digest), publish.SetName(at.name, profile)} {
		if have := m.after.published[owner{at, true}][name]; have != nil && maps.Equal(have.Data, result.Bundle.Files) {
			continue
		}
		put(m.after.published, owner{at, true}, name, &snapshot.PublishedConfigMap{
			Namespace: at.namespace, Name: name, Immutable: i == 0, Data: result.Bundle.Files,
			Labels: map[string]string{v1alpha1.LabelProfile: profile},
		})
	}
}

// applySet replaces the spec of a set.
func (m *maker) applySet(at key, next *v1alpha1.ToolSet) (changed bool) {
	set := v1alpha1.ToolSet{Spec: next.Spec}
	set.ObjectMeta = metav1.ObjectMeta{Namespace: at.namespace, Name: at.name, UID: types.UID(plannedUID)}
	old := m.after.sets[at]
	if old != nil {
		set.UID, set.Status = old.UID, old.Status
	}
	m.after.sets[at] = &set
	return old == nil || !sameJSON(old.Spec, next.Spec)
}
