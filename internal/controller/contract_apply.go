// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// apply makes the objects say what the evaluation says. Other lines, and the
// line of this version while it is refused, are kept, unless they are retired.
func (run *contractRun) apply(ctx context.Context) error {
	p := &publication{}
	if run.evaluation.Publishable() {
		var err error
		if p, err = run.publish(ctx); err != nil {
			return err
		}
	}
	if err := run.keepLines(ctx, p.channel); err != nil {
		return err
	}
	if err := run.retire(ctx); err != nil {
		return err
	}
	if p.rendering != "" {
		run.published = p
	}
	return nil
}

// publish freezes and publishes the version. A version is used up when its
// revision is created, so everything that can still stand in the way is looked
// at before.
func (run *contractRun) publish(ctx context.Context) (*publication, error) {
	e := run.evaluation
	rendering, channel := newRendering(run.contract, e), newChannel(run.contract, e)
	p := &publication{rendering: rendering.Name, channel: channel.Name}
	if e.Content.Version.IsPrerelease() {
		p.channel = ""
	}
	revision := newRevision(run.contract, e)
	if p.channel != "" {
		if err := run.checkCurrent(ctx, revision.Name); err != nil {
			return nil, err
		}
	}
	if run.revisions[revision.Name] == nil {
		if err := run.checkApplied(ctx); err != nil {
			return nil, err
		}
		names := []string{rendering.Name}
		if p.channel != "" {
			names = append(names, p.channel)
		}
		if err := run.checkNames(ctx, run.contract.Namespace, names); err != nil {
			return nil, err
		}
	}
	if err := run.ensureRevision(ctx, revision); err != nil {
		return nil, err
	}
	if err := run.ensureRendering(ctx, rendering); err != nil {
		return nil, err
	}
	if p.channel == "" {
		return p, nil
	}
	return p, run.ensureChannel(ctx, channel)
}

// checkCurrent asks, before a channel is moved to another revision, whether the
// contract still says what the cache says. A cache that lags must not move agents
// back to what the author has left.
func (run *contractRun) checkCurrent(ctx context.Context, revision string) error {
	serving, served := run.lines()[run.evaluation.Content.Version.Line()]
	if run.live || !served || serving.Revision == revision {
		return nil
	}
	current := &metav1.PartialObjectMetadata{}
	current.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind(contractKind))
	err := client.IgnoreNotFound(run.Live.Get(ctx, client.ObjectKeyFromObject(run.contract), current))
	switch {
	case err != nil:
		return fmt.Errorf("reading ToolContract %s: %w", run.contract.Name, err)
	case current.UID != run.contract.UID || current.Generation != run.contract.Generation:
		return run.behind()
	}
	return nil
}

var errBehind = errors.New("the cache is behind the API server")

// nameConflict says why a ConfigMap that has a name we need is not ours.
func (run *contractRun) nameConflict(existing metav1.Object) error {
	why := "is not this contract's"
	fix := "delete or rename it, or rename the contract"
	if owner := metav1.GetControllerOf(existing); owner != nil && owner.UID == run.contract.UID {
		why = fmt.Sprintf("has lost the label %s or %s of this contract", v1alpha1.LabelManagedBy, v1alpha1.LabelContract)
		fix = "restore the labels, or delete it and let the operator write it again"
	}
	return &stalledError{
		condition: v1alpha1.ConditionPublished, reason: v1alpha1.ReasonNameConflict, recheck: true,
		message: fmt.Sprintf("the ConfigMap %s exists and %s; it is left untouched and looked at again every %s. Fix: %s",
			existing.GetName(), why, cmp.Or(run.Recheck, recheckDelay), fix),
	}
}

// ensureRevision creates the ToolRevision, or finds it with the same digest.
func (run *contractRun) ensureRevision(ctx context.Context, want *v1alpha1.ToolRevision) error {
	have := run.revisions[want.Name]
	if have == nil {
		err := run.Client.Create(ctx, want, client.FieldOwner(v1alpha1.ManagedBy))
		if err == nil {
			run.remember(want)
			if run.contract.Status.PublishedRevision == want.Name {
				driftRepaired.WithLabelValues(revisionKind, driftMissing).Inc()
			}
		}
		if !apierrors.IsAlreadyExists(err) {
			return refusedWrite("ToolRevision "+want.Name, err)
		}
		have = &v1alpha1.ToolRevision{}
		if err := run.Live.Get(ctx, client.ObjectKeyFromObject(want), have); err != nil {
			return fmt.Errorf("reading ToolRevision %s: %w", want.Name, err)
		}
	}
	owner := ownerOf(have, run.contract)
	if (owner == orphaned || owner == unowned) && provesItself(have) && have.Spec.ContentDigest == want.Spec.ContentDigest &&
		equality.Semantic.DeepEqual(have.Spec.Acknowledgements, want.Spec.Acknowledgements) {
		return run.takeOver(ctx, have, ownerReference(run.contract)) // it says just what was accepted
	}
	switch {
	case owner != ours:
		return revisionConflict(want.Name, "another owner or without our labels")
	case have.Spec.ContentDigest != want.Spec.ContentDigest:
		return revisionConflict(want.Name, "other content")
	case frozenContent(have) == nil:
		return revisionConflict(want.Name, "content that does not have the digest it names")
	}
	run.remember(have)
	return nil
}

func revisionConflict(name, with string) error {
	return &stalledError{
		condition: v1alpha1.ConditionVersionAccepted, reason: v1alpha1.ReasonRevisionConflict, recheck: true,
		message: fmt.Sprintf("the ToolRevision %s exists with %s; it is left untouched. Fix: set a higher spec.version, or delete the ToolRevision if no agent runs it", name, with),
	}
}

// ensureChannel creates the channel or moves it. The previous revision stays
// on it as an annotation, so that retention can protect the way back.
func (run *contractRun) ensureChannel(ctx context.Context, want *corev1.ConfigMap) error {
	run.withMemory(want)
	have, created, err := run.create(ctx, want)
	if err != nil || created {
		return err
	}
	if previous := run.previousRevision(have, want); previous != "" {
		want.Annotations[v1alpha1.AnnotationPrevious] = previous
	}
	return run.change(ctx, have, want)
}

// previousRevision is what the channel served before: unchanged while it
// serves the same revision.
func (run *contractRun) previousRevision(have, want *corev1.ConfigMap) string {
	serving := run.lines()[want.Labels[v1alpha1.LabelLine]].Revision
	if serving == "" || serving == want.Annotations[v1alpha1.AnnotationRevision] {
		return have.Annotations[v1alpha1.AnnotationPrevious]
	}
	return serving
}
