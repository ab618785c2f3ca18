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
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// create creates a ConfigMap unless it is there and ours. An object of another
// owner is a name conflict; nothing of it is written.
func (run *contractRun) create(ctx context.Context, want *corev1.ConfigMap) (have *corev1.ConfigMap, created bool, err error) {
	have = run.configMaps[want.Name]
	if have == nil {
		err := run.insert(ctx, want)
		if !apierrors.IsAlreadyExists(err) {
			return want, err == nil, err
		}
		have = &corev1.ConfigMap{}
		if err := run.Live.Get(ctx, client.ObjectKeyFromObject(want), have); err != nil {
			return nil, false, fmt.Errorf("reading ConfigMap %s: %w", want.Name, err)
		}
	}
	if ownerOf(have, run.contract) != ours {
		return nil, false, run.nameConflict(have)
	}
	run.remember(have)
	return have, false, nil
}

// insert creates a ConfigMap.
func (run *contractRun) insert(ctx context.Context, want *corev1.ConfigMap) error {
	err := run.Client.Create(ctx, want, client.FieldOwner(v1alpha1.ManagedBy))
	if err == nil {
		run.remember(want)
	}
	return refusedWrite("ConfigMap "+want.Name, err)
}

// patchMetadata restores labels and annotations of a ConfigMap that has the data
// it should have; those of others stay, and so do those that say which revisions
// the data was rendered by: that others render the same is no news.
func (run *contractRun) patchMetadata(ctx context.Context, have, want *corev1.ConfigMap) error {
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
	return run.patch(ctx, have, patch)
}

// replace deletes a ConfigMap and creates it anew, where a patch is not allowed.
func (run *contractRun) replace(ctx context.Context, have, want *corev1.ConfigMap) error {
	if err := run.deleteExactly(ctx, have); err != nil {
		return fmt.Errorf("replacing ConfigMap %s: %w", want.Name, err)
	}
	return run.insert(ctx, want)
}

// replaceData replaces the whole data: a mounted directory holds what we
// published and nothing else.
func (run *contractRun) replaceData(ctx context.Context, have, want *corev1.ConfigMap) error {
	patch := jsonPatch{
		{"add", "/data", want.Data},
		{"add", "/binaryData", nil},
	}
	return run.patch(ctx, have, append(patch, metadataPatch(have, want)...))
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
func (run *contractRun) patch(ctx context.Context, object client.Object, patch jsonPatch) error {
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
	err = run.Client.Patch(ctx, target, client.RawPatch(types.JSONPatchType, body), client.FieldOwner(v1alpha1.ManagedBy))
	if apierrors.IsNotFound(err) || isFailedTest(err) { // the cache is behind
		return apierrors.NewConflict(corev1.Resource("configmaps"), object.GetName(), err)
	}
	if err == nil {
		run.remember(target)
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
func (run *contractRun) deleteExactly(ctx context.Context, object client.Object) error {
	return client.IgnoreNotFound(run.Client.Delete(ctx, object, exactly(object)))
}

func exactly(object client.Object) client.Preconditions {
	return client.Preconditions{UID: new(object.GetUID()), ResourceVersion: new(object.GetResourceVersion())}
}
