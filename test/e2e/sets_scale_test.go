// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// TestAnEditTouchesOnlyItsSets: one of many contracts gets a version. All that is
// written is about it and the two sets that hold it, one by name and one by label;
// test/scale does the same with a thousand contracts.
func TestAnEditTouchesOnlyItsSets(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.startOperator()
	const contracts, sets = 24, 8
	name := func(i int) string { return fmt.Sprintf("tool-%02d", i) }
	for i := range contracts {
		c := setTool(name(i), "1.0.0", "Says 1.")
		c.Labels = map[string]string{"group": fmt.Sprint(i % 4)}
		w.put(c)
	}
	for i := range sets - 1 {
		w.putSet(toolSet(fmt.Sprintf("set-%d", i), name(3*i)+"@1", name(3*i+1)+"@1", name(3*i+2)+"@1.0.0"))
	}
	w.putSet(selecting(toolSet("labelled"), "group", "1", "1"))
	for i := range sets - 1 {
		w.holds(fmt.Sprintf("set-%d", i), name(3*i)+"@1.0.0", name(3*i+1)+"@1.0.0", name(3*i+2)+"@1.0.0")
		w.setSays(fmt.Sprintf("set-%d", i), "Ready=Published")
	}
	w.setSays("labelled", "Ready=Published")
	w.eventually(func() error {
		return diffNumber(6, len(w.set("labelled").Status.Profiles), len(heldBy(w.configMap("labelled."+openAI))))
	})
	w.eventually(w.complete)

	before := len(w.writes())
	const edited = "tool-13" // in set-4, and in group 1
	w.publish(setTool(edited, "1.0.1", "Says 2."))
	w.holds("set-4", "tool-12@1.0.0", edited+"@1.0.1", "tool-14@1.0.0")
	w.eventually(func() error {
		if held := heldBy(w.configMap("labelled." + anthropic)); !slices.Contains(held, edited+"@1.0.1") {
			return fmt.Errorf("the set that selects it holds %v", held)
		}
		return nil
	})
	w.setSays("set-4", "Ready=Published")
	w.setSays("labelled", "Ready=Published")
	w.eventually(w.complete)
	var others []string
	wrote := w.writes()[before:]
	for _, write := range wrote {
		concerned := slices.ContainsFunc([]string{edited, "set-4", "labelled"}, func(owner string) bool {
			return write.Name == owner || strings.HasPrefix(write.Name, owner+".") || strings.HasPrefix(write.Name, owner+"-v1")
		})
		if !concerned {
			others = append(others, verbAndResource(write)+" "+write.Name)
		}
	}
	if len(others) > 0 {
		t.Errorf("the edit wrote elsewhere: %v", others)
	}
	// Five for the contract; for each set two ConfigMaps for each of two profiles and
	// a status. The two statuses of the contract may be seen apart.
	const most = 6 + 2*(4+2)
	if len(wrote) > most {
		t.Errorf("the edit cost %d writes, want at most %d", len(wrote), most)
	}

	// A status that only tells news of the contract is no news for its sets.
	before = len(w.writes())
	w.refuse(setTool(edited, "1.0.1", "Says 3."), v1alpha1.ReasonRevisionConflict)
	w.publish(setTool("tool-14", "1.0.1", "Says 2.")) // set-4 holds its first version
	w.eventually(w.complete)
	for _, write := range w.writes()[before:] {
		if strings.HasPrefix(write.Name, "set-") || strings.HasPrefix(write.Name, "labelled") {
			t.Errorf("written without a cause: %s %s", verbAndResource(write), write.Name)
		}
	}
}

func diffNumber(want, profiles, got int) error {
	if got != want || profiles != 2 {
		return fmt.Errorf("%d tools for %d profiles, want %d", got, profiles, want)
	}
	return nil
}
