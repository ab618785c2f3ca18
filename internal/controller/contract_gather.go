// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/provider"
)

// contractRun is one reconcile of one contract.
type contractRun struct {
	*ContractReconciler
	// childWriter is nil in a run that only looks.
	*childWriter
	contract *v1alpha1.ToolContract
	// profiles is the catalogue in use when the run began; all of the run rests on
	// this one.
	profiles *provider.Catalog

	// revisions and configMaps are the children by name, with our label; whose
	// they are is judged where they are used.
	revisions  map[string]*v1alpha1.ToolRevision
	configMaps map[string]*corev1.ConfigMap

	// followers are what sets ask of the contract.
	followers followers

	// live says that all of this comes from the API server and not from the cache.
	live bool
	// touched says that the run has written children.
	touched bool

	// prepared is what no write of this run can change.
	prepared   *evaluate.Prepared
	evaluation *evaluate.Evaluation
	// decided is the evaluation that the writes of this run rest on.
	decided *evaluate.Evaluation
	// published is set when the objects say what the contract says.
	published *publication
	// moved are the lines that were rendered again, and refused those that go on
	// serving what a profile refuses by now.
	moved   []*evaluate.Evaluation
	refused []refusedLine
}

// publication is what a successful run published.
type publication struct {
	rendering string
	channel   string // empty for a pre-release
}

// gather lists the children of the contract. ConfigMaps come first: a rendering
// is made after its revision, so whoever lists from the API server and finds the
// rendering finds the revision too. The cache gives no such promise.
func (run *contractRun) gather(ctx context.Context, from client.Reader) error {
	selector := []client.ListOption{client.InNamespace(run.contract.Namespace), childrenOf(run.contract.Name)}
	if !run.live {
		selector[1] = client.MatchingFields{contractIndex: run.contract.Name}
	}
	var configMaps corev1.ConfigMapList
	if err := from.List(ctx, &configMaps, selector...); err != nil {
		return fmt.Errorf("listing ConfigMaps: %w", err)
	}
	run.configMaps = make(map[string]*corev1.ConfigMap, len(configMaps.Items))
	for i := range configMaps.Items {
		run.configMaps[configMaps.Items[i].Name] = stripped(&configMaps.Items[i])
	}
	var revisions v1alpha1.ToolRevisionList
	if err := from.List(ctx, &revisions, selector...); err != nil {
		return fmt.Errorf("listing revisions: %w", err)
	}
	run.revisions = make(map[string]*v1alpha1.ToolRevision, len(revisions.Items))
	for i := range revisions.Items {
		run.revisions[revisions.Items[i].Name] = &revisions.Items[i]
	}
	return nil
}

// remember keeps a child as a write left it, or as the API server showed it, so
// that the rest of the run sees it before the cache does.
func (run *contractRun) remember(child client.Object) {
	run.touched = true
	switch child := child.(type) {
	case *corev1.ConfigMap:
		run.configMaps[child.Name] = stripped(child)
	case *v1alpha1.ToolRevision:
		run.revisions[child.Name] = child
	}
}

// child, judge and nameConflict make the run a [childOwner].
func (run *contractRun) child(name string) *corev1.ConfigMap { return run.configMaps[name] }

func (run *contractRun) judge(object metav1.Object) ownership { return ownerOf(object, run.contract) }

// evaluate asks the core.
func (run *contractRun) evaluate() {
	if run.prepared == nil {
		run.prepared = evaluate.Prepare(run.contract.Name, &run.contract.Spec, run.profiles)
	}
	run.evaluation = run.prepared.Against(run.history())
}

// history collects what was issued: from the revisions, which are the truth,
// and from the status, which outlives them.
func (run *contractRun) history() evaluate.History {
	h := evaluate.History{
		Served: map[string]evaluate.Served{}, RetiredLine: run.retiredBefore(),
		Pinned: run.pinned(), Checker: run.Checker,
	}
	byVersion := map[string]*v1alpha1.ToolRevision{}
	known := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(run.revisions)) {
		revision := run.revisions[name]
		named, ok := versionOf(run.contract.Name, name)
		if ownerOf(revision, run.contract) != ours || !ok || named.String() != revision.Spec.Content.Version {
			continue
		}
		h.Issued = appendIssued(h.Issued, known, revision.Spec.Content.Version, revision.Spec.ContentDigest)
		byVersion[revision.Spec.Content.Version] = revision
	}
	frozen := len(h.Issued)
	for _, issued := range run.contract.Status.Issued {
		h.Issued = appendIssued(h.Issued, known, issued.Version, issued.Digest)
	}
	for _, issued := range run.remembered() {
		h.Issued = appendIssued(h.Issued, known, issued.Version, issued.Digest)
	}
	for _, name := range slices.Sorted(maps.Keys(run.configMaps)) {
		// A rendering remembers what status and revisions lost together. Its name
		// says which version it is of; a label can be edited.
		if version, ok := renderedVersion(run.contract.Name, name); ok && run.own(name) != nil {
			h.Issued = appendIssued(h.Issued, known, version.String(), run.own(name).Annotations[v1alpha1.AnnotationContentDigest])
		}
	}
	h.Issued = withinBound(h.Issued, frozen, h.RetiredLine)
	h.Content = func(version contract.Version) *contract.Content {
		return frozenContent(byVersion[version.String()])
	}
	for _, line := range run.lines() {
		source := cmp.Or(run.own(renderingOf(line)), run.own(line.ConfigMap))
		if source == nil {
			continue
		}
		version, _ := versionOf(run.contract.Name, line.Revision)
		h.Served[line.Line] = evaluate.Served{
			Version: version, Strict: servedProfiles(source.Annotations[v1alpha1.AnnotationProfiles]),
		}
	}
	return h
}

// appendIssued adds a version that is not known yet. Annotations can be edited:
// what would not fit into a status is passed over.
func appendIssued(issued []evaluate.Issued, known map[string]bool, text, digest string) []evaluate.Issued {
	version, err := contract.ParseVersion(text)
	if err != nil || len(text) > maxVersion || !isDigest.MatchString(digest) || known[text] {
		return issued
	}
	known[text] = true
	return append(issued, evaluate.Issued{Version: version, Digest: digest})
}

// maxVersion is the most characters that the API takes in a version.
const maxVersion = 40

var isDigest = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

// frozenContent reads a revision, and trusts it only if it has the digest that
// it names.
func frozenContent(revision *v1alpha1.ToolRevision) *contract.Content {
	if revision == nil {
		return nil
	}
	content, _ := evaluate.Read(&revision.Spec.Content)
	if content == nil || content.Digest() != revision.Spec.ContentDigest {
		return nil
	}
	return content
}
