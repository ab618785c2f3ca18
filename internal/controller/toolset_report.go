// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/finding"
)

// report writes the status, if it differs, and tells of transitions.
func (run *setRun) report(ctx context.Context, err error) error {
	before := run.set.DeepCopy()
	after := run.set.DeepCopy()
	after.Status = run.status(err)
	if equality.Semantic.DeepEqual(before.Status, after.Status) {
		return nil
	}
	patch := client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})
	if err := run.Client.Status().Patch(ctx, after, patch, client.FieldOwner(v1alpha1.ManagedBy)); err != nil {
		return fmt.Errorf("writing status: %w", err)
	}
	run.announce(ctx, before, after)
	return nil
}

// announce records an event and a log line when Ready or ResolvedRefs changes its
// word, or when something else is served.
func (run *setRun) announce(ctx context.Context, before, after *v1alpha1.ToolSet) {
	run.Stopwatch.settled(setKind, after, after.Status.Conditions)
	find := func(set *v1alpha1.ToolSet, kind string) metav1.Condition {
		if c := meta.FindStatusCondition(set.Status.Conditions, kind); c != nil {
			return *c
		}
		return metav1.Condition{}
	}
	differs := func(kind string) (is metav1.Condition, changed bool) {
		was, is := find(before, kind), find(after, kind)
		return is, was.Status != is.Status || was.Reason != is.Reason
	}
	refs, refsChanged := differs(v1alpha1.ConditionResolvedRefs)
	if refsChanged && refs.Status != metav1.ConditionTrue {
		run.Recorder.Eventf(after, nil, corev1.EventTypeWarning, refs.Reason, "Resolve", "%s", finding.Clip(refs.Message, maxMessage))
	}
	ready, readyChanged := differs(v1alpha1.ConditionReady)
	served := servesOtherwise(before.Status.Profiles, after.Status.Profiles)
	switch {
	case ready.Status == metav1.ConditionTrue && (readyChanged || served):
		run.Recorder.Eventf(after, nil, corev1.EventTypeNormal, ready.Reason, "Publish", "%s", finding.Clip(ready.Message, maxMessage))
	case ready.Status != metav1.ConditionTrue && readyChanged:
		run.Recorder.Eventf(after, nil, corev1.EventTypeWarning, ready.Reason, "Publish", "%s", finding.Clip(ready.Message, maxMessage))
	}
	if readyChanged || refsChanged || served {
		log.FromContext(ctx).Info("set changed", "ready", ready.Status, "reason", ready.Reason, "refs", refs.Reason, "tools", after.Status.ToolsReady)
	}
}

// servesOtherwise reports whether agents get other bytes for a profile.
func servesOtherwise(before, after []v1alpha1.SetProfileStatus) bool {
	for _, is := range after {
		if was, _ := statusOf(before, is.Profile); was.Digest != is.Digest {
			return true
		}
	}
	return false
}
