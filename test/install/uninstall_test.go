// SPDX-License-Identifier: Apache-2.0

package install

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// TestUninstalled removes the operator in every order that there is. What is removed
// is gone in the time that the API server and its controllers need, whether the
// operator runs or not, because no finalizer holds anything and no webhook is asked.
// What is left is taken up again by the next installation: no new revision, and not
// a byte changed.
func TestUninstalled(t *testing.T) {
	const shop = "kept"
	for _, test := range []struct {
		name string
		// remove ends with everything gone that the order is about.
		remove func(t *testing.T, p *process)
		// contractsStay says that contracts and what is published survive.
		contractsStay bool
	}{
		{"operator, then CRDs kept by their chart", func(t *testing.T, p *process) {
			before := picture(t, shop)
			stop(t, p)
			uninstall(t, home, "toolcontract-operator", "toolcontract-crds")
			if diff := cmp.Diff(before, picture(t, shop)); diff != "" {
				t.Errorf("uninstalling changed (-before +after):\n%s", diff)
			}
		}, true},
		{"operator, then CRDs", func(t *testing.T, p *process) {
			stop(t, p)
			uninstall(t, home, "toolcontract-operator", "toolcontract-crds")
			removeCRDs(t)
			wantNothingPublished(t, shop)
			installOperator(t, home)
			wantsKinds(t, start(t, home, manager()))
		}, false},
		{"CRDs, then operator", func(t *testing.T, p *process) {
			removeCRDs(t)
			wantNothingPublished(t, shop)
			if err := p.isRunning(); err != nil {
				t.Error(err) // and so can be stopped below
			}
			stop(t, p)
			uninstall(t, home, "toolcontract-operator", "toolcontract-crds")
		}, false},
		{"namespace first", func(t *testing.T, p *process) {
			before := picture(t, shop)
			stop(t, p)
			remove(t, "namespace", home) // with the operator, and what Helm knows of it
			if diff := cmp.Diff(before, picture(t, shop)); diff != "" {
				t.Errorf("removing the operator's namespace changed (-before +after):\n%s", diff)
			}
			remove(t, "namespace", shop+"-too") // with contracts in it, and nobody to look after them
			namespaceFor(t, home)
		}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Cleanup(func() { uninstall(t, home, "toolcontract-operator", "toolcontract-crds") })
			namespaceFor(t, home)
			installCharts(t)
			p := start(t, home, manager())
			for _, name := range []string{shop, shop + "-too"} {
				namespaceFor(t, name)
				applySamples(t, name)
			}
			before := picture(t, shop)

			test.remove(t, p)

			installCharts(t)
			must(t, kube, "wait", "--for=condition=Established", "--timeout=60s", "crd", "--all")
			start(t, home, manager())
			if !test.contractsStay {
				applySamples(t, shop)
				return
			}
			// A change of delivery makes the operator say something new of the old contracts.
			must(t, kube, "patch", "toolcontract", "get-inventory", "--namespace", shop, "--type=merge", "--patch", `{"spec":{"servedLines":3}}`)
			must(t, kube, "wait", "toolcontract/get-inventory", "--namespace", shop, "--for=jsonpath={.status.observedGeneration}=2", "--timeout="+patience.String())
			wantReady(t, shop)
			after := picture(t, shop)
			for _, p := range []map[string]map[string]any{before, after} { // what was patched is compared without that
				delete(p, "ToolContract "+shop+"/get-inventory")
			}
			wantSame(t, "installed again", before, after)
		})
	}
}

func stop(t *testing.T, p *process) {
	t.Helper()
	if err := p.stop(); err != nil {
		t.Errorf("stopping the manager: %v", err)
	}
}

// removeCRDs deletes the CRDs and with them every object.
func removeCRDs(t *testing.T) {
	t.Helper()
	must(t, kube, "delete", "--timeout="+patience.String(), "--kustomize", root("config/crd"))
	for _, gvk := range ours {
		if gvk.Kind != "ConfigMap" {
			eventually(t, func() error { return isGone(t.Context(), gvk) })
		}
	}
}

// wantNothingPublished: ConfigMaps go with the contracts that own them.
func wantNothingPublished(t *testing.T, namespace string) {
	t.Helper()
	eventually(t, func() error {
		var published corev1.ConfigMapList
		err := admin.List(t.Context(), &published, client.InNamespace(namespace), client.MatchingLabels{v1alpha1.LabelManagedBy: v1alpha1.ManagedBy})
		if err == nil && len(published.Items) > 0 {
			err = fmt.Errorf("%d ConfigMaps are left", len(published.Items))
		}
		return err
	})
}

// wantsKinds: without the CRDs the manager ends and says what is missing. Kubernetes
// starts it again until they are there.
func wantsKinds(t *testing.T, p *process) {
	t.Helper()
	err := <-p.done
	p.cmd = nil
	if err == nil || !strings.Contains(p.log.String(), "install the CRDs of this version of the operator") {
		t.Errorf("without the CRDs: %v\n%s", err, tail(p.log.String()))
	}
}
