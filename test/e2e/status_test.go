// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/testkit/statuslint"
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
			statuslint.Check(c), checkVerdict(c), checkSize(c.Status),
		); err != nil {
			w.Errorf("status of ToolContract %s: %v\n%s", c.Name, err, conditions(c))
		}
	}
	for i := range sets.Items {
		s := &sets.Items[i]
		if err := errors.Join(
			statuslint.Check(s), checkSetVerdict(s), checkSize(s.Status),
		); err != nil {
			w.Errorf("status of ToolSet %s: %v\n%s", s.Name, err, mustJSON(w.T, s.Status))
		}
	}
	for i := range revisions.Items {
		r := &revisions.Items[i]
		if err := statuslint.Check(r); err != nil {
			w.Errorf("status of ToolRevision %s: %v", r.Name, err)
		}
	}
}

// contractConditions are always present once the operator has looked.
var contractConditions = []string{
	v1alpha1.ConditionReady, v1alpha1.ConditionSchemaValid, v1alpha1.ConditionProvidersCompatible,
	v1alpha1.ConditionVersionAccepted, v1alpha1.ConditionPublished, v1alpha1.ConditionLinted,
}

// checkVerdict applies the rules between the conditions of a contract: all are
// there, and Ready never contradicts what it is computed from.
func checkVerdict(c *v1alpha1.ToolContract) error {
	if c.Status.ObservedGeneration == statuslint.Unseen {
		return nil
	}
	var errs []error
	for _, kind := range contractConditions {
		if meta.FindStatusCondition(c.Status.Conditions, kind) == nil {
			errs = append(errs, fmt.Errorf("there is no condition %s", kind))
		}
	}
	isTrue := func(kind string) bool { return meta.IsStatusConditionTrue(c.Status.Conditions, kind) }
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
