// SPDX-License-Identifier: Apache-2.0

package pattern

import (
	"fmt"
	"time"

	"github.com/dlclark/regexp2/v2"
)

const (
	// safetyTimeout ends a match that the step estimate of Compile got wrong. The worst accepted pattern needs some 0.1 s
	// of processor time; the rest is for machines so busy that a process stands still for seconds.
	safetyTimeout = 30 * time.Second

	// maxStackSlots bounds the engine's stack: 8 MiB for one match.
	maxStackSlots = 1 << 20
)

// backtracker runs patterns with look-around or back-references on regexp2. Its ECMAScript and Unicode options together
// have the semantics of the u flag; what they accept beyond ECMA-262 has been refused by the parser.
type backtracker struct {
	source string
	re     *regexp2.Regexp
}

func compileBacktracker(t *tree) (*backtracker, error) {
	if err := checkSteps(t); err != nil {
		return nil, err
	}
	re, err := regexp2.Compile(t.source, regexp2.ECMAScript, regexp2.Unicode, regexp2.OptionMaxBacktrackingStackSize(maxStackSlots))
	if err != nil {
		return nil, &CostError{Pattern: t.source, Reason: "the backtracking library refuses it: " + quote(err.Error())}
	}
	re.MatchTimeout = safetyTimeout
	return &backtracker{source: t.source, re: re}, nil
}

func (b *backtracker) match(s string) (bool, *MatchError) {
	if len(s) > MaxBacktrackInput {
		return false, &MatchError{Pattern: b.source, Reason: fmt.Sprintf(
			"the text has %d bytes, and look-around or a back-reference is decided only up to %d; bound the text with maxLength, or write the pattern without them", len(s), MaxBacktrackInput)}
	}
	matched, err := b.re.MatchString(s)
	if err != nil {
		// The engine's own message quotes the text, which may be confidential.
		return false, &MatchError{Pattern: b.source, Reason: "the backtracking engine gave up at its safety limit", Defect: true}
	}
	return matched, nil
}
