// SPDX-License-Identifier: Apache-2.0

package containment

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/schema"
)

// third judges an instance with github.com/google/jsonschema-go; ok is false
// where it does not read the schema.
func third(s *schema.Schema, v *schema.Value) (valid, ok bool) {
	var parsed jsonschema.Schema
	if err := json.Unmarshal([]byte(s.Root().JSON()), &parsed); err != nil {
		return false, false
	}
	resolved, err := parsed.Resolve(nil)
	if err != nil {
		return false, false
	}
	var instance any
	if err := json.Unmarshal([]byte(v.JSON()), &instance); err != nil {
		return false, false
	}
	return resolved.Validate(instance) == nil, true
}

// ownReason says why the third validator may see a schema and an instance
// otherwise; empty if it may not.
func ownReason(s *schema.Schema, v *schema.Value) string {
	text := s.Root().JSON()
	switch {
	case uses(s.Root(), "format"):
		return "it takes formats for annotations"
	case strings.Contains(text, "(?="):
		return "its patterns are those of Go"
	case strings.Contains(text+v.JSON(), "9007199254740993") || strings.Contains(text, `"multipleOf":0.`):
		return "its numbers are of 64 bits"
	default:
		return ""
	}
}

// TestAThirdValidatorConfirmsWitnesses compares with a validator that is
// neither the one that hosts run nor written for this project.
func TestAThirdValidatorConfirmsWitnesses(t *testing.T) {
	t.Parallel()
	var lock sync.Mutex
	confirmed, unread, reasons := 0, 0, map[string]int{}
	each(lawFamilies(), func(seed int) {
		a, near := newGrammar(uint64(seed)).family()
		for _, b := range near {
			r := contain.Contains(a, b)
			if r.Answer != contain.Refuted || r.Witness == nil {
				continue
			}
			inA, okA := third(a, r.Witness)
			inB, okB := third(b, r.Witness)
			lock.Lock()
			reason := ownReason(a, r.Witness)
			if reason == "" {
				reason = ownReason(b, r.Witness)
			}
			switch {
			case !okA || !okB:
				unread++
			case inA && !inB:
				confirmed++
			case reason != "":
				reasons[reason]++
			default:
				t.Errorf("seed %d: the third validator says %t and %t of %s\nA %s\nB %s", seed, inA, inB, r.Witness.JSON(), a.Root().JSON(), b.Root().JSON())
			}
			lock.Unlock()
		}
	})
	t.Logf("%d confirmed, %d not read, %v", confirmed, unread, reasons)
	if confirmed < 20 {
		t.Error("too few witnesses were confirmed")
	}
}
