// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// maxStatusBytes is what the documentation of the API promises.
const maxStatusBytes = 24 << 10

// checkStatuses holds every status in the namespace against the rules that
// Argo CD, Flux and kubectl wait rely on. It runs at the end of every test,
// whatever the test was about.
func (w *world) checkStatuses() {
	ctx := context.Background() // that of the test has ended
	var contracts v1alpha1.ToolContractList
	var revisions v1alpha1.ToolRevisionList
	var sets v1alpha1.ToolSetList
	for _, list := range []client.ObjectList{&contracts, &revisions, &sets} {
		if err := admin.List(ctx, list, client.InNamespace(w.namespace)); err != nil {
			w.Errorf("checking statuses: %v", err)
			return
		}
	}
	for i := range contracts.Items {
		c := &contracts.Items[i]
		if err := errors.Join(
			checkConditions(c.Generation, c.Status.ObservedGeneration, c.Status.Conditions),
			checkVerdict(c), checkSize(c.Status), checkKstatus(c, c.Status.Conditions),
		); err != nil {
			w.Errorf("status of ToolContract %s: %v\n%s", c.Name, err, conditions(c))
		}
	}
	for i := range sets.Items {
		s := &sets.Items[i]
		if err := errors.Join(
			checkConditions(s.Generation, s.Status.ObservedGeneration, s.Status.Conditions),
			checkSetVerdict(s), checkSize(s.Status), checkKstatus(s, s.Status.Conditions),
		); err != nil {
			w.Errorf("status of ToolSet %s: %v\n%s", s.Name, err, mustJSON(w.T, s.Status))
		}
	}
	for i := range revisions.Items {
		r := &revisions.Items[i]
		if err := errors.Join(
			checkConditions(r.Generation, r.Status.ObservedGeneration, r.Status.Conditions),
			checkKstatus(r, r.Status.Conditions),
		); err != nil {
			w.Errorf("status of ToolRevision %s: %v", r.Name, err)
		}
	}
}

// unseen is the observed generation of an object that no operator has looked at.
const unseen = -1

// checkConditions applies the rules for one object: Ready is there as soon as
// anything is; what is abnormal when True is there only when it is True; and
// every condition is about the generation that the status is about.
func checkConditions(generation, observed int64, all []metav1.Condition) error {
	if observed == unseen && len(all) == 0 {
		return nil
	}
	var errs []error
	if observed > generation {
		errs = append(errs, fmt.Errorf("observedGeneration %d is ahead of generation %d", observed, generation))
	}
	if meta.FindStatusCondition(all, v1alpha1.ConditionReady) == nil {
		errs = append(errs, errors.New("there is no condition Ready"))
	}
	for _, c := range all {
		abnormal := c.Type == v1alpha1.ConditionStalled || c.Type == v1alpha1.ConditionReconciling
		if abnormal && c.Status != metav1.ConditionTrue {
			errs = append(errs, fmt.Errorf("%s is %s; it may only be True or absent", c.Type, c.Status))
		}
		if c.ObservedGeneration != observed {
			errs = append(errs, fmt.Errorf("%s is about generation %d, the status about %d", c.Type, c.ObservedGeneration, observed))
		}
		if c.Message == "" || c.LastTransitionTime.IsZero() {
			errs = append(errs, fmt.Errorf("%s lacks a message or a time", c.Type))
		}
	}
	return errors.Join(errs...)
}

// contractConditions are always present once the operator has looked.
var contractConditions = []string{
	v1alpha1.ConditionReady, v1alpha1.ConditionSchemaValid, v1alpha1.ConditionProvidersCompatible,
	v1alpha1.ConditionVersionAccepted, v1alpha1.ConditionPublished, v1alpha1.ConditionLinted,
}

// checkVerdict applies the rules between the conditions of a contract: exactly
// one of Ready, Stalled and Reconciling is True, and Ready never contradicts
// what it is computed from.
func checkVerdict(c *v1alpha1.ToolContract) error {
	if c.Status.ObservedGeneration == unseen {
		return nil
	}
	var errs []error
	for _, kind := range contractConditions {
		if meta.FindStatusCondition(c.Status.Conditions, kind) == nil {
			errs = append(errs, fmt.Errorf("there is no condition %s", kind))
		}
	}
	isTrue := func(kind string) bool { return meta.IsStatusConditionTrue(c.Status.Conditions, kind) }
	verdicts := slices.DeleteFunc([]string{v1alpha1.ConditionReady, v1alpha1.ConditionStalled, v1alpha1.ConditionReconciling},
		func(kind string) bool { return !isTrue(kind) })
	if len(verdicts) != 1 {
		errs = append(errs, fmt.Errorf("True are %v; want exactly one of Ready, Stalled, Reconciling", verdicts))
	}
	for _, kind := range []string{v1alpha1.ConditionSchemaValid, v1alpha1.ConditionVersionAccepted, v1alpha1.ConditionPublished} {
		if isTrue(v1alpha1.ConditionReady) && !isTrue(kind) {
			errs = append(errs, fmt.Errorf("ready although %s is not True", kind))
		}
	}
	if ready := meta.FindStatusCondition(c.Status.Conditions, v1alpha1.ConditionReady); ready != nil &&
		c.Status.Summary[:min(len(ready.Reason), len(c.Status.Summary))] != ready.Reason {
		errs = append(errs, fmt.Errorf("the summary %q does not begin with Ready's reason %s", c.Status.Summary, ready.Reason))
	}
	return errors.Join(errs...)
}

func checkSize(s any) error {
	text, err := json.Marshal(s)
	if err == nil && len(text) > maxStatusBytes {
		err = fmt.Errorf("the status has %d bytes, more than %d", len(text), maxStatusBytes)
	}
	return err
}

// checkKstatus asks the library that Flux and kubectl plugins use whether it
// reads the status as it is meant.
func checkKstatus(object client.Object, all []metav1.Condition) error {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return err
	}
	result, err := status.Compute(&unstructured.Unstructured{Object: content})
	if err != nil {
		return err
	}
	want := status.InProgressStatus
	ready := meta.FindStatusCondition(all, v1alpha1.ConditionReady)
	switch {
	case ready == nil || ready.ObservedGeneration != object.GetGeneration():
	case ready.Status == metav1.ConditionTrue:
		want = status.CurrentStatus
	case meta.IsStatusConditionTrue(all, v1alpha1.ConditionStalled):
		want = status.FailedStatus
	}
	if result.Status != want {
		return fmt.Errorf("kstatus reads %s (%s), want %s", result.Status, result.Message, want)
	}
	return nil
}
