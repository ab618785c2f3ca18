// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/snapshot"
)

// server answers lists by their paths, and refuses the rest.
func server(t *testing.T, lists map[string]string) (kubeconfigFile string, asked func() []string) {
	t.Helper()
	var mutex sync.Mutex
	var paths []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		paths = append(paths, r.URL.Path)
		mutex.Unlock()
		w.Header().Set("Content-Type", "application/json")
		list, ok := lists[r.URL.Path]
		if !ok {
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprint(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"it is forbidden","reason":"Forbidden","code":403}`)
			return
		}
		if list == "broken" {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		items, next := list, ""
		if first, rest, more := strings.Cut(list, "|"); more { // two pages
			if r.URL.Query().Get("continue") == "" {
				items, next = first, "more"
			} else {
				items = rest
			}
		}
		fmt.Fprintf(w, `{"metadata":{"continue":%q},"items":[%s]}`, next, items)
	}))
	t.Cleanup(s.Close)
	return kubeconfig(t, s.URL), func() []string {
		mutex.Lock()
		defer mutex.Unlock()
		return slices.Compact(slices.Sorted(slices.Values(paths)))
	}
}

const (
	contracts = "/apis/toolcontract.dev/v1alpha1/namespaces/payments/toolcontracts"
	pod       = `{"metadata":{"name":"agent-1-x","namespace":"payments","ownerReferences":[{"kind":"ReplicaSet","name":"agent-1","controller":true}]},"spec":{"volumes":[{"configMap":{"name":"find-order-v1"}}]}}`
	replicas  = `{"metadata":{"name":"agent-1","namespace":"payments","ownerReferences":[{"kind":"Deployment","name":"agent","controller":true}]},"spec":{"template":{"spec":{"volumes":[{"configMap":{"name":"find-order-v1"}}]}}}}`
	deployed  = `{"metadata":{"name":"agent","namespace":"payments"},"spec":{"template":{"spec":{"volumes":[{"configMap":{"name":"find-order-v1"}},{"configMap":{"name":"desk.openai-responses"}}]}}}}`
)

func TestSnapshot(t *testing.T) {
	t.Parallel()
	file, asked := server(t, map[string]string{
		contracts: `{"metadata":{"name":"b","namespace":"payments"}}|{"metadata":{"name":"a","namespace":"payments"},"spec":{"allowedNamespaces":{"from":"Selector"}}}`,
		"/apis/toolcontract.dev/v1alpha1/namespaces/payments/toolsets":      `{"metadata":{"name":"desk","namespace":"payments"}}`,
		"/apis/toolcontract.dev/v1alpha1/namespaces/payments/toolrevisions": `{"metadata":{"name":"b-v1.0.0","namespace":"payments"},"spec":{"content":{"input":{"schemaText":"{\"minimum\": 1.0}"}}}}`,
		"/api/v1/namespaces/payments/configmaps": `{"metadata":{"name":"a-v1","namespace":"payments","labels":{"l":"1"},"annotations":{"x":"y"},"ownerReferences":[{"apiVersion":"toolcontract.dev/v1alpha1","kind":"ToolContract","name":"a","uid":"1","controller":true}]},
			"immutable":true,"data":{"f":"1.0"},"binaryData":{"b":"AA=="}}`,
		"/api/v1/namespaces/payments/pods":              pod,
		"/apis/apps/v1/namespaces/payments/replicasets": replicas,
		"/apis/apps/v1/namespaces/payments/deployments": deployed,
		"/api/v1/namespaces":                            `{"metadata":{"name":"payments","labels":{"team":"blue"}}}`,
	})
	got, err := Snapshot(t.Context(), Options{Kubeconfig: file}, snapshot.Wanted{Namespaces: []string{"", "payments"}, Published: true, Workloads: true})
	if err != nil {
		t.Fatal(err)
	}
	if got.Namespace != "payments" || len(got.Contracts) != 2 || got.Contracts[0].Name != "a" || len(got.Sets) != 1 || got.NamespaceLabels["payments"]["team"] != "blue" ||
		len(got.Revisions) != 1 || got.Revisions[0].Spec.Content.Input.SchemaText != `{"minimum": 1.0}` {
		t.Errorf("got %+v", got)
	}
	if diff := cmp.Diff([]snapshot.PublishedConfigMap{{
		Namespace: "payments", Name: "a-v1", Labels: map[string]string{"l": "1"}, Annotations: map[string]string{"x": "y"},
		Controller: snapshot.Controller{APIVersion: "toolcontract.dev/v1alpha1", Kind: "ToolContract", Name: "a", UID: "1"},
		Immutable:  true, Data: map[string]string{"f": "1.0"}, Binary: true,
	}}, got.Published); diff != "" {
		t.Errorf("published (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]snapshot.Workload{{Kind: "Deployment", Namespace: "payments", Name: "agent", ConfigMaps: []string{"desk.openai-responses", "find-order-v1"}}}, got.Workloads); diff != "" {
		t.Errorf("workloads (-want +got):\n%s", diff)
	}
	var denied []string
	for _, d := range got.Denied {
		denied = append(denied, d.String())
	}
	want := []string{
		"statefulsets.apps in namespace payments: it is forbidden", "daemonsets.apps in namespace payments: it is forbidden",
		"jobs.batch in namespace payments: it is forbidden", "cronjobs.batch in namespace payments: it is forbidden",
		"providerprofiles.toolcontract.dev in all namespaces: it is forbidden",
	}
	if diff := cmp.Diff(want, denied); diff != "" {
		t.Errorf("denied (-want +got):\n%s", diff)
	}
	if slices.Contains(asked(), "/api/v1/pods") {
		t.Error("another namespace was read")
	}
}

// TestSnapshotWithFewRights reads contracts alone, and asks for nothing that is not
// wanted.
func TestSnapshotWithFewRights(t *testing.T) {
	t.Parallel()
	file, asked := server(t, map[string]string{contracts: ""})
	got, err := Snapshot(t.Context(), Options{Kubeconfig: file}, snapshot.Wanted{})
	if err != nil || len(got.Denied) != 3 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, denied := got.DeniedFor("toolsets.toolcontract.dev"); !denied {
		t.Error("the sets were not denied")
	}
	for _, path := range asked() {
		if !strings.HasPrefix(path, "/apis/toolcontract.dev/") {
			t.Errorf("%s was read", path)
		}
	}
}

func TestSnapshotFails(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		lists map[string]string
		want  string
	}{
		"no contracts":    {nil, "listing toolcontracts.toolcontract.dev in namespace payments: it is forbidden"},
		"a broken server": {map[string]string{contracts: "broken"}, "listing toolcontracts.toolcontract.dev: "},
		"a broken object": {map[string]string{contracts: `{"spec":[]}`}, "listing toolcontracts.toolcontract.dev: "},
	} {
		file, _ := server(t, test.lists)
		if _, err := Snapshot(t.Context(), Options{Kubeconfig: file}, snapshot.Wanted{}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if _, err := Snapshot(t.Context(), Options{Kubeconfig: "/nowhere"}, snapshot.Wanted{}); err == nil || !strings.Contains(err.Error(), "reading the kubeconfig: ") {
		t.Errorf("got %v", err)
	}
}
