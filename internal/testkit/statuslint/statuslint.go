// SPDX-License-Identifier: Apache-2.0

// Package statuslint holds observed objects against the rules that kubectl wait,
// Argo CD and Flux rely on: those of kstatus
// (https://github.com/kubernetes-sigs/cli-utils/tree/master/pkg/kstatus), as the
// library itself judges them, and the invariants of the status linter that Flux
// runs on its own kinds (https://github.com/fluxcd/pkg/tree/main/runtime/conditions/check,
// read 2026-12-01).
//
// Two invariants differ from Flux's. An object keeps the conditions of its last
// generation until the operator has looked at the next one; they say so by their
// observedGeneration, and every reader compares it first. And Reconciling is
// about the generation of the status: the operator has looked and tries again.
package statuslint

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
)

// Unseen is the observed generation of an object that no operator has looked at.
const Unseen = -1

// Check returns what is wrong with one observed object, if anything.
func Check(object any) error {
	o, err := read(object)
	if err != nil {
		return err
	}
	return errors.Join(o.checkGenerations(), o.checkConditions(), o.checkVerdict(), o.checkKstatus())
}

// Verdict is what kstatus has to say about an object: Current exactly when the
// current generation was looked at and is ready, Failed exactly when only
// somebody else can help, Terminating while it is being deleted, and InProgress
// in every other case.
func Verdict(object any) (status.Status, error) {
	o, err := read(object)
	if err != nil {
		return "", err
	}
	return o.verdict(), nil
}

// observed is what the rules are about.
type observed struct {
	whole      *unstructured.Unstructured
	generation int64 // of the object
	looked     int64 // status.observedGeneration; Unseen if there is none
	conditions []condition
}

type condition struct {
	kind, status, reason, message, since string
	generation                           int64
}

func read(object any) (observed, error) {
	content, ok := object.(*unstructured.Unstructured)
	if !ok {
		fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
		if err != nil {
			return observed{}, err
		}
		content = &unstructured.Unstructured{Object: fields}
	}
	o := observed{whole: content, generation: content.GetGeneration(), looked: Unseen}
	looked, found, err := unstructured.NestedInt64(content.Object, "status", "observedGeneration")
	if err != nil {
		return o, err
	}
	if found {
		o.looked = looked
	}
	list, _, err := unstructured.NestedSlice(content.Object, "status", "conditions")
	if err != nil {
		return o, err
	}
	for _, entry := range list {
		fields, ok := entry.(map[string]any)
		if !ok {
			return o, fmt.Errorf("a condition is %T, not an object", entry)
		}
		text := func(key string) string { s, _ := fields[key].(string); return s }
		about, _ := fields["observedGeneration"].(int64)
		o.conditions = append(o.conditions, condition{
			kind: text("type"), status: text("status"), reason: text("reason"), message: text("message"),
			since: text("lastTransitionTime"), generation: about,
		})
	}
	return o, nil
}

// find returns the condition of a type, or nil.
func (o observed) find(kind string) *condition {
	for i := range o.conditions {
		if o.conditions[i].kind == kind {
			return &o.conditions[i]
		}
	}
	return nil
}

func (o observed) isTrue(kind string) bool {
	c := o.find(kind)
	return c != nil && c.status == "True"
}

func (o observed) checkGenerations() error {
	var errs []error
	if o.looked > o.generation {
		errs = append(errs, fmt.Errorf("observedGeneration %d is ahead of generation %d", o.looked, o.generation))
	}
	if o.looked == Unseen && len(o.conditions) > 0 {
		errs = append(errs, errors.New("there are conditions, and no observedGeneration"))
	}
	for _, c := range o.conditions {
		if c.generation != o.looked {
			errs = append(errs, fmt.Errorf("%s is about generation %d, the status about %d", c.kind, c.generation, o.looked))
		}
	}
	return errors.Join(errs...)
}

// reasonForm is the form that the Kubernetes API conventions ask of reasons.
var reasonForm = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)

func (o observed) checkConditions() error {
	var errs []error
	seen := map[string]bool{}
	for _, c := range o.conditions {
		if seen[c.kind] {
			errs = append(errs, fmt.Errorf("%s is there twice", c.kind))
		}
		seen[c.kind] = true
		if abnormal(c.kind) && c.status != "True" {
			errs = append(errs, fmt.Errorf("%s is %s; it may only be True or absent", c.kind, c.status))
		}
		if !reasonForm.MatchString(c.reason) {
			errs = append(errs, fmt.Errorf("%s has the reason %q, which is not one word in CamelCase", c.kind, c.reason))
		}
		if c.message == "" || c.since == "" {
			errs = append(errs, fmt.Errorf("%s lacks a message or a time", c.kind))
		}
	}
	return errors.Join(errs...)
}

// abnormal conditions say by being there that something is out of the ordinary.
func abnormal(kind string) bool { return kind == "Reconciling" || kind == "Stalled" }

// checkVerdict: as soon as an object was looked at, exactly one of Ready, Stalled
// and Reconciling is True, and Ready is there and True or False.
func (o observed) checkVerdict() error {
	if o.looked == Unseen {
		return nil
	}
	var errs []error
	switch ready := o.find("Ready"); {
	case ready == nil:
		errs = append(errs, errors.New("there is no condition Ready"))
	case ready.status != "True" && ready.status != "False":
		errs = append(errs, fmt.Errorf("the condition Ready is %s", ready.status))
	}
	var verdicts []string
	for _, kind := range []string{"Ready", "Reconciling", "Stalled"} {
		if o.isTrue(kind) {
			verdicts = append(verdicts, kind)
		}
	}
	if len(verdicts) != 1 {
		errs = append(errs, fmt.Errorf("those that are True are [%s]; want exactly one of Ready, Reconciling, Stalled", strings.Join(verdicts, " ")))
	}
	return errors.Join(errs...)
}

func (o observed) verdict() status.Status {
	switch {
	case o.whole.GetDeletionTimestamp() != nil:
		return status.TerminatingStatus
	case o.looked != o.generation:
	case o.isTrue("Ready"):
		return status.CurrentStatus
	case o.isTrue("Stalled"):
		return status.FailedStatus
	}
	return status.InProgressStatus
}

// checkKstatus asks the library whether it reads the object as it is meant.
func (o observed) checkKstatus() error {
	result, err := status.Compute(o.whole)
	if err != nil {
		return fmt.Errorf("kstatus: %w", err)
	}
	if want := o.verdict(); result.Status != want {
		return fmt.Errorf("kstatus reads %s (%s), want %s", result.Status, result.Message, want)
	}
	return nil
}
