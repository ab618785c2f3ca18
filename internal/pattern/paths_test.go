// SPDX-License-Identifier: Apache-2.0

package pattern

import (
	"strings"
	"testing"
)

func TestFindPathsTellsAmbiguousPartsApart(t *testing.T) {
	t.Parallel()
	tests := []struct {
		pattern string
		want    bool
	}{
		{`abc`, true},
		{`a*b*`, true},
		{`a*a`, true}, // the last a is the one after the repetition
		{`.*foo`, true},
		{`(?:ab|ac)*`, true},
		{`(?:a+b)+`, true},
		{`(?:[ab]c?)*`, true},
		{`(?:a|ab)c`, true},
		{`[a-z](?:[a-z-]{0,61}[a-z])?`, true},
		{`(?:\w+\.)+\w+`, true},
		{`a{2,5}`, true},
		{`(?:a|[b-d])*`, true},
		{`(?:(?!b)a)*`, true},
		{`\b^a$`, true},
		{`a*a*`, false},
		{`.*foo.*`, false},
		{`(?:a|a)`, false},
		{`(?:a|[a-c])b`, false},
		{`(?:a+)+`, false},
		{`(?:a*)*`, false},
		{`(?:a?){3}`, false},
		{`(?:a|ab|b)+`, false},
		{`(?:|)a`, false},
		{`(?:a?|b?)c`, false},
		{`(?:a{1,2}){2}`, false},
		{`(?:ab|a|b)*`, false},
		{`(?:aab?|ab)*b?`, false},
		{`(?:a|[ab])[]`, false}, // no text gets to the end, but an engine tries both ways
		{`(a)\1`, false},        // not known here
	}
	for _, tt := range tests {
		parsed, err := parse(tt.pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, backward := range []bool{false, true} {
			budget := maxAnalysisWork
			if _, got := findPaths([]node{parsed.root}, backward, overlapCache{}, &budget); got != tt.want {
				t.Errorf("findPaths(%q), backward %t: %t, want %t", tt.pattern, backward, got, tt.want)
			}
		}
	}
}

func TestWidthBoundsTheLivingPaths(t *testing.T) {
	t.Parallel()
	tests := []struct {
		pattern  string
		backward bool
		width    int
	}{
		{`[a-z]{1,63}\.`, false, 1},
		{`.*a`, false, 2},
		{`.*a`, true, 1},
		{`a.*`, true, 2},
		{`.*abc`, false, 2},
		{`.*[ab]..`, false, 4},
		{`.*[ab]..`, true, 1},
	}
	for _, tt := range tests {
		parsed, err := parse(tt.pattern)
		if err != nil {
			t.Fatal(err)
		}
		budget := maxAnalysisWork
		found, ok := findPaths([]node{parsed.root}, tt.backward, overlapCache{}, &budget)
		if !ok || found.width != tt.width {
			t.Errorf("findPaths(%q), backward %t: %t with width %d, want width %d", tt.pattern, tt.backward, ok, found.width, tt.width)
		}
	}
}

// TestTheAnalysisEnds has patterns that make the analysis itself expensive. What its budget cannot decide is refused.
func TestTheAnalysisEnds(t *testing.T) {
	t.Parallel()
	for _, source := range []string{
		`^` + strings.Repeat(`a*(?=`, 90) + `b` + strings.Repeat(`)`, 90),
		`^` + strings.Repeat(`a*a*(?=a*a*`, 90) + `b` + strings.Repeat(`)`, 90),
		`(?=)` + strings.Repeat(`a?`, 1500),
		`(?=)` + strings.Repeat(`(a*b`, 90) + strings.Repeat(`)*`, 90),
		`^(?=)` + strings.Repeat(`.*a`, 1300),
		`^(?=)(?:x` + strings.Repeat(`a{0,20}`, 90) + `)*`,
		`(?=)` + strings.Repeat(`(?:a?`, 90) + `a` + strings.Repeat(`){1000}`, 90),
	} {
		if p, err := Compile(source); err == nil {
			t.Errorf("Compile(%.40q…) = %v, want it refused", source, p)
		}
	}
}
