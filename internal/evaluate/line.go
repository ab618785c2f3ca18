// SPDX-License-Identifier: Apache-2.0

package evaluate

import (
	"slices"
	"strings"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/publish"
)

// Line evaluates again what a line serves: the content of its version, for the
// targets that it was published for, with the profiles as they are now. Every
// target blocks, since every one is served.
func Line(name string, content *contract.Content, targets []v1alpha1.Target, served Served, profiles *provider.Catalog) *Evaluation {
	e := &Evaluation{Content: content, Digest: content.Digest(), Reason: v1alpha1.ReasonValid}
	e.Targets = targetsOf(name, content, e.Digest, targets, profiles)
	e.protect(served, nil)
	for i := range e.Targets {
		nameTarget(&e.Targets[i])
	}
	e.Bundle, e.TooLarge = pack(name, content, e.Digest, e.Targets)
	return e
}

// nameTarget gives the findings about a target a place that does not depend on
// the list that the target stood in: the contract may have another one by now.
func nameTarget(t *Target) {
	for i, f := range t.Findings {
		isContract := f.Side != finding.Input && f.Side != finding.Output
		if isContract && strings.HasPrefix(f.Pointer, "/spec/targets/") {
			rest := finding.Tokens(f.Pointer)[3:]
			t.Findings[i].Pointer = finding.Pointer("/spec/targets", append([]string{t.Spec.Profile}, rest...)...)
		}
	}
	t.Findings = finding.Sort(t.Findings)
}

// Delivery returns what the files of a publication say about how it was made:
// the digest of its content, and its targets as the contract gave them.
func Delivery(files map[string]string) (contentDigest string, targets []v1alpha1.Target) {
	contentDigest, views := publish.ReadHostView([]byte(files[v1alpha1.FileContract]))
	for _, v := range views {
		targets = append(targets, v1alpha1.Target{
			Profile: v.Profile, Models: slices.Clone(v.Models), Strict: v1alpha1.StrictPolicy(v.Asked),
			Adaptation: v1alpha1.Effect(v.Adaptation), Examples: v1alpha1.ExamplesPolicy(v.Examples),
		})
	}
	return contentDigest, targets
}
