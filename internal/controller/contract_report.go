// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/change"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
)

// report writes the status, if it differs, and tells of transitions. The
// patch carries the resource version that the status was computed from.
func (run *contractRun) report(ctx context.Context, err error) error {
	before := run.contract.DeepCopy()
	after := run.contract.DeepCopy()
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

// announce records an event and a log line when Ready changes its word, or
// when another version is served.
func (run *contractRun) announce(ctx context.Context, before, after *v1alpha1.ToolContract) {
	run.announceStrictLost(after)
	run.announceServed(before, after)
	run.announceRetired(before, after)
	run.Stopwatch.settled(contractKind, after, after.Status.Conditions)
	was := meta.FindStatusCondition(before.Status.Conditions, v1alpha1.ConditionReady)
	is := meta.FindStatusCondition(after.Status.Conditions, v1alpha1.ConditionReady)
	sameWord := was != nil && was.Status == is.Status && was.Reason == is.Reason
	moved := is.Status == metav1.ConditionTrue && before.Status.PublishedRevision != after.Status.PublishedRevision
	newRefusal := is.Status == metav1.ConditionFalse && was != nil && was.Message != is.Message
	if sameWord && !moved && !newRefusal {
		return
	}
	kind, action, note := corev1.EventTypeNormal, "Publish", is.Message+"; "+run.decided.Decision.Message
	if is.Status != metav1.ConditionTrue {
		kind, action, note = corev1.EventTypeWarning, "Refuse", is.Message
		if meta.IsStatusConditionTrue(after.Status.Conditions, v1alpha1.ConditionStalled) {
			refusals.WithLabelValues(is.Reason).Inc()
		}
	}
	run.Recorder.Eventf(after, nil, kind, is.Reason, action, "%s", finding.Clip(note, maxMessage))
	if n := defects(run.decided); n > 0 {
		checkerDefects.WithLabelValues().Add(float64(n))
		log.FromContext(ctx).Info("a proof was disproved; please report the two schemas", "version", after.Spec.Version)
	}
	log.FromContext(ctx).Info("contract changed", "ready", is.Status, "reason", is.Reason,
		"version", after.Spec.Version, "serving", after.Status.PublishedRevision)
}

// announceStrictLost tells of targets that are no longer rendered strict. Once
// it is published, nothing in the status shows that it was otherwise.
func (run *contractRun) announceStrictLost(after *v1alpha1.ToolContract) {
	changed := run.moved
	if run.published != nil && run.touched {
		changed = append([]*evaluate.Evaluation{run.decided}, changed...)
	}
	for _, e := range changed {
		for _, t := range e.Targets {
			for _, f := range t.Findings {
				if f.Rule == evaluate.RuleStrictLost {
					run.Recorder.Eventf(after, nil, corev1.EventTypeWarning, reasonStrictLost, "Publish", "%s", f.Advice(maxMessage))
				}
			}
		}
	}
}

// announceServed tells that a profile refuses by now what a line serves. Ready
// is about the current generation and stays as it is.
func (run *contractRun) announceServed(before, after *v1alpha1.ToolContract) {
	is := meta.FindStatusCondition(after.Status.Conditions, v1alpha1.ConditionProvidersCompatible)
	was := meta.FindStatusCondition(before.Status.Conditions, v1alpha1.ConditionProvidersCompatible)
	if is.Reason == v1alpha1.ReasonServedIncompatible && (was == nil || was.Reason != is.Reason || was.Message != is.Message) {
		run.Recorder.Eventf(after, nil, corev1.EventTypeWarning, is.Reason, "Keep", "%s", is.Message)
	}
}

// announceRetired tells that lines are retired, which nothing takes back.
func (run *contractRun) announceRetired(before, after *v1alpha1.ToolContract) {
	if line := after.Status.RetiredLine; line != before.Status.RetiredLine {
		run.Recorder.Eventf(after, nil, corev1.EventTypeNormal, reasonLineRetired, "Retire",
			"line %s and all below it are retired, because spec.servedLines is %d: their channels are deleted once nothing mounts them, and no version of them is accepted again",
			line, evaluate.ServedLines(&after.Spec))
	}
}

// The reasons of events only.
const (
	reasonStrictLost  = "StrictLost"
	reasonLineRetired = "LineRetired"
)

// defects counts the differences of a decision in which the prover was wrong.
func defects(e *evaluate.Evaluation) int {
	n := 0
	for _, f := range e.Decision.Findings {
		if change.IsDefect(f) {
			n++
		}
	}
	return n
}

// retryCause puts a transient error into words that stay the same from try to
// try: an error text may carry addresses and times.
func retryCause(err error) string {
	if reason := apierrors.ReasonForError(err); reason != metav1.StatusReasonUnknown {
		return string(reason)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return "Timeout"
	}
	return "the API server could not be reached"
}
