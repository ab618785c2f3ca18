// SPDX-License-Identifier: Apache-2.0

package admission

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/controller"
)

// Reviewer is what [controller.Reviewer] does.
type Reviewer interface {
	// Watches reports whether the operator looks after a namespace.
	Watches(namespace string) bool
	// Contract reviews a contract, on the API server's word if live is set.
	Contract(ctx context.Context, contract *v1alpha1.ToolContract, live bool) (*controller.Review, error)
	// Set reviews a set.
	Set(ctx context.Context, set *v1alpha1.ToolSet) (*controller.Review, error)
}

// The paths. The API server chooses between them by the labels of the namespace,
// so that nothing here has to know these.
const (
	// WarnPath warns and lets everything through.
	WarnPath = "/warn"
	// EnforcePath refuses contracts that are not valid or have a wrong version.
	EnforcePath = "/enforce"
)

// Bounds of the work, whoever calls.
const (
	// maxAtOnce is how many requests are read and reviewed at once. Others wait
	// until their time is over.
	maxAtOnce = 4
	// maxRequest bounds a request, in bytes. It holds an object twice, which the API
	// server stores up to 1.5 MiB of.
	maxRequest = 4 << 20
	// defaultTimeout is that of config/admission; the API server says its own with
	// each request.
	defaultTimeout = 3 * time.Second
	maxTimeout     = 30 * time.Second
)

// Handler answers admission reviews.
type Handler struct {
	reviewer Reviewer
	slots    chan struct{}
}

// NewHandler returns a handler that asks a reviewer.
func NewHandler(reviewer Reviewer) *Handler {
	return &Handler{reviewer: reviewer, slots: make(chan struct{}, maxAtOnce)}
}

// ServeHTTP implements [http.Handler]. It answers in time even if the review takes
// longer; that one goes on, and keeps its place until it is done.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	enforce := r.URL.Path == EnforcePath
	switch {
	case !enforce && r.URL.Path != WarnPath:
		http.NotFound(w, r)
		return
	case r.Method != http.MethodPost:
		http.Error(w, "only POST is served here", http.StatusMethodNotAllowed)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), timeLeft(r))
	defer cancel()
	select {
	case h.slots <- struct{}{}:
	case <-ctx.Done():
		http.Error(w, "too many reviews at once", http.StatusServiceUnavailable) // the API server goes on without
		return
	}
	request, problem := read(ctx, w, r)
	if problem != nil {
		<-h.slots
		http.Error(w, problem.Error(), http.StatusBadRequest)
		return
	}
	answered := make(chan *admissionv1.AdmissionResponse, 1)
	go func() {
		defer func() { <-h.slots }()
		answered <- h.answer(ctx, request, enforce)
	}()
	var response *admissionv1.AdmissionResponse
	select {
	case response = <-answered:
	case <-ctx.Done():
		response = notReviewed(request, "it took too long")
	}
	response.UID = request.UID
	write(w, response)
}

// timeLeft is the time that the API server waits, with a margin for the way back.
func timeLeft(r *http.Request) time.Duration {
	timeout, err := time.ParseDuration(r.URL.Query().Get("timeout"))
	if err != nil || timeout <= 0 || timeout > maxTimeout {
		timeout = defaultTimeout
	}
	return timeout * 4 / 5
}

// read reads a request. Whoever sends one slowly has no more time than others.
func read(ctx context.Context, w http.ResponseWriter, r *http.Request) (*admissionv1.AdmissionRequest, error) {
	if deadline, ok := ctx.Deadline(); ok {
		_ = http.NewResponseController(w).SetReadDeadline(deadline) // a writer that cannot has none to keep
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		return nil, fmt.Errorf("reading the request: %w", err)
	}
	var review admissionv1.AdmissionReview
	if err := json.Unmarshal(text, &review); err != nil {
		return nil, fmt.Errorf("the request is no AdmissionReview: %w", err)
	}
	if review.APIVersion != admissionv1.SchemeGroupVersion.String() || review.Request == nil {
		return nil, errors.New("the request is no AdmissionReview of admission.k8s.io/v1")
	}
	return review.Request, nil
}

func write(w http.ResponseWriter, response *admissionv1.AdmissionResponse) {
	review := admissionv1.AdmissionReview{Response: response}
	review.APIVersion, review.Kind = admissionv1.SchemeGroupVersion.String(), "AdmissionReview"
	text, err := json.Marshal(review)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(text) // whoever hung up does not want it
}

// answer reviews the object of a request. A panic lets it through as well.
func (h *Handler) answer(ctx context.Context, request *admissionv1.AdmissionRequest, enforce bool) (response *admissionv1.AdmissionResponse) {
	defer func() {
		if problem := recover(); problem != nil {
			ctrl.Log.WithName("admission").Error(fmt.Errorf("panic: %v", problem), "a review failed; the object was let through",
				"kind", request.Kind.Kind, "namespace", request.Namespace, "name", request.Name, "stack", string(debug.Stack()))
			response = notReviewed(request, "the operator failed, and its log says where")
		}
	}()
	if request.Kind.Group != v1alpha1.GroupVersion.Group || !h.reviewer.Watches(request.Namespace) {
		return allowed()
	}
	switch request.Kind.Kind {
	case "ToolContract":
		return h.contract(ctx, request, enforce)
	case "ToolSet":
		return h.set(ctx, request)
	}
	return allowed()
}

func (h *Handler) contract(ctx context.Context, request *admissionv1.AdmissionRequest, enforce bool) *admissionv1.AdmissionResponse {
	var now, before v1alpha1.ToolContract
	if err := decode(request, &now, &before); err != nil {
		return notReviewed(request, err.Error())
	}
	if !now.DeletionTimestamp.IsZero() || request.Operation == admissionv1.Update && equality.Semantic.DeepEqual(now.Spec, before.Spec) {
		return allowed()
	}
	review, err := h.reviewer.Contract(ctx, &now, false)
	if err == nil && enforce && refuses(review) {
		// What is refused is refused on what the API server says: a cache may lag.
		review, err = h.reviewer.Contract(ctx, &now, true)
	}
	if err != nil {
		return notReviewed(request, err.Error())
	}
	response := allowed()
	if enforce && refuses(review) {
		response.Allowed, response.Result = false, refusal(review)
		review.Conditions = slices.DeleteFunc(review.Conditions, refusesFor) // said already
	}
	response.Warnings = warnings(name(request), review)
	return response
}

func (h *Handler) set(ctx context.Context, request *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	var now, before v1alpha1.ToolSet
	if err := decode(request, &now, &before); err != nil {
		return notReviewed(request, err.Error())
	}
	if !now.DeletionTimestamp.IsZero() || request.Operation == admissionv1.Update && equality.Semantic.DeepEqual(now.Spec, before.Spec) {
		return allowed()
	}
	review, err := h.reviewer.Set(ctx, &now)
	if err != nil {
		return notReviewed(request, err.Error())
	}
	response := allowed()
	response.Warnings = warnings(name(request), review)
	return response
}

// decode reads the object as it would be and, for an update, as it is.
func decode(request *admissionv1.AdmissionRequest, now, before any) error {
	if err := json.Unmarshal(request.Object.Raw, now); err != nil {
		return fmt.Errorf("reading the object: %w", err)
	}
	if len(request.OldObject.Raw) == 0 {
		return nil
	}
	if err := json.Unmarshal(request.OldObject.Raw, before); err != nil {
		return fmt.Errorf("reading the object as it is: %w", err)
	}
	return nil
}

// refusesFor reports whether a contract is refused for a condition. That a profile
// does not take it is no reason: it may be another one tomorrow.
func refusesFor(c metav1.Condition) bool {
	return c.Status == metav1.ConditionFalse && (c.Type == v1alpha1.ConditionSchemaValid || c.Type == v1alpha1.ConditionVersionAccepted)
}

func refuses(review *controller.Review) bool {
	return slices.ContainsFunc(review.Conditions, refusesFor)
}

// refusal says why, in the words of the conditions.
func refusal(review *controller.Review) *metav1.Status {
	var texts []string
	for _, c := range review.Conditions {
		if refusesFor(c) {
			texts = append(texts, c.Reason+": "+c.Message)
		}
	}
	return &metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusUnprocessableEntity, Reason: metav1.StatusReasonInvalid,
		Message: strings.Join(texts, "; "),
	}
}

func allowed() *admissionv1.AdmissionResponse { return &admissionv1.AdmissionResponse{Allowed: true} }

// notReviewed lets an object through and says that nobody has looked.
func notReviewed(request *admissionv1.AdmissionRequest, why string) *admissionv1.AdmissionResponse {
	response := allowed()
	response.Warnings = []string{line(name(request), "not reviewed: "+why+"; the status of the object will say what the operator makes of it", maxFinding)}
	return response
}

// name is how a warning names the object.
func name(request *admissionv1.AdmissionRequest) string {
	return request.Kind.Kind + " " + request.Name
}
