// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// countingClient counts the writes of the controllers. They use no verbs but
// these.
type countingClient struct{ client.Client }

// Create creates and counts.
func (c countingClient) Create(ctx context.Context, object client.Object, options ...client.CreateOption) error {
	return c.count(object, "create", c.Client.Create(ctx, object, options...))
}

// Patch patches and counts.
func (c countingClient) Patch(ctx context.Context, object client.Object, patch client.Patch, options ...client.PatchOption) error {
	return c.count(object, "patch", c.Client.Patch(ctx, object, patch, options...))
}

// Delete deletes and counts.
func (c countingClient) Delete(ctx context.Context, object client.Object, options ...client.DeleteOption) error {
	return c.count(object, "delete", c.Client.Delete(ctx, object, options...))
}

// Status returns a writer that counts.
func (c countingClient) Status() client.SubResourceWriter {
	return countingStatus{c.Client.Status(), c}
}

type countingStatus struct {
	client.SubResourceWriter
	client countingClient
}

// Patch patches and counts.
func (s countingStatus) Patch(ctx context.Context, object client.Object, patch client.Patch, options ...client.SubResourcePatchOption) error {
	return s.client.count(object, "patch-status", s.SubResourceWriter.Patch(ctx, object, patch, options...))
}

// count passes the error through.
func (c countingClient) count(object client.Object, verb string, err error) error {
	kind, result := "", "Done"
	if gvk, unknown := c.GroupVersionKindFor(object); unknown == nil {
		kind = gvk.Kind
	}
	switch {
	case err == nil:
	case apierrors.IsConflict(err), apierrors.IsAlreadyExists(err), apierrors.IsNotFound(err), isFailedTest(err):
		result = "Conflict"
	default:
		result = "Refused"
	}
	writes.WithLabelValues(kind, verb, result).Inc()
	return err
}
