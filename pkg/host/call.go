// SPDX-License-Identifier: Apache-2.0

package host

import (
	"errors"
	"fmt"
	"strings"

	"github.com/toolcontract/operator/internal/decode"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// Limits on arguments and answers.
const (
	// MaxCall is the most bytes of the JSON text of arguments or of an answer.
	MaxCall = 4 << 20
	// MaxCallDepth is the deepest nesting of arrays and objects in it.
	MaxCallDepth = schema.MaxDepth
)

// Problem is one thing that is wrong with arguments or an answer.
type Problem struct {
	// Pointer is the JSON pointer of the value that is wrong; empty for the whole.
	Pointer string
	// Message says in one sentence what is wrong.
	Message string
}

// InvalidError says what is wrong with arguments or with an answer. Its text is
// one line and bounded, whatever the value holds, so it can be given back to
// the model.
type InvalidError struct {
	// What is "arguments" or "result".
	What string
	// Problems are the first that were found, at least one.
	Problems []Problem
}

const (
	arguments = "arguments"
	result    = "result"
)

// maxMessage bounds the text of one problem, in bytes.
const maxMessage = 400

// Error lists the problems with their places.
func (e *InvalidError) Error() string {
	texts := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		place := p.Pointer
		if place == "" {
			place = "(root)"
		}
		texts[i] = finding.Clip(finding.Printable(place+": "+p.Message), maxMessage)
	}
	verb := "are"
	if e.What == result {
		verb = "is"
	}
	return "the " + e.What + " " + verb + " not valid: " + strings.Join(texts, "; ")
}

// Decode turns arguments that a model wrote for the rendering of a profile into
// arguments for the contract. What needs no decoding comes back byte for byte.
// It does not validate: see [Tool.ValidateCall].
//
// The error is an [*InvalidError] if the arguments are at fault.
func (t *Tool) Decode(profile string, written []byte) ([]byte, error) {
	at, ok := t.targets[profile]
	if !ok || t.renderings[profile] == nil {
		return nil, t.unknown(profile)
	}
	if at.err != nil {
		return nil, fmt.Errorf("%s %s for %s: %w", t.contract, t.version, profile, at.err)
	}
	value, err := parse(arguments, written)
	if err != nil {
		return nil, err
	}
	decoded, err := at.decode.Apply(value)
	var failed *decode.Error
	switch {
	case errors.As(err, &failed):
		return nil, &InvalidError{What: arguments, Problems: []Problem{{Pointer: failed.Pointer, Message: failed.Problem.Text()}}}
	case err != nil:
		return nil, fmt.Errorf("%s %s for %s: %w", t.contract, t.version, profile, err)
	case decoded == value:
		return written, nil
	default:
		return decoded.AppendJSON(nil), nil
	}
}

// ValidateCall holds decoded arguments to the input schema of the contract. The
// error is an [*InvalidError]; no error means that they are valid.
func (t *Tool) ValidateCall(decoded []byte) error { return validate(arguments, t.input, decoded) }

// ValidateResult holds the answer of the tool to the output schema of the
// contract. Without one every JSON text is valid.
func (t *Tool) ValidateResult(answer []byte) error { return validate(result, t.output, answer) }

func validate(what string, validator *schema.Validator, text []byte) error {
	value, err := parse(what, text)
	if err != nil || validator == nil {
		return err
	}
	findings := validator.Validate(value)
	if len(findings) == 0 {
		return nil
	}
	invalid := &InvalidError{What: what}
	for _, f := range findings {
		invalid.Problems = append(invalid.Problems, Problem{Pointer: f.Pointer, Message: f.Message})
	}
	return invalid
}

func parse(what string, text []byte) (*schema.Value, error) {
	value, failed := schema.ParseWithin(text, MaxCall, MaxCallDepth)
	if failed != nil {
		return nil, &InvalidError{What: what, Problems: []Problem{{Pointer: failed.Pointer, Message: failed.Message}}}
	}
	return value, nil
}
