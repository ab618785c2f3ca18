// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/finding"
)

func TestReferencesLeadToOneNode(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ schema, target string }{
		"the root":                        {`{"properties":{"a":{"$ref":"#"}}}`, ""},
		"a definition":                    {`{"properties":{"a":{"$ref":"#/$defs/d"}},"$defs":{"d":{}}}`, "/$defs/d"},
		"a former definition":             {`{"properties":{"a":{"$ref":"#/definitions/d"}},"definitions":{"d":{}}}`, "/definitions/d"},
		"a slash and a tilde":             {`{"properties":{"a":{"$ref":"#/$defs/x~1y~0z"}},"$defs":{"x/y~z":{}}}`, "/$defs/x~1y~0z"},
		"what looks like an escape":       {`{"properties":{"a":{"$ref":"#/$defs/~01"}},"$defs":{"~1":{}}}`, "/$defs/~01"},
		"a percent sign":                  {`{"properties":{"a":{"$ref":"#/$defs/50%25"}},"$defs":{"50%":{}}}`, "/$defs/50%"},
		"a space, encoded":                {`{"properties":{"a":{"$ref":"#/$defs/x%20y"}},"$defs":{"x y":{}}}`, "/$defs/x y"},
		"a space as it is":                {`{"properties":{"a":{"$ref":"#/$defs/x y"}},"$defs":{"x y":{}}}`, "/$defs/x y"},
		"an encoded dollar":               {`{"properties":{"a":{"$ref":"#/%24defs/d"}},"$defs":{"d":{}}}`, "/$defs/d"},
		"an encoded slash separates":      {`{"properties":{"a":{"$ref":"#/$defs%2Fd"}},"$defs":{"d":{}}}`, "/$defs/d"},
		"encoded Chinese":                 {`{"properties":{"a":{"$ref":"#/$defs/%E9%80%80"}},"$defs":{"退":{}}}`, "/$defs/退"},
		"a plus sign is one":              {`{"properties":{"a":{"$ref":"#/$defs/x+y"}},"$defs":{"x+y":{},"x y":{}}}`, "/$defs/x+y"},
		"an empty name":                   {`{"properties":{"a":{"$ref":"#/$defs/"}},"$defs":{"":{}}}`, "/$defs/"},
		"an item of allOf":                {`{"properties":{"a":{"$ref":"#/allOf/1"}},"allOf":[{},{}]}`, "/allOf/1"},
		"a property":                      {`{"properties":{"b":{},"a":{"$ref":"#/properties/b"}}}`, "/properties/b"},
		"items":                           {`{"properties":{"a":{"$ref":"#/items"}},"items":{}}`, "/items"},
		"a boolean schema":                {`{"properties":{"a":{"$ref":"#/$defs/d"}},"$defs":{"d":false}}`, "/$defs/d"},
		"a property named like a keyword": {`{"properties":{"a":{"$ref":"#/properties/not"},"not":{}}}`, "/properties/not"},
		"an anchor":                       {`{"properties":{"a":{"$ref":"#x"}},"$defs":{"d":{"$anchor":"x"}}}`, "/$defs/d"},
		"an anchor at the root":           {`{"$anchor":"x","properties":{"a":{"$ref":"#x"}}}`, ""},
		"an encoded anchor":               {`{"properties":{"a":{"$ref":"#%78"}},"$defs":{"d":{"$anchor":"x"}}}`, "/$defs/d"},
		"an anchor before it is there":    {`{"properties":{"a":{"$ref":"#x"},"b":{"$anchor":"x"}}}`, "/properties/b"},
		"beside other keywords":           {`{"properties":{"a":{"$ref":"#/$defs/d","type":"string"}},"$defs":{"d":{}}}`, "/$defs/d"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := admitted(t, test.schema)
			from, ok := s.Node("/properties/a")
			if !ok || from.Ref < 0 {
				t.Fatal("there is no reference")
			}
			if got := s.Nodes()[from.Ref].Pointer; got != test.target {
				t.Errorf("it leads to %q, want %q", got, test.target)
			}
			if test.target != "" {
				checkValidatorFollows(t, s.Root(), test.target)
			}
		})
	}
}

// checkValidatorFollows marks the target and looks whether the library goes
// there too: the graph judges cycles and work for it.
func checkValidatorFollows(t *testing.T, root *Value, target string) {
	t.Helper()
	marked := replaced(root, finding.Tokens(target), func(node *Value) *Value {
		if node.kind == Bool {
			node = NewObject()
		}
		return node.With("const", NewString("hit"))
	})
	validator := compiled(t, marked.JSON())
	for word, want := range map[string]bool{"hit": true, "miss": false} {
		findings := validator.Validate(NewObject(Member{"a", NewString(word)}))
		refused := slices.ContainsFunc(findings, func(f finding.Finding) bool { return f.Pointer == "/a" && f.Keyword == "const" })
		if refused == want {
			t.Errorf("the validator goes elsewhere: for %q it says %v", word, findings)
		}
	}
}

func replaced(v *Value, tokens []string, change func(*Value) *Value) *Value {
	if len(tokens) == 0 {
		return change(v)
	}
	if v.kind == Object {
		return v.With(tokens[0], replaced(v.Get(tokens[0]), tokens[1:], change))
	}
	items := slices.Clone(v.items)
	for i := range items {
		if tokens[0] == strconv.Itoa(i) {
			items[i] = replaced(items[i], tokens[1:], change)
		}
	}
	return NewArray(items...)
}

func TestReferencesThatLeadNowhereAreRefused(t *testing.T) {
	t.Parallel()
	unresolved := []place{{RuleRefUnresolved, "/properties/a/$ref", "$ref"}}
	cases := map[string]admissionCase{}
	for name, ref := range map[string]string{
		"a definition that is missing":        "#/$defs/missing",
		"a path that ends too early":          "#/$defs",
		"a path that goes on":                 "#/$defs/d/type",
		"a keyword that is no schema":         "#/required",
		"a member of a list of names":         "#/required/0",
		"data under const":                    "#/const",
		"data inside const":                   "#/const/properties/x",
		"data in an enum":                     "#/enum/0",
		"data in examples":                    "#/examples/0",
		"data under default":                  "#/default",
		"an unknown keyword":                  "#/x-unknown",
		"a keyword of a former draft":         "#/dependencies/x",
		"the list of allOf":                   "#/allOf",
		"an item that is missing":             "#/allOf/9",
		"an index with a leading zero":        "#/allOf/00",
		"an index with a sign":                "#/allOf/+0",
		"the end of a list":                   "#/allOf/-",
		"another case":                        "#/$DEFS/d",
		"a slash at the end":                  "#/$defs/d/",
		"a tilde that escapes nothing":        "#/$defs/x~y",
		"a tilde with another number":         "#/$defs/~2",
		"a percent sign that escapes nothing": "#/$defs/50%",
		"an escape of half a byte":            "#/$defs/%4",
		"encoded twice":                       "#/%2524defs/d",
		"an encoded byte that is no UTF-8":    "#/$defs/%ff",
		"a pointer without a slash":           "#$defs/d",
		"an anchor that is missing":           "#nothere",
		"an anchor in another case":           "#X",
		"an anchor in data":                   "#indata",
		"two fragments":                       "##",
		"an empty reference":                  "",
	} {
		cases[name] = admissionCase{fmt.Sprintf(`{"properties":{"a":{"$ref":%q}},"required":["a"],"allOf":[{}],
			"const":{"properties":{"x":{}},"$anchor":"indata"},"enum":[{"type":"object"}],"examples":[{}],"default":{},"x-unknown":{},
			"$defs":{"d":{"type":"string","$anchor":"x"},"x~y":{},"~2":{},"50%%":{}}}`, ref), unresolved}
	}
	cases["a keyword of a former draft"] = admissionCase{
		`{"properties":{"a":{"$ref":"#/x-unknown/not"}},"x-unknown":{"not":{}}}`, unresolved,
	}
	checkAdmission(t, cases, finding.Error)
}

func TestReferencesThatLeaveTheDocumentAreRefused(t *testing.T) {
	t.Parallel()
	cases := map[string]admissionCase{
		"even if the document has this $id": {
			`{"$id":"https://example.com/s","properties":{"a":{"$ref":"https://example.com/s#/$defs/d"}},"$defs":{"d":{}}}`,
			[]place{{RuleRefNotLocal, "/properties/a/$ref", "$ref"}},
		},
		"a property of this name":    {`{"properties":{"$ref":{"type":"string"},"a":{"properties":{"$ref":{}}}}}`, nil},
		"data of this name":          {`{"const":{"$ref":"x"},"enum":[{"$ref":"x"}],"default":{"$ref":"x"},"examples":[{"$ref":"x"}]}`, nil},
		"an unknown keyword with it": {`{"x-a":{"$ref":"x"}}`, nil},
		"a definition of this name":  {`{"$defs":{"$ref":{}}}`, nil},
		"a value of the wrong type":  {`{"$ref":5}`, nil},
	}
	for _, ref := range []string{
		"https://example.com/schema.json", "http://127.0.0.1/x#/$defs/d", "//example.com/x", "file:///etc/passwd", "file:x.json",
		"data:application/json,{}", "other.json", "./other.json#/$defs/d", "/absolute.json", "?query", "urn:example:a", "../x", " #/$defs/d",
		"https://json-schema.org/draft/2020-12/schema", "schema:///document", "schema:///document#/$defs/d", "C:\\schema.json",
	} {
		cases[ref] = admissionCase{
			fmt.Sprintf(`{"properties":{"a":{"$ref":%q}},"$defs":{"d":{}}}`, ref),
			[]place{{RuleRefNotLocal, "/properties/a/$ref", "$ref"}},
		}
	}
	for _, holder := range []string{"not", "items", "if", "contains", "additionalProperties", "contentSchema", "unevaluatedItems"} {
		cases["under "+holder] = admissionCase{
			fmt.Sprintf(`{%q:{"$ref":"x.json"}}`, holder), []place{{RuleRefNotLocal, "/" + holder + "/$ref", "$ref"}},
		}
	}
	checkAdmission(t, cases, finding.Error)
}

func TestCyclesAtOnePlaceAreRefused(t *testing.T) {
	t.Parallel()
	cycle := func(pointer string) []place { return []place{{RuleRefCycle, pointer + "/$ref", "$ref"}} }
	checkAdmission(t, map[string]admissionCase{
		"to itself":                {`{"$ref":"#"}`, cycle("")},
		"of two definitions":       {`{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`, cycle("/$defs/b")},
		"in unused definitions":    {`{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`, cycle("/$defs/b")},
		"through an anchor":        {`{"$defs":{"a":{"$anchor":"x","allOf":[{"$ref":"#x"}]}}}`, cycle("/$defs/a/allOf/0")},
		"through allOf":            {`{"allOf":[{"type":"object"},{"$ref":"#"}]}`, cycle("/allOf/1")},
		"through anyOf":            {`{"anyOf":[{"type":"object"},{"$ref":"#"}]}`, cycle("/anyOf/1")},
		"through oneOf":            {`{"oneOf":[{"$ref":"#"}]}`, cycle("/oneOf/0")},
		"through not":              {`{"not":{"$ref":"#"}}`, cycle("/not")},
		"through if":               {`{"if":{"$ref":"#"}}`, cycle("/if")},
		"through then":             {`{"if":{},"then":{"$ref":"#"}}`, cycle("/then")},
		"through else":             {`{"if":{},"else":{"$ref":"#"}}`, cycle("/else")},
		"through dependentSchemas": {`{"dependentSchemas":{"a":{"$ref":"#"}}}`, cycle("/dependentSchemas/a")},
		"in a place below":         {`{"properties":{"a":{"not":{"$ref":"#/properties/a"}}}}`, cycle("/properties/a/not")},
		"entered in the middle": {
			`{"properties":{"a":{"$ref":"#/$defs/x/allOf/0"}},"$defs":{"x":{"allOf":[{"$ref":"#/$defs/x"}]}}}`,
			cycle("/$defs/x/allOf/0"),
		},
		"beside a reference that is no part of it": {
			`{"$ref":"#/$defs/leaf","allOf":[{"not":{"$ref":"#/allOf/0"}}],"$defs":{"leaf":{}}}`, cycle("/allOf/0/not"),
		},

		"through properties":                                    {`{"properties":{"next":{"$ref":"#"}}}`, nil},
		"through items":                                         {`{"items":{"$ref":"#"}}`, nil},
		"through prefixItems":                                   {`{"prefixItems":[{"$ref":"#"}]}`, nil},
		"through contains":                                      {`{"contains":{"$ref":"#"}}`, nil},
		"through additionalProperties":                          {`{"additionalProperties":{"$ref":"#"}}`, nil},
		"through patternProperties":                             {`{"patternProperties":{"a":{"$ref":"#"}}}`, nil},
		"through propertyNames":                                 {`{"propertyNames":{"$ref":"#"}}`, nil},
		"through unevaluatedProperties":                         {`{"unevaluatedProperties":{"$ref":"#"}}`, nil},
		"through unevaluatedItems":                              {`{"unevaluatedItems":{"$ref":"#"}}`, nil},
		"to a place above, which is not applied":                {`{"$defs":{"a":{"$ref":"#"}}}`, nil},
		"through contentSchema, which is not asserted":          {`{"contentSchema":{"$ref":"#"}}`, nil},
		"two ways to one place":                                 {`{"allOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"}],"$defs":{"a":{}}}`, nil},
		"through a keyword of a former draft, which is ignored": {`{"x-a":{"$ref":"#"}}`, nil},
	}, finding.Error)
}

func TestRecursionAndExpansionAreReported(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		schema    string
		recursive bool
		expansion int
	}{
		"one node":                 {`{}`, false, 1},
		"a property":               {`{"properties":{"a":{}}}`, false, 2},
		"a reference counts twice": {`{"properties":{"a":{"$ref":"#/$defs/d"},"b":{"$ref":"#/$defs/d"}},"$defs":{"d":{"items":{}}}}`, false, 7},
		"what is not applied":      {`{"$defs":{"d":{}},"contentSchema":{}}`, false, 1},
		"a recursion once":         {`{"properties":{"next":{"$ref":"#"}}}`, true, 3},
		"a recursion nobody uses":  {`{"$defs":{"d":{"items":{"$ref":"#/$defs/d"}}}}`, true, 3},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := admitted(t, test.schema)
			if s.Recursive() != test.recursive || s.expansion != test.expansion {
				t.Errorf("recursive: %t, expansion %d", s.Recursive(), s.expansion)
			}
		})
	}
}

func TestAppliesNamesTheNodesThatApply(t *testing.T) {
	t.Parallel()
	s := admitted(t, `{"$ref":"#/$defs/d","not":{},"properties":{"a":{}},"additionalProperties":false,"$defs":{"d":{}},"contentSchema":{}}`)
	name := func(nodes []int) []string {
		var out []string
		for _, i := range nodes {
			out = append(out, s.Nodes()[i].Pointer)
		}
		return out
	}
	inPlace := []string{"/$defs/d", "/not"}
	if diff := cmp.Diff(inPlace, name(s.AppliesInPlace(0))); diff != "" {
		t.Errorf("in place: %s", diff)
	}
	if diff := cmp.Diff(append(inPlace, "/properties/a", "/additionalProperties"), name(s.Applies(0))); diff != "" {
		t.Errorf("all: %s", diff)
	}
	if got := append(s.Applies(0), 99); len(s.Applies(0)) != len(got)-1 {
		t.Error("a caller can change the edges")
	}
}
