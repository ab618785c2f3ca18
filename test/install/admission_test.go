// SPDX-License-Identifier: Apache-2.0

package install

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
)

// refused is a contract that the operator finds wrong.
const refused = "config/samples/refused/no-strict-provider.yaml"

// TestAdmission installs the chart with everything that the API server asks or judges.
// The operator writes its certificate authority with the rights that were installed,
// and kubectl shows its findings. What the API server cannot reach it does without.
func TestAdmission(t *testing.T) {
	namespaceFor(t, home)
	installCharts(t, "admission.enabled=true", "protection.enabled=true")
	t.Cleanup(func() { uninstall(t, home, "toolcontract-operator", "toolcontract-crds") })
	shop := namespaceFor(t, "asked")
	p := start(t, home, manager())

	// No node runs the Service, so nobody answers, and nothing is held up.
	applySamples(t, shop)
	if out, err := apply(t, shop); err != nil || strings.Contains(out, "Warning:") {
		t.Errorf("with a webhook that does not answer: %v: %s", err, out)
	}

	// By its address the API server reaches the process.
	url := "https://" + p.webhook
	must(t, kube, "patch", "validatingwebhookconfiguration", "toolcontract-admission", "--type=json", "--patch",
		`[{"op":"replace","path":"/webhooks/0/clientConfig","value":{"url":"`+url+`/warn"}},{"op":"replace","path":"/webhooks/1/clientConfig","value":{"url":"`+url+`/enforce"}}]`)
	eventually(t, func() error {
		var configuration admissionregistrationv1.ValidatingWebhookConfiguration
		get(t, "", "toolcontract-admission", &configuration)
		for _, webhook := range configuration.Webhooks {
			if len(webhook.ClientConfig.CABundle) == 0 {
				return errors.New("the operator has not written its certificate authority into " + webhook.Name)
			}
		}
		out, err := apply(t, shop)
		if err != nil || !strings.Contains(out, "Warning:") {
			return errors.New("no warning: " + out)
		}
		return nil
	})
	if strings.Contains(p.log.String(), "forbidden") {
		t.Errorf("the operator lacks a right:\n%s", p.log)
	}

	stop(t, p)
	if out, err := apply(t, shop); err != nil {
		t.Errorf("with the operator gone: %v: %s", err, out)
	}
}

// apply asks for the refused contract, without storing it, and returns what kubectl
// prints, warnings too.
func apply(t *testing.T, namespace string) (string, error) {
	t.Helper()
	text, err := os.ReadFile(root(refused))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(binDir, "kubectl"), "--kubeconfig", plane.KubeconfigPath,
		"apply", "--server-side", "--dry-run=server", "--namespace", namespace, "--filename=-")
	cmd.Stdin = bytes.NewReader(text)
	out, err := cmd.CombinedOutput()
	return string(out), err
}
