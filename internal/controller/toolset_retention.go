// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/publish"
)

// setHistory is how many renderings of a set are kept for each profile: the
// current one, and the newest beside it.
const setHistory = 5

// retain deletes renderings that nothing needs. It comes last in a run, so that a
// deletion that fails keeps nothing from being published.
func (run *setRun) retain(ctx context.Context) error {
	if run.Mounts != nil && !run.Mounts.Ready() {
		return nil // anything may be mounted; it wakes us when it knows
	}
	var failures []error
	for _, cm := range run.surplus() {
		if err := run.deleteExactly(ctx, cm); err != nil && !isQuiet(err) {
			retentionErrors.WithLabelValues().Inc()
			failures = append(failures, fmt.Errorf("deleting ConfigMap %s: %w", cm.Name, err))
		}
	}
	return errors.Join(failures...)
}

// surplus are the renderings that neither are current, nor among the newest of
// their profile, nor mounted. Of a profile that the set does not name only those
// that are mounted stay.
func (run *setRun) surplus() []*corev1.ConfigMap {
	byProfile := map[string][]*corev1.ConfigMap{}
	for _, cm := range run.ownConfigMaps() {
		profile := cm.Labels[v1alpha1.LabelProfile]
		if strings.HasPrefix(cm.Name, publish.SetName(run.set.Name, profile)+"-") && cm.Labels[v1alpha1.LabelRole] == v1alpha1.RoleSetRendering {
			byProfile[profile] = append(byProfile[profile], cm)
		}
	}
	var out []*corev1.ConfigMap
	for profile, all := range byProfile {
		current := ""
		if last := run.lastPublished(profile); last != nil {
			current = publish.SetRenderingName(run.set.Name, profile, last.digest)
		}
		slices.SortFunc(all, func(a, b *corev1.ConfigMap) int {
			return cmp.Or(b.CreationTimestamp.Compare(a.CreationTimestamp.Time), cmp.Compare(a.Name, b.Name))
		})
		spare := 0
		if run.names(profile) {
			spare = setHistory - 1
		}
		for _, cm := range all {
			switch {
			case cm.Name == current && run.names(profile), run.mayBeMounted(cm.Name):
			case spare > 0:
				spare--
			default:
				out = append(out, cm)
			}
		}
	}
	slices.SortFunc(out, func(a, b *corev1.ConfigMap) int { return cmp.Compare(a.Name, b.Name) })
	return out
}
