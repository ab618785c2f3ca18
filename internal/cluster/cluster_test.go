// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// kubeconfig writes a file with two contexts of a server.
func kubeconfig(t *testing.T, server string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config")
	text := fmt.Sprintf(`{"apiVersion":"v1","kind":"Config","current-context":"one",
		"clusters":[{"name":"c","cluster":{"server":%q}}],"users":[{"name":"u","user":{}}],
		"contexts":[{"name":"one","context":{"cluster":"c","user":"u","namespace":"payments"}},
		            {"name":"two","context":{"cluster":"c","user":"u"}}]}`, server)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRevisions(t *testing.T) {
	t.Parallel()
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path+"?"+r.URL.Query().Encode())
		w.Header().Set("Content-Type", "application/json")
		switch {
		case strings.Contains(r.URL.Path, "/forbidden/"):
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprint(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"toolrevisions is forbidden","reason":"Forbidden","code":403}`)
		case r.URL.Query().Get("continue") == "":
			fmt.Fprint(w, `{"metadata":{"continue":"more"},"items":[{"a":1.0}]}`)
		default:
			fmt.Fprint(w, `{"metadata":{},"items":[{"b":2}]}`)
		}
	}))
	t.Cleanup(server.Close)
	file := kubeconfig(t, server.URL)

	namespace, revisions, err := Revisions(t.Context(), Options{Kubeconfig: file}, "refund")
	if err != nil || namespace != "payments" || len(revisions) != 2 || string(revisions[0]) != `{"a":1.0}` || string(revisions[1]) != `{"b":2}` {
		t.Errorf("got %q, %s, %v", namespace, revisions, err)
	}
	for _, o := range []Options{{Kubeconfig: file, Context: "two"}, {Kubeconfig: file, Namespace: "shop"}} {
		if _, _, err := Revisions(t.Context(), o, "refund"); err != nil {
			t.Error(err)
		}
	}
	const path, query = "/apis/toolcontract.dev/v1alpha1/namespaces/%s/toolrevisions?", "labelSelector=toolcontract.dev%2Fcontract%3Drefund&limit=100"
	var want []string
	for _, n := range []string{"payments", "default", "shop"} {
		want = append(want, fmt.Sprintf(path, n)+query, fmt.Sprintf(path, n)+"continue=more&"+query)
	}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Error(diff)
	}

	_, _, err = Revisions(t.Context(), Options{Kubeconfig: file, Namespace: "forbidden"}, "refund")
	if err == nil || !strings.Contains(err.Error(), "listing ToolRevisions in namespace forbidden: toolrevisions is forbidden") {
		t.Errorf("got %v", err)
	}
	for name, o := range map[string]Options{
		"a context that is not there": {Kubeconfig: file, Context: "three"},
		"a file that is not there":    {Kubeconfig: file + "x"},
	} {
		if _, _, err := Revisions(t.Context(), o, "refund"); err == nil || !strings.Contains(err.Error(), "reading the kubeconfig: ") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
