// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/operator"
)

const leaseName = "toolcontract-operator.toolcontract.dev"

// electing makes an operator one of several replicas, with a lease short enough
// for a test.
func electing(o *operator.Options) {
	o.LeaderElection, o.LeaseDuration, o.RenewDeadline = true, 4*time.Second, 3*time.Second
}

// allowElection gives the operator in this namespace what it has in its own:
// the role of leader election.
func (w *world) allowElection() {
	w.Helper()
	var role rbacv1.Role
	key := client.ObjectKey{Namespace: "toolcontract-system", Name: "toolcontract-leader-election-role"}
	if err := admin.Get(w.Context(), key, &role); err != nil {
		w.Fatal(err)
	}
	w.create(&rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Name: role.Name}, Rules: role.Rules})
	w.create(&rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: role.Name},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: role.Name},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName, Name: managerUser}},
	})
}

// leader is who holds the lease.
func (w *world) leader() (string, error) {
	var lease coordinationv1.Lease
	if err := admin.Get(w.Context(), client.ObjectKey{Namespace: w.namespace, Name: leaseName}, &lease); err != nil {
		return "", err
	}
	return ptr.Deref(lease.Spec.HolderIdentity, ""), nil
}

// TestTheSecondReplicaTakesOver stops the leader of two. The other one finds
// everything in place, writes nothing about it, and goes on.
func TestTheSecondReplicaTakesOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.allowElection()
	stop := w.startOperatorWith(managerConfig(t), electing)
	w.settle()
	first, err := w.leader()
	if err != nil {
		t.Fatal(err)
	}
	w.startOperatorWith(managerConfig(t), electing)
	before := len(w.writes())
	stop()
	w.eventually(func() error {
		now, err := w.leader()
		if err == nil && (now == first || now == "") {
			err = fmt.Errorf("the leader is %q, want another one than %q", now, first)
		}
		return err
	})
	w.publish(tool(beacon, "1.0.0", inputFirst))
	if wrote := w.quietWrites(before); wrote != "" {
		t.Errorf("the second replica wrote\n%s", wrote)
	}
}

// TestAPausedAPIServerCostsNothing freezes the API server while contracts wait to
// be published, longer than a lease lasts. A replica without its lease ends, as
// it must, and a fresh one finishes its work; an operator that needs no lease
// goes on by itself. Nothing is there twice.
//
// It is not parallel: the API server serves the other tests too.
func TestAPausedAPIServerCostsNothing(t *testing.T) {
	replica, single := newWorld(t), newWorld(t)
	replica.allowElection()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		o := operator.Options{Namespace: replica.namespace, Repeated: true}
		electing(&o)
		ended <- operator.Run(ctx, managerConfig(t), o)
	}()
	single.startOperator()
	for _, w := range []*world{replica, single} {
		w.publish(tool("find-order", "1.0.0", inputFirst))
		w.put(tool("find-order", "1.1.0", inputAdded))
	}
	if err := plane.PauseAPIServer(); err != nil {
		t.Fatal(err)
	}
	lost := waitFor(ended)
	if err := plane.ResumeAPIServer(); err != nil {
		t.Fatal(err)
	}
	if lost == nil || !strings.Contains(lost.Error(), "leader election lost") {
		t.Fatalf("the replica ended with %v, want the loss of its lease", lost)
	}
	replica.startOperatorWith(managerConfig(t), electing)
	for _, w := range []*world{replica, single} {
		w.eventually(func() error { return w.serves("find-order-v1", "1.1.0") })
		w.eventually(func() error { return w.said("find-order", v1alpha1.ReasonPublished) })
		w.eventually(w.complete)
		want := []string{"1.0.0", "1.1.0"}
		w.keeps(want, want)
		w.outcome()
	}
}

// waitFor returns with what an operator ended.
func waitFor(ended <-chan error) error {
	select {
	case err := <-ended:
		return err
	case <-time.After(time.Minute):
		return errors.New("it has not ended")
	}
}
