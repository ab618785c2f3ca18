// SPDX-License-Identifier: Apache-2.0

package decode

import (
	"fmt"
	"strconv"

	"github.com/toolcontract/operator/internal/finding"
)

// Problem is why a value cannot be decoded.
type Problem string

// The problems. Neither happens with a value that the rendered schema admits,
// except that JSON Schema cannot say that a key comes only once.
const (
	NotAPair    Problem = "NotAPair"
	RepeatedKey Problem = "RepeatedKey"
)

// Error says what could not be decoded, and where.
type Error struct {
	Problem Problem
	// Pointer leads into the value as the model wrote it.
	Pointer string
}

// Text is the problem in words, with the way out.
func (p Problem) Text() string {
	if p == RepeatedKey {
		return "the key comes twice in one list; give each key once"
	}
	return `it must be an object with the members "key", a string, and "value", and no others`
}

// Error is the text with the place.
func (e *Error) Error() string {
	place := e.Pointer
	if place == "" {
		place = "(root)"
	}
	return fmt.Sprintf("decoding arguments at %s: %s", finding.Printable(finding.Clip(place, maxPlace)), e.Problem.Text())
}

// maxPlace bounds the pointer in a message, in bytes: names are the model's.
const maxPlace = 256

// step is one token of the way to a value.
type step struct {
	name    string
	index   int
	isIndex bool
}

func (s step) token() string {
	if s.isIndex {
		return strconv.Itoa(s.index)
	}
	return s.name
}

func (a *application) fail(p Problem, below ...step) {
	if a.failed != nil {
		return
	}
	pointer := ""
	for _, s := range append(a.path, below...) {
		pointer = finding.Pointer(pointer, s.token())
	}
	a.failed = &Error{Problem: p, Pointer: pointer}
}
