// SPDX-License-Identifier: Apache-2.0

package admission

import (
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/operator"
)

// everyWrite does what a person may do with every kind of the operator and with
// ConfigMaps, and tells what fails.
func (w *world) everyWrite() error {
	objects := []client.Object{
		tool("1.0.0", inputInvalid),
		&v1alpha1.ToolSet{Spec: v1alpha1.ToolSetSpec{
			Tools:    []v1alpha1.ToolReference{{Contract: "find-order", Channel: "1"}},
			Profiles: []v1alpha1.SetProfile{{Profile: "openai-responses"}},
		}},
		&v1alpha1.ToolRevision{Spec: v1alpha1.ToolRevisionSpec{
			ContractRef: v1alpha1.ContractReference{Name: "find-order"}, Content: tool("9.0.0", inputFirst).Spec.ToolContent,
			ContentDigest: "sha256:0000000000000000000000000000000000000000000000000000000000000000", CheckerVersion: "1",
		}},
		&v1alpha1.ProviderProfile{Spec: v1alpha1.JSONObject{Raw: []byte(`{"extends":"openai-responses"}`)}},
		&corev1.ConfigMap{Data: map[string]string{"a": "b"}},
		&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{v1alpha1.LabelManagedBy: v1alpha1.ManagedBy}}},
	}
	ctx := w.Context()
	for i, object := range objects {
		object.SetName(fmt.Sprintf("%s-%d", w.namespace, i)) // profiles are of the whole cluster
		if _, cluster := object.(*v1alpha1.ProviderProfile); !cluster {
			object.SetNamespace(w.namespace)
		}
		if err := admin.Create(ctx, object); err != nil {
			return fmt.Errorf("creating %T: %w", object, err)
		}
		for _, patch := range []string{
			`{"metadata":{"labels":{"team":"orders"},"annotations":{"note":"new"},"finalizers":["example.com/wait"]}}`,
			`{"spec":{"targets":[{"profile":"anthropic-messages"}],"profiles":[{"profile":"anthropic-messages"}]}}`,
		} {
			if _, frozen := object.(*v1alpha1.ToolRevision); frozen && strings.Contains(patch, "spec") {
				continue
			}
			if err := admin.Patch(ctx, object, client.RawPatch("application/merge-patch+json", []byte(patch))); err != nil {
				return fmt.Errorf("patching %T: %w", object, err)
			}
		}
		if err := admin.Delete(ctx, object); err != nil {
			return fmt.Errorf("deleting %T: %w", object, err)
		}
		if err := admin.Patch(ctx, object, client.RawPatch("application/merge-patch+json", []byte(`{"metadata":{"finalizers":null}}`))); err != nil {
			return fmt.Errorf("letting go of %T: %w", object, err)
		}
	}
	return nil
}

// TestAnOperatorThatIsGoneBlocksNothing: its Deployment is scaled to zero, or its
// node is lost, with the configuration left behind in a namespace that refuses.
func TestAnOperatorThatIsGoneBlocksNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	_, stop := w.startOperator(plane.RESTConfig())
	w.answered()
	stop()
	if err := w.everyWrite(); err != nil {
		t.Error(err)
	}
	if err := w.failedOpen(); err != nil {
		t.Error(err)
	}
}

// failedOpen reports whether the API server has let a write through because the
// webhook of a configuration did not answer.
func (w *world) failedOpen() error {
	w.Helper()
	out, err := w.kubectl("", "get", "--raw", "/metrics")
	if err != nil {
		w.Fatal(out)
	}
	for line := range strings.SplitSeq(out, "\n") {
		if strings.HasPrefix(line, "apiserver_admission_webhook_fail_open_count{") && strings.Contains(line, `name="`+w.namespace+`.toolcontract.dev"`) {
			return nil
		}
	}
	return errors.New("the API server has not called the webhook in vain")
}

// TestACertificateThatNobodyTrustsBlocksNothing: the bundle is empty, or what is in
// it has expired.
func TestACertificateThatNobodyTrustsBlocksNothing(t *testing.T) {
	t.Parallel()
	served := newWorld(t, nil)
	c, _ := served.startOperator(plane.RESTConfig())
	served.answered()
	address := strings.TrimSuffix(strings.TrimPrefix(*c.Webhooks[0].ClientConfig.URL, "https://"), "/enforce")
	for _, bundle := range [][]byte{nil, expiredAuthority(t)} {
		w := newWorld(t, nil)
		untrusted := w.ownConfiguration(address)
		untrusted.Webhooks[0].ClientConfig.CABundle = bundle
		if err := admin.Update(t.Context(), untrusted); err != nil {
			t.Fatal(err)
		}
		w.eventually(func() error {
			if err := w.dryRun(tool("1.0.0", inputInvalid)); err != nil {
				t.Fatal(err)
			}
			return w.failedOpen()
		})
		if err := w.everyWrite(); err != nil {
			t.Error(err)
		}
	}
}

// TestOnlyTheOperatorsKindsAreAskedAbout, and nothing that cannot be asked about is
// refused.
func TestOnlyTheOperatorsKindsAreAskedAbout(t *testing.T) {
	t.Parallel()
	var c admissionregistrationv1.ValidatingWebhookConfiguration
	if err := admin.Get(t.Context(), client.ObjectKey{Name: configuration}, &c); err != nil {
		t.Fatal(err)
	}
	if len(c.Webhooks) != 2 {
		t.Errorf("there are %d webhooks", len(c.Webhooks))
	}
	for _, hook := range c.Webhooks {
		for _, rule := range hook.Rules {
			if !slices.Equal(rule.APIGroups, []string{v1alpha1.GroupVersion.Group}) || !slices.Equal(rule.Resources, []string{"toolcontracts", "toolsets"}) {
				t.Errorf("%s: %+v", hook.Name, rule)
			}
		}
		if *hook.FailurePolicy != admissionregistrationv1.Ignore || *hook.SideEffects != admissionregistrationv1.SideEffectClassNone ||
			*hook.TimeoutSeconds > 3 || len(hook.MatchConditions) != 2 {
			t.Errorf("%s: %+v", hook.Name, hook)
		}
	}
	var policies admissionregistrationv1.ValidatingAdmissionPolicyList
	if err := admin.List(t.Context(), &policies); err != nil || len(policies.Items) != 3 {
		t.Errorf("%d policies: %v", len(policies.Items), err)
	}
	for _, policy := range policies.Items {
		if *policy.Spec.FailurePolicy != admissionregistrationv1.Ignore {
			t.Errorf("%s: %+v", policy.Name, policy.Spec)
		}
		if policy.Status.TypeChecking != nil && len(policy.Status.TypeChecking.ExpressionWarnings) > 0 {
			t.Errorf("%s: %+v", policy.Name, policy.Status.TypeChecking)
		}
	}
}

// TestAnOperatorThatHangsBlocksNothing: the connection is taken and nothing comes
// back, as when its process is frozen.
func TestAnOperatorThatHangsBlocksNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	called := make(chan struct{}, 1)
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			defer connection.Close() // they stay open until the test ends
			select {
			case called <- struct{}{}:
			default:
			}
		}
	}()
	t.Cleanup(func() {
		if err := listener.Close(); err != nil {
			t.Error(err)
		}
	})
	c := w.ownConfiguration(listener.Addr().String())
	if limit := *c.Webhooks[0].TimeoutSeconds; limit > 3 {
		t.Errorf("whoever applies waits %d seconds", limit)
	}
	w.eventually(func() error {
		if err := w.dryRun(tool("1.0.0", inputInvalid)); err != nil {
			return err
		}
		select {
		case <-called:
			return nil
		default:
			return errors.New("nobody has called yet")
		}
	})
}

// TestABundleThatIsLostComesBack: Helm or a GitOps tool applies the configuration
// without it, again and again.
func TestABundleThatIsLostComesBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	c, _ := w.startOperator(plane.RESTConfig())
	w.answered()
	for _, wrong := range [][]byte{nil, expiredAuthority(t)} {
		w.eventually(func() error {
			if err := admin.Get(t.Context(), client.ObjectKeyFromObject(c), c); err != nil {
				return err
			}
			c.Webhooks[0].ClientConfig.CABundle = wrong
			return admin.Update(t.Context(), c)
		})
		w.eventually(func() error {
			if err := admin.Get(t.Context(), client.ObjectKeyFromObject(c), c); err != nil {
				return err
			}
			if n := len(authorities(t, c)); n != 1 {
				return fmt.Errorf("the bundle holds %d authorities", n)
			}
			return nil
		})
		w.answered()
	}
}

// TestApplyingTheConfigurationAgainKeepsTheBundle: with server-side apply, as Helm
// and GitOps tools do it, the bundle is the operator's field.
func TestApplyingTheConfigurationAgainKeepsTheBundle(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	c, _ := w.startOperator(plane.RESTConfig())
	w.answered()
	manifest := fmt.Sprintf(`apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: %s}
webhooks:
- name: %s
  clientConfig: {url: %q}
  rules: [{apiGroups: [toolcontract.dev], apiVersions: [v1alpha1], operations: [CREATE, UPDATE], resources: [toolcontracts, toolsets], scope: Namespaced}]
  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %s}}
  admissionReviewVersions: [v1]
  failurePolicy: Ignore
  sideEffects: None
  timeoutSeconds: 2
`, c.Name, c.Webhooks[0].Name, *c.Webhooks[0].ClientConfig.URL, w.namespace)
	for range 2 {
		w.apply(manifest, "--server-side", "--force-conflicts", "--field-manager=gitops")
		if err := admin.Get(t.Context(), client.ObjectKeyFromObject(c), c); err != nil {
			t.Fatal(err)
		}
		if len(authorities(t, c)) != 1 || *c.Webhooks[0].TimeoutSeconds != 2 {
			t.Errorf("after applying it again: %+v", c.Webhooks[0])
		}
	}
}

// TestReplicasShareTheConfiguration: none of them leads, and each answers with a
// certificate of its own.
func TestReplicasShareTheConfiguration(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	c, stop := w.startOperator(plane.RESTConfig())
	w.answered()
	address, err := freeAddress(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// The second one works with the configuration of the first.
	w.startOperatorOf(c, plane.RESTConfig(), address)
	w.eventually(func() error {
		if err := admin.Get(t.Context(), client.ObjectKeyFromObject(c), c); err != nil {
			return err
		}
		if n := len(authorities(t, c)); n != 2 {
			return fmt.Errorf("the bundle holds %d authorities", n)
		}
		return nil
	})
	w.eventually(func() error {
		if err := admin.Get(t.Context(), client.ObjectKeyFromObject(c), c); err != nil {
			return err
		}
		c.Webhooks[0].ClientConfig.URL = new("https://" + address + "/enforce")
		return admin.Update(t.Context(), c)
	})
	stop() // only the second one is left
	w.answered()
	// A profile of the cluster that the leader has put in force is known here too.
	profile, err := os.ReadFile("../../config/samples/profiles/house-gateway.yaml")
	if err != nil {
		t.Fatal(err)
	}
	w.apply(string(profile))
	w.eventually(func() error {
		out := w.apply(strings.Replace(manifest("1.0.0", inputFirst), "openai-responses", "house-gateway", 1), "--dry-run=server")
		if strings.Contains(out, "UnknownProfile") {
			return fmt.Errorf("kubectl printed %s", out)
		}
		return nil
	})
	w.answered()
}

// TestCertificatesAreReplacedWithoutAGap: every write is answered while one is.
func TestCertificatesAreReplacedWithoutAGap(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	c, _ := w.startOperator(plane.RESTConfig(), func(o *operator.Options) {
		o.CertificateLifetime, o.CertificateSettle = 12*time.Second, time.Second
	})
	w.answered()
	first := ""
	both := false
	w.eventually(func() error {
		if w.dryRun(tool("1.0.0", inputInvalid)) == nil {
			t.Fatal("a write was not answered")
		}
		if err := admin.Get(t.Context(), client.ObjectKeyFromObject(c), c); err != nil {
			return err
		}
		have := authorities(t, c)
		if first == "" {
			first = have[0]
		}
		both = both || len(have) == 2 && have[0] == first
		if len(have) != 1 || have[0] == first {
			return fmt.Errorf("the bundle still holds the first authority: %d", len(have))
		}
		return nil
	})
	if !both {
		t.Error("the successor was not announced before it was served")
	}
	for range 20 { // by now with the successor
		if w.dryRun(tool("1.0.0", inputInvalid)) == nil {
			t.Fatal("a write was not answered")
		}
	}
}

// TestTheOperatorMayWriteOneConfiguration and no other.
func TestTheOperatorMayWriteOneConfiguration(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	c := w.ownConfiguration("127.0.0.1:1")
	manager := w.as(managerUser)
	if err := manager.Patch(t.Context(), c, client.RawPatch("application/merge-patch+json", []byte(`{"metadata":{"labels":{"a":"b"}}}`))); err == nil {
		t.Error("it may write the configuration of others")
	}
	if err := manager.List(t.Context(), &admissionregistrationv1.ValidatingWebhookConfigurationList{}); err == nil {
		t.Error("it may list the configurations of others")
	}
	if err := manager.List(t.Context(), &corev1.SecretList{}); err == nil {
		t.Error("it may read Secrets")
	}
	var own admissionregistrationv1.ValidatingWebhookConfiguration
	w.eventually(func() error { // with the rights of config/admission alone
		if err := admin.Get(t.Context(), client.ObjectKey{Name: configuration}, &own); err != nil {
			return err
		}
		if len(authorities(t, &own)) != 1 {
			return errors.New("it has not written its own configuration")
		}
		return nil
	})
}
