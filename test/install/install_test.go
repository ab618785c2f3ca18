// SPDX-License-Identifier: Apache-2.0

package install

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// TestInstalled installs the operator for the whole cluster, each way, and sees it
// work with nothing but what was installed.
func TestInstalled(t *testing.T) {
	for name, install := range map[string]func(*testing.T){
		"charts": func(t *testing.T) {
			namespaceFor(t, home)
			installCharts(t)
			t.Cleanup(func() { uninstall(t, home, "toolcontract-operator", "toolcontract-crds") })
		},
		"two replicas": func(t *testing.T) {
			namespaceFor(t, home)
			installCharts(t, "replicas=2", "networkPolicy.enabled=true", "trackMounts=true", "tolerations[0].key=x", "podLabels.team=tools", "imagePullSecrets[0].name=pull", "extraArgs[0]=--concurrent=2")
			t.Cleanup(func() { uninstall(t, home, "toolcontract-operator", "toolcontract-crds") })
		},
		"kustomize": func(t *testing.T) {
			must(t, kube, "apply", "--server-side", "--force-conflicts", "--kustomize", root("config/default"))
			t.Cleanup(removeKustomized(t, "default"))
			wantPod(t, home)
		},
	} {
		t.Run(name, func(t *testing.T) {
			install(t)
			p := start(t, home, manager())
			shop := namespaceFor(t, "shop")
			applySamples(t, shop)
			wantLease(t, home)
			wantEvents(t, shop)
			wantMetrics(t, p)
			if strings.Contains(p.log.String(), "forbidden") {
				t.Errorf("the operator lacks a right:\n%s", p.log)
			}
			if err := p.isRunning(); err != nil {
				t.Error(err)
			}
		})
	}
}

// removeKustomized deletes what kustomize makes of a folder of config/, the CRDs
// apart: other tests need them, and the garbage collector learns late of new ones.
func removeKustomized(t *testing.T, folder string) func() {
	manifests := must(t, kube, "kustomize", root("config/"+folder))
	var kept []string
	for manifest := range strings.SplitSeq(manifests, "\n---\n") {
		if !strings.Contains(manifest, "\nkind: CustomResourceDefinition\n") {
			kept = append(kept, manifest)
		}
	}
	return func() {
		if out, err := kubectl(context.Background(), strings.Join(kept, "\n---\n"), "delete", "--ignore-not-found", "--filename=-"); err != nil {
			t.Errorf("removing config/%s: %v: %s", folder, err, out)
		}
	}
}

// wantLease: the manager holds the lease of its Deployment.
func wantLease(t *testing.T, namespace string) {
	t.Helper()
	eventually(t, func() error {
		var lease coordinationv1.Lease
		if err := admin.Get(t.Context(), types.NamespacedName{Namespace: namespace, Name: "toolcontract-operator.toolcontract.dev"}, &lease); err != nil {
			return err
		}
		if lease.Spec.HolderIdentity == nil || *lease.Spec.HolderIdentity == "" {
			return errors.New("nobody holds the lease")
		}
		return nil
	})
}

func wantEvents(t *testing.T, namespace string) {
	t.Helper()
	eventually(t, func() error {
		var events eventsv1.EventList
		if err := admin.List(t.Context(), &events, client.InNamespace(namespace)); err != nil {
			return err
		}
		for _, event := range events.Items {
			if event.ReportingController == v1alpha1.ManagedBy {
				return nil
			}
		}
		return fmt.Errorf("none of %d events is the operator's", len(events.Items))
	})
}

// wantMetrics: whoever has the role metrics-reader reads metrics, nobody else does.
// To know, the manager asks the API server, for which it needs rights as well.
func wantMetrics(t *testing.T, p *process) {
	t.Helper()
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "scraper", Namespace: "shop"}}
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "scraper"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "toolcontract-metrics-reader"},
		Subjects:   []rbacv1.Subject{{Kind: "ServiceAccount", Name: account.Name, Namespace: account.Namespace}},
	}
	if err := admin.Create(t.Context(), account); err != nil {
		t.Fatal(err)
	}
	if status, body := scrape(t, p, token(t, "shop", "scraper")); status != http.StatusForbidden {
		t.Errorf("without the role: %d %s", status, body)
	}
	if err := admin.Create(t.Context(), binding); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { remove(t, "clusterrolebinding", "scraper") })
	if status, _ := scrape(t, p, ""); status != http.StatusUnauthorized {
		t.Errorf("without a token: %d", status)
	}
	eventually(t, func() error { // the answer "no" is remembered for some seconds
		status, body := scrape(t, p, token(t, "shop", "scraper"))
		if status != http.StatusOK || !strings.Contains(body, "controller_runtime_reconcile_total") {
			return fmt.Errorf("with the role: %d %s", status, body[:min(len(body), 200)])
		}
		return nil
	})
}

// scrape reads the metrics of a manager.
func scrape(t *testing.T, p *process, token string) (status int, body string) {
	t.Helper()
	status, body, err := read(t, p, token)
	if err != nil {
		t.Fatal(err)
	}
	return status, body
}

// read is scrape for a manager that may not listen yet.
func read(t *testing.T, p *process, token string) (status int, body string, err error) {
	t.Helper()
	// The certificate is the manager's own and new at each start.
	web := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true}}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+p.metrics+"/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := web.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return response.StatusCode, string(text), err
}
