// SPDX-License-Identifier: Apache-2.0

package containment

import (
	"math/big"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/naive"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

func workers() int { return runtime.GOMAXPROCS(0) }

func soaking() bool { return os.Getenv("TOOLCONTRACT_SOAK") != "" }

// grammar draws pairs of schemas and instances to tell them apart.
type grammar struct {
	schematest.Grammar
	seed uint64
}

func newGrammar(seed uint64) grammar { return grammar{schematest.NewGrammar(seed), seed} }

// document draws a schema: one that nobody would write, or a tool's.
func (g grammar) document() *schema.Value {
	for {
		if g.IntN(4) > 0 {
			return g.Document(3)
		}
		if v, failed := schema.Parse([]byte(schematest.Random(g.Uint64()))); failed == nil {
			return v
		}
	}
}

// related draws a schema near another one, so that containments are common: with
// edits, written in another way, among alternatives; or one that has nothing to
// do with it.
func (g grammar) related(a *schema.Value) *schema.Value {
	switch g.IntN(12) {
	case 0:
		return g.document()
	case 1:
		return then(byReference, reorder, split)(g.Mutate(a))
	case 2:
		return then(inline, split, annotate)(a)
	case 3, 4:
		return g.joined(a)
	case 5, 6, 7:
		return g.Mutate(g.Mutate(g.Mutate(a)))
	default:
		return g.Mutate(a)
	}
}

// joined puts a schema beside others in a combinator.
func (g grammar) joined(a *schema.Value) *schema.Value {
	if a.Kind() != schema.Object || uses(a, "$ref") && refersToRoot(a) {
		return g.Mutate(a)
	}
	defs := a.Get("$defs")
	own := a.Without("$defs")
	parts := []*schema.Value{own, g.Mutate(own), g.Document(3).Without("$defs")}
	switch g.IntN(3) {
	case 0:
		parts = parts[:2]
	case 1:
		parts = parts[1:]
	}
	keyword := []string{"anyOf", "oneOf", "allOf"}[g.IntN(3)]
	out := object(member(keyword, schema.NewArray(parts...)))
	if g.IntN(4) == 0 {
		out = object(member("not", object(member("not", own))))
	}
	if defs != nil {
		out = out.With("$defs", defs)
	}
	return out
}

// refersToRoot reports whether a reference leads elsewhere than to $defs.
func refersToRoot(v *schema.Value) bool {
	found := false
	mapNodes(v, func(n *schema.Value) *schema.Value {
		if ref := n.Get("$ref"); ref != nil && len(ref.Text()) > 6 && ref.Text()[:7] != "#/$defs" || ref != nil && len(ref.Text()) < 7 {
			found = true
		}
		return n
	})
	return found
}

// relatives are the schemas that are drawn near each schema, and questions what
// is asked of each schema: both directions with every relative.
const (
	relatives = 4
	questions = 2 * relatives
)

// family draws a schema and its relatives, all admitted and valid.
func (g grammar) family() (a *schema.Schema, near []*schema.Schema) {
	var v *schema.Value
	for ok := false; !ok; {
		v = g.document()
		a, ok = admit(v)
	}
	for len(near) < relatives {
		if b, ok := admit(g.related(v)); ok {
			near = append(near, b)
		}
	}
	return a, near
}

// instances draws values that may tell two schemas apart: proposals for either,
// those at random, and most of all values that the first admits with one thing
// changed, to what either schema names.
func (g grammar) instances(a, b *schema.Schema, n int) []*schema.Value {
	out := make([]*schema.Value, 0, n)
	inA := naive.New(a)
	var admitted []*schema.Value
	add := func(v *schema.Value) {
		out = append(out, v)
		if valid, why := inA.Accepts(v); valid && why == "" {
			admitted = append(admitted, v)
		}
	}
	ofA, ofB := schematest.NewInstances(a, g.seed), schematest.NewInstances(b, g.seed+1)
	pool := append(named(a.Root(), nil), named(b.Root(), nil)...)
	for _, v := range pool[:min(len(pool), n/4)] {
		add(v)
	}
	for i := 0; len(out) < n; i++ {
		switch i % 6 {
		case 0:
			add(ofA.Next())
		case 1:
			add(ofB.Next())
		case 2:
			add(g.Instance())
		default:
			if len(admitted) == 0 {
				add(ofA.Next())
				continue
			}
			v := admitted[g.IntN(len(admitted))]
			for range 1 + g.IntN(2) {
				v = g.change(v, pool)
			}
			add(v)
		}
	}
	return out
}

// change varies a value, with one of the pool in a place of it as often as not.
func (g grammar) change(v *schema.Value, pool []*schema.Value) *schema.Value {
	if len(pool) == 0 || g.IntN(2) == 0 {
		return g.Vary(v)
	}
	chosen := pool[g.IntN(len(pool))]
	switch {
	case v.Kind() == schema.Object && g.IntN(5) > 0:
		if name := pool[g.IntN(len(pool))]; name.Kind() == schema.String && g.IntN(2) == 0 {
			return v.With(name.Text(), chosen)
		}
		if v.Len() > 0 {
			m := v.Members()[g.IntN(v.Len())]
			return v.With(m.Name, g.change(m.Value, pool))
		}
	case v.Kind() == schema.Array && v.Len() > 0 && g.IntN(5) > 0:
		items := slices.Clone(v.Items())
		i := g.IntN(len(items))
		items[i] = g.change(items[i], pool)
		return schema.NewArray(items...)
	}
	return chosen
}

// named collects the values that a schema names, and those beside its bounds.
func named(v *schema.Value, out []*schema.Value) []*schema.Value {
	for _, m := range v.Members() {
		switch m.Name {
		case "const":
			out = append(out, m.Value)
		case "enum":
			out = append(out, m.Value.Items()...)
		case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
			for _, by := range []*big.Rat{{}, big.NewRat(1, 1), big.NewRat(-1, 1), big.NewRat(1, 2)} {
				if n, err := schema.NewRat(new(big.Rat).Add(m.Value.Rat(), by)); err == nil {
					out = append(out, n)
				}
			}
		case "minLength", "maxLength":
			if n, ok := m.Value.Int(); ok && n < 10 {
				out = append(out, schema.NewString(strings.Repeat("a", int(n))), schema.NewString(strings.Repeat("é", int(n)+1)))
			}
		case "required":
			out = append(out, m.Value.Items()...)
		case "properties", "dependentRequired", "dependentSchemas":
			for _, p := range m.Value.Members() {
				out = append(out, schema.NewString(p.Name))
			}
		}
	}
	for _, c := range schema.Children(v) {
		out = named(c.Value, out)
	}
	return out
}

// judges are the second validators of a pair.
type judges struct{ a, b *naive.Judge }

func newJudges(a, b *schema.Schema) judges { return judges{naive.New(a), naive.New(b)} }

// distinguish returns the first instance that A accepts and B rejects; nil if
// there is none, or none that is judged without doubt.
func (j judges) distinguish(instances []*schema.Value) *schema.Value {
	for _, v := range instances {
		if valid, why := j.a.Accepts(v); !valid || why != "" {
			continue
		}
		if valid, why := j.b.Accepts(v); !valid && why == "" {
			return v
		}
	}
	return nil
}

// same fails if the second validator tells two schemas apart.
func same(t *testing.T, a, b *schema.Schema, instances []*schema.Value) {
	t.Helper()
	for _, v := range []*schema.Value{newJudges(a, b).distinguish(instances), newJudges(b, a).distinguish(instances)} {
		if v != nil {
			t.Errorf("%s tells them apart\nA %s\nB %s", v.JSON(), a.Root().JSON(), b.Root().JSON())
		}
	}
}

// verdict is what came of one random pair.
type verdict struct {
	answer contain.Answer
	// wrong says what is wrong with the answer; empty for nothing.
	wrong string
	// doubtful says that the second validator did not know about the witness.
	doubtful bool
	// missed is an instance that would have refuted what is Unknown.
	missed *schema.Value
	// found says that the instances refute what is Refuted, without the witness:
	// how often they do tells how strong their attack on a proof is.
	sampled, found bool
}

// try asks about one pair and attacks the answer with instances of its own.
func (g grammar) try(a, b *schema.Schema) verdict {
	r := contain.Contains(a, b)
	v := verdict{answer: r.Answer}
	switch {
	case r.Defect:
		v.wrong = r.Reason
	case r.Answer == contain.Refuted && r.Witness != nil:
		var doubt string
		v.wrong, doubt = confirm(a, b, r.Witness)
		v.doubtful = doubt != ""
		if v.sampled = g.seed%16 == 0; v.sampled {
			v.found = newJudges(a, b).distinguish(g.instances(a, b, pairInstances)) != nil
		}
	case r.Answer == contain.Proven:
		if w := newJudges(a, b).distinguish(g.instances(a, b, pairInstances)); w != nil {
			v.wrong = "Proven, but " + w.JSON() + " tells them apart"
		}
	case r.Answer == contain.Unknown:
		v.missed = newJudges(a, b).distinguish(g.instances(a, b, pairInstances))
	}
	return v
}
