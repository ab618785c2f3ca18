// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/schema"
)

const (
	searchPairs     = 300
	searchInstances = 400
)

// TestTheSearchFindsWhatAnEnumeratorFinds draws pairs until an enumerator has
// told so many apart, and counts for how many of them there is a witness.
func TestTheSearchFindsWhatAnEnumeratorFinds(t *testing.T) {
	t.Parallel()
	g := newGrammar(23)
	separated, found := 0, 0
	for separated < searchPairs {
		textA := g.document(3)
		textB := g.related(textA)
		a, okA := admit(textA)
		b, okB := admit(textB)
		if !okA || !okB {
			continue
		}
		instance := separate(t, g, a, b)
		if instance == nil {
			continue
		}
		separated++
		if w := searched(t, a, b); w != nil {
			found++
		} else {
			t.Logf("none like %s\nA %s\nB %s", instance.JSON(), textA, textB)
		}
	}
	t.Logf("%d of %d pairs have a witness", found, separated)
	if found*100 < separated*98 {
		t.Error("these are too few")
	}
}

// searched runs the search alone: the gaps that the rules leave and then the
// whole schemas, without the models of the refuter.
func searched(t *testing.T, a, b *schema.Schema) *schema.Value {
	t.Helper()
	c := mustConvene(t, a, b)
	q := ask(a, b, c)
	if q.alike(q.left, q.right) || q.contained(q.left, q.right) {
		t.Errorf("Proven\nA %s\nB %s", a.Root().JSON(), b.Root().JSON())
		return nil
	}
	for _, g := range q.gaps {
		if w := q.refute(g, c); w != nil {
			return w
		}
	}
	return q.searchAll(q.left, q.right, c)
}

// separate tries many instances until one tells the schemas apart.
func separate(t *testing.T, g grammar, a, b *schema.Schema) *schema.Value {
	t.Helper()
	for _, v := range world(g, searchInstances) {
		if distinguishes(t, a, b, v) {
			return v
		}
	}
	return nil
}

// chancePairs have a witness that only chance finds, or none.
func chancePairs(t *testing.T, n int) []schemaPair {
	t.Helper()
	g := newGrammar(31)
	var pairs []schemaPair
	for len(pairs) < n {
		textA := g.document(3)
		textB := g.related(textA)
		a, okA := admit(textA)
		b, okB := admit(textB)
		if okA && okB {
			pairs = append(pairs, schemaPair{a, b})
		}
	}
	return pairs
}

// TestTheSamePairHasTheSameWitness is not parallel, since it changes how many
// processors there are.
func TestTheSamePairHasTheSameWitness(t *testing.T) { //nolint:paralleltest // see above
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	pairs := chancePairs(t, 8)
	for _, p := range pairs {
		a, b := p.a.Root().JSON(), p.b.Root().JSON()
		first := witnessesOf(admitted(t, a), admitted(t, b))
		for run := range 20 {
			runtime.GOMAXPROCS(1 + run%3)
			if diff := cmp.Diff(first, witnessesOf(admitted(t, a), admitted(t, b))); diff != "" {
				t.Fatalf("run %d of\nA %s\nB %s\n%s", run, a, b, diff)
			}
		}
	}
}

func witnessesOf(a, b *schema.Schema) []string {
	var list []string
	c, failed := convene(a, b)
	if failed != nil {
		return nil
	}
	for _, r := range Differences(a, b) {
		list = append(list, fmt.Sprintf("%s %s %s", r.Answer, r.Pointer, r.Reason))
		if r.Witness != nil {
			list = append(list, r.Witness.JSON())
		}
	}
	q := ask(a, b, c)
	if w := q.searchAll(q.left, q.right, c); w != nil {
		list = append(list, w.JSON())
	}
	return list
}

func TestShrinkLeavesOutWhatIsNotNeeded(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, a, b, witness, want string }{
		{"a member", `{"required":["a"]}`, `{"properties":{"b":{"maximum":5}}}`, `{"a":1,"b":9,"c":[1,2]}`, `{"a":1,"b":9}`},
		{"items", `{"type":"array"}`, `{"items":{"type":"integer"}}`, `[1,2,"x",3]`, `["x"]`},
		{"a long text", `{"minLength":30}`, `{"type":"integer"}`, `"` + repeat(40, "%d") + `"`, ""},
		{"below", `{}`, `{"properties":{"a":{"items":{"required":["k"]}}}}`, `{"a":[{"k":1,"l":2},{"l":2}]}`, `{"a":[{}]}`},
		{"not the name that it is about", `{}`, `{"required":["a","b"]}`, `{"b":1,"c":1}`, `{"b":1}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a, b := admitted(t, c.a), admitted(t, c.b)
			v, failed := schema.Parse([]byte(c.witness))
			if failed != nil {
				t.Fatal(failed.Message)
			}
			got := mustConvene(t, a, b).shrink(v, false)
			if !distinguishes(t, a, b, got) {
				t.Errorf("%s is no witness", got.JSON())
			}
			if c.want != "" && got.JSON() != c.want {
				t.Errorf("got %s, want %s", got.JSON(), c.want)
			}
			if len(got.JSON()) >= len(v.JSON()) {
				t.Errorf("%s is not shorter", got.JSON())
			}
		})
	}
}

// TestTheSearchIsBounded searches hostile pairs to the end of every budget.
func TestTheSearchIsBounded(t *testing.T) {
	t.Parallel()
	for _, p := range slices.Concat(hostile, hostileTexts) {
		a, b := admitted(t, p.a), admitted(t, p.b)
		c := mustConvene(t, a, b)
		q := ask(a, b, c)
		q.contained(q.left, q.right)
		q.searchAll(q.left, q.right, c)
		q.attack(q.left, q.right, c)
		spent := maxConfirming - c.work
		if maxConfirmed-c.left > 2*maxConfirmed || spent > 2*maxConfirming || c.trims < -1 {
			t.Errorf("%s: %d validations, work %d, %d trimmed", p.name, maxConfirmed-c.left, spent, maxTrimmed-c.trims)
		}
	}
}

var hostileTexts = []struct{ name, a, b string }{
	{"patterns of many states", `{"pattern":"^(?:[ab]*a[ab]{90})$"}`, `{"pattern":"^(?:[ab]*b[ab]{90})$"}`},
	{
		"many patterns", `{"patternProperties":{` + repeat(60, `"^[a%[1]dz]{1,%[1]d1}x$":{"minLength":%[1]d}`) + `}}`,
		`{"patternProperties":{` + repeat(60, `"^[a%[1]dy]{1,%[1]d1}x$":{"minLength":%[1]d}`) + `},"additionalProperties":false}`,
	},
	{"many formats", `{"allOf":[` + repeat(40, `{"anyOf":[{"format":"email"},{"format":"uri"},{"maxLength":%d}]}`) + `]}`, `{"format":"hostname"}`},
}
