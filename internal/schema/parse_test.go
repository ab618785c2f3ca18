// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/finding"
)

func containsAny(text string, parts ...string) bool {
	for _, part := range parts {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

func TestParseKeepsOrderTextAndValues(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, want string }{
		"null":               {`null`, `null`},
		"booleans":           {` [ true , false ] `, `[true,false]`},
		"members in order":   {`{"b":1,"a":{"d":2,"c":3}}`, `{"b":1,"a":{"d":2,"c":3}}`},
		"empty containers":   {`{"a":[],"b":{}}`, `{"a":[],"b":{}}`},
		"white space":        {"\t\r\n {\n\"a\" :\t1}\n", `{"a":1}`},
		"escapes":            {`"\u0041\/\"\\\b\f\n\r\t\u001f"`, `"A/\"\\\b\f\n\r\t\u001f"`},
		"a surrogate pair":   {`"\ud83d\ude00"`, `"😀"`},
		"what is not HTML":   {`"<a href='&'>"`, `"<a href='&'>"`},
		"no escape needed":   {"\"\u007f\u2028\u2029\ufeff\"", "\"\u007f\u2028\u2029\ufeff\""},
		"an empty name":      {`{"":1}`, `{"":1}`},
		"names that differ":  {`{"a":1,"A":2,"a ":3,"\u00e1":4,"a\u0301":5}`, "{\"a\":1,\"A\":2,\"a \":3,\"\u00e1\":4,\"a\u0301\":5}"},
		"numbers":            {`[1.0,1e2,-0,0.10]`, `[1,100,0,0.1]`},
		"a null in an array": {`{"a":[null]}`, `{"a":[null]}`},
		"a null as a member": {`{"a":null}`, `{"a":null}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, parsed(t, test.text).JSON()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseSaysWhereAndWhy(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text          string
		rule, pointer string
		message       string // a part of it
	}{
		"no text":                       {"", RuleJSONSyntax, "", "line 1, column 1: it ends too early"},
		"only white space":              {" \n ", RuleJSONSyntax, "", "it ends too early"},
		"an open object":                {`{"a":{"b":1`, RuleJSONSyntax, "/a", "it ends too early"},
		"an open string":                {`{"a":"b`, RuleJSONSyntax, "/a", "it ends too early"},
		"a missing value":               {`{"a":}`, RuleJSONSyntax, "/a", "line 1, column 6"},
		"a missing colon":               {`{"a" 1}`, RuleJSONSyntax, "/a", "line 1, column 6"},
		"a missing comma":               {"[1\n 2]", RuleJSONSyntax, "", "line 2, column 2"},
		"a trailing comma":              {`{"a":[1,]}`, RuleJSONSyntax, "/a", "line 1, column 8: there is a comma before the closing ]"},
		"a trailing comma in an object": {"{\"a\":1,\n}", RuleJSONSyntax, "", "line 1, column 7: there is a comma before the closing }"},
		"a name without quotes":         {`{a:1}`, RuleJSONSyntax, "", "line 1, column 2"},
		"a number as a name":            {`{1:2}`, RuleJSONSyntax, "", "line 1, column 2"},
		"single quotes":                 {`{'a':1}`, RuleJSONSyntax, "", "line 1, column 2"},
		"a wrong bracket":               {`{"a":[1}`, RuleJSONSyntax, "/a", "line 1, column 8"},
		"a closing bracket alone":       {`]`, RuleJSONSyntax, "", "line 1, column 1"},
		"text after the value":          {`{"a":1} x`, RuleJSONSyntax, "", "line 1, column 9"},
		"a second value":                {`{} {}`, RuleJSONSyntax, "", "more text after the JSON value"},
		"a leading zero":                {`{"a":01}`, RuleJSONSyntax, "", "line 1, column 7"},
		"a leading zero by itself":      {`01`, RuleJSONSyntax, "", "more text after the JSON value"},
		"a plus sign":                   {`[+1]`, RuleJSONSyntax, "/0", "line 1, column 2"},
		"a point without digits":        {`[1.]`, RuleJSONSyntax, "/0", "line 1, column"},
		"a number that is none":         {`{"a":NaN}`, RuleJSONSyntax, "/a", "line 1, column 6"},
		"an infinite number":            {`[-Infinity]`, RuleJSONSyntax, "/0", "line 1, column"},
		"a word of another language":    {`[undefined]`, RuleJSONSyntax, "/0", "line 1, column 2"},
		"a word in upper case":          {`[True]`, RuleJSONSyntax, "/0", "line 1, column 2"},
		"YAML":                          {"type: object\n", RuleJSONSyntax, "", "line 1, column"},
		"a byte order mark":             {"\ufeff{}", RuleJSONSyntax, "", "line 1, column 1"},
		"bytes that are no UTF-8":       {"{\"a\":\"\xff\"}", RuleJSONSyntax, "/a", "invalid UTF-8"},
		"an overlong encoding":          {"[\"\xc0\x80\"]", RuleJSONSyntax, "/0", "invalid UTF-8"},
		"an encoded surrogate":          {"[\"\xed\xa0\x80\"]", RuleJSONSyntax, "/0", "invalid UTF-8"},
		"a high surrogate alone":        {`["\ud800"]`, RuleJSONSyntax, "/0", "surrogate"},
		"a low surrogate alone":         {`["\udc00"]`, RuleJSONSyntax, "/0", "surrogate"},
		"surrogates in the wrong order": {`["\udc00\ud800"]`, RuleJSONSyntax, "/0", "surrogate"},
		"a surrogate in a name":         {`{"\ud800":1}`, RuleJSONSyntax, "", "surrogate"},
		"a control character":           {"[\"a\nb\"]", RuleJSONSyntax, "/0", "line"},
		"a zero byte":                   {"[\x00]", RuleJSONSyntax, "/0", "line 1, column 2"},
		"an unknown escape":             {`["\x41"]`, RuleJSONSyntax, "/0", "escape"},
		"half an escape":                {`["\u00"]`, RuleJSONSyntax, "/0", "escape"},

		"a duplicate key":                {`{"a":1,"b":2,"a":1}`, RuleDuplicateKey, "/a", "twice"},
		"a duplicate key far inside":     {`{"a":[{},{"b/c":{"x":1,"x":2}}]}`, RuleDuplicateKey, "/a/1/b~1c/x", "twice"},
		"a duplicate key with an escape": {`{"a":1,"\u0061":2}`, RuleDuplicateKey, "/a", "twice"},
		"a duplicate empty key":          {`{"":1,"":2}`, RuleDuplicateKey, "/", "twice"},

		"a comment of one line":         {"{\n  // the name\n  \"a\": 1}", RuleJSONComment, "", "// comment at line 2, column 3"},
		"a comment after a comma":       {"{\"a\":1, // one\n\"b\":2}", RuleJSONComment, "", "// comment at line 1, column 9"},
		"a comment before a colon":      {`{"a" /* x */:1}`, RuleJSONComment, "/a", "/* comment at line 1, column 6"},
		"a comment as a value":          {`{"a":/**/1}`, RuleJSONComment, "/a", "/* comment at line 1, column 6"},
		"a comment before everything":   {"/* x */ {}", RuleJSONComment, "", "/* comment at line 1, column 1"},
		"a comment after everything":    {"{} // x", RuleJSONComment, "", "// comment at line 1, column 4"},
		"a comment of YAML":             {"{\"a\":1,\n# x\n\"b\":2}", RuleJSONComment, "", "# comment at line 2, column 1"},
		"a comment in an array":         {"[1, /* two */ 2]", RuleJSONComment, "/1", "/* comment at line 1, column 5"},
		"a comment after the last item": {"[1 // one\n]", RuleJSONComment, "", "// comment at line 1, column 4"},

		"a number that is too great":    {`{"a":[1,1e400]}`, RuleNumberRange, "/a/1", "1e400"},
		"an exponent beyond a million":  {`{"a":1e2000000}`, RuleNumberRange, "/a", "1e2000000"},
		"an exponent beyond an integer": {`[1e99999999999999999999]`, RuleNumberRange, "/0", "1e99999999999999999999"},
		"a number of 401 digits":        {`[` + strings.Repeat("7", 401) + `]`, RuleNumberRange, "/0", "7777…"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v, failed := Parse([]byte(test.text))
			if failed == nil {
				t.Fatalf("it was read as %s", v.JSON())
			}
			got := []any{failed.Rule, failed.Severity, failed.Pointer}
			if diff := cmp.Diff([]any{test.rule, finding.Error, test.pointer}, got); diff != "" {
				t.Errorf("%v: %s", failed, diff)
			}
			if !strings.Contains(failed.Message, test.message) {
				t.Errorf("the message lacks %q: %s", test.message, failed.Message)
			}
			if v != nil {
				t.Error("there is a value beside the finding")
			}
			checkTexts(t, []finding.Finding{*failed})
		})
	}
}

func TestWhatLooksLikeACommentInsideAStringIsNone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{"a":"// b"}`, `{"#":"/* b */"}`, `["# a"]`} {
		if got := parsed(t, text).JSON(); got != text {
			t.Errorf("%s became %s", text, got)
		}
	}
	_, failed := Parse([]byte(`{"a":"// b" "c"}`))
	if failed == nil || failed.Rule != RuleJSONSyntax {
		t.Errorf("a mistake beside it is %v", failed)
	}
}

func TestDepthIsLimited(t *testing.T) {
	t.Parallel()
	nested := func(open, inner, closing string, n int) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(closing, n)
	}
	shapes := map[string]func(int) string{
		"arrays":           func(n int) string { return nested("[", "1", "]", n) },
		"objects":          func(n int) string { return nested(`{"a":`, "1", "}", n) },
		"arrays, not shut": func(n int) string { return strings.Repeat("[", n) },
	}
	for name, shape := range shapes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name != "arrays, not shut" {
				parsed(t, shape(MaxDepth))
			}
			for _, depth := range []int{MaxDepth + 1, 10_000, 1_000_000} {
				v, failed := Parse([]byte(shape(depth)))
				if failed == nil {
					t.Fatalf("%d levels were read: %s", depth, v.JSON())
				}
				want := RuleNestingTooDeep
				if len(shape(depth)) > MaxText {
					want = RuleTextTooLarge
				}
				if failed.Rule != want {
					t.Errorf("%d levels are %v, want %s", depth, failed, want)
				}
				checkTexts(t, []finding.Finding{*failed})
			}
		})
	}
}

func TestThePointerOfDeepNestingLeadsToTheLimit(t *testing.T) {
	t.Parallel()
	_, failed := Parse([]byte(`{"a":` + strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth) + `}`))
	if failed == nil {
		t.Fatal("it was read")
	}
	if want := "/a" + strings.Repeat("/0", MaxDepth-1); failed.Pointer != want {
		t.Errorf("got %s, want %s", failed.Pointer, want)
	}
}

func TestSizeIsLimited(t *testing.T) {
	t.Parallel()
	text := func(n int) string { return `"` + strings.Repeat("x", n-2) + `"` }
	parsed(t, text(MaxText))
	for _, n := range []int{MaxText + 1, 10 << 20} {
		_, failed := Parse([]byte(text(n)))
		if failed == nil || failed.Rule != RuleTextTooLarge || failed.Pointer != "" {
			t.Errorf("a text of %d bytes is %v", n, failed)
		}
	}
}

// Each of these is within the limit on text and has been a way to make a
// reader quadratic in it.
func TestHostileTextsAreReadOrRefusedInBoundedWork(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("~", 90_000)
	var wide strings.Builder
	for i := range 9_000 {
		fmt.Fprintf(&wide, `"a%d":0,`, i)
	}
	tests := map[string]struct{ text, rule string }{
		"many members":                  {`{` + wide.String() + `"z":0}`, ""},
		"many members and a duplicate":  {`{` + wide.String() + `"a0":0}`, RuleDuplicateKey},
		"a long name before a mistake":  {`{"` + long + `":x}`, RuleJSONSyntax},
		"a long name twice":             {`{"` + long[:40_000] + `":1,"` + long[:40_000] + `":1}`, RuleDuplicateKey},
		"a long name over deep nesting": {`{"` + long + `":` + strings.Repeat("[", 200), RuleNestingTooDeep},
		"a long name over a number":     {`{"` + long + `":1e999}`, RuleNumberRange},
		"many digits":                   {`[` + strings.Repeat("1", 90_000) + `]`, RuleNumberRange},
		"many zeros":                    {`[1` + strings.Repeat("0", 90_000) + `]`, RuleNumberRange},
		"many fraction digits":          {`[0.` + strings.Repeat("0", 90_000) + `1]`, RuleNumberRange},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, failed := Parse([]byte(test.text))
			if test.rule == "" {
				if failed != nil {
					t.Errorf("it is refused: %v", failed)
				}
				return
			}
			if failed == nil || failed.Rule != test.rule {
				t.Fatalf("got %v, want %s", failed, test.rule)
			}
			checkTexts(t, []finding.Finding{*failed})
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"type":"object","properties":{"a":{"enum":[1.50,"\u00e4",null,true]}}}`,
		`[1e-7,-0.0,1e21,123456789012345678901234567890]`, `{"a":1,"a":2}`, `{"a": // b`, "\ufeff[]", `"\ud800"`, `[[[`, ` 1 2`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, failed := Parse(text)
		if failed != nil {
			checkTexts(t, []finding.Finding{*failed})
			return
		}
		checkEncoding(t, v)
	})
}
