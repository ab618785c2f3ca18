// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/publish"
)

// childWriter writes children. They are written the same way whoever owns them: created, never applied
// over, and changed only as they were seen.
type childWriter struct {
	client client.Client
	live   client.Reader
	owner  childOwner
}

// childOwner is the run of the object that owns the children.
type childOwner interface {
	// child returns a ConfigMap that the run knows, whosever it is, or nil.
	child(name string) *corev1.ConfigMap
	// judge says whose an existing object is.
	judge(object metav1.Object) ownership
	// nameConflict says why an object that has a name we need is not ours.
	nameConflict(existing metav1.Object) error
	// remember keeps a child as a write left it, or as the API server showed it.
	remember(child client.Object)
	// serves reports whether the status says that a ConfigMap of this name was
	// published with these bytes. Writing it again repairs what somebody did.
	serves(name, digest string) bool
}

// create creates a ConfigMap unless it is there and ours. An object of another
// owner is a name conflict; nothing of it is written.
func (w *childWriter) create(ctx context.Context, want *corev1.ConfigMap) (have *corev1.ConfigMap, created bool, err error) {
	have = w.owner.child(want.Name)
	if have == nil {
		err := w.insert(ctx, want)
		if err == nil {
			w.repaired(want, driftMissing)
		}
		if !apierrors.IsAlreadyExists(err) {
			return want, err == nil, err
		}
		have = &corev1.ConfigMap{}
		if err := w.live.Get(ctx, client.ObjectKeyFromObject(want), have); err != nil {
			return nil, false, fmt.Errorf("reading ConfigMap %s: %w", want.Name, err)
		}
	}
	if w.owner.judge(have) != ours {
		return nil, false, w.owner.nameConflict(have)
	}
	w.owner.remember(have)
	return have, false, nil
}

// checkNames looks, before anything is written, whether ConfigMaps have names that
// are free or ours. The cache holds only objects with our label, so
// absence there says nothing.
func (w *childWriter) checkNames(ctx context.Context, namespace string, names []string) error {
	for _, name := range names {
		if known := w.owner.child(name); known != nil && w.owner.judge(known) == ours {
			continue
		}
		existing := &metav1.PartialObjectMetadata{}
		existing.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("ConfigMap"))
		err := w.live.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, existing)
		switch {
		case apierrors.IsNotFound(err):
		case err != nil:
			return fmt.Errorf("looking for ConfigMap %s: %w", name, err)
		case w.owner.judge(existing) != ours:
			return w.owner.nameConflict(existing)
		}
	}
	return nil
}

// ensureRendering creates the immutable ConfigMap. One with the right name and
// wrong data can only be an impostor, since the name is made of the digest; if
// it claims to be ours it is replaced.
func (w *childWriter) ensureRendering(ctx context.Context, want *corev1.ConfigMap) error {
	have, created, err := w.create(ctx, want)
	if err != nil || created {
		return err
	}
	if dataDigest(have) != publish.DataDigest(want.Data) || !ptr.Deref(have.Immutable, false) {
		return w.replace(ctx, have, want)
	}
	return w.patchMetadata(ctx, have, want)
}

// change gives a ConfigMap with a stable name the data that it should have.
func (w *childWriter) change(ctx context.Context, have, want *corev1.ConfigMap) error {
	switch {
	case ptr.Deref(have.Immutable, false): // somebody froze it
		return w.replace(ctx, have, want)
	case dataDigest(have) == publish.DataDigest(want.Data):
		return w.patchMetadata(ctx, have, want)
	default:
		return w.replaceData(ctx, have, want)
	}
}

// insert creates a ConfigMap.
func (w *childWriter) insert(ctx context.Context, want *corev1.ConfigMap) error {
	err := w.client.Create(ctx, want, client.FieldOwner(v1alpha1.ManagedBy))
	if err == nil {
		w.owner.remember(want)
		observeBytes(want)
	}
	return refusedWrite("ConfigMap "+want.Name, err)
}

// patchMetadata restores labels and annotations of a ConfigMap that has the data
// it should have; those of others stay, and so do those that say which revisions
// the data was rendered by: that others render the same is no news.
func (w *childWriter) patchMetadata(ctx context.Context, have, want *corev1.ConfigMap) error {
	want = want.DeepCopy()
	for _, key := range []string{v1alpha1.AnnotationProfileRevisions, v1alpha1.AnnotationRendererVersions} {
		if old := have.Annotations[key]; saysOfTheSame(old, want.Annotations[key]) {
			want.Annotations[key] = old
		}
	}
	patch := metadataPatch(have, want)
	if len(patch) == 0 {
		return nil
	}
	if err := w.patch(ctx, have, patch); err != nil {
		return err
	}
	if isRepair(have, want) {
		w.repaired(want, driftMetadata)
	}
	return nil
}

// replace deletes a ConfigMap and creates it anew, where a patch is not allowed.
func (w *childWriter) replace(ctx context.Context, have, want *corev1.ConfigMap) error {
	if err := w.deleteExactly(ctx, have); err != nil {
		return fmt.Errorf("replacing ConfigMap %s: %w", want.Name, err)
	}
	if err := w.insert(ctx, want); err != nil {
		return err
	}
	w.repaired(want, driftData)
	return nil
}

// replaceData replaces the whole data: a mounted directory holds what we
// published and nothing else.
func (w *childWriter) replaceData(ctx context.Context, have, want *corev1.ConfigMap) error {
	patch := jsonPatch{
		{"add", "/data", want.Data},
		{"add", "/binaryData", nil},
	}
	if err := w.patch(ctx, have, append(patch, metadataPatch(have, want)...)); err != nil {
		return err
	}
	observeBytes(want)
	w.repaired(want, driftData)
	return nil
}

// takeOver gives a child a controller, in place of a dead one. Other owners stay.
func (w *childWriter) takeOver(ctx context.Context, child client.Object, controller metav1.OwnerReference) error {
	owners := slices.DeleteFunc(slices.Clone(child.GetOwnerReferences()), func(r metav1.OwnerReference) bool {
		return ptr.Deref(r.Controller, false)
	})
	return w.patch(ctx, child, jsonPatch{
		{"add", "/metadata/ownerReferences", append(owners, controller)},
	})
}

// saysOfTheSame reports whether two lists name=number,… have the same names and
// only well-formed numbers.
func saysOfTheSame(old, now string) bool {
	olds, nows := strings.Split(old, ","), strings.Split(now, ",")
	return slices.EqualFunc(olds, nows, func(o, n string) bool {
		name, number, _ := strings.Cut(o, "=")
		revision, err := strconv.Atoi(number)
		return strings.HasPrefix(n, name+"=") && err == nil && revision > 0
	})
}

func metadataPatch(have, want *corev1.ConfigMap) jsonPatch {
	var patch jsonPatch
	if merged, changed := merge(have.Labels, want.Labels); changed {
		patch = append(patch, operation{"add", "/metadata/labels", merged})
	}
	if merged, changed := merge(have.Annotations, want.Annotations); changed {
		patch = append(patch, operation{"add", "/metadata/annotations", merged})
	}
	return patch
}

func merge(have, want map[string]string) (merged map[string]string, changed bool) {
	merged = maps.Clone(have)
	if merged == nil {
		merged = map[string]string{}
	}
	for k, v := range want {
		if old, ok := merged[k]; !ok || old != v {
			merged[k], changed = v, true
		}
	}
	return merged, changed
}

// jsonPatch is a patch as RFC 6902 has it.
type jsonPatch []operation

type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value"`
}

// patch changes the object that was seen. It never lands on one that was replaced
// or written since, so what a cache shows late is not written back.
func (w *childWriter) patch(ctx context.Context, object client.Object, patch jsonPatch) error {
	patch = append(jsonPatch{
		{"test", "/metadata/uid", object.GetUID()},
		{"test", "/metadata/resourceVersion", object.GetResourceVersion()},
	}, patch...)
	body, err := json.Marshal(patch)
	if err != nil {
		return fmt.Errorf("writing patch of %s: %w", object.GetName(), err)
	}
	// The client decodes the answer into the object it is given: never the cache's.
	target := object.DeepCopyObject().(client.Object)
	err = w.client.Patch(ctx, target, client.RawPatch(types.JSONPatchType, body), client.FieldOwner(v1alpha1.ManagedBy))
	if apierrors.IsNotFound(err) || isFailedTest(err) { // the cache is behind
		return apierrors.NewConflict(corev1.Resource("configmaps"), object.GetName(), err)
	}
	if err == nil {
		w.owner.remember(target)
	}
	return refusedWrite(object.GetName(), err)
}

// isFailedTest recognises the answer to a JSON patch whose test did not hold.
// The API server says 422, as for an invalid object; but then it names fields,
// and of a patch that does not apply it says nothing more.
func isFailedTest(err error) bool {
	var status apierrors.APIStatus
	return apierrors.IsInvalid(err) && errors.As(err, &status) &&
		(status.Status().Details == nil || len(status.Status().Details.Causes) == 0)
}

// deleteExactly deletes the object that was seen and no other of its name.
func (w *childWriter) deleteExactly(ctx context.Context, object client.Object) error {
	return client.IgnoreNotFound(w.client.Delete(ctx, object, exactly(object)))
}

func exactly(object client.Object) client.Preconditions {
	return client.Preconditions{UID: new(object.GetUID()), ResourceVersion: new(object.GetResourceVersion())}
}
