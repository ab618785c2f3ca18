// SPDX-License-Identifier: Apache-2.0

package lark

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFeaturesAreFoundWhereTheyStand(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		grammar string
		want    []Feature
	}{
		"none": {"start: \"SELECT \" NAME \";\"\nNAME: /[a-z_]+/i\n%import common.WS\n%ignore WS\n", nil},
		"none, with all that looks like one": {strings.Join([]string{
			`start: "(?=" "a*?" "%import x" item{2,3} (item)~1..2 | item?`,
			`// NAME.2: list{x} %import python /(?!a)/`,
			`# another comment /a*?/`,
			`?item: /(?:a|b)?/ /[*?+?]/ /\*?/ /a{2}/ /x{y}?/ NAME`,
			`obj: %json {"pattern": "(?=a)", "properties": {"x": {"pattern": "a+?"}}}`,
			`NAME: /\/[^\/]*\\1/`,
			`rule.2: "a"`,
			`%import common (WORD, INT)`,
		}, "\n"), nil},
		"look-around":                  {"start: /a(?=b)/", []Feature{{Lookaround, 1}}},
		"look-behind":                  {"start: A\nA: /(?<!b)a/", []Feature{{Lookaround, 2}}},
		"lazy":                         {"start: A\n\nA: /\"(.|\\n)*?\"/", []Feature{{Lazy, 3}}},
		"lazy repetition":              {"start: /a{1,3}?/", []Feature{{Lazy, 1}}},
		"back-reference":               {`start: /(a)\1/`, []Feature{{BackReference, 1}}},
		"priority":                     {"start: A\nA.2: \"a\"\n_B.-1 : \"b\"", []Feature{{Priority, 2}}},
		"template":                     {"start: list{item}\nlist{x}: x (\",\" x)*\nitem: /a/", []Feature{{Template, 1}}},
		"template with a string":       {"start: sep{\",\"}", []Feature{{Template, 1}}},
		"import of a file":             {"%import .other (rule)\nstart: rule", []Feature{{Import, 1}}},
		"import of a library":          {"start: NAME\n%import python.NAME", []Feature{{Import, 2}}},
		"import of a longer name":      {"%import commonplace.X", []Feature{{Import, 1}}},
		"behind JSON of several lines": {"start: %json {\n\"a\": \"}\"\n}\nA.1: \"a\"", []Feature{{Priority, 4}}},
		"each once, in order":          {"A: /a+?/ /b+?/\nB.1: /(?=c)/", []Feature{{Lazy, 1}, {Priority, 2}, {Lookaround, 2}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, Features(c.grammar)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestFeaturesOfExpressions(t *testing.T) {
	t.Parallel()
	for expression, want := range map[string][]string{
		`^[a-z]+(?:-[a-z]+)?$`: nil,
		`[?*+]?`:               nil,
		`\??`:                  nil,
		`a??`:                  {Lazy},
		`(?<year>\d{4})`:       nil,
		`(?<year>a)\k<year>`:   {BackReference},
		`[\1]`:                 nil,
		`(?!x)(a)\1.*?`:        {Lookaround, Lazy, BackReference},
		`{a}?`:                 nil,
		``:                     nil,
		`\`:                    nil,
		`[`:                    nil,
	} {
		if diff := cmp.Diff(want, InExpression(expression)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", expression, diff)
		}
	}
}

func TestEveryFeatureHasWords(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		if Words(name) == name {
			t.Errorf("%s has no words", name)
		}
	}
}

// FuzzFeatures: any text ends, without a panic, and lines lie within it.
func FuzzFeatures(f *testing.F) {
	for _, seed := range []string{"", "\"", "/", "%", "%json {", "a{", "A.", "A.-:", "%import", "#", "a{b", "\\", "/\\", "%json {\"\\"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, grammar string) {
		lines := 1 + strings.Count(grammar, "\n")
		for _, found := range Features(grammar) {
			if found.Line < 1 || found.Line > lines {
				t.Errorf("%s in line %d of %d", found.Name, found.Line, lines)
			}
		}
	})
}
