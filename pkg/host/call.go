// SPDX-License-Identifier: Apache-2.0

package host

import (
	"errors"
	"fmt"
	"strings"

	"github.com/toolcontract/operator/internal/contract"
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
	// What is "arguments", "result" or "envelope".
	What string
	// Code is the code of the platform that tells a model so; see [Tool.Refuse].
	Code string
	// Problems are the first that were found, at least one.
	Problems []Problem
}

const (
	arguments = "arguments"
	result    = "result"
	enveloped = "envelope"
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
	verb := "is"
	if e.What == arguments {
		verb = "are"
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
	if !ok {
		return nil, t.unknown(profile)
	}
	if at.err != nil {
		return nil, fmt.Errorf("%s %s for %s: %w", t.contract, t.content.Version, profile, at.err)
	}
	value, err := parse(written)
	if err != nil {
		return nil, err
	}
	decoded, err := at.decode.Apply(value)
	var failed *decode.Error
	switch {
	case errors.As(err, &failed):
		return nil, &InvalidError{What: arguments, Code: CodeInvalidArguments, Problems: []Problem{{Pointer: failed.Pointer, Message: failed.Problem.Text()}}}
	case err != nil:
		return nil, fmt.Errorf("%s %s for %s: %w", t.contract, t.content.Version, profile, err)
	case decoded == value:
		return written, nil
	default:
		return decoded.AppendJSON(nil), nil
	}
}

// ValidateCall holds decoded arguments to the input schema of the contract. The
// error is an [*InvalidError]; no error means that they are valid.
//
// Where the contract says writer: Declared, members that the schema does not
// declare are refused as well, also where the schema alone would admit them: the
// contract promises its callers that nobody writes any. What the host injects is
// refused in any case (see [Tool.Inject]).
func (t *Tool) ValidateCall(decoded []byte) error {
	value, err := parse(decoded)
	if err != nil {
		return err
	}
	if problems := t.injected(value); len(problems) > 0 {
		return &InvalidError{What: arguments, Code: CodeInvalidArguments, Problems: problems}
	}
	return validate(arguments, CodeInvalidArguments, t.input, value, t.content.Input.Writer != "")
}

// ValidateResult holds the answer of the tool to the output schema of the
// contract. Without one every JSON text is valid. What a caller may see of the
// answer is for [Tool.Result] to say.
func (t *Tool) ValidateResult(answer []byte) error {
	_, err := t.Result(answer)
	return err
}

// Result holds the answer of the tool to the output schema of the contract and
// returns what callers may see of it. That is the answer byte for byte, unless the
// contract says reader: IgnoreUnknown: then members that the schema does not
// declare are left out first, wherever they are, so that a caller of this version
// never sees what a later version of the tool answers beyond it.
//
// The error is an [*InvalidError].
func (t *Tool) Result(answer []byte) ([]byte, error) {
	value, err := t.parseAnswer(answer)
	if err != nil {
		return nil, err
	}
	seen := t.project(value)
	if err := validate(result, CodeResultInvalid, t.output, seen, false); err != nil {
		return nil, err
	}
	if seen == value {
		return answer, nil
	}
	return seen.AppendJSON(nil), nil
}

// project leaves out of an answer what callers never see.
func (t *Tool) project(answer *schema.Value) *schema.Value {
	if t.content.Output.Reader != contract.ReaderIgnoreUnknown || t.output.Cost(answer) > schema.MaxValidationCost { // the latter is refused as invalid
		return answer
	}
	return t.content.Output.Schema.Project(answer)
}

// validate holds a value to a schema; without one it is valid. A closed schema is
// the author's with undeclared members refused.
func validate(what, code string, validator *schema.Validator, value *schema.Value, closed bool) error {
	if validator == nil {
		return nil
	}
	findings := validator.Validate(value)
	if len(findings) == 0 {
		return nil
	}
	invalid := &InvalidError{What: what, Code: code}
	for _, f := range findings {
		p := Problem{Pointer: f.Pointer, Message: f.Message}
		if closed && (f.Keyword == "additionalProperties" || f.Keyword == "unevaluatedProperties") {
			p.Message += "; leave out what the schema does not declare"
		}
		invalid.Problems = append(invalid.Problems, p)
	}
	return invalid
}

func parse(text []byte) (*schema.Value, error) {
	value, failed := schema.ParseWithin(text, MaxCall, MaxCallDepth)
	if failed != nil {
		return nil, &InvalidError{What: arguments, Code: CodeInvalidArguments, Problems: []Problem{{Pointer: failed.Pointer, Message: failed.Message}}}
	}
	return value, nil
}

// parseAnswer reads what the tool answered. A contract may allow more bytes than
// arguments may have.
func (t *Tool) parseAnswer(text []byte) (*schema.Value, error) {
	value, failed := schema.ParseWithin(text, max(MaxCall, most(t.content.Output.Limits.MaxBytes)), MaxCallDepth)
	if failed == nil {
		return value, nil
	}
	invalid := &InvalidError{What: result, Code: CodeResultInvalid, Problems: []Problem{{Pointer: failed.Pointer, Message: failed.Message}}}
	if failed.Rule == schema.RuleTextTooLarge || failed.Rule == schema.RuleNestingTooDeep {
		invalid.Code = CodeResultTooLarge
	}
	return nil, invalid
}
