// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/finding"
)

// admission is one case of the tables below: a schema and what is found in it.
type admissionCase struct {
	schema string
	want   []place // none: admitted without a word
}

func checkAdmission(t *testing.T, cases map[string]admissionCase, severity finding.Severity) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, findings := Admit(parsed(t, c.schema))
			if diff := cmp.Diff(c.want, places(findings)); diff != "" {
				t.Errorf("%v\n%s", findings, diff)
			}
			for _, f := range findings {
				if f.Severity != severity {
					t.Errorf("%v is no %s", f, severity)
				}
			}
			if refused := finding.HasErrors(findings); refused != (s == nil) {
				t.Errorf("errors: %t, schema: %t", refused, s != nil)
			}
			checkTexts(t, findings)
		})
	}
}

func TestAdmitRefusesWhatIsNoSchema(t *testing.T) {
	t.Parallel()
	checkAdmission(t, map[string]admissionCase{
		"null":      {`null`, []place{{RuleInvalidSchema, "", ""}}},
		"a string":  {`"object"`, []place{{RuleInvalidSchema, "", ""}}},
		"a number":  {`1`, []place{{RuleInvalidSchema, "", ""}}},
		"an array":  {`[{}]`, []place{{RuleInvalidSchema, "", ""}}},
		"a boolean": {`true`, nil},
		"an object": {`{}`, nil},
	}, finding.Error)
}

func TestAdmitRefusesOtherDialects(t *testing.T) {
	t.Parallel()
	dialect := func(pointer string) []place { return []place{{RuleDialect, pointer, "$schema"}} }
	checkAdmission(t, map[string]admissionCase{
		"2020-12":                        {`{"$schema":"https://json-schema.org/draft/2020-12/schema"}`, nil},
		"2020-12 with an empty fragment": {`{"$schema":"https://json-schema.org/draft/2020-12/schema#"}`, nil},
		"2020-12 inside":                 {`{"not":{"$schema":"https://json-schema.org/draft/2020-12/schema"}}`, nil},
		"http instead of https":          {`{"$schema":"http://json-schema.org/draft/2020-12/schema"}`, dialect("/$schema")},
		"draft-07":                       {`{"$schema":"http://json-schema.org/draft-07/schema#"}`, dialect("/$schema")},
		"2019-09":                        {`{"$schema":"https://json-schema.org/draft/2019-09/schema"}`, dialect("/$schema")},
		"the latest":                     {`{"$schema":"https://json-schema.org/schema"}`, dialect("/$schema")},
		"a file":                         {`{"$schema":"file:///etc/passwd"}`, dialect("/$schema")},
		"nothing":                        {`{"$schema":""}`, dialect("/$schema")},
		"no string":                      {`{"$schema":{"a":1}}`, dialect("/$schema")},
		"draft-07 inside":                {`{"properties":{"a":{"$schema":"http://json-schema.org/draft-07/schema#"}}}`, dialect("/properties/a/$schema")},
		"a property of this name":        {`{"properties":{"$schema":{"type":"string"}},"required":["$schema"]}`, nil},
		"data of this name":              {`{"const":{"$schema":"x"},"examples":[{"$schema":1}]}`, nil},
	}, finding.Error)
}

func TestAdmitRefusesKeywordsThatDependOnSurroundings(t *testing.T) {
	t.Parallel()
	refused := func(pointer, keyword string) []place { return []place{{RuleKeywordRefused, pointer, keyword}} }
	cases := map[string]admissionCase{
		"an embedded $id": {`{"properties":{"a":{"$id":"https://example.com/a"}}}`, refused("/properties/a/$id", "$id")},
		"an $id in $defs": {`{"$defs":{"a":{"$id":"a"}}}`, refused("/$defs/a/$id", "$id")},
		"an $id of the wrong type inside": {
			`{"not":{"$id":{}}}`, refused("/not/$id", "$id"),
		},
		"the $id of the document": {`{"$id":"https://example.com/a"}`, nil},
	}
	for keyword := range refusedKeywords {
		cases[keyword] = admissionCase{
			fmt.Sprintf(`{"items":{%q:"#x"}}`, keyword), refused("/items/"+keyword, keyword),
		}
		cases[keyword+" at the root"] = admissionCase{
			fmt.Sprintf(`{%q:{"a":true}}`, keyword), refused("/"+keyword, keyword),
		}
		cases[keyword+" as a property"] = admissionCase{
			fmt.Sprintf(`{"properties":{%q:{}},"patternProperties":{"[$]x":{}},"required":[%q]}`, keyword, keyword), nil,
		}
		cases[keyword+" as a definition"] = admissionCase{fmt.Sprintf(`{"$defs":{%q:{}},"definitions":{%q:{}}}`, keyword, keyword), nil}
		cases[keyword+" in data"] = admissionCase{
			fmt.Sprintf(`{"const":{%[1]q:1},"enum":[{%[1]q:1}],"default":{%[1]q:1},"examples":[{%[1]q:1}]}`, keyword), nil,
		}
		cases[keyword+" in an unknown keyword"] = admissionCase{fmt.Sprintf(`{"x-a":{%q:1}}`, keyword), nil}
		cases[keyword+" in a name of dependentRequired"] = admissionCase{fmt.Sprintf(`{"dependentRequired":{%q:[]}}`, keyword), nil}
	}
	checkAdmission(t, cases, finding.Error)
}

func TestAdmitRefusesAnIDThatIsNoURI(t *testing.T) {
	t.Parallel()
	checkAdmission(t, map[string]admissionCase{
		"a bad escape":     {`{"$id":"https://example.com/%zz"}`, []place{{RuleInvalidSchema, "/$id", "$id"}}},
		"a bad port":       {`{"$id":"http://a:b"}`, []place{{RuleInvalidSchema, "/$id", "$id"}}},
		"a control":        {`{"$id":"a\u0000"}`, []place{{RuleInvalidSchema, "/$id", "$id"}}},
		"a relative URI":   {`{"$id":"a/b.json"}`, nil},
		"a URN":            {`{"$id":"urn:uuid:deadbeef-1234-ffff-ffff-4321feebdaed"}`, nil},
		"the meta-schema":  {`{"$id":"https://json-schema.org/draft/2020-12/schema","$ref":"#/$defs/a","$defs":{"a":{}}}`, nil},
		"an existing file": {`{"$id":"file:///etc/passwd"}`, nil},
	}, finding.Error)
}

func TestAdmitWarnsOfKeywordsThatOtherDraftsHad(t *testing.T) {
	t.Parallel()
	cases := map[string]admissionCase{
		"several, by pointer": {
			`{"items":{"nullable":true},"additionalItems":false,"dependencies":{}}`,
			[]place{
				{RuleUnknownKeyword, "/additionalItems", "additionalItems"},
				{RuleUnknownKeyword, "/dependencies", "dependencies"},
				{RuleUnknownKeyword, "/items/nullable", "nullable"},
			},
		},
		"other unknown keywords are a matter of the provider": {`{"x-order":1,"foo":{"bar":1}}`, nil},
		"definitions still leads somewhere":                   {`{"$ref":"#/definitions/a","definitions":{"a":{}}}`, nil},
	}
	for keyword := range formerKeywords {
		cases[keyword] = admissionCase{
			fmt.Sprintf(`{"properties":{"a":{%q:1}}}`, keyword), []place{{RuleUnknownKeyword, "/properties/a/" + keyword, keyword}},
		}
		cases[keyword+" as a property"] = admissionCase{fmt.Sprintf(`{"properties":{%q:{}}}`, keyword), nil}
		cases[keyword+" in data"] = admissionCase{fmt.Sprintf(`{"const":{%[1]q:1},"examples":[{%[1]q:1}]}`, keyword), nil}
	}
	checkAdmission(t, cases, finding.Warning)
}

func TestAdmitRefusesDuplicateAnchors(t *testing.T) {
	t.Parallel()
	checkAdmission(t, map[string]admissionCase{
		"twice": {
			`{"$defs":{"a":{"$anchor":"x"},"b":{"$anchor":"x"}}}`, []place{{RuleInvalidSchema, "/$defs/b/$anchor", "$anchor"}},
		},
		"three times": {
			`{"$anchor":"x","$defs":{"a":{"$anchor":"x"},"b":{"$anchor":"x"}}}`,
			[]place{{RuleInvalidSchema, "/$defs/a/$anchor", "$anchor"}, {RuleInvalidSchema, "/$defs/b/$anchor", "$anchor"}},
		},
		"different anchors":         {`{"$defs":{"a":{"$anchor":"x"},"b":{"$anchor":"X"}}}`, nil},
		"one of them is data":       {`{"$anchor":"x","const":{"$anchor":"x"},"enum":[{"$anchor":"x"}]}`, nil},
		"properties of this name":   {`{"properties":{"$anchor":{"$anchor":"x"},"a":{"properties":{"$anchor":{}}}}}`, nil},
		"the wrong type is no name": {`{"$anchor":1,"$defs":{"b":{"$anchor":1}}}`, nil},
	}, finding.Error)
}

func TestAdmitRefusesCountsThatNobodyCounts(t *testing.T) {
	t.Parallel()
	cases := map[string]admissionCase{
		"bounds of numbers are no counts":    {`{"minimum":1e300,"maximum":99999999999999999999,"multipleOf":1e300}`, nil},
		"a negative count is reported later": {`{"minLength":-1}`, nil},
	}
	for _, keyword := range countKeywords {
		refused := []place{{RuleCountRange, "/not/" + keyword, keyword}}
		for value, want := range map[string][]place{
			"0": nil, "9007199254740992": nil, "9007199254740993": refused, "99999999999999999999": refused, "1e300": refused,
			"-1e300": refused, "1.0": nil, "1.5": nil, `"5"`: nil, `true`: nil,
		} {
			cases[keyword+" of "+value] = admissionCase{fmt.Sprintf(`{"not":{%q:%s}}`, keyword, value), want}
		}
		cases[keyword+" as a property"] = admissionCase{fmt.Sprintf(`{"properties":{%q:{}},"const":{%q:1e300}}`, keyword, keyword), nil}
	}
	checkAdmission(t, cases, finding.Error)
}

func TestAdmitRefusesPatternsThatAreNoneOrCostTooMuch(t *testing.T) {
	t.Parallel()
	const costly = `^(a+)+(?=b)$`
	quoted := func(pattern string) string {
		text, err := json.Marshal(pattern)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	checkAdmission(t, map[string]admissionCase{
		"a pattern":    {`{"pattern":"^[a-z]{1,20}$"}`, nil},
		"a look-ahead": {`{"pattern":"^(?!.*--)[a-z-]+$"}`, nil},
		"nested repetition is fine for an automaton": {`{"pattern":"^(a+)+$"}`, nil},
		"an open bracket":           {`{"pattern":"["}`, []place{{RulePatternSyntax, "/pattern", "pattern"}}},
		"flags of another language": {`{"items":{"pattern":"(?i)a"}}`, []place{{RulePatternSyntax, "/items/pattern", "pattern"}}},
		"catastrophic backtracking": {`{"pattern":` + quoted(costly) + `}`, []place{{RulePatternCost, "/pattern", "pattern"}}},
		"more bytes than a pattern has": {
			`{"pattern":` + quoted(strings.Repeat("a", 5_000)) + `}`, []place{{RulePatternCost, "/pattern", "pattern"}},
		},
		"a count that explodes": {`{"pattern":"((a{0,99}){0,99}){0,99}"}`, []place{{RulePatternCost, "/pattern", "pattern"}}},
		"every place of the same mistake": {
			`{"properties":{"a":{"pattern":"["},"b":{"pattern":"["}}}`,
			[]place{{RulePatternSyntax, "/properties/a/pattern", "pattern"}, {RulePatternSyntax, "/properties/b/pattern", "pattern"}},
		},
		"a name of patternProperties": {
			`{"patternProperties":{"^x-":{},"a/[":{}}}`, []place{{RulePatternSyntax, "/patternProperties/a~1[", ""}},
		},
		"a costly name of patternProperties": {
			`{"patternProperties":{` + quoted(costly) + `:{}}}`, []place{{RulePatternCost, "/patternProperties/" + costly, ""}},
		},
		"a pattern of the wrong type":   {`{"pattern":5,"patternProperties":7}`, nil},
		"a property of this name":       {`{"properties":{"pattern":{"type":"string"},"patternProperties":{}}}`, nil},
		"data of this name":             {`{"default":{"pattern":"["},"enum":[{"patternProperties":{"[":1}}]}`, nil},
		"a property name is no pattern": {`{"properties":{"[":{}},"required":["["]}`, nil},
	}, finding.Error)
}

func TestAdmittedPatternsCanBeLookedUp(t *testing.T) {
	t.Parallel()
	s := admitted(t, `{"pattern":"^a","patternProperties":{"b$":{"pattern":"c"}},"const":{"pattern":"d"}}`)
	for source, want := range map[string]bool{"^a": true, "b$": true, "c": true, "d": false, "": false} {
		if got := s.Pattern(source) != nil; got != want {
			t.Errorf("pattern %q: %t, want %t", source, got, want)
		}
	}
}

func TestAdmitFindsMembersThatTheTypeNeverAdmits(t *testing.T) {
	t.Parallel()
	mismatch := func(pointer, keyword string) []place { return []place{{RuleEnumType, pointer, keyword}} }
	checkAdmission(t, map[string]admissionCase{
		"a number among strings":                  {`{"type":"string","enum":["a",1]}`, mismatch("/enum/1", "enum")},
		"a null among strings":                    {`{"type":"string","enum":["a",null]}`, mismatch("/enum/1", "enum")},
		"a null that the type admits":             {`{"type":["string","null"],"enum":["a",null]}`, nil},
		"a fraction among integers":               {`{"type":"integer","enum":[1,1.5]}`, mismatch("/enum/1", "enum")},
		"an integer with a point":                 {`{"type":"integer","enum":[1.0,1e2]}`, nil},
		"an integer is a number":                  {`{"type":"number","enum":[1]}`, nil},
		"a constant of another type":              {`{"properties":{"a":{"type":"object","const":[]}}}`, mismatch("/properties/a/const", "const")},
		"without a type all are right":            {`{"enum":[1,"a",true,null,{}]}`, nil},
		"booleans among booleans":                 {`{"type":"boolean","enum":[true]}`, nil},
		"a word that is no type":                  {`{"type":"int","enum":[1,true]}`, nil},
		"a word that is no type in one":           {`{"type":["str","null"],"enum":["a",true]}`, nil},
		"a type of the wrong type":                {`{"type":5,"enum":[1]}`, nil},
		"an enum of the wrong type":               {`{"type":"string","enum":{"a":1}}`, nil},
		"default and examples are another matter": {`{"type":"string","default":1,"examples":[2]}`, nil},
		"properties of these names":               {`{"properties":{"type":{"enum":["string"]},"enum":{"enum":[1]}}}`, nil},
	}, finding.Warning)
}

func TestAdmitFindsWhatAdmitsNothing(t *testing.T) {
	t.Parallel()
	nothing := func(pointer, keyword string) []place { return []place{{RuleAdmitsNothing, pointer, keyword}} }
	checkAdmission(t, map[string]admissionCase{
		"an enum without values":               {`{"properties":{"a":{"enum":[]}}}`, nothing("/properties/a/enum", "enum")},
		"required and never allowed":           {`{"properties":{"b":{}},"required":["b","a"],"additionalProperties":false}`, nothing("/required/1", "required")},
		"required and false":                   {`{"properties":{"a":false},"required":["a"]}`, nothing("/required/0", "required")},
		"required, undeclared, but open":       {`{"properties":{},"required":["a"]}`, nil},
		"required and allowed by a pattern":    {`{"patternProperties":{"^a":{}},"required":["a"],"additionalProperties":false}`, nil},
		"false and optional":                   {`{"properties":{"a":false}}`, nil},
		"properties that are named like these": {`{"properties":{"required":{"type":"array"},"enum":{"type":"array"}}}`, nil},
	}, finding.Warning)
}

func TestAdmitTakesABooleanAmongOtherTypesForYAML(t *testing.T) {
	t.Parallel()
	checkAdmission(t, map[string]admissionCase{
		"in an enum": {`{"properties":{"a":{"type":"string","enum":["maybe",true,false]}}}`, []place{
			{RuleYAMLBoolean, "/properties/a/enum/1", "enum"}, {RuleYAMLBoolean, "/properties/a/enum/2", "enum"},
		}},
		"as a constant":              {`{"type":["string","null"],"const":false}`, []place{{RuleYAMLBoolean, "/const", "const"}}},
		"a boolean that is admitted": {`{"type":["string","boolean"],"enum":["auto",true]}`, nil},
		"strings of these words":     {`{"type":"string","enum":["true","on","y"]}`, nil},
	}, finding.Error)
}

func TestAdmitReportsEverythingAtOnce(t *testing.T) {
	t.Parallel()
	_, findings := Admit(parsed(t, `{"$schema":"x","properties":{"a":{"$ref":"b.json","pattern":"["},"c":{"minLength":1e30,"nullable":true}}}`))
	want := []place{
		{RuleDialect, "/$schema", "$schema"},
		{RuleRefNotLocal, "/properties/a/$ref", "$ref"},
		{RulePatternSyntax, "/properties/a/pattern", "pattern"},
		{RuleCountRange, "/properties/c/minLength", "minLength"},
		{RuleUnknownKeyword, "/properties/c/nullable", "nullable"},
	}
	if diff := cmp.Diff(want, places(findings)); diff != "" {
		t.Error(diff)
	}
}

func TestAdmittedNodesAreFoundByPointer(t *testing.T) {
	t.Parallel()
	s := admitted(t, `{"$defs":{"d":{"type":"null"}},"properties":{"a/b":{"items":{"$ref":"#/$defs/d"}},"c":true},"const":{"not":{}}}`)
	var pointers []string
	for i, n := range s.Nodes() {
		pointers = append(pointers, n.Pointer)
		found, ok := s.Node(n.Pointer)
		if !ok || found != &s.Nodes()[i] {
			t.Errorf("%s is not found", n.Pointer)
		}
		if n.Parent >= i {
			t.Errorf("%s comes before its parent", n.Pointer)
		}
	}
	want := []string{"", "/properties/a~1b", "/properties/a~1b/items", "/properties/c", "/$defs/d"}
	if diff := cmp.Diff(want, pointers); diff != "" {
		t.Error(diff)
	}
	items, _ := s.Node("/properties/a~1b/items")
	if s.Nodes()[items.Ref].Pointer != "/$defs/d" || items.In != "items" || items.Token != "" || s.Nodes()[items.Parent].Token != "a/b" {
		t.Errorf("a node is misplaced: %+v", items)
	}
	for _, pointer := range []string{"/const/not", "/properties", "/properties/a", "properties/c", "/"} {
		if n, ok := s.Node(pointer); ok {
			t.Errorf("there is a node at %q: %v", pointer, n)
		}
	}
}

func TestAdmitIsAFunctionOfItsInput(t *testing.T) {
	t.Parallel()
	text := `{"properties":{"a":{"$ref":"x"},"b":{"$ref":"#/y"},"c":{"pattern":"["},"d":{"nullable":true}},"$id":"%zz"}`
	_, want := Admit(parsed(t, text))
	for range 200 {
		_, got := Admit(parsed(t, text))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	}
}
