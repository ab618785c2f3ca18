// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/operator"
)

// orders are ways to delete a set, its contract a in another namespace, its
// contract b in its own, and both namespaces.
var orders = [][]string{
	{"a", "set"},
	{"set", "a", "b"},
	{"owner", "b", "set"},
	{"b", "home"},
	{"set", "owner", "home"},
	{"home", "owner"},
}

// demolition is a set with two contracts, in the namespaces home and owner.
type demolition struct {
	home, owner *world
	crash       *crash
	stop        func()
	restarted   bool
}

func newDemolition(t *testing.T, crash *crash) *demolition {
	t.Helper()
	d := &demolition{home: newWorld(t), owner: newWorld(t), crash: crash}
	d.home.withGarbageCollector()
	d.start()
	a := setTool("a", "1.0.0", "Says 1.")
	a.Spec.AllowedNamespaces = &v1alpha1.AllowedNamespaces{From: v1alpha1.NamespacesAll}
	d.owner.put(a)
	d.home.put(setTool("b", "1.0.0", "Says 1."))
	d.home.putSet(toolSet("shop", d.owner.namespace+"/a@1", "b@1"))
	d.reach(func() error { return d.home.holding("shop", openAI, "a@1.0.0", "b@1.0.0") })
	d.reach(func() error { return d.home.holding("shop", anthropic, "a@1.0.0", "b@1.0.0") })
	return d
}

// start runs an operator that dies at the write of the crash, if it has not yet.
func (d *demolition) start() {
	config := managerConfig(d.home.T)
	if !d.crash.dead.Load() {
		config = through(config, d.crash.between)
	}
	d.stop = d.home.startOperatorWith(config, func(o *operator.Options) {
		o.Namespace, o.Namespaces = "", []string{d.home.namespace, d.owner.namespace}
	})
}

// reach waits, and starts another operator when the first one has died.
func (d *demolition) reach(check func() error) {
	d.home.Helper()
	d.home.eventually(func() error {
		if d.crash.dead.Load() && !d.restarted {
			d.restarted = true
			d.stop()
			d.start()
		}
		return check()
	})
}

// delete deletes one of the five; that it is gone already is no failure.
func (d *demolition) delete(what string) {
	d.home.Helper()
	object := map[string]client.Object{
		"a":     &v1alpha1.ToolContract{ObjectMeta: metav1.ObjectMeta{Namespace: d.owner.namespace, Name: "a"}},
		"b":     &v1alpha1.ToolContract{ObjectMeta: metav1.ObjectMeta{Namespace: d.home.namespace, Name: "b"}},
		"set":   &v1alpha1.ToolSet{ObjectMeta: metav1.ObjectMeta{Namespace: d.home.namespace, Name: "shop"}},
		"home":  &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: d.home.namespace}},
		"owner": &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: d.owner.namespace}},
	}[what]
	if err := client.IgnoreNotFound(admin.Delete(d.home.Context(), object)); err != nil {
		d.home.Fatal(err)
	}
}

// ended says what stands in the way of the end: a namespace that is not gone, a
// child without a living owner, or a status that is not final.
func (d *demolition) ended(order []string) error {
	var errs []error
	for name, w := range map[string]*world{"home": d.home, "owner": d.owner} {
		if strings.Contains(strings.Join(order, " "), name) {
			errs = append(errs, w.gone(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: w.namespace}}))
			continue
		}
		errs = append(errs, w.noOrphans())
	}
	return errors.Join(errs...)
}

// noOrphans names the children whose owner is gone, and what is not final.
func (w *world) noOrphans() error {
	var contracts v1alpha1.ToolContractList
	var sets v1alpha1.ToolSetList
	for _, list := range []client.ObjectList{&contracts, &sets} {
		if err := admin.List(context.Background(), list, client.InNamespace(w.namespace)); err != nil {
			return err
		}
	}
	living := map[types.UID]bool{}
	var errs []error
	for i := range contracts.Items {
		living[contracts.Items[i].UID] = true
		errs = append(errs, final(&contracts.Items[i]))
	}
	for i := range sets.Items {
		living[sets.Items[i].UID] = true
		errs = append(errs, finalSet(&sets.Items[i]))
	}
	for _, child := range w.children() {
		if owner := metav1.GetControllerOf(child); owner == nil || !living[owner.UID] {
			errs = append(errs, fmt.Errorf("%s has no living owner", child.GetName()))
		}
	}
	return errors.Join(errs...)
}

// TestSetsAndTheirContractsAreDeletedInAnyOrder, with the operator running and
// with none. The garbage collector is the cluster's own.
func TestSetsAndTheirContractsAreDeletedInAnyOrder(t *testing.T) {
	t.Parallel()
	for _, running := range []bool{true, false} {
		for _, order := range orders {
			t.Run(fmt.Sprintf("%s, running %t", strings.Join(order, " then "), running), func(t *testing.T) {
				t.Parallel()
				d := newDemolition(t, &crash{})
				if !running {
					d.stop()
				}
				for _, what := range order {
					d.delete(what)
				}
				if !running {
					d.home.eventually(func() error { return d.goneOf(order) })
					d.start() // and finds nothing to break
				}
				d.reach(func() error { return d.ended(order) })
			})
		}
	}
}

// goneOf says which namespaces are not gone without an operator.
func (d *demolition) goneOf(order []string) error {
	var errs []error
	for name, w := range map[string]*world{"home": d.home, "owner": d.owner} {
		if strings.Contains(strings.Join(order, " "), name) {
			errs = append(errs, w.gone(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: w.namespace}}))
		}
	}
	return errors.Join(errs...)
}

// TestAnOperatorThatDiesWhileSetsAreDeletedLeavesNothing lets the operator die
// right before each write from the first one to the last, while everything is
// made and deleted, in one order after the other.
func TestAnOperatorThatDiesWhileSetsAreDeletedLeavesNothing(t *testing.T) {
	t.Parallel()
	counting := &crash{}
	d := newDemolition(t, counting)
	d.reach(func() error { return d.home.noOrphans() })
	made := counting.count()
	for _, what := range orders[0] {
		d.delete(what)
	}
	d.reach(func() error { return d.ended(orders[0]) })
	const more = 4 // writes that deletions cause
	t.Logf("%d writes until everything is made, %d with the deletions", made, counting.count())
	for n := 1; n <= made+more; n++ {
		order := orders[n%len(orders)]
		t.Run(fmt.Sprintf("write %d, %s", n, strings.Join(order, " then ")), func(t *testing.T) {
			t.Parallel()
			d := newDemolition(t, &crash{at: n, delivered: n%2 == 0})
			for _, what := range order {
				d.delete(what)
			}
			d.reach(func() error { return d.ended(order) })
		})
	}
}
