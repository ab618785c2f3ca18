// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/toolcontract/operator/internal/pattern"
	"github.com/toolcontract/operator/internal/schema"
)

func patternsOf(t *testing.T, sources ...string) []*pattern.Pattern {
	t.Helper()
	list := compiledFormats(sources)
	if len(list) != len(sources) {
		t.Fatalf("%q: one does not compile", sources)
	}
	return list
}

func matchesAll(text string, list []*pattern.Pattern) bool {
	for _, p := range list {
		if ok, err := p.Match(text); err != nil || !ok {
			return false
		}
	}
	return true
}

// nearText changes a text a little, or writes one from the patterns of a format.
func nearText(g *rand.Rand, f format, all []*pattern.Pattern) string {
	list := slices.Concat(f.has, f.odd, f.lacks)
	text := []rune(list[g.IntN(len(list))])
	if len(all) > 0 && g.IntN(2) == 0 {
		text = []rune(all[g.IntN(len(all))].Sample(g.IntN))
	}
	alphabet := []rune("aZ09+-.:/@%[]{}\\\"~_ #PTWé\n\x7f")
	for range g.IntN(3) {
		at := g.IntN(len(text) + 1)
		r := alphabet[g.IntN(len(alphabet))]
		switch {
		case at == len(text):
			text = append(text, r)
		case g.IntN(3) == 0:
			text = slices.Delete(text, at, at+1)
		case g.IntN(2) == 0:
			text[at] = r
		default:
			text = slices.Insert(text, at, r)
		}
	}
	return string(text)
}

// TestFormatsAreWhatTheValidatorAsserts tries every claim of the table on many
// texts around its examples.
func TestFormatsAreWhatTheValidatorAsserts(t *testing.T) {
	t.Parallel()
	for name, f := range formats {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			matches, all := patternsOf(t, f.matches...), patternsOf(t, slices.Concat(f.matches, f.also)...)
			sure := patternsOf(t, f.sure...)
			check := func(text string) bool {
				has := hasFormat(text, name) == yes
				if has && (!matchesAll(text, matches) || (f.most > 0 && len([]rune(text)) > f.most)) {
					t.Errorf("%q has the format, and the patterns do not say so", text)
				}
				if f.exact && !has && matchesAll(text, all) {
					t.Errorf("%q matches the patterns, and has not the format", text)
				}
				for _, p := range sure {
					if matchesAll(text, []*pattern.Pattern{p}) && !has {
						t.Errorf("%q matches %s, and has not the format", text, p)
					}
				}
				for _, i := range f.inside {
					if has && matchesAll(text, patternsOf(t, i.given)) && hasFormat(text, i.format) != yes {
						t.Errorf("%q has the format, and not %s", text, i.format)
					}
				}
				return has
			}
			for _, text := range slices.Concat(f.has, f.odd) {
				if !check(text) {
					t.Errorf("%q has not the format", text)
				}
			}
			for _, text := range f.lacks {
				if check(text) {
					t.Errorf("%q has the format", text)
				}
			}
			g := rand.New(rand.NewPCG(3, uint64(len(name))))
			has := 0
			for range 4_000 {
				if check(nearText(g, f, slices.Concat(sure, matches))) {
					has++
				}
			}
			if has == 0 || has == 4_000 {
				t.Errorf("%d of 4000 texts have the format", has)
			}
		})
	}
}

// TestUnknownFormatsAssertNothing covers formats of the specification that the
// validator does not know, and those that others have made up.
func TestUnknownFormatsAssertNothing(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"idn-email", "idn-hostname", "int64", "password", "byte", "DATE", "date-time-local", ""} {
		s := admitted(t, fmt.Sprintf(`{"format":%q}`, name))
		for _, f := range formats {
			for _, text := range slices.Concat(f.has, f.odd, f.lacks) {
				if !accepts(t, s, schema.NewString(text)) {
					t.Errorf("%s refuses %q", name, text)
				}
			}
		}
		if r := Contains(admitted(t, `{}`), s); r.Answer != Proven {
			t.Errorf("%s: %s: %s", name, r.Answer, r.Reason)
		}
	}
}

// TestFormatsThatAreOneRule covers the names that readFormat joins.
func TestFormatsThatAreOneRule(t *testing.T) {
	t.Parallel()
	for _, names := range [][2]string{{"iri", "uri"}, {"iri-reference", "uri-reference"}} {
		a, b := admitted(t, fmt.Sprintf(`{"format":%q}`, names[0])), admitted(t, fmt.Sprintf(`{"format":%q}`, names[1]))
		g := rand.New(rand.NewPCG(5, 5))
		for range 2_000 {
			v := schema.NewString(nearText(g, formats[names[1]], nil))
			if accepts(t, a, v) != accepts(t, b, v) {
				t.Errorf("%s and %s differ on %s", names[0], names[1], v.JSON())
			}
		}
	}
}

// formatPairs say whether every string of the first schema is in the second.
var formatPairs = []struct {
	a, b string
	want Answer
}{
	{`{"format":"date"}`, `{"pattern":"^\\d{4}-\\d{2}-\\d{2}$"}`, Proven},
	{`{"format":"date"}`, `{"minLength":10,"maxLength":10}`, Proven},
	{`{"format":"date"}`, `{"pattern":"^20"}`, Refuted},
	{`{"format":"date-time"}`, `{"minLength":20}`, Proven},
	{`{"format":"date-time"}`, `{"minLength":21}`, Refuted},
	{`{"format":"date-time"}`, `{"pattern":"^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z$"}`, Refuted},
	{`{"format":"date-time"}`, `{"format":"date"}`, Refuted},
	{`{"format":"uri"}`, `{"format":"iri"}`, Proven},
	{`{"format":"iri"}`, `{"format":"uri"}`, Proven}, // one rule in the validator
	{`{"format":"iri-reference"}`, `{"format":"uri-reference"}`, Proven},
	{`{"format":"uri"}`, `{"format":"uri-reference"}`, Refuted}, // a backslash
	{`{"format":"uri","pattern":"^[!-Z]*$"}`, `{"format":"uri-reference"}`, Proven},
	{`{"format":"uri-reference"}`, `{"format":"uri"}`, Refuted},
	{`{"format":"uri-reference","pattern":"^https://"}`, `{"format":"uri"}`, Proven},
	{`{"format":"uri"}`, `{"pattern":":"}`, Proven},
	{`{"format":"uri"}`, `{"pattern":"^https?://"}`, Refuted},
	{`{"format":"uri"}`, `{"minLength":2}`, Proven},
	{`{"format":"email"}`, `{"format":"idn-email"}`, Proven}, // asserts nothing
	{`{"format":"idn-email"}`, `{"format":"email"}`, Refuted},
	{`{"format":"hostname"}`, `{"format":"idn-hostname"}`, Proven},
	{`{"format":"email"}`, `{"pattern":"@"}`, Proven},
	{`{"format":"email"}`, `{"maxLength":254}`, Proven},
	{`{"format":"email"}`, `{"pattern":"^[^@]+@[^@]+$"}`, Refuted},
	{`{"pattern":"^[^@\\s]+@[^@\\s]+$"}`, `{"format":"email"}`, Refuted},
	{`{"format":"uuid"}`, `{"pattern":"^[0-9a-fA-F-]{36}$"}`, Proven},
	{`{"pattern":"^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"}`, `{"format":"uuid"}`, Proven},
	{`{"format":"uuid"}`, `{"pattern":"^[0-9a-f-]{36}$"}`, Refuted},
	{`{"format":"ipv4"}`, `{"pattern":"^[0-9.]+$"}`, Refuted}, // +1.2.3.4
	{`{"pattern":"^10\\.[0-9]\\.[0-9]\\.[0-9]$"}`, `{"format":"ipv4"}`, Proven},
	{`{"format":"ipv6"}`, `{"pattern":"^[0-9a-f:.]+$"}`, Refuted},
	{`{"pattern":"^[a-z]{1,20}\\.example\\.com$"}`, `{"format":"hostname"}`, Proven},
	{`{"pattern":"^[a-z-]{1,20}\\.example\\.com$"}`, `{"format":"hostname"}`, Refuted},
	{`{"enum":["2026-01-02","2024-02-29"]}`, `{"format":"date"}`, Proven},
	{`{"enum":["2026-01-02","2026-02-29"]}`, `{"format":"date"}`, Refuted},
	{`{"enum":["2026-02-29"],"format":"date"}`, `{"const":1}`, Proven}, // there is no such date
	{`{"type":"string","format":"date","maxLength":9}`, `false`, Proven},
	{`{"format":"made-up"}`, `true`, Proven},
	{`true`, `{"format":"made-up"}`, Proven},
	{`{"type":"string"}`, `{"format":"regex"}`, Refuted},
	{`{"type":"string"}`, `{"format":"semver"}`, Refuted},
	{`{"type":"string"}`, `{"format":"json-pointer"}`, Refuted},
	{`{"format":"json-pointer"}`, `{"pattern":"^(/|$)"}`, Proven},
	{`{"pattern":"^https://[a-z]+\\.example\\.com/[a-z/-]*$"}`, `{"format":"uri"}`, Proven},
	{`{"pattern":"^https://"}`, `{"format":"uri"}`, Refuted},
	{`{"pattern":"^/[a-z/]*$"}`, `{"format":"uri-reference"}`, Proven},
	{`{"pattern":"^20[0-9]{2}-0[1-9]-(?:0[1-9]|1[0-9]|2[0-8])$"}`, `{"format":"date"}`, Proven},
	{`{"pattern":"^\\d{4}-\\d{2}-\\d{2}$"}`, `{"format":"date"}`, Refuted},
	{`{"pattern":"^2026-01-31T(?:0\\d|1\\d|2[0-3]):[0-5]\\d:[0-5]\\dZ$"}`, `{"format":"date-time"}`, Proven},
	{`{"pattern":"^[a-z]+@example\\.com$","maxLength":60}`, `{"format":"email"}`, Proven},
	{`{"maxLength":0}`, `{"format":"uri-reference"}`, Proven},
	{`{"format":"duration"}`, `{"pattern":"^P"}`, Proven},
	{`{"format":"duration"}`, `{"pattern":"^PT?[0-9]"}`, Proven},
	{`{"format":"date","pattern":"^(?:1|2)"}`, `{"format":"date","pattern":"^[12]"}`, Proven},
	{`{"not":{"type":"string","format":"date"}}`, `{"not":{"const":"2026-01-02"}}`, Proven},
}

func TestFormatsAgainstPatternsAndLengths(t *testing.T) {
	t.Parallel()
	for _, p := range formatPairs {
		t.Run(p.a+" in "+p.b, func(t *testing.T) {
			t.Parallel()
			if r := Contains(admitted(t, p.a), admitted(t, p.b)); r.Answer != p.want {
				t.Errorf("%s, want %s: %s", r.Answer, p.want, r.Reason)
			}
		})
	}
}
