// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"reflect"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/internal/schema"
)

// Every field of a condition is said: one alone makes words of its own.
func TestEveryConditionHasWords(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for field := range reflect.TypeFor[When]().Fields() {
		var w When
		v := reflect.ValueOf(&w).Elem().FieldByIndex(field.Index)
		switch v.Interface().(type) {
		case []string:
			v.Set(reflect.ValueOf([]string{"Lazy", "b"}))
		case []JSON:
			v.Set(reflect.ValueOf([]JSON{{schema.NewInt(1)}}))
		case *JSON:
			v.Set(reflect.ValueOf(&JSON{schema.NewInt(1)}))
		case *int:
			v.Set(reflect.ValueOf(new(5)))
		case *bool:
			v.Set(reflect.ValueOf(new(true)))
		case *Expression:
			var e Expression
			if err := e.UnmarshalJSON([]byte(`"a+"`)); err != nil {
				t.Fatal(err)
			}
			v.Set(reflect.ValueOf(&e))
		default:
			t.Fatalf("%s is of a type that the test does not know", field.Name)
		}
		words := w.String()
		if words == "" || seen[words] != "" || strings.Contains(words, "%!") {
			t.Errorf("%s says %q, %q too", field.Name, words, seen[words])
		}
		seen[words] = field.Name
	}
}

func TestConditionsInWords(t *testing.T) {
	t.Parallel()
	for when, want := range map[string]string{
		`{has: [pattern]}`:                          "beside pattern",
		`{lacks: [type, enum], atRoot: false}`:      "below the root, without type and without enum",
		`{valueIn: [0, 1]}`:                         "with a value of 0, 1",
		`{valueIs: false}`:                          "with the value false",
		`{memberKinds: ["null", object]}`:           "with a member of type null or object",
		`{refOutside: [root, $defs]}`:               "that leads elsewhere than to # or #/$defs/…",
		`{patternUses: [Lookaround, WordBoundary]}`: `with look-around or \b or \B in the pattern`,
		`{patternAnchored: false}`:                  "with a pattern that is not between ^ and $",
		`{siblingsOtherThan: ["$*"]}`:               "beside a keyword other than $*",
		`{empty: [properties]}`:                     "where properties is missing or empty",
	} {
		var w When
		if err := yaml.UnmarshalStrict([]byte(when), &w); err != nil {
			t.Fatal(err)
		}
		if got := w.String(); got != want {
			t.Errorf("%s: %q, want %q", when, got, want)
		}
	}
	var none *When
	if none.String() != "" {
		t.Error("no condition has words")
	}
}

// TestEveryCellIsSourced reads the public table, as whoever cites it does.
func TestEveryCellIsSourced(t *testing.T) {
	t.Parallel()
	for _, name := range Builtin().Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := profile(t, name)
			has := map[string]bool{}
			for _, row := range p.Cells() {
				has[string(row.Section)+" "+row.Name+" "+string(row.Mode)] = true
				if len(row.From) == 0 || !isDate(row.Date()) || row.Verdict == "" || row.Confidence == "" {
					t.Errorf("%s %s in %s: %+v", row.Section, row.Name, row.Mode, row)
				}
				for _, s := range row.From {
					if s.Title == "" || !strings.HasPrefix(s.URL, "https://") || !isDate(s.Date) {
						t.Errorf("%s %s in %s: source %+v", row.Section, row.Name, row.Mode, s)
					}
				}
				if (row.Condition == "") != (row.When == nil) {
					t.Errorf("%s %s in %s: condition %q", row.Section, row.Name, row.Mode, row.Condition)
				}
				// What nobody could tell names more than one place that was read, or
				// the search, and says what was found.
				isSearched := len(row.From) > 1 || strings.Contains(row.Sources[0], "search")
				if row.Verdict == Unknown && (!isSearched || row.Note == "") {
					t.Errorf("%s %s in %s is Unknown and does not name what was searched: %v", row.Section, row.Name, row.Mode, row.Sources)
				}
			}
			for _, mode := range modes {
				for _, k := range append(schema.Keywords(), schema.Keyword{Name: unknownName}) {
					if !has["keywords "+k.Name+" "+string(mode)] {
						t.Errorf("%s has no cell in %s", k.Name, mode)
					}
				}
			}
			tally := p.Tally()
			if tally.Cells == 0 || tally.High+tally.Medium+tally.Low != tally.Cells {
				t.Errorf("%+v", tally)
			}
			t.Logf("%s: %d cells, %d High, %d Medium, %d Low; %d of them Unknown", name, tally.Cells, tally.High, tally.Medium, tally.Low, tally.Unknown)
		})
	}
}
