// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
)

// A version whose revision is the contract's own counts as issued and is not
// judged again. So a revision that has no living owner is adopted only if it
// cannot smuggle in what the contract would be refused:
//
//   - the contract remembers that it issued this version with this content;
//   - or the contract serves nothing yet, as in a restore, and the revision stands
//     beside the other ones as if they had been issued one after the other.
//
// Any other one says so and stays as it is. The contract may set its version, and
// is judged; if it is accepted with the same content, the revision is taken.

// adoptRevisions takes over the revisions that may be.
func (run *contractRun) adoptRevisions(ctx context.Context) error {
	names := run.ownerless()
	if len(names) == 0 {
		return nil
	}
	blank := run.isBlank()
	if blank && !run.live {
		return run.behind() // all that were applied are judged together
	}
	refusals := map[string]evaluate.Decision{}
	if blank {
		refusals = run.chain(names)
	}
	issued := run.issuedDigests()
	for _, name := range names {
		revision := run.revisions[name]
		version := revision.Spec.Content.Version
		isIssued := issued[version] == revision.Spec.ContentDigest
		if !isIssued && !blank && declined(revision) == notAdopted(revision, "") {
			continue // nothing has changed
		}
		if !provesItself(revision) {
			continue // it says so itself
		}
		refusal, isRefused := refusals[version]
		var err error
		if isIssued || blank && !isRefused {
			err = run.takeOver(ctx, revision, ownerReference(run.contract))
		} else {
			err = run.decline(ctx, revision, notAdopted(revision, refusal.Message))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ownerless are the names of the revisions with our label that no living contract
// owns, sorted.
func (run *contractRun) ownerless() []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(run.revisions)) {
		if owner := ownerOf(run.revisions[name], run.contract); owner == orphaned || owner == unowned {
			names = append(names, name)
		}
	}
	return names
}

// isBlank reports whether the contract serves nothing and never has, as far as
// anybody remembers.
func (run *contractRun) isBlank() bool {
	for name := range run.configMaps {
		if run.own(name) != nil {
			return false
		}
	}
	return len(run.contract.Status.Channels) == 0
}

// issuedDigests are the content digests of all versions that are known to be
// issued.
func (run *contractRun) issuedDigests() map[string]string {
	out := map[string]string{}
	for _, issued := range run.history().Issued {
		out[issued.Version.String()] = issued.Digest
	}
	return out
}

// chain judges the revisions of these names among themselves and with those that
// are the contract's already: a manager may have died between two of them. What
// the contract acknowledges counts as well; otherwise there would be no way out.
func (run *contractRun) chain(names []string) map[string]evaluate.Decision {
	issued := run.issuedDigests()
	var frozen []evaluate.Frozen
	for _, name := range slices.Sorted(maps.Keys(run.revisions)) {
		revision := run.revisions[name]
		isOurs := ownerOf(revision, run.contract) == ours
		if !isOurs && !slices.Contains(names, name) || !provesItself(revision) {
			continue
		}
		frozen = append(frozen, evaluate.Frozen{
			Content:          frozenContent(revision),
			Acknowledgements: slices.Concat(revision.Spec.Acknowledgements, run.contract.Spec.Acknowledge),
			Issued:           isOurs || issued[revision.Spec.Content.Version] == revision.Spec.ContentDigest,
		})
	}
	return evaluate.Chain(frozen, run.Checker)
}

// decline says in a revision why it is not used.
func (run *contractRun) decline(ctx context.Context, revision *v1alpha1.ToolRevision, why string) error {
	after := revision.DeepCopy()
	after.Status.ObservedGeneration = revision.Generation
	ready := condition(v1alpha1.ConditionReady, metav1.ConditionFalse, v1alpha1.ReasonNotAdopted, why)
	after.Status.Conditions = withVerdicts(after.Status.Conditions, revisionVerdicts(ready), revision.Generation)
	if equality.Semantic.DeepEqual(revision.Status, after.Status) {
		return nil
	}
	patch := client.MergeFromWithOptions(revision, client.MergeFromWithOptimisticLock{})
	err := client.IgnoreNotFound(run.Client.Status().Patch(ctx, after, patch, client.FieldOwner(v1alpha1.ManagedBy)))
	if err != nil {
		return fmt.Errorf("writing status of ToolRevision %s: %w", revision.Name, err)
	}
	run.revisions[revision.Name] = after
	return nil
}

// notAdopted says why a contract does not take a revision, and the way out.
func notAdopted(revision *v1alpha1.ToolRevision, refusal string) string {
	name := revision.Spec.ContractRef.Name
	if refusal == "" {
		return fmt.Sprintf("the ToolContract %s did not issue this version, and has published others; the revision is not used. "+
			"Fix: delete it, and set /spec/version of the contract to %s with this content: it is judged like any other",
			name, finding.Clip(finding.Printable(revision.Spec.Content.Version), maxVersion))
	}
	return finding.Clip(fmt.Sprintf("the ToolContract %s would refuse this version beside its other revisions; the revision is not used. "+
		"Fix: delete it, or acknowledge the change in /spec/acknowledge of the contract. %s", name, refusal), maxMessage)
}

// declined is what [contractRun.decline] wrote into a revision.
func declined(revision *v1alpha1.ToolRevision) string {
	ready := meta.FindStatusCondition(revision.Status.Conditions, v1alpha1.ConditionReady)
	if ready == nil || ready.Reason != v1alpha1.ReasonNotAdopted || ready.ObservedGeneration != revision.Generation {
		return ""
	}
	return ready.Message
}

// checkApplied asks, before a contract freezes its first version, whether there
// are revisions that the cache does not show yet. Afterwards it is too late for
// them. It asks for what the API server has at hand: for a list that is surely
// the newest the API server waits up to 100 ms, and what is missed is declined,
// not lost.
func (run *contractRun) checkApplied(ctx context.Context) error {
	if run.live || !run.isBlank() {
		return nil
	}
	var all metav1.PartialObjectMetadataList
	all.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("ToolRevisionList"))
	atHand := &client.ListOptions{Raw: &metav1.ListOptions{ResourceVersion: "0"}}
	if err := run.Live.List(ctx, &all, atHand, client.InNamespace(run.contract.Namespace), childrenOf(run.contract.Name)); err != nil {
		return fmt.Errorf("looking for revisions: %w", err)
	}
	for i := range all.Items {
		if run.revisions[all.Items[i].Name] == nil {
			return run.behind()
		}
	}
	return nil
}

// behind has the run done once more on what the API server says.
func (run *contractRun) behind() error {
	return apierrors.NewConflict(v1alpha1.GroupVersion.WithResource("toolcontracts").GroupResource(), run.contract.Name, errBehind)
}
