// SPDX-License-Identifier: Apache-2.0

package decode_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/decode"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

func rule(t testing.TB, text string) *decode.Rule {
	t.Helper()
	r, err := decode.Read(schematest.Value(t, text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return r
}

// Hosts and people compare what they get with what was written: nothing but
// the form changes.
func TestNumbersAndOrderAreKept(t *testing.T) {
	t.Parallel()
	in := schematest.Value(t, `{"z":9007199254740993,"x":null,"a":1e300,"m":[{"key":"b","value":1},{"key":"a","value":2}]}`)
	got, err := rule(t, `{"dropNull":["x"],"properties":{"m":{"pairs":{}}}}`).Apply(in)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(`{"z":9007199254740993,"a":1e+300,"m":{"b":1,"a":2}}`, got.JSON()); diff != "" {
		t.Error(diff)
	}
}

func TestANilRuleUndoesNothing(t *testing.T) {
	t.Parallel()
	in := schematest.Value(t, `{"a":null}`)
	var none *decode.Rule
	if got, err := none.Apply(in); got != in || err != nil {
		t.Errorf("got %v, %v", got, err)
	}
	if got := none.Value().JSON(); got != "{}" {
		t.Errorf("its JSON is %s", got)
	}
}

func TestAMessageIsBoundedAndOneLine(t *testing.T) {
	t.Parallel()
	name := strings.Repeat("x\n", 5_000)
	in := schema.NewObject(schema.Member{Name: name, Value: schema.NewArray(schema.NewNull())})
	_, err := rule(t, `{"values":{"pairs":{}}}`).Apply(in)
	if err == nil || len(err.Error()) > 2_000 || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %d bytes", len(err.Error()))
	}
}

func TestTheJSONFormComesBack(t *testing.T) {
	t.Parallel()
	// As it is written: members in this order, names sorted.
	for _, text := range []string{
		`{}`,
		`{"dropNull":["a","b"]}`,
		`{"dropNull":["a"],"properties":{"a":{},"b":{"items":{"pairs":{}}}},"values":{"ref":"R"},"pairs":{"dropNull":["x"]},` +
			`"definitions":{"A":{"ref":"R"},"R":{"dropNull":["r"]}}}`,
		`{"ref":"R","definitions":{"R":{"items":{"ref":"R"}}}}`,
	} {
		if diff := cmp.Diff(text, rule(t, text).Value().JSON()); diff != "" {
			t.Error(diff)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ rule, want string }{
		"what is not an object":             {`[]`, "(root): it is not an object"},
		"a member that it does not know":    {`{"items":{"rename":{}}}`, "/items/rename: it is not known here"},
		"names that are none":               {`{"dropNull":[1]}`, "/dropNull: it is not a list of names"},
		"a list of names that is no list":   {`{"dropNull":"a"}`, "/dropNull: it is not a list of names"},
		"properties that are no object":     {`{"properties":[]}`, "/properties: it is not an object"},
		"a rule that is true":               {`{"pairs":true}`, "/pairs: it is not an object"},
		"an empty reference":                {`{"ref":""}`, "/ref: it is not a name"},
		"a reference that is no name":       {`{"ref":1}`, "/ref: it is not a name"},
		"a reference to nothing":            {`{"items":{"ref":"A"}}`, `/items/ref: there is no definition "A"`},
		"a reference with more":             {`{"ref":"A","items":{},"definitions":{"A":{}}}`, "(root): a rule with ref has nothing else"},
		"a circle of references":            {`{"ref":"A","definitions":{"A":{"ref":"B"},"B":{"ref":"A"}}}`, "leads back to itself"},
		"definitions that are not outside":  {`{"items":{"definitions":{}}}`, "/items/definitions: only the outermost rule has definitions"},
		"an array that is a list and a map": {`{"items":{},"pairs":{}}`, "(root): an array has either items or pairs"},
		"definitions that are no object":    {`{"definitions":1}`, "/definitions: it is not an object"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := decode.Read(schematest.Value(t, c.rule))
			if r != nil || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, %v; want an error with %q", r, err, c.want)
			}
		})
	}
}

// FuzzApply: no rule that is read makes applying it panic, and what it leaves
// has no part that it would undo again.
func FuzzApply(f *testing.F) {
	f.Add(`{"dropNull":["a"],"values":{"ref":"R"},"definitions":{"R":{"pairs":{"ref":"R"}}}}`, `{"a":null,"b":[{"key":"a","value":[]}]}`)
	f.Add(`{"items":{"ref":"R"},"definitions":{"R":{"ref":"S"},"S":{"ref":"R"}}}`, `[[]]`)
	f.Fuzz(func(t *testing.T, ruleText, text string) {
		parsed, failed := schema.Parse([]byte(ruleText))
		value, broken := schema.Parse([]byte(text))
		if failed != nil || broken != nil {
			return
		}
		r, err := decode.Read(parsed)
		if err != nil {
			return
		}
		again, err := decode.Read(r.Value())
		if err != nil || again.Value().JSON() != r.Value().JSON() {
			t.Errorf("%s does not come back: %v", r.Value().JSON(), err)
		}
		got, err := r.Apply(value)
		if (got == nil) == (err == nil) {
			t.Errorf("got %v and %v", got, err)
		}
	})
}
