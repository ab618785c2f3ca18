// SPDX-License-Identifier: Apache-2.0

package containment

import (
	"encoding/json"
	"testing"

	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/corpus"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// trap is a pair on which checkers that go keyword by keyword err; both
// directions are known.
type trap struct {
	Name         string
	Old, New     json.RawMessage
	OldSubsetNew bool `json:"old_subset_new"`
	NewSubsetOld bool `json:"new_subset_old"`
}

func traps(t testing.TB) []trap {
	t.Helper()
	return corpus.JSON[[]trap](t, corpus.Path(t, "compat/traps/schema-pairs.json"))
}

// writings are the forms in which a pair is asked.
func writings(a, b *schema.Value) map[string]rewrite {
	renamed := rename(a, b)
	return map[string]rewrite{
		"as it is":                             then(),
		"renamed":                              renamed,
		"reordered":                            reorder,
		"by reference":                         byReference,
		"in a property":                        inProperty,
		"in a closed property":                 inClosedProperty,
		"in items":                             inItems,
		"renamed, reordered, by reference":     then(renamed, reorder, byReference),
		"by reference, in a property, renamed": then(byReference, inProperty, renamed),
		"in items, in a property, by reference, reordered": then(inItems, inProperty, byReference, reorder),
		"in a property, in a property, split":              then(inClosedProperty, inProperty, split),
	}
}

// unansweredTraps are the traps that the prover does not decide.
var unansweredTraps = exceptions{}

func TestTrapsAreAnsweredInEveryWriting(t *testing.T) {
	t.Parallel()
	var questions []question
	for _, p := range traps(t) {
		a, b := schematest.Value(t, string(p.Old)), schematest.Value(t, string(p.New))
		for name, f := range writings(a, b) {
			old, next := schematest.Schema(t, f(a).JSON()), schematest.Schema(t, f(b).JSON())
			questions = append(questions,
				question{p.Name + ", old in new, " + name, old, next, p.OldSubsetNew},
				question{p.Name + ", new in old, " + name, next, old, p.NewSubsetOld})
		}
	}
	if len(questions) < 84*2*11 {
		t.Errorf("only %d questions", len(questions))
	}
	unansweredTraps.check(t, questions)
}
