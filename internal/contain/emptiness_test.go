// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"fmt"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

const (
	emptinessLists     = 300
	emptinessInstances = 80
)

// signed is a schema that has to admit an instance, or to refuse it.
type signed struct {
	text   string
	schema *schema.Schema
	refuse bool
}

// list draws some schemas near each other, with signs.
func (g grammar) list() []signed {
	var out []signed
	text := ""
	for n := 1 + g.IntN(4); len(out) < n; {
		switch {
		case text == "" || g.IntN(3) == 0:
			text = g.document(2)
			if g.IntN(4) == 0 {
				text = g.unevaluated()
			}
		default:
			text = g.mutate(text)
		}
		if s, ok := admit(text); ok {
			out = append(out, signed{text, s, g.IntN(2) == 0})
		} else {
			text = ""
		}
	}
	return out
}

func (r *refuter) noneOf(list []signed) outcome {
	var literals []literal
	for _, s := range list {
		literals = append(literals, literal{newGraph(s.schema).root(), s.refuse})
	}
	r.quiet++
	return r.none(literals)
}

func describeSigned(list []signed) string {
	var b strings.Builder
	for _, s := range list {
		fmt.Fprintf(&b, "\nrefuse %v: %s", s.refuse, s.text)
	}
	return b.String()
}

func fulfils(t testing.TB, list []signed, v *schema.Value) bool {
	for _, s := range list {
		if accepts(t, s.schema, v) == s.refuse {
			return false
		}
	}
	return true
}

// What is found to be empty has no instance among many small ones, and what has
// a model that nothing opaque touches is not empty.
func TestNoInstanceFulfilsWhatIsEmpty(t *testing.T) {
	t.Parallel()
	g := newGrammar(11)
	empty, models, right := 0, 0, 0
	for i := range emptinessLists {
		list := g.list()
		found := newProver().refuter().noneOf(list)
		if found.model != nil {
			models++
			if fulfils(t, list, found.model) {
				right++
			}
		}
		if !found.empty {
			continue
		}
		empty++
		for _, v := range emptinessWorld(g, list, uint64(i)) {
			if fulfils(t, list, v) {
				t.Errorf("empty, but %s fulfils it%s", v.JSON(), describeSigned(list))
				break
			}
		}
	}
	t.Logf("%d lists: %d empty, %d models of which %d are right", emptinessLists, empty, models, right)
	if empty < emptinessLists/10 || right < models*9/10 {
		t.Errorf("too little: %d empty, %d of %d models are right", empty, right, models)
	}
}

func emptinessWorld(g grammar, list []signed, seed uint64) []*schema.Value {
	instances := world(g, emptinessInstances)
	for _, s := range list {
		source := schematest.NewInstances(s.schema, seed)
		for range emptinessInstances / 4 {
			instances = append(instances, source.Next())
		}
	}
	return instances
}
