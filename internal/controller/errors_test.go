// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// invalid is the API server's answer to an object with a wrong field.
func invalid() error {
	return apierrors.NewInvalid(corev1.SchemeGroupVersion.WithKind("ConfigMap").GroupKind(), "x",
		field.ErrorList{field.Forbidden(field.NewPath("data"), "field is immutable when `immutable` is set")})
}

// notApplicable is its answer to a JSON patch whose test does not hold, word
// for word.
func notApplicable() error {
	return apierrors.NewGenericServerResponse(http.StatusUnprocessableEntity, "", schema.GroupResource{}, "",
		`testing value /metadata/uid failed: test failed`, 0, false)
}

// internal is an error 500 with the text of a layer below the API server.
func internal(text string) error { return apierrors.NewInternalError(errors.New(text)) }

// TestFailedTestIsToldFromAnInvalidObject: both are answered with 422, and only
// the first one means that somebody else was quicker.
func TestFailedTestIsToldFromAnInvalidObject(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		err  error
		want bool
	}{
		"a test that failed": {notApplicable(), true},
		"an invalid object":  {invalid(), false},
		"a conflict":         {apierrors.NewConflict(corev1.Resource("configmaps"), "x", nil), false},
		"no answer":          {errors.New("connection refused"), false},
		"no error":           {nil, false},
	} {
		if got := isFailedTest(test.err); got != test.want {
			t.Errorf("%s: %t, want %t", name, got, test.want)
		}
	}
}

// TestLastingRefusalsAreToldFromPassingOnes: what trying again does not mend
// stalls the contract, in words; everything else is tried again.
func TestLastingRefusalsAreToldFromPassingOnes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		err    error
		reason string // empty if it is tried again
		says   string
	}{
		"too large for the API server": {apierrors.NewRequestEntityTooLargeError("limit is 3145728"), v1alpha1.ReasonTooLarge, "ConfigMap x"},
		"too large for etcd":           {internal("etcdserver: request is too large"), v1alpha1.ReasonTooLarge, "Fix:"},
		"too large for the connection": {internal("rpc error: code = ResourceExhausted desc = trying to send message larger than max"), v1alpha1.ReasonTooLarge, "Fix:"},
		"invalid":                      {invalid(), v1alpha1.ReasonPublishFailed, "data: Forbidden: field is immutable"},
		"another internal error":       {internal("etcdserver: leader changed"), "", ""},
		"a quota":                      {apierrors.NewForbidden(corev1.Resource("configmaps"), "x", errors.New("exceeded quota")), "", ""},
		"too many requests":            {apierrors.NewTooManyRequestsError("later"), "", ""},
		"no answer":                    {errors.New("ResourceExhausted: the words alone do not count"), "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := refusedWrite("ConfigMap x", test.err)
			if !errors.Is(err, test.err) && test.reason == "" {
				t.Errorf("%v hides %v", err, test.err)
			}
			stalled := asStalled(fmt.Errorf("publishing: %w", err))
			switch {
			case (stalled != nil) != (test.reason != ""):
				t.Errorf("stalled: %v, want reason %q", stalled, test.reason)
			case stalled != nil && (stalled.reason != test.reason || !strings.Contains(stalled.message, test.says)):
				t.Errorf("%v, want reason %s and %q in the message", stalled, test.reason, test.says)
			}
		})
	}
	if err := refusedWrite("ConfigMap x", nil); err != nil {
		t.Errorf("no refusal gives %v", err)
	}
}
