// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// stalledError is a failure that trying again does not mend: somebody has to
// change something.
type stalledError struct {
	// condition is the one that the failure belongs to.
	condition string
	reason    string
	message   string
	// recheck asks for a slow look again, because what has to change is not watched.
	recheck bool
}

func (e *stalledError) Error() string { return fmt.Sprintf("%s: %s", e.reason, e.message) }

func asStalled(err error) *stalledError {
	var stalled *stalledError
	errors.As(err, &stalled)
	return stalled
}

// isQuiet reports whether an error only says that the cache was behind or the
// namespace is going away; neither is worth a word.
func isQuiet(err error) bool { return apierrors.IsConflict(err) || isTerminating(err) }

// isTerminating reports whether nothing can be created any more because the
// namespace, and with it the contract, is going away. Trying again is useless.
func isTerminating(err error) bool {
	return apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause)
}

// refusedWrite turns an API server's lasting refusal of a write into a stalled
// error. Size refusals come in three shapes: 413, and two texts of etcd and
// gRPC under status 500, which would otherwise be retried for ever.
func refusedWrite(what string, err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	tooLarge := apierrors.IsRequestEntityTooLargeError(err) ||
		(statusCode(err) == http.StatusInternalServerError &&
			(strings.Contains(text, "request is too large") || strings.Contains(text, "ResourceExhausted")))
	switch {
	case tooLarge:
		return &stalledError{
			condition: v1alpha1.ConditionPublished, reason: v1alpha1.ReasonTooLarge,
			message: what + " is larger than the API server stores. Fix: shorten descriptions, enums and examples, or split the tool",
		}
	case apierrors.IsInvalid(err):
		return &stalledError{
			condition: v1alpha1.ConditionPublished, reason: v1alpha1.ReasonPublishFailed,
			message: fmt.Sprintf("the API server refused %s as invalid: %s", what, firstCause(err)), recheck: true,
		}
	default:
		return fmt.Errorf("writing %s: %w", what, err)
	}
}

func statusCode(err error) int32 {
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		return status.Status().Code
	}
	return 0
}

// firstCause names the field that was refused, without the object around it.
func firstCause(err error) string {
	var status apierrors.APIStatus
	if errors.As(err, &status) && status.Status().Details != nil {
		for _, cause := range status.Status().Details.Causes {
			return fmt.Sprintf("%s: %s", cause.Field, cause.Message)
		}
	}
	return string(apierrors.ReasonForError(err))
}
