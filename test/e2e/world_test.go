// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/controller"
	"github.com/toolcontract/operator/internal/localplane"
	"github.com/toolcontract/operator/internal/operator"
)

// world is a namespace of its own, with an operator if it was started.
type world struct {
	*testing.T
	namespace string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "t-"}}
	if err := admin.Create(t.Context(), ns); err != nil {
		t.Fatal(err)
	}
	w := &world{T: t, namespace: ns.Name}
	t.Cleanup(w.checkStatuses)
	return w
}

// startOperator runs the operator for this namespace until stop is called or
// the test ends.
func (w *world) startOperator() (stop func()) {
	return w.startOperatorWith(managerConfig(w.T))
}

// startOperatorWith runs the operator with another client configuration or
// other options. ProviderProfiles are of the whole cluster, and other tests have
// theirs: it ignores them unless an option says otherwise.
func (w *world) startOperatorWith(config *rest.Config, adjust ...func(*operator.Options)) (stop func()) {
	w.Helper()
	options := operator.Options{Namespace: w.namespace, Concurrency: 4, Repeated: true, ProviderProfiles: controller.IgnoreProfiles}
	for _, set := range adjust {
		set(&options)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- operator.Run(ctx, config, options) }()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-done; err != nil && ctx.Err() == nil {
			w.Errorf("the operator ended with %v", err)
		}
	}
	w.Cleanup(stop)
	return stop
}

// apply applies a manifest with kubectl and fails the test if it is refused.
func (w *world) apply(manifest string, flags ...string) {
	w.Helper()
	out, err := kubectl(w.Context(), manifest, append([]string{"apply", "-n", w.namespace, "-f", "-"}, flags...)...)
	if err != nil {
		w.Fatalf("kubectl apply: %v\n%s", err, out)
	}
}

// contract reads a contract.
func (w *world) contract(name string) *v1alpha1.ToolContract {
	w.Helper()
	var c v1alpha1.ToolContract
	if err := admin.Get(w.Context(), client.ObjectKey{Namespace: w.namespace, Name: name}, &c); err != nil {
		w.Fatal(err)
	}
	return &c
}

// settled waits until the operator has said its last word about a contract.
func (w *world) settled(name string) *v1alpha1.ToolContract {
	w.Helper()
	var c *v1alpha1.ToolContract
	w.eventually(func() error {
		c = w.contract(name)
		return final(c)
	})
	return c
}

// final says what is missing until a contract's status is about its current
// generation and the operator does not intend to come back.
func final(c *v1alpha1.ToolContract) error {
	if c.Status.ObservedGeneration != c.Generation {
		return fmt.Errorf("%s: observed generation %d of %d", c.Name, c.Status.ObservedGeneration, c.Generation)
	}
	if meta.FindStatusCondition(c.Status.Conditions, v1alpha1.ConditionReady) == nil ||
		meta.IsStatusConditionTrue(c.Status.Conditions, v1alpha1.ConditionReconciling) {
		return fmt.Errorf("%s: still reconciling: %s", c.Name, conditions(c))
	}
	return nil
}

// wantCondition fails the test unless a condition has this status and reason.
func (w *world) wantCondition(c *v1alpha1.ToolContract, kind string, status metav1.ConditionStatus, reason string) metav1.Condition {
	w.Helper()
	got := meta.FindStatusCondition(c.Status.Conditions, kind)
	if got == nil || got.Status != status || got.Reason != reason {
		w.Fatalf("%s: want %s=%s/%s, got\n%s", c.Name, kind, status, reason, conditions(c))
	}
	return *got
}

func conditions(c *v1alpha1.ToolContract) string {
	var b strings.Builder
	for _, condition := range c.Status.Conditions {
		fmt.Fprintf(&b, "  %s=%s/%s: %s\n", condition.Type, condition.Status, condition.Reason, condition.Message)
	}
	return b.String()
}

// configMap reads a ConfigMap.
func (w *world) configMap(name string) *corev1.ConfigMap {
	w.Helper()
	var cm corev1.ConfigMap
	if err := admin.Get(w.Context(), client.ObjectKey{Namespace: w.namespace, Name: name}, &cm); err != nil {
		w.Fatal(err)
	}
	return &cm
}

// eventually looks until the check passes, whenever something has changed in the
// namespace, and fails the test with its last complaint after a minute. Nothing
// here asserts how long things take.
func (w *world) eventually(check func() error) {
	w.Helper()
	deadline := time.Now().Add(time.Minute)
	for pause := gathering; ; pause = min(2*pause, lookAnyway) {
		next := changed.next(w.namespace) // before the look: no change is missed
		err := check()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			w.Fatal(err)
		}
		select {
		case <-next:
			time.Sleep(pause)
		case <-time.After(lookAnyway):
		}
	}
}

// writes returns what the operator wrote in this namespace, as the API
// server's audit log has it.
func (w *world) writes() []localplane.Write {
	w.Helper()
	all, err := plane.Writes(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	var out []localplane.Write
	for _, write := range all {
		if write.User == managerUser && write.Namespace == w.namespace && write.Resource != "leases" && write.Resource != "events" {
			out = append(out, write)
		}
	}
	return out
}

// objects is everything the operator made in this namespace, without what
// differs between two undisturbed runs: uids, times, versions.
func (w *world) objects() string {
	w.Helper()
	var b strings.Builder
	var revisions v1alpha1.ToolRevisionList
	var configMaps corev1.ConfigMapList
	for _, list := range []client.ObjectList{&revisions, &configMaps} {
		if err := admin.List(w.Context(), list, client.InNamespace(w.namespace), client.MatchingLabels{v1alpha1.LabelManagedBy: v1alpha1.ManagedBy}); err != nil {
			w.Fatal(err)
		}
	}
	for _, r := range revisions.Items {
		fmt.Fprintf(&b, "ToolRevision %s %s\n", r.Name, mustJSON(w.T, r.Spec))
	}
	for _, cm := range configMaps.Items {
		fmt.Fprintf(&b, "ConfigMap %s immutable=%v labels=%s annotations=%s data=%s binaryData=%s\n", cm.Name,
			cm.Immutable != nil && *cm.Immutable, mustJSON(w.T, cm.Labels), mustJSON(w.T, cm.Annotations), mustJSON(w.T, cm.Data), mustJSON(w.T, cm.BinaryData))
	}
	return b.String()
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
