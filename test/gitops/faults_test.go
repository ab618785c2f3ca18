// SPDX-License-Identifier: Apache-2.0

package gitops

import (
	"context"
	"errors"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// policy refuses every new ConfigMap of a namespace, as an administrator's policy
// may. The reason makes it a refusal that may pass.
const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: NAMESPACE}
spec:
  failurePolicy: Fail
  matchConstraints:
    namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NAMESPACE}}
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
  validations: [{expression: "false", message: no ConfigMaps today, reason: Forbidden}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: NAMESPACE}
spec: {policyName: NAMESPACE, validationActions: [Deny]}
`

// forbidConfigMaps returns when no ConfigMap can be created in the namespace any
// more.
func (w *world) forbidConfigMaps() {
	w.Helper()
	if out, err := w.kubectl(w.Context(), strings.ReplaceAll(policy, "NAMESPACE", w.namespace), "apply", "-f", "-"); err != nil {
		w.Fatalf("%v: %s", err, out)
	}
	w.Cleanup(w.removePolicy)
	w.eventually(func() error {
		try := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: "try"}}
		if err := w.admin.Create(w.Context(), try, client.DryRunAll); !apierrors.IsForbidden(err) {
			return fmt.Errorf("the policy is not in force: %w", errors.Join(err))
		}
		return nil
	})
}

func (w *world) allowConfigMaps() {
	w.Helper()
	w.removePolicy()
}

func (w *world) removePolicy() {
	ctx := context.Background() // that of the test may have ended
	if out, err := w.kubectl(ctx, strings.ReplaceAll(policy, "NAMESPACE", w.namespace), "delete", "--ignore-not-found", "-f", "-"); err != nil {
		w.Errorf("%v: %s", err, out)
	}
}

// removeProfiles deletes the profiles of this recording: they are of the whole
// cluster.
func (r *recorder) removeProfiles() {
	ctx := context.Background() // that of the test has ended
	var list v1alpha1.ProviderProfileList
	if err := r.admin.List(ctx, &list); err != nil {
		r.Error(err)
	}
	for i := range list.Items {
		if strings.HasPrefix(list.Items[i].Name, r.prefix) {
			if err := client.IgnoreNotFound(r.admin.Delete(ctx, &list.Items[i])); err != nil {
				r.Error(err)
			}
		}
	}
}
