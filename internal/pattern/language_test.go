// SPDX-License-Identifier: Apache-2.0

package pattern_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/toolcontract/operator/internal/pattern"
)

func compiled(t testing.TB, source string) *pattern.Pattern {
	t.Helper()
	p, err := pattern.Compile(source)
	if err != nil {
		t.Fatalf("%s: %v", source, err)
	}
	return p
}

func within(a, b *pattern.Pattern) (pattern.Answer, string) {
	budget := pattern.MaxWithin
	return pattern.Within(a, b, &budget)
}

func TestWithin(t *testing.T) {
	t.Parallel()
	cases := []struct {
		a, b string
		want pattern.Answer
		text string // for No
	}{
		{`^a$`, `^a$`, pattern.Yes, ""},
		{`^a$`, `a`, pattern.Yes, ""},
		{`a`, `^a$`, pattern.No, "!a"},
		{`^ab$`, `^(?:ab|cd)$`, pattern.Yes, ""},
		{`^(?=.{1,3}$)a*b*$`, `^[ab]{1,3}$`, pattern.Yes, ""},
		{`^(?=.{1,3}$)[ab]*$`, `^(?=.{2,}$)[ab]*$`, pattern.No, "a"},
		{`^[ab]{1,3}$`, `^(?=.{1,3}$)[ab]+$`, pattern.Yes, ""},
		{`^[ab]{1,4}$`, `^(?=.{1,3}$)[ab]+$`, pattern.No, "aaaa"},
		{`^[ab]{0,3}$`, `^(?=.{1,3}$)[ab]*$`, pattern.No, ""},
		{`^[ab\n]$`, `^(?=.{1,3}$)`, pattern.No, "\n"},
		{`^(?=[^\n]{1,253}$)(?=a*$)`, `^(?=[a]{1,253}$)`, pattern.Yes, ""},
		{`^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]+$`, `^[^]{4,253}$`, pattern.No, "0.a"},
		{`^(?:ab|cd)$`, `^ab$`, pattern.No, "cd"},
		{`^\d{3}$`, `^[0-9]+$`, pattern.Yes, ""},
		{`^[0-9]+$`, `^\d{3}$`, pattern.No, "0"},
		{`x-`, `^[\s\S]*(x-)[\s\S]*$`, pattern.Yes, ""},
		{`^[\s\S]*(x-)[\s\S]*$`, `x-`, pattern.Yes, ""},
		{`^a|b$`, `^([^\n]|\n)*(^a|b$)([^\n]|\n)*$`, pattern.Yes, ""},
		{`^([^\n]|\n)*(^a|b$)([^\n]|\n)*$`, `^a|b$`, pattern.Yes, ""},
		{`^.*$`, `^[\s\S]*$`, pattern.Yes, ""},
		{`^[\s\S]*$`, `^.*$`, pattern.No, "\n"},
		{`^(a|b)*$`, `^(a*b*)*$`, pattern.Yes, ""},
		{`^(?:a?){3}$`, `^a{0,3}$`, pattern.Yes, ""},
		{`^a{0,3}$`, `^(?:a?){3}$`, pattern.Yes, ""},
		{`\bcat\b`, `cat`, pattern.Yes, ""},
		{`cat`, `\bcat\b`, pattern.No, "0cat"},
		{`^\w+$`, `^[A-Za-z0-9_]+$`, pattern.Yes, ""},
		{`^[A-Za-z0-9_]+$`, `^\w+$`, pattern.Yes, ""},
		{`^\p{Lu}$`, `^\p{L}$`, pattern.Yes, ""},
		{`^[😀-😂]$`, `^.$`, pattern.Yes, ""},
		{`[]`, `^a$`, pattern.Yes, ""},
		{``, `a*`, pattern.Yes, ""},
		{``, `^$`, pattern.No, "!"},
		{`^(?:){1000}a$`, `^a$`, pattern.Yes, ""},
		{`^[a-z]{1,2000}$`, `^\w{1,3000}$`, pattern.Yes, ""},
		{`^(?=.*[0-9])[a-z0-9]+$`, `[0-9]`, pattern.Yes, ""},
		{`^(?=.*[0-9])[a-z0-9]+$`, `^[a-z]`, pattern.No, "0"},
		{`^[a-z0-9]+$`, `^(?=.*[0-9])[a-z0-9]+$`, pattern.No, "a"},
		{`^[a-z][0-9]$`, `^(?=.*[0-9])(?!.*-)[a-z0-9]+$`, pattern.Yes, ""},
		{`^[a-z-]+$`, `^(?!.*--)[a-z-]+$`, pattern.No, "--"},
		{`^(?!.*--)[a-z-]+$`, `^[a-z]*-?[a-z]*-?[a-z]*$`, pattern.No, "-a-a-"},
		{`^[a-z-]+(?<!-)$`, `[a-z]$`, pattern.Yes, ""},
		{`[a-z]$`, `(?<!-)$`, pattern.Yes, ""},
		{`a`, `^(?=.*a)`, pattern.No, "\na"},
		{`^(?=a|b)`, `^[ab]`, pattern.Yes, ""},
		{`(?=a)`, `a`, pattern.Undecided, ""},
		{`^(a)\1$`, `^aa$`, pattern.Undecided, ""},
		{`^(?:[ab]*a[ab]{30})$`, `^(?:[ab]*b[ab]{30})$`, pattern.Undecided, ""}, // 2^30 states
	}
	for _, c := range cases {
		t.Run(c.a+" in "+c.b, func(t *testing.T) {
			t.Parallel()
			a, b := compiled(t, c.a), compiled(t, c.b)
			got, text := within(a, b)
			if got != c.want {
				t.Fatalf("got %v (%q), want %v", got, text, c.want)
			}
			if got != pattern.No {
				return
			}
			if inA, _ := a.Match(text); !inA {
				t.Errorf("the first pattern does not match %q", text)
			}
			if inB, _ := b.Match(text); inB {
				t.Errorf("the second pattern matches %q", text)
			}
			if len(text) != len(c.text) {
				t.Errorf("the text is %q, want one of the length of %q", text, c.text)
			}
		})
	}
}

// TestWithinAgreesWithTheEngine tries every answer on many texts.
func TestWithinAgreesWithTheEngine(t *testing.T) {
	t.Parallel()
	g := rand.New(rand.NewPCG(3, 5))
	counts := map[pattern.Answer]int{}
	texts := shortTexts(5)
	for range 1_500 {
		a, b := compiled(t, randomPattern(g, 3)), compiled(t, randomPattern(g, 3))
		answer, text := within(a, b)
		counts[answer]++
		switch answer {
		case pattern.Yes:
			for _, s := range texts {
				inA, _ := a.Match(s)
				inB, _ := b.Match(s)
				if inA && !inB {
					t.Fatalf("%s is not within %s: %q", a, b, s)
				}
			}
		case pattern.No:
			inA, _ := a.Match(text)
			inB, _ := b.Match(text)
			if !inA || inB {
				t.Fatalf("%s and %s: %q does not tell them apart", a, b, text)
			}
		case pattern.Undecided:
			t.Errorf("%s and %s are not decided", a, b)
		}
	}
	if counts[pattern.Yes] < 100 || counts[pattern.No] < 100 {
		t.Errorf("the patterns exercise too little: %v", counts)
	}
}

// TestSpellingsMatchTheSameTexts compares every spelling with its pattern.
func TestSpellingsMatchTheSameTexts(t *testing.T) {
	t.Parallel()
	g := rand.New(rand.NewPCG(4, 6))
	texts := shortTexts(4)
	for range 1_000 {
		p := compiled(t, randomPattern(g, 3))
		for _, spelling := range []pattern.Spelling{{}, {ClassEscapes: true}, {NonCapturing: true, Whole: true}, {Whole: true}} {
			for _, spell := range []func(pattern.Spelling) (string, bool){p.Spelled, p.WholeText} {
				text, ok := spell(spelling)
				if !ok {
					continue
				}
				q := compiled(t, text)
				if f := q.Features(); spelling.Whole && !f.Anchored && q.String() != p.String() {
					t.Errorf("%s written as %s does not stand between ^ and $", p, q)
				}
				for _, s := range texts {
					inP, _ := p.Match(s)
					if inQ, _ := q.Match(s); inP != inQ {
						t.Fatalf("%s written as %s differs on %q", p, q, s)
					}
				}
			}
		}
	}
}

// TestFindAgreesWithTheEngines asks for texts that match several patterns, fail others and have a length, and looks for
// a shorter one among all short texts.
func TestFindAgreesWithTheEngines(t *testing.T) {
	t.Parallel()
	g := rand.New(rand.NewPCG(7, 9))
	texts := shortTexts(4)
	pick := func() []*pattern.Pattern {
		list := make([]*pattern.Pattern, g.IntN(3))
		for i := range list {
			source := randomPattern(g, 2)
			if g.IntN(3) == 0 {
				source = "^" + []string{"(?=", "(?!"}[g.IntN(2)] + randomPattern(g, 1) + ")" + randomPattern(g, 1)
			}
			if g.IntN(3) == 0 {
				source = "(?:" + source + ")" + []string{"(?<=", "(?<!"}[g.IntN(2)] + randomPattern(g, 0) + ")$"
			}
			if g.IntN(6) == 0 {
				least := g.IntN(3)
				source = fmt.Sprintf("^(?=%s{%d,%d}$)%s", []string{".", "[ab]"}[g.IntN(2)], least, least+g.IntN(3), source)
			}
			p, err := pattern.Compile(source)
			if err != nil {
				p = compiled(t, "a")
			}
			list[i] = p
		}
		return list
	}
	counts := map[pattern.Answer]int{}
	for range 2_000 {
		set := pattern.Texts{All: pick(), None: pick(), Least: g.IntN(3), Most: g.IntN(6) - 1}
		for range g.IntN(4) {
			set.Except = append(set.Except, texts[g.IntN(len(texts)/8)])
		}
		budget := pattern.MaxWithin
		found, text := set.Find(&budget)
		counts[found]++
		shortest := -1
		for _, s := range texts {
			if has(set, s) && (shortest < 0 || len(s) < shortest) {
				shortest = len(s)
			}
		}
		switch {
		case found == pattern.No && shortest >= 0:
			t.Fatalf("%v: there is a text of %d characters", set, shortest)
		case found == pattern.Yes && !has(set, text):
			t.Fatalf("%v: %q is not in the set", set, text)
		case found == pattern.Yes && shortest >= 0 && len([]rune(text)) > shortest:
			t.Fatalf("%v: %q is not a shortest text", set, text)
		}
	}
	if counts[pattern.Yes] < 200 || counts[pattern.No] < 200 || counts[pattern.Undecided] > 400 {
		t.Errorf("the patterns exercise too little: %v", counts)
	}
}

func has(set pattern.Texts, s string) bool {
	length := len([]rune(s))
	if length < set.Least || (set.Most >= 0 && length > set.Most) {
		return false
	}
	if slices.Contains(set.Except, s) {
		return false
	}
	for _, p := range set.All {
		if ok, err := p.Match(s); err != nil || !ok {
			return false
		}
	}
	for _, p := range set.None {
		if ok, err := p.Match(s); err != nil || ok {
			return false
		}
	}
	return true
}

func TestHostilePatternsAreBounded(t *testing.T) {
	t.Parallel()
	for _, sources := range [][]string{
		{`^(?:[ab]*a[ab]{300})$`, `^(?:[ab]*b[ab]{300})$`},
		{`^(?:(?:a|b){0,90}c){0,20}$`, `^(?:(?:a|b){0,80}c){0,20}$`},
		{`\p{L}{4000}`, `\p{Lu}{3999}`},
	} {
		set := pattern.Texts{Least: 5_000, Most: 100_000}
		for _, source := range sources {
			set.All = append(set.All, compiled(t, source))
			set.None = append(set.None, compiled(t, source+"|^x"))
		}
		budget := 10 * pattern.MaxWithin
		set.Find(&budget)
		if budget < 9*pattern.MaxWithin {
			t.Errorf("%v took %d", sources, 10*pattern.MaxWithin-budget)
		}
	}
}

func TestSampleWritesTextsOfThePattern(t *testing.T) {
	t.Parallel()
	for _, source := range []string{`^[a-z]{2,4}-\d+$`, `^(?:GET|POST) /\S*$`, `^(a|b)\1$`, `^\p{L}{1,400}$`, `^.{0,9}x?$`} {
		p, g, matched := compiled(t, source), rand.New(rand.NewPCG(1, 2)), 0
		for range 100 {
			if ok, err := p.Match(p.Sample(g.IntN)); err == nil && ok {
				matched++
			}
		}
		if matched < 90 {
			t.Errorf("%s: %d of 100 samples match", source, matched)
		}
	}
}

func TestLengths(t *testing.T) {
	t.Parallel()
	cases := map[string]pattern.Lengths{
		`^[\s\S]{1,200}$`:        {Least: 1, Most: 200, Exact: true},
		`^([^\n]|\n){2,}$`:       {Least: 2, Most: -1, Exact: true},
		`^[\s\S]+$`:              {Least: 1, Most: -1, Exact: true},
		`[\s\S]{3}`:              {Least: 3, Most: -1, Exact: true},
		`[\s\S]{3}$`:             {Least: 3, Most: -1, Exact: true},
		`^[^][^]?$`:              {Least: 1, Most: 2, Exact: true},
		`^$`:                     {Least: 0, Most: 0, Exact: true},
		``:                       {Least: 0, Most: -1, Exact: true},
		`a*`:                     {Least: 0, Most: -1, Exact: true},
		`^a*`:                    {Least: 0, Most: -1, Exact: true},
		`^a*$`:                   {Least: 0, Most: -1},
		`^.{1,5}$`:               {Least: 1, Most: 5},
		`^(?:[\s\S]{2})*$`:       {Least: 0, Most: -1},
		`^ord_[0-9]{4}$`:         {Least: 8, Most: 8},
		`x`:                      {Least: 1, Most: -1},
		`^a|bc$`:                 {Least: 1, Most: -1},
		`^(?=.{1,9}$)[a-z]+$`:    {Least: 1, Most: -1},
		`^\S{1,3}$`:              {Least: 1, Most: 3},
		`^(?:|a$)`:               {Least: 0, Most: -1, Exact: true},
		`\b`:                     {Least: 0, Most: -1},
		`^[\u{0}-\u{10FFFF}]{4}`: {Least: 4, Most: -1, Exact: true},
	}
	for source, want := range cases {
		t.Run(source, func(t *testing.T) {
			t.Parallel()
			p := compiled(t, source)
			if got := p.Lengths(); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

// TestLengthsHoldForTheEngine tries what is said of random patterns.
func TestLengthsHoldForTheEngine(t *testing.T) {
	t.Parallel()
	g := rand.New(rand.NewPCG(7, 8))
	texts := shortTexts(5)
	exact := 0
	for range 2_000 {
		p := compiled(t, randomPattern(g, 2))
		lengths := p.Lengths()
		if lengths.Exact {
			exact++
		}
		for _, s := range texts {
			matched, _ := p.Match(s)
			fits := len(s) >= lengths.Least && (lengths.Most < 0 || len(s) <= lengths.Most)
			if (matched && !fits) || (lengths.Exact && fits && !matched) {
				t.Fatalf("%s says %+v, but matching %q is %v", p, lengths, s, matched)
			}
		}
	}
	if exact < 50 {
		t.Errorf("only %d patterns say exactly a length", exact)
	}
}

func TestSpelled(t *testing.T) {
	t.Parallel()
	cases := []struct {
		pattern  string
		spelling pattern.Spelling
		want     string
	}{
		{`^\d{4}-\w+$`, pattern.Spelling{}, `^[0-9]{4}-[0-9A-Z_a-z]+$`},
		{`^(?<year>\d+?)(?:ab|c)*$`, pattern.Spelling{}, `^([0-9]+)(ab|c)*$`},
		{`^(?:a|b)$`, pattern.Spelling{NonCapturing: true}, `^(?:a|b)$`},
		{`^[^\s]+$`, pattern.Spelling{}, "^[^\\t-\\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+$"},
		{`^[\s\S]*$`, pattern.Spelling{}, `^([^\n]|\n)*$`},
		{`^[\s\S]*$`, pattern.Spelling{ClassEscapes: true}, `^[\s\S]*$`},
		{`a|b`, pattern.Spelling{ClassEscapes: true, Whole: true}, `^[\s\S]*(a|b)[\s\S]*$`},
		{`^x-`, pattern.Spelling{ClassEscapes: true, Whole: true}, `^x-[\s\S]*$`},
		{`\/\.[\]\-]\x00`, pattern.Spelling{}, `/\.[\-\]]\x00`},
		{`\bx`, pattern.Spelling{}, ""},
		{`(?=x)`, pattern.Spelling{}, ""},
		{`^\p{L}$`, pattern.Spelling{}, ""},
	}
	for _, c := range cases {
		t.Run(c.pattern, func(t *testing.T) {
			t.Parallel()
			got, ok := compiled(t, c.pattern).Spelled(c.spelling)
			if got != c.want || ok != (c.want != "") {
				t.Errorf("got %s %v, want %s", got, ok, c.want)
			}
		})
	}
	if got, _ := compiled(t, `\d+|x`).WholeText(pattern.Spelling{ClassEscapes: true}); got != `^[\s\S]*(\d+|x)[\s\S]*$` {
		t.Errorf("the text of the pattern is not kept: %s", got)
	}
}

// shortTexts lists all texts over a small alphabet up to a length.
func shortTexts(length int) []string {
	const alphabet = "ab \n"
	all, last := []string{""}, []string{""}
	for range length {
		var longer []string
		for _, s := range last {
			for _, c := range alphabet {
				longer = append(longer, s+string(c))
			}
		}
		all, last = append(all, longer...), longer
	}
	return all
}

// randomPattern writes a pattern over a small alphabet.
func randomPattern(g *rand.Rand, depth int) string {
	pick := func(list ...string) string { return list[g.IntN(len(list))] }
	if depth == 0 {
		return pick("a", "b", ".", `\s`, "[ab]", "[^a]", `\w`, `[\s\S]`, `\n`, `([^\n]|\n)`)
	}
	inner := func() string { return randomPattern(g, depth-1) }
	switch g.IntN(9) {
	case 0:
		return inner() + "|" + inner()
	case 1, 2:
		return "(?:" + inner() + ")" + pick("*", "+", "?", "{2}", "{1,3}", "{2,}", "*?")
	case 3, 4:
		return inner() + inner()
	case 5:
		return "^" + inner()
	case 6:
		return inner() + "$"
	case 7:
		return "^" + inner() + "$"
	default:
		return fmt.Sprintf("(%s)%s", inner(), pick("", `\b`, `\B`, "^", "$"))
	}
}

func TestWithLength(t *testing.T) {
	t.Parallel()
	cases := []struct {
		pattern     string
		least, most int
		want        string
	}{
		{`^[0-9a-f]+$`, 24, 24, `^[0-9a-f]{24}$`},
		{`^ord_[0-9]+$`, 1, 20, `^ord_[0-9]{1,16}$`},
		{`^ord_[0-9]*$`, 6, -1, `^ord_[0-9]{2,}$`},
		{`^[a-z]([a-z]|[0-9])*$`, 0, 8, `^[a-z]([a-z]|[0-9]){0,7}$`},
		{`^\w{2,9}$`, 3, 99, `^[0-9A-Z_a-z]{3,9}$`},
		{`^[0-9]+$`, 5, 4, ""},
		{`^[0-9]+-[0-9]+$`, 1, 9, ""},
		{`^(?:ab)+$`, 1, 9, ""},
		{`[0-9]+`, 1, 9, ""},
		{`^[0-9]{4}$`, 1, 9, ""},
		{`^(?=a)[a-z]+$`, 1, 9, ""},
	}
	for _, c := range cases {
		t.Run(c.pattern, func(t *testing.T) {
			t.Parallel()
			got, ok := compiled(t, c.pattern).WithLength(c.least, c.most, pattern.Spelling{})
			if got != c.want || ok != (c.want != "") {
				t.Errorf("got %q %v, want %q", got, ok, c.want)
			}
		})
	}
}
