// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	eventsv1 "k8s.io/api/events/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// wantEvent waits for an event of the namespace with this reason whose note
// says all of these.
func (w *world) wantEvent(reason string, says ...string) {
	w.Helper()
	w.eventually(func() error {
		var list eventsv1.EventList
		if err := admin.List(w.Context(), &list, client.InNamespace(w.namespace)); err != nil {
			return err
		}
		var notes []string
		for _, e := range list.Items {
			if e.Reason != reason {
				continue
			}
			missing := false
			for _, text := range says {
				missing = missing || !strings.Contains(e.Note, text)
			}
			if !missing {
				return nil
			}
			notes = append(notes, e.Note)
		}
		return fmt.Errorf("no event %s says %q; there are %q", reason, says, notes)
	})
}

// TestEventsTellOfTheStep: what is true of a step and not of the state after it
// is in no condition, so the events must say it.
func TestEventsTellOfTheStep(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.startOperator()
	w.publish(tool("find-order", "1.0.0", inputFirst))
	w.wantEvent(v1alpha1.ReasonPublished, "1.0.0 is the first version of line 1")
	w.publish(tool("find-order", "1.1.0", inputAdded))
	w.wantEvent(v1alpha1.ReasonPublished, "1.1.0 is a Minor bump over 1.0.0", "needs Minor")
	w.refuse(tool("find-order", "1.2.0", inputBroken), v1alpha1.ReasonMajorBumpRequired)
	w.wantEvent(v1alpha1.ReasonMajorBumpRequired, "Example accepted by 1.1.0", "2.0.0")

	strict := tool("other-order", "1.0.0", inputFirst)
	w.publish(strict)
	strict.Spec.Targets[0].Strict = v1alpha1.StrictDisabled
	w.publish(strict)
	w.wantEvent("StrictLost", "openai-responses is served strict by 1.0.0", "Fix: ")
}

// eventRow is a row of the table of docs/events.md: kind, type, action, reason.
var eventRow = regexp.MustCompile("(?m)^\\| (\\w+) \\| (Normal|Warning) \\| `(\\w+)` \\| ([^|]*) \\|")

// checkEvents holds every event that the operator recorded in all tests together
// against docs/events.md.
func checkEvents(ctx context.Context) error {
	text, err := os.ReadFile(repository("docs/events.md"))
	if err != nil {
		return err
	}
	documented := map[string]bool{}
	for _, row := range eventRow.FindAllStringSubmatch(string(text), -1) {
		reason := strings.Trim(row[4], "`")
		if strings.HasPrefix(reason, "the reason of ") {
			reason = "any"
		}
		documented[strings.Join([]string{row[1], row[2], row[3], reason}, " ")] = true
	}
	var list eventsv1.EventList
	if err := admin.List(ctx, &list); err != nil {
		return err
	}
	for _, e := range list.Items {
		if e.ReportingController != v1alpha1.ManagedBy {
			continue
		}
		what := strings.Join([]string{e.Regarding.Kind, e.Type, e.Action}, " ")
		if !documented[what+" "+e.Reason] && !documented[what+" any"] {
			return fmt.Errorf("docs/events.md does not tell of the event %s %s: %s", what, e.Reason, e.Note)
		}
	}
	return nil
}
