// SPDX-License-Identifier: Apache-2.0

package pattern

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// SyntaxError says that a text is not an ECMA-262 regular expression with the u flag.
type SyntaxError struct {
	Pattern string
	Offset  int    // of the offending construct, in bytes from the start of Pattern
	Reason  string // what is wrong there and, where there is one, what to write instead
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("pattern %s is not a valid ECMA-262 expression at byte %d: %s", quote(e.Pattern), e.Offset, e.Reason)
}

// CostError says that a pattern is valid but refused, because matching it could take too much work or memory.
type CostError struct {
	Pattern string
	Reason  string // what costs too much, and what to write instead
}

func (e *CostError) Error() string {
	return fmt.Sprintf("pattern %s costs too much: %s", quote(e.Pattern), e.Reason)
}

// MatchError says that the backtracking engine gave no answer for one text, so whether it matches is unknown.
type MatchError struct {
	Pattern string
	Reason  string
	// Defect is true if a safety net ended the match. A pattern that needs one should have been refused by Compile, so
	// this is a defect of this package and worth a log line; a text that is too long is not.
	Defect bool
}

func (e *MatchError) Error() string {
	return fmt.Sprintf("matching pattern %s: %s", quote(e.Pattern), e.Reason)
}

// maxQuotedBytes keeps a message readable when a pattern is not.
const maxQuotedBytes = 120

// quote returns s as a quoted string of at most about maxQuotedBytes. Back quotes keep escapes readable.
func quote(s string) string {
	if len(s) > maxQuotedBytes {
		end := maxQuotedBytes
		for end > 0 && !utf8.RuneStart(s[end]) {
			end--
		}
		s = s[:end] + "…"
	}
	if strconv.CanBackquote(s) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}
