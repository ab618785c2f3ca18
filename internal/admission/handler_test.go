// SPDX-License-Identifier: Apache-2.0

package admission

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/controller"
	"github.com/toolcontract/operator/internal/finding"
)

// fake answers with a review or an error, and panics without a review.
type fake struct {
	cached, live *controller.Review
	err          error
	// hangs has a review wait until it is closed, whatever the context says.
	hangs chan struct{}
	asked atomic.Int32
}

func (f *fake) Watches(namespace string) bool { return namespace == "shop" }

func (f *fake) Contract(_ context.Context, _ *v1alpha1.ToolContract, live bool) (*controller.Review, error) {
	f.asked.Add(1)
	if f.hangs != nil {
		<-f.hangs
	}
	review := f.cached
	if live && f.live != nil {
		review = f.live
	}
	copied := *review // the handler may change its own
	return &copied, f.err
}

func (f *fake) Set(ctx context.Context, _ *v1alpha1.ToolSet) (*controller.Review, error) {
	return f.Contract(ctx, nil, false)
}

func unmet(kind, reason, message string) metav1.Condition {
	return metav1.Condition{Type: kind, Status: metav1.ConditionFalse, Reason: reason, Message: message}
}

var (
	invalid  = unmet("SchemaValid", "InvalidSchema", "input schema /type: wrong. Fix: mend it")
	breaking = unmet("VersionAccepted", "MajorBumpRequired", "/spec/version: too low")
	refused  = unmet("ProvidersCompatible", "TargetsIncompatible", "x: y")
)

// request is one about a contract of the namespace shop.
func request(adjust ...func(*admissionv1.AdmissionRequest)) *admissionv1.AdmissionRequest {
	r := &admissionv1.AdmissionRequest{
		UID: types.UID("u"), Name: "refund", Namespace: "shop", Operation: admissionv1.Create,
		Kind:   metav1.GroupVersionKind{Group: "toolcontract.dev", Version: "v1alpha1", Kind: "ToolContract"},
		Object: runtime.RawExtension{Raw: []byte(`{"spec":{"version":"1.0.0"}}`)},
	}
	for _, a := range adjust {
		a(r)
	}
	return r
}

// post sends a body to a handler.
func post(t *testing.T, h http.Handler, path, body string) (int, *admissionv1.AdmissionResponse) {
	t.Helper()
	recorder := httptest.NewRecorder()
	h.ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body)))
	if recorder.Code != http.StatusOK {
		return recorder.Code, nil
	}
	var review admissionv1.AdmissionReview
	if err := json.Unmarshal(recorder.Body.Bytes(), &review); err != nil {
		t.Fatalf("%v: %s", err, recorder.Body)
	}
	if review.APIVersion != "admission.k8s.io/v1" || review.Kind != "AdmissionReview" || review.Response == nil || review.Response.UID != "u" {
		t.Fatalf("an API server would not take %s", recorder.Body)
	}
	return recorder.Code, review.Response
}

func ask(t *testing.T, h http.Handler, path string, r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	t.Helper()
	text, err := json.Marshal(admissionv1.AdmissionReview{TypeMeta: metav1.TypeMeta{APIVersion: "admission.k8s.io/v1", Kind: "AdmissionReview"}, Request: r})
	if err != nil {
		t.Fatal(err)
	}
	code, response := post(t, h, path, string(text))
	if response == nil {
		t.Fatalf("got %d", code)
	}
	return response
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	update := func(old, now string) func(*admissionv1.AdmissionRequest) {
		return func(r *admissionv1.AdmissionRequest) {
			r.Operation, r.Object.Raw, r.OldObject.Raw = admissionv1.Update, []byte(now), []byte(old)
		}
	}
	review := func(conditions ...metav1.Condition) *controller.Review {
		return &controller.Review{Conditions: conditions}
	}
	for name, test := range map[string]struct {
		fake     *fake
		path     string
		request  *admissionv1.AdmissionRequest
		refused  string
		warnings []string
	}{
		"nothing to say": {&fake{cached: review()}, WarnPath, request(), "", nil},
		"warned": {&fake{cached: review(invalid)}, WarnPath, request(), "", []string{
			"ToolContract refund: SchemaValid will not be True (InvalidSchema): input schema /type: wrong. Fix: mend it",
		}},
		"refused": {&fake{cached: review(invalid)}, EnforcePath, request(), "InvalidSchema: input schema /type: wrong. Fix: mend it", nil},
		"refused for a version, and warned": {
			&fake{cached: review(breaking, refused)}, EnforcePath, request(), "MajorBumpRequired: /spec/version: too low",
			[]string{"ToolContract refund: ProvidersCompatible will not be True (TargetsIncompatible): x: y"},
		},
		"a profile alone refuses nothing": {
			&fake{cached: review(refused)}, EnforcePath, request(), "",
			[]string{"ToolContract refund: ProvidersCompatible will not be True (TargetsIncompatible): x: y"},
		},
		"the cache was behind": {&fake{cached: review(breaking), live: review()}, EnforcePath, request(), "", nil},
		"a set is never refused": {
			&fake{cached: review(unmet("ResolvedRefs", "NotFound", "none"))}, EnforcePath,
			request(func(r *admissionv1.AdmissionRequest) { r.Kind.Kind = "ToolSet" }), "",
			[]string{"ToolSet refund: ResolvedRefs will not be True (NotFound): none"},
		},
		"the same spec": {&fake{cached: review(invalid)}, EnforcePath, request(update(
			`{"metadata":{"generation":1},"spec":{"version":"1.0.0"}}`, `{"metadata":{"generation":1,"labels":{"a":"b"}},"spec":{"version":"1.0.0"}}`)), "", nil},
		"another spec": {
			&fake{cached: review(invalid)}, EnforcePath, request(update(`{"spec":{"version":"1.0.0"}}`, `{"spec":{"version":"1.0.1"}}`)),
			"InvalidSchema: input schema /type: wrong. Fix: mend it", nil,
		},
		"being deleted": {&fake{cached: review(invalid)}, EnforcePath, request(update(
			`{"spec":{"version":"1.0.0"}}`, `{"metadata":{"deletionTimestamp":"2026-12-01T00:00:00Z"},"spec":{"version":"1.0.1"}}`)), "", nil},
		"another namespace": {&fake{cached: review(invalid)}, EnforcePath, request(func(r *admissionv1.AdmissionRequest) { r.Namespace = "bank" }), "", nil},
		"another kind":      {&fake{cached: review(invalid)}, EnforcePath, request(func(r *admissionv1.AdmissionRequest) { r.Kind.Kind = "ToolRevision" }), "", nil},
		"another group":     {&fake{cached: review(invalid)}, EnforcePath, request(func(r *admissionv1.AdmissionRequest) { r.Kind.Group = "apps" }), "", nil},
		"an error": {&fake{cached: review(invalid), err: errors.New("the API server is gone")}, EnforcePath, request(), "", []string{
			"ToolContract refund: not reviewed: the API server is gone; the status of the object will say what the operator makes of it",
		}},
		"a panic": {&fake{}, EnforcePath, request(), "", []string{
			"ToolContract refund: not reviewed: the operator failed, and its log says where; the status of the object will say what the operator makes of it",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := ask(t, NewHandler(test.fake), test.path, test.request)
			message := ""
			if got.Result != nil {
				message = got.Result.Message
			}
			if got.Allowed != (test.refused == "") || message != test.refused {
				t.Errorf("allowed: %v: %q, want %q", got.Allowed, message, test.refused)
			}
			if diff := cmp.Diff(test.warnings, got.Warnings); diff != "" {
				t.Error(diff)
			}
		})
	}
	broken := ask(t, NewHandler(&fake{}), EnforcePath, request(func(r *admissionv1.AdmissionRequest) { r.Object.Raw = []byte(`{"spec":3}`) }))
	if !broken.Allowed || len(broken.Warnings) != 1 || !strings.Contains(broken.Warnings[0], "not reviewed: reading the object") {
		t.Errorf("an object of another form: %+v", broken)
	}
}

func TestHostileRequests(t *testing.T) {
	t.Parallel()
	h := NewHandler(&fake{cached: &controller.Review{}})
	for name, test := range map[string]struct {
		path, body string
		want       int
	}{
		"another path":          {"/", "{}", http.StatusNotFound},
		"a path below":          {"/warn/all", "{}", http.StatusNotFound},
		"nothing":               {"/warn", "", http.StatusBadRequest},
		"no review":             {"/warn", `{"kind":"Pod"}`, http.StatusBadRequest},
		"no request":            {"/warn", `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"}`, http.StatusBadRequest},
		"an old version":        {"/warn", `{"apiVersion":"admission.k8s.io/v1beta1","kind":"AdmissionReview","request":{"uid":"u"}}`, http.StatusBadRequest},
		"too much":              {"/warn", `{"apiVersion":"` + strings.Repeat("a", maxRequest) + `"}`, http.StatusBadRequest},
		"nested without an end": {"/warn", strings.Repeat("[", 1<<20), http.StatusBadRequest},
	} {
		if code, _ := post(t, h, test.path, test.body); code != test.want {
			t.Errorf("%s: got %d, want %d", name, code, test.want)
		}
	}
	recorder := httptest.NewRecorder()
	h.ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodGet, WarnPath, http.NoBody))
	if recorder.Code != http.StatusMethodNotAllowed {
		t.Errorf("GET: got %d", recorder.Code)
	}
	if len(h.slots) != 0 {
		t.Errorf("%d places were not given back", len(h.slots))
	}
}

// TestReviewsThatTakeTooLong are answered in time, and no more of them are under way
// than there are places.
func TestReviewsThatTakeTooLong(t *testing.T) {
	t.Parallel()
	f := &fake{cached: &controller.Review{}, hangs: make(chan struct{})}
	h := NewHandler(f)
	for range maxAtOnce {
		got := ask(t, h, EnforcePath+"?timeout=50ms", request())
		if !got.Allowed || len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "not reviewed: it took too long") {
			t.Fatalf("got %+v", got)
		}
	}
	code, _ := post(t, h, WarnPath+"?timeout=50ms", "{}")
	if code != http.StatusServiceUnavailable || f.asked.Load() != maxAtOnce {
		t.Errorf("one more: %d, after %d", code, f.asked.Load())
	}
	close(f.hangs)
	if got := ask(t, h, EnforcePath, request()); !got.Allowed || got.Warnings != nil {
		t.Errorf("after that: %+v", got)
	}
}

// TestASlowSenderDoesNotKeepAPlace longer than the API server would wait.
func TestASlowSenderDoesNotKeepAPlace(t *testing.T) {
	t.Parallel()
	h := NewHandler(&fake{cached: &controller.Review{}})
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	body, never := io.Pipe()
	t.Cleanup(func() { _ = never.Close() })
	sent, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/warn?timeout=50ms", body)
	if err != nil {
		t.Fatal(err)
	}
	response, err := server.Client().Do(sent)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusBadRequest || len(h.slots) != 0 {
		t.Errorf("got %d, and %d places are taken", response.StatusCode, len(h.slots))
	}
}

// TestWarningsStayWithinWhatAnAPIServerPasses on uncut: 4,096 characters for one
// request. Each is one line, the most serious come first, and nothing is left out
// without a word.
func TestWarningsStayWithinWhatAnAPIServerPasses(t *testing.T) {
	t.Parallel()
	for _, length := range []int{0, 10, 300, 5000} {
		for _, count := range []int{0, 1, 3, 7, 8, 9, 500} {
			review := &controller.Review{}
			for i := range min(count, 5) {
				review.Conditions = append(review.Conditions, unmet(fmt.Sprintf("Type%d", i), "Reason", strings.Repeat("ä\n\x1b", length)))
			}
			for i := range count {
				review.Warnings = append(review.Warnings, controller.ReviewFinding{
					Profile: "openai-responses", Finding: finding.Finding{Rule: "r", Severity: finding.Warning, Pointer: fmt.Sprintf("/%d", i), Message: strings.Repeat("<>\"", length), Fix: "mend it"},
				})
			}
			lines := warnings("ToolContract "+strings.Repeat("n", 63), review)
			all := 0
			for i, line := range lines {
				all += len(line)
				if finding.Printable(line) != line {
					t.Errorf("%q is not one line", line)
				}
				if i < min(len(review.Conditions), len(lines)-1) && !strings.Contains(line, fmt.Sprintf("Type%d", i)) {
					t.Errorf("%d: the most serious do not come first: %s", i, line)
				}
			}
			said := len(review.Conditions) + len(review.Warnings)
			if all > maxAll || len(lines) > maxWarnings+1 {
				t.Errorf("%d of length %d: %d lines of %d bytes", count, length, len(lines), all)
			}
			if rest := said - len(lines); rest > 0 && !strings.Contains(lines[len(lines)-1], fmt.Sprintf("and %d more; toolcontract check shows all", rest+1)) {
				t.Errorf("%d of length %d: the last line is %s", count, length, lines[len(lines)-1])
			}
			if rest := said - len(lines); rest < 0 {
				t.Errorf("%d lines for %d", len(lines), said)
			}
		}
	}
}
