// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// corpus is the folder with schema pairs of third parties, or empty.
var corpus = os.Getenv("TOOLCONTRACT_CORPUS")

func TestMain(m *testing.M) {
	if corpus == "" {
		fmt.Fprintln(os.Stderr, "contain: TOOLCONTRACT_CORPUS is not set, corpus tests are not run")
	}
	os.Exit(m.Run())
}

func TestTrapPairsHaveNoUnsafeAnswer(t *testing.T) {
	t.Parallel()
	if corpus == "" {
		return
	}
	var pairs []struct {
		Name         string
		Old, New     json.RawMessage
		OldSubsetNew bool `json:"old_subset_new"`
		NewSubsetOld bool `json:"new_subset_old"`
	}
	readJSON(t, filepath.Join(corpus, "compat/traps/schema-pairs.json"), &pairs)
	var tally tally
	for _, p := range pairs {
		old, new := admitted(t, string(p.Old)), admitted(t, string(p.New))
		tally.check(t, p.Name+" old in new", Contains(old, new), p.OldSubsetNew)
		tally.check(t, p.Name+" new in old", Contains(new, old), p.NewSubsetOld)
	}
	t.Log(tally)
}

// tally counts answers against labels.
type tally struct{ proven, refuted, unknownTrue, unknownFalse int }

func (c *tally) check(t *testing.T, name string, r Result, contained bool) {
	t.Helper()
	switch {
	case r.Defect:
		t.Errorf("%s: %s", name, r.Reason)
	case r.Answer == Proven && !contained:
		t.Errorf("%s: Proven, but it does not hold", name)
	case r.Answer == Refuted && contained:
		t.Errorf("%s: Refuted by %s, but it holds", name, r.Witness.JSON())
	case r.Answer == Proven:
		c.proven++
	case r.Answer == Refuted:
		c.refuted++
	case contained:
		c.unknownTrue++
		t.Logf("%s: %s", name, r.Reason)
	default:
		c.unknownFalse++
		t.Logf("%s: %s", name, r.Reason)
	}
}

func (c tally) String() string {
	return fmt.Sprintf("Proven %d of %d that hold, Refuted %d of %d that do not",
		c.proven, c.proven+c.unknownTrue, c.refuted, c.refuted+c.unknownFalse)
}

func readJSON(t testing.TB, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}
