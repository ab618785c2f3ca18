// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/toolset"
)

// profileResult is what a set is for one profile.
type profileResult struct {
	spec v1alpha1.SetProfile
	// profile is nil if the catalogue has none of this name.
	profile *provider.Profile
	// last is what the set serves before the run writes anything.
	last *publicationOf
	// request holds the members that can be asked for, whose places in the list of
	// members stand in of.
	request toolset.Request
	of      []int
	// result is nil without a profile.
	result *toolset.Result
	// bundle is what is to be published: the result's or, if nothing new may be,
	// what is served without the tools that may not stay. It is nil if all stays.
	bundle *toolset.Result
	// failure is why it could not be written, if trying again does not help.
	failure *stalledError
}

// decide renders the set for each of its profiles. It writes nothing; only what is
// copied from an earlier publication is read from the API server.
func (run *setRun) decide(ctx context.Context) error {
	publications := make([]*publicationOf, len(run.set.Spec.Profiles))
	for i := range publications {
		publications[i] = run.lastPublished(run.set.Spec.Profiles[i].Profile)
	}
	members := run.members[:0:0]
	for _, m := range run.members {
		if m.verdict = m.judge(publications); !m.verdict.ignored {
			members = append(members, m)
		}
	}
	failures := map[string]*stalledError{}
	for _, r := range run.results {
		failures[r.spec.Profile] = r.failure
	}
	run.members = members
	var results []*profileResult
	for i, spec := range run.set.Spec.Profiles {
		r := &profileResult{spec: spec, last: publications[i], failure: failures[spec.Profile]}
		r.profile, _ = run.profiles.Lookup(spec.Profile)
		if err := run.render(ctx, r); err != nil {
			return err
		}
		results = append(results, r)
	}
	run.results = results
	return nil
}

// render asks the core.
func (run *setRun) render(ctx context.Context, r *profileResult) error {
	kept, err := run.keptTools(ctx, r)
	if err != nil || r.profile == nil {
		return err
	}
	r.request = toolset.Request{
		Set: run.set.Name, Profile: r.profile, Models: r.spec.Models,
		Groups: run.set.Spec.Groups, OnIncompatible: run.set.Spec.OnIncompatible,
	}
	if r.spec.TokenBudget != nil {
		r.request.TokenBudget = int(*r.spec.TokenBudget)
	}
	served := map[types.NamespacedName]bool{}
	for i, m := range run.members {
		_, isServed := r.last.find(m.key)
		t := toolset.Tool{
			Namespace: m.key.Namespace, Contract: m.key.Name, DeferLoading: m.deferLoading, Group: m.group, Selected: m.selected,
			Served: isServed && !served[m.key],
		}
		if has, ok := r.last.find(m.key); ok && m.resolves() {
			t.Unchanged = has.Digest == m.found.content.Digest()
		}
		switch {
		case m.resolves():
			t.Content, t.Digest, t.Target = m.found.content, m.found.content.Digest(), targetOf(m.found.targets, r.spec.Profile)
		case m.verdict.keeps && t.Served && kept[m.key] != nil:
			t.Kept = &kept[m.key].Kept
		default:
			continue
		}
		served[m.key] = true
		r.request.Tools, r.of = append(r.request.Tools, t), append(r.of, i)
	}
	r.result = toolset.Render(r.request)
	r.bundle = r.result
	if r.result.Bundle == nil || r.offersNothing() {
		if r.bundle, err = run.withoutForbidden(ctx, r); err != nil {
			return err
		}
	}
	if r.bundle != nil && r.bundle.Included == 0 && r.last == nil {
		r.bundle = nil // an agent has no use for an empty list, unless it takes something away
	}
	return nil
}

// withoutForbidden is what is served without the tools that the set may not hold
// any more, and without those that it does not name any more: nobody could
// withdraw them otherwise. It is nil if there are none. That nothing new is
// published must not leave them there.
func (run *setRun) withoutForbidden(ctx context.Context, r *profileResult) (*toolset.Result, error) {
	if r.last == nil {
		return nil, nil
	}
	stays := map[types.NamespacedName]bool{}
	for _, m := range run.members {
		if !m.duplicate {
			stays[m.key] = m.verdict.reason != v1alpha1.ReasonRefNotPermitted
		}
	}
	leaves := slices.ContainsFunc(r.last.tools, func(t setTool) bool { return !stays[t.key()] })
	if !leaves {
		return nil, nil
	}
	kept, groups, err := run.published(ctx, r.last)
	if err != nil {
		return nil, err
	}
	request := r.request
	request.Tools, request.Groups, request.OnIncompatible = nil, groups, v1alpha1.IncompatibleExclude
	for _, t := range r.last.tools {
		if !stays[t.key()] {
			continue
		}
		was := kept[t.key()]
		request.Tools = append(request.Tools, toolset.Tool{Namespace: t.Namespace, Contract: t.Contract, Group: was.Group, Served: true, Kept: &was.Kept})
	}
	result := toolset.Render(request)
	if result.Bundle == nil {
		return nil, nil
	}
	return result, nil
}

// targetOf finds what a contract says of a profile.
func targetOf(targets []v1alpha1.Target, profile string) *v1alpha1.Target {
	for i := range targets {
		if targets[i].Profile == profile {
			return &targets[i]
		}
	}
	return nil
}

// keptTools reads the tools of the last publication, which are copied unchanged,
// if there is one that may have to be.
func (run *setRun) keptTools(ctx context.Context, r *profileResult) (map[types.NamespacedName]*toolset.PublishedTool, error) {
	needed := false
	for _, m := range run.members {
		if _, served := r.last.find(m.key); served && !m.resolves() && !m.duplicate {
			needed = true
		}
	}
	if !needed {
		return nil, nil
	}
	kept, _, err := run.published(ctx, r.last)
	return kept, err
}

// published reads the tools of a publication, and the groups that they are in.
func (run *setRun) published(ctx context.Context, p *publicationOf) (map[types.NamespacedName]*toolset.PublishedTool, []v1alpha1.ToolGroup, error) {
	cm, err := run.whole(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	published, err := toolset.ReadPublished(cm.Data)
	if err != nil {
		return nil, nil, fmt.Errorf("reading ConfigMap %s: %w", cm.Name, err)
	}
	kept := map[types.NamespacedName]*toolset.PublishedTool{}
	for i := range published.Tools {
		t := &published.Tools[i]
		kept[types.NamespacedName{Namespace: t.Namespace, Name: t.Contract}] = t
	}
	return kept, published.Groups, nil
}

// whole reads the ConfigMap of a publication with its data.
func (run *setRun) whole(ctx context.Context, p *publicationOf) (*corev1.ConfigMap, error) {
	cm := &corev1.ConfigMap{} // with its data, which the cache does not hold
	err := run.Live.Get(ctx, client.ObjectKey{Namespace: run.set.Namespace, Name: p.source}, cm)
	switch {
	case apierrors.IsNotFound(err):
		return nil, run.behind()
	case err != nil:
		return nil, fmt.Errorf("reading ConfigMap %s: %w", p.source, err)
	case setOwnerOf(cm, run.set) != ours || contentsOf(cm).Digest != p.digest:
		return nil, run.behind()
	}
	return cm, nil
}
