// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"fmt"
	"slices"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/publish"
	"github.com/toolcontract/operator/internal/render"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/toolset"
)

// planSet lets a set settle and says what came of it.
func (m *maker) planSet(at key, s *Set) {
	old := m.before.sets[at]
	if s.Change == Removed {
		for _, spec := range old.Spec.Profiles {
			p := m.setProfile(at, profileOutcome{spec: spec, last: m.before.lastPublished(at, spec.Profile)})
			p.Change = Removed
			s.Profiles = append(s.Profiles, p.SetProfile)
		}
		return
	}
	if m.after.sets[at] == nil {
		return // refused, and not there before
	}
	refused := s.Change == Refused
	members, profiles := m.settleSet(at)
	for _, out := range profiles {
		p := m.setProfile(at, out)
		switch {
		case p.Change == Refused && !refused:
			s.refuse(p.reason(), p.Profile+": "+p.Message)
		case p.Change != Unchanged:
			s.Impact.raise(ImpactPatch)
		}
		if len(p.Dropped) > 0 {
			s.Impact.raise(ImpactMajor)
		}
		if len(p.Added) > 0 {
			s.Impact.raise(ImpactMinor)
		}
		s.Profiles = append(s.Profiles, p.SetProfile)
	}
	m.profilesGone(at, s, old)
	for _, mb := range members {
		if mb.reason != "" {
			m.unresolved(s, mb, profiles)
		}
	}
	if s.Change == Refused {
		return
	}
	switch {
	case old == nil:
		s.Change = New
	case s.Impact != ImpactNone || !sameJSON(old.Spec, m.after.sets[at].Spec):
		s.Change = Changed
		s.Impact.raise(ImpactPatch)
	}
}

// profilesGone names the profiles that a set has no more.
func (m *maker) profilesGone(at key, s *Set, old *v1alpha1.ToolSet) {
	if old == nil {
		return
	}
	for _, spec := range old.Spec.Profiles {
		if slices.ContainsFunc(s.Profiles, func(p SetProfile) bool { return p.Profile == spec.Profile }) {
			continue
		}
		p := m.setProfile(at, profileOutcome{spec: spec, last: m.before.lastPublished(at, spec.Profile)})
		p.Change = Removed
		s.Profiles = append(s.Profiles, p.SetProfile)
		s.Impact.raise(ImpactMajor)
	}
}

// unresolved notes a reference that leads nowhere. What may be elsewhere does not
// refuse the set.
func (m *maker) unresolved(s *Set, mb *member, profiles []profileOutcome) {
	isServed := slices.ContainsFunc(profiles, func(p profileOutcome) bool { return p.last.find(mb.key).version != "" })
	line := "line " + mb.channel
	if mb.version != "" {
		line = "version " + mb.version
	}
	text := map[string]string{
		v1alpha1.ReasonNotFound:           fmt.Sprintf("there is no %s of ToolContract %s that could be used", line, mb.key),
		v1alpha1.ReasonRefNotPermitted:    fmt.Sprintf("/spec/allowedNamespaces of ToolContract %s does not permit namespace %s", mb.key, s.Namespace),
		v1alpha1.ReasonRevisionConflict:   fmt.Sprintf("ToolContract %s has this version with other content than the set serves, which stays. Fix: publish the new content under a higher version", mb.key),
		v1alpha1.ReasonDuplicateReference: fmt.Sprintf("ToolContract %s is named by an earlier reference, which counts. Fix: remove one of them", mb.key),
	}[mb.reason]
	isOpen := mb.unknown != "" || mb.reason == v1alpha1.ReasonNotFound && !m.Whole
	switch {
	case mb.unknown != "":
		text = "it is not known whether ToolContract " + mb.key.String() + " permits namespace " + s.Namespace + ": " + mb.unknown
	case isOpen:
		text += " among the manifests; only the cluster can tell. Fix: add it to the manifests, or use --cluster"
	case mb.reason == v1alpha1.ReasonNotFound:
		text += ". Fix: create it, or remove the reference"
	case mb.reason == v1alpha1.ReasonRefNotPermitted:
		text += ", so the tool is left out. Fix: have its owner permit it, or remove the reference"
	}
	s.Unresolved = append(s.Unresolved, Unresolved{Pointer: mb.pointer, Contract: mb.key.String(), Reason: mb.reason, Kept: mb.keeps && isServed, Message: text})
	if !isOpen && mb.reason != v1alpha1.ReasonDuplicateReference {
		s.refuse(mb.reason, mb.pointer+": "+text)
	}
}

// plannedProfile is a profile of a set with what decides about the whole.
type plannedProfile struct {
	SetProfile
	result *toolset.Result
}

func (p plannedProfile) reason() string {
	if p.result == nil {
		return v1alpha1.ReasonUnknownProfile
	}
	return p.result.Reason
}

// setProfile compares what a set serves for a profile with what it would.
func (m *maker) setProfile(at key, out profileOutcome) plannedProfile {
	name := publish.SetName(at.name, out.spec.Profile)
	p := plannedProfile{SetProfile: SetProfile{Profile: out.spec.Profile, ConfigMap: name, Change: Unchanged}, result: out.result}
	if out.spec.TokenBudget != nil {
		p.TokenBudget = int(*out.spec.TokenBudget)
	}
	p.Workloads = m.after.consumers(at.namespace, name)
	if out.last != nil {
		p.Digest = out.last.digest
		p.Tools.Before, p.Tokens.Before = len(out.last.tools), publishedTokens(out.last)
	}
	p.Tools.After, p.Tokens.After = p.Tools.Before, p.Tokens.Before
	if out.bundle == nil {
		if out.result == nil || out.result.Bundle == nil || out.result.Included == 0 && len(out.of) > 0 {
			p.Change, p.Message = Refused, "there is no such profile. Fix: correct the name, or apply its ProviderProfile first"
			if out.result != nil {
				p.Message = out.result.Message
			}
		}
		p.noteResult(out)
		if p.Digest != "" {
			p.Rendering = publish.SetRenderingName(at.name, out.spec.Profile, p.Digest)
		}
		if len(out.of) == 0 && out.result != nil {
			p.Change, p.Message = Unchanged, "there is no tool to publish"
		}
		return p
	}
	p.Digest = out.bundle.Bundle.Digest
	p.Rendering = publish.SetRenderingName(at.name, out.spec.Profile, p.Digest)
	p.Tools.After, p.Tokens.After = out.bundle.Included, out.bundle.Tokens
	p.noteResult(out)
	switch {
	case out.last == nil:
		p.Change = New
	case out.last.digest != p.Digest:
		p.Change = Changed
	}
	if out.last != nil {
		p.Prefix = prefix(out.last.configMap.Data[v1alpha1.FileTools], out.bundle.Bundle.Files[v1alpha1.FileTools])
	}
	p.tools(out)
	if out.bundle != out.result {
		p.Change, p.Message = Refused, out.result.Message
	}
	return p
}

// noteResult takes over what the core found, whether it is published or not.
func (p *plannedProfile) noteResult(out profileOutcome) {
	if out.result == nil {
		return
	}
	for _, t := range out.result.Tools {
		if t.Included {
			continue
		}
		message := t.Message
		if errors := finding.Errors(t.Findings); len(errors) > 0 {
			message = finding.Summary(errors, 1)
		}
		p.Excluded = append(p.Excluded, Excluded{Contract: t.Name(), Reason: t.Reason, Message: message})
	}
	for _, f := range out.result.Findings {
		if f.Severity != finding.Info {
			p.Findings = append(p.Findings, note(f))
		}
	}
}

// tools names the tools that come and go.
func (p *plannedProfile) tools(out profileOutcome) {
	var before, after []string
	if out.last != nil {
		for _, t := range out.last.tools {
			before = append(before, t.key.String())
		}
	}
	for _, t := range out.bundle.Tools {
		if t.Included {
			after = append(after, t.Name())
		}
	}
	for _, name := range after {
		if !slices.Contains(before, name) {
			p.Added = append(p.Added, name)
		}
	}
	for _, name := range before {
		if !slices.Contains(after, name) {
			p.Dropped = append(p.Dropped, name)
		}
	}
}

// publishedTokens estimates what published tools take in every request.
func publishedTokens(p *publication) int {
	n := 0
	for _, t := range p.read.Tools {
		if !render.IsDeferred(t.Kept.Element) {
			n += toolset.Tokens(t.Kept.Element.JSON())
		}
	}
	return n
}

// prefix compares two tools.json from the start.
func prefix(before, after string) *Prefix {
	old, next := elements(before), elements(after)
	p := &Prefix{Same: before == after, Before: len(old), After: len(next)}
	for p.Tools < min(len(old), len(next)) && old[p.Tools] == next[p.Tools] {
		p.Tools++
	}
	return p
}

func elements(text string) []string {
	list, failed := schema.ParseWithin([]byte(text), publish.MaxBundle, schema.MaxDepth+48)
	if failed != nil {
		return nil
	}
	out := make([]string, len(list.Items()))
	for i, item := range list.Items() {
		out[i] = item.JSON()
	}
	return out
}
