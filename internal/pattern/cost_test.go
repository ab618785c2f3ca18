// SPDX-License-Identifier: Apache-2.0

package pattern

import (
	"errors"
	"regexp/syntax"
	"strings"
	"testing"
)

func TestPatternsThatCostTooMuchAreRefused(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		pattern string
		reason  string // a part of it
	}{
		{"a pattern that is too long", strings.Repeat("a", MaxPatternBytes+1), "4097 bytes"},
		{"groups nested too deep", strings.Repeat("(", MaxGroupDepth+1) + strings.Repeat(")", MaxGroupDepth+1), "nested more than 100 deep"},
		{"look-around nested too deep", strings.Repeat("(?=", MaxGroupDepth+1) + strings.Repeat(")", MaxGroupDepth+1), "nested more than 100 deep"},
		{"an automaton that is too large", `a{10001}`, "more than 10000"},
		{"nested counts that multiply", `((a{0,100}){0,100}){0,100}`, "instructions"},
		{"a count beyond every number", `(?:a{99999999999999999999}){99999999999999999999}`, "more than 2 billion"},
		{"too many Unicode properties", manyProperties, "more than 16 different Unicode properties"},
		{"large classes repeated too often", strings.Repeat(`\p{L}`, 60), "large character classes"},
		{"a repetition inside a repetition", `(a+)+(?=b)`, "the iterations of `(a+)+`"},
		{"overlapping alternatives under a repetition", `(a|a)*\1`, "the iterations of `(a|a)*`"},
		{"alternatives of which one begins another", `^(?:a|ab|b)+(?!c)$`, "the iterations of `(?:a|ab|b)+`"},
		{"an optional separator", `^(?:\w+\s?)*(?=x)`, "the iterations of `(?:\\w+\\s?)*`"},
		{"a bounded repetition of the same", `^(?:a{1,2}){1,500}(?=b)`, "the iterations of `(?:a{1,2}){1,500}`"},
		{"a repetition of what may be empty", `^(?:a*)*(?=b)`, "the iterations of `(?:a*)*`"},
		{"the innermost of several repetitions is named", `^((?:(a+)+b)*c)*(?=d)`, "the iterations of `(a+)+`"},
		{"the same inside look-ahead", `^(?=(?:a+)+b)`, "the iterations of `(?:a+)+`"},
		{"the same inside look-behind", `^a(?<=(?:a+)+b)`, "the iterations of `(?:a+)+`"},
		{"repetitions of one character in a row", `^(?=a*a*a*a*b)`, "use fewer open-ended repetitions"},
		{"the same without an anchor", `(?=.*.*b)`, "begin the pattern with ^"},
		{"bounded repetitions that multiply", `^(a?){30}a{30}(?=b)`, "use fewer open-ended repetitions"},
		{"a required count of nothing", `(?:\b){100000}(?=a)`, "use fewer open-ended repetitions"},
		{"an empty class that hides the end", `^(?:a|a)*[](?=b)`, "the iterations of `(?:a|a)*`"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := Compile(tt.pattern)
			var cost *CostError
			if !errors.As(err, &cost) {
				t.Fatalf("Compile(%q): %v, want a *CostError", tt.pattern, err)
			}
			if !strings.Contains(cost.Reason, tt.reason) {
				t.Errorf("Compile(%q): %s; want …%s…", tt.pattern, cost.Reason, tt.reason)
			}
		})
	}
}

const manyProperties = `[\p{L}\p{Lu}\p{Ll}\p{Lt}\p{Lm}\p{Lo}\p{M}\p{Mn}\p{Mc}\p{Me}\p{N}\p{Nd}\p{Nl}\p{No}\p{P}\p{Pc}\p{Pd}]`

// TestUsefulBacktrackingPatternsAreAccepted has what people write with look-around and back-references, and texts that
// make a backtracking engine work. Reaching the safety net would be an error.
func TestUsefulBacktrackingPatternsAreAccepted(t *testing.T) {
	t.Parallel()
	patterns := []string{
		`^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$`,
		`^(([a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9\-]*[a-zA-Z0-9])\.)*([A-Za-z0-9]|[A-Za-z0-9][A-Za-z0-9\-]*[A-Za-z0-9])(?!\.)$`,
		`^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[^\w\s]).{8,}$`,
		`(?=.*\d)(?=.*[a-z])(?=.*[A-Z]).{8,}`,
		`^(?!-)[A-Za-z0-9-]{1,63}(?<!-)$`,
		`^(?!.*\.\.)[a-z0-9.]+$`,
		`^(?:(?!--).)*$`,
		`^((?!foo.*bar).)*$`,
		`^(?!\s*$).+`,
		`^(?!(\d)\1+$)\d+$`,
		`^(?!.*(.).*\1).*$`,
		`(['"]).*?\1`,
		`^<([a-z]+)[^>]*>.*</\1>$`,
		`(.)\1{2,}`,
		`^([A-Z])(?:,(?!\1)[A-Z])*$`,
		`(?<=\$)\d+(?:\.\d{2})?`,
		`[a-z]+(?<!foo|bar)`,
		`(?:^|,)(?=[^,]*x)[^,]*`,
		`(?:[ab]c?)*d(?=e)`,
		`^[ab]*[ab]{0,60}(?=!)`,
	}
	for _, source := range patterns {
		t.Run(source, func(t *testing.T) {
			t.Parallel()
			p := mustCompile(t, source)
			for _, unit := range []string{"a", "a-", "a.", "aA1!", `"a`, "<a>", "a,", "11", "ab", " "} {
				for _, end := range []string{"", "!", "\n", "."} {
					text := strings.Repeat(unit, MaxBacktrackInput/len(unit)-1) + end
					if _, err := p.Match(text); err != nil {
						t.Errorf("Match(%q…%q): %v", unit, end, err)
					}
				}
			}
		})
	}
}

func TestLargeCountsAreExact(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		pattern string
		unit    string
		least   int
		most    int
	}{
		{"beyond what Go's regexp repeats", `^a{1500,2500}$`, "a", 1500, 2500},
		{"exactly so many", `^a{3001}$`, "a", 3001, 3001},
		{"from zero", `^a{0,4096}$`, "a", 0, 4096},
		{"from zero to just over two blocks", `^a{0,1001}$`, "a", 0, 1001},
		{"without an upper limit", `^a{2001,}$`, "a", 2001, 9000},
		{"nested counts", `^(?:a{1,63}){2,40}$`, "a", 2, 63 * 40},
		{"nested deeper", `^(?:(?:a{2}){30}){40}$`, "a", 2400, 2400},
		{"of a long unit", `^(?:ab){1001,1500}$`, "ab", 1001, 1500},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := mustCompile(t, tt.pattern)
			for count := tt.least; count <= tt.most; count += max((tt.most-tt.least)/50, 1) {
				if !mustMatch(t, p, strings.Repeat(tt.unit, count)) {
					t.Errorf("%q does not match %d times %q, want a match", p, count, tt.unit)
				}
			}
			if !mustMatch(t, p, strings.Repeat(tt.unit, tt.most)) {
				t.Errorf("%q does not match %d times %q, want a match", p, tt.most, tt.unit)
			}
			if tt.least > 0 && mustMatch(t, p, strings.Repeat(tt.unit, tt.least-1)) {
				t.Errorf("%q matches %d times %q, want no match", p, tt.least-1, tt.unit)
			}
			if tt.most < 9000 && mustMatch(t, p, strings.Repeat(tt.unit, tt.most+1)) {
				t.Errorf("%q matches %d times %q, want no match", p, tt.most+1, tt.unit)
			}
		})
	}
}

func TestTheLimitsThemselvesAreAccepted(t *testing.T) {
	t.Parallel()
	for _, source := range []string{
		strings.Repeat("a", MaxPatternBytes),
		strings.Repeat(`(?:a|(b+`, MaxGroupDepth/2) + strings.Repeat(`)*c){0,1}`, MaxGroupDepth/2),
		`a{9998}`,
		`a{0,9000}`,
		`(?:)` + strings.Repeat(`\p{L}`, 15),
	} {
		if p := mustCompile(t, source); p.Cost() > MaxInstructions {
			t.Errorf("%.40q…: Cost() = %d, want at most %d", source, p.Cost(), MaxInstructions)
		}
	}
}

// TestCostIsNotBelowTheProgram holds the estimate against what Go's regexp really compiles.
func TestCostIsNotBelowTheProgram(t *testing.T) {
	t.Parallel()
	for _, source := range []string{
		``, `a`, `abc`, `a|b|cd`, `(?:ab|c)*`, `(?:a?b?)+`, `a{3,7}`, `(?:a{2,}b{0,9}){5}`, `^a{2500}$`, `^a{0,4096}$`, `(?:a{0,7}b){0,600}`, `(?:a{1,63}){1,40}`,
		`[\w.-]+@(?:[\w-]+\.)+\w{2,}`, `()*|(?:)+`, `\p{L}{1,70}`, `(?:a*|b){3}`, `(?:(?:a|)+)*`,
	} {
		parsed, err := parse(source)
		if err != nil {
			t.Fatal(err)
		}
		re, err := syntax.Parse(translate(parsed.root).source, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		program, err := syntax.Compile(re.Simplify())
		if err != nil {
			t.Fatal(err)
		}
		if cost := mustCompile(t, source).Cost(); cost < len(program.Inst) {
			t.Errorf("%q: Cost() = %d, want at least the %d instructions of the program", source, cost, len(program.Inst))
		}
	}
}
