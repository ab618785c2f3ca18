// SPDX-License-Identifier: Apache-2.0

package pattern

import "regexp"

// The limits on patterns and texts. A pattern beyond one of them is refused with a CostError.
const (
	// MaxPatternBytes is the length of the longest pattern.
	MaxPatternBytes = 4096

	// MaxGroupDepth is how deep groups may be nested.
	MaxGroupDepth = 100

	// MaxProperties is how many different Unicode properties one pattern may use.
	MaxProperties = 16

	// MaxInstructions is the size of the largest automaton. One character may be repeated some 9,000 times.
	MaxInstructions = 10_000

	// MaxBacktrackInput is the length in bytes of the longest text for a pattern that is not Regular.
	MaxBacktrackInput = 1024

	// BacktrackCost is the Cost of every pattern that is not Regular.
	BacktrackCost = MaxInstructions
)

// Pattern is a compiled pattern. It is safe for concurrent use.
type Pattern struct {
	tree      *tree
	cost      int
	automaton *regexp.Regexp // nil if the pattern is not regular
	backtrack *backtracker   // nil if it is
}

// Compile parses p as ECMA-262 with the u flag. The error is a *SyntaxError (p is not valid, or uses a group syntax that
// is refused on purpose: inline flags and a group name used twice), or a *CostError (p is valid, but matching it could
// take unbounded work). See the package documentation for what costs too much.
func Compile(p string) (*Pattern, error) {
	t, err := parse(p)
	if err != nil {
		return nil, err
	}
	if t.features.Lookaround || t.features.BackReference {
		engine, err := compileBacktracker(t)
		if err != nil {
			return nil, err
		}
		return &Pattern{tree: t, cost: BacktrackCost, backtrack: engine}, nil
	}
	engine, size, err := compileAutomaton(t)
	if err != nil {
		return nil, err
	}
	return &Pattern{tree: t, cost: size, automaton: engine}, nil
}

// Match reports whether p matches anywhere in s, which must be valid UTF-8 (another byte reads as U+FFFD). The error is
// a *MatchError, and only patterns that are not Regular have one.
func (p *Pattern) Match(s string) (bool, error) {
	if p.automaton != nil {
		return p.automaton.MatchString(s), nil
	}
	matched, failure := p.backtrack.match(s)
	if failure != nil {
		return false, failure
	}
	return matched, nil
}

// String returns the pattern as it was given to Compile.
func (p *Pattern) String() string { return p.tree.source }

// Regular reports whether the pattern is decided by an automaton, in time linear in the text. If not, it has look-around
// or a back-reference, and texts longer than MaxBacktrackInput get no answer.
func (p *Pattern) Regular() bool { return p.automaton != nil }

// Cost returns the size of the automaton in instructions, rounded up, or BacktrackCost. Matching a text takes at most
// about Cost steps for each of its bytes if the pattern is Regular.
func (p *Pattern) Cost() int { return p.cost }

// FeaturesOf returns which constructs a pattern uses, and compiles nothing. The error is that of a pattern that is not
// valid; one that is too costly to compile has none.
func FeaturesOf(p string) (Features, error) {
	t, err := parse(p)
	if err != nil {
		return Features{}, err
	}
	return t.features, nil
}

// Features returns which constructs the pattern uses.
func (p *Pattern) Features() Features { return p.tree.features }
