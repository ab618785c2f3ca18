// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/toolcontract/operator/internal/finding"
)

// Limits on one JSON text. A text within them is cheap for everything
// downstream: the validator's compile time is worse than quadratic in depth
// (64 levels of schema take milliseconds, 1,000 take seconds).
const (
	// MaxText is the largest JSON text, in bytes.
	MaxText = 96 << 10
	// MaxDepth is the deepest nesting of arrays and objects, in JSON levels; a
	// property inside an object schema takes two.
	MaxDepth = 128
)

// Rules of this package. They are part of the machine-readable output.
const (
	RuleTextTooLarge   = "text-too-large"
	RuleJSONSyntax     = "json-syntax"
	RuleJSONComment    = "json-comment"
	RuleDuplicateKey   = "duplicate-key"
	RuleNestingTooDeep = "nesting-too-deep"
	RuleNumberRange    = "number-range"
	RuleNullInObject   = "null-in-object-form"
)

// Parse reads one JSON text. On failure the value is nil and the finding says
// where and why; it has the severity Error.
func Parse(text []byte) (*Value, *finding.Finding) { return ParseWithin(text, MaxText, MaxDepth) }

// ParseWithin is [Parse] with other limits, for texts that are no schemas.
func ParseWithin(text []byte, maxText, maxDepth int) (*Value, *finding.Finding) {
	if len(text) > maxText {
		return nil, failure(RuleTextTooLarge, "",
			fmt.Sprintf("the JSON text has %d bytes, more than the limit of %d", len(text), maxText),
			"split the tool, or shorten descriptions and enums")
	}
	p := parser{text: text, decoder: jsontext.NewDecoder(bytes.NewReader(text)), maxDepth: maxDepth}
	v, err := p.value(0)
	if err != nil {
		return nil, p.failure(err)
	}
	if _, err := p.decoder.ReadToken(); !errors.Is(err, io.EOF) {
		if err == nil {
			err = errTrailing
		}
		return nil, p.failure(err)
	}
	return v, nil
}

var (
	errTrailing = errors.New("there is more text after the JSON value")
	errTooDeep  = errors.New("nested too deep")
)

// numberError carries a number that is valid JSON but out of bounds.
type numberError struct{ err error }

func (e *numberError) Error() string { return e.err.Error() }

type parser struct {
	text     []byte
	decoder  *jsontext.Decoder
	maxDepth int
}

// value reads one value; depth is the number of containers around it.
func (p *parser) value(depth int) (*Value, error) {
	token, err := p.decoder.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case 'n':
		return NewNull(), nil
	case 't', 'f':
		return NewBool(token.Bool()), nil
	case '"':
		return NewString(token.String()), nil
	case '0':
		v, err := NewNumber(token.String())
		if err != nil {
			return nil, &numberError{err}
		}
		return v, nil
	default: // [ or {, since what closes them is never read here
		return p.container(token.Kind(), depth)
	}
}

func (p *parser) container(opening jsontext.Kind, depth int) (*Value, error) {
	if depth >= p.maxDepth {
		return nil, errTooDeep
	}
	if opening == '[' {
		return p.array(depth)
	}
	return p.object(depth)
}

func (p *parser) array(depth int) (*Value, error) {
	var items []*Value
	for p.decoder.PeekKind() != ']' {
		item, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	_, err := p.decoder.ReadToken()
	return NewArray(items...), err
}

func (p *parser) object(depth int) (*Value, error) {
	var members []Member
	for p.decoder.PeekKind() != '}' {
		name, err := p.decoder.ReadToken()
		if err != nil {
			return nil, err
		}
		member := Member{Name: name.String()} // before the next read: tokens are volatile
		if member.Value, err = p.value(depth + 1); err != nil {
			return nil, err
		}
		members = append(members, member)
	}
	_, err := p.decoder.ReadToken()
	return NewObject(members...), err
}

// failure explains an error of the decoder at the place where it happened.
func (p *parser) failure(err error) *finding.Finding {
	pointer := string(p.decoder.StackPointer())
	offset := int(p.decoder.InputOffset())
	var number *numberError
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, errTooDeep):
		return failure(RuleNestingTooDeep, pointer,
			fmt.Sprintf("the JSON text nests deeper than %d levels", p.maxDepth),
			"flatten the schema; models handle shallow parameters better as well")
	case errors.As(err, &number):
		return failure(RuleNumberRange, pointer, number.Error(), "write a number of at most 400 digits between ±1.7e308; a bound that far out can be left away")
	case errors.As(err, &syntax):
		pointer, offset = string(syntax.JSONPointer), int(syntax.ByteOffset)
		if errors.Is(err, jsontext.ErrDuplicateName) {
			return failure(RuleDuplicateKey, pointer,
				"the key appears twice in one object; readers disagree about which one counts", "keep one of them")
		}
		if comment, ok := p.commentAt(offset); ok {
			return failure(RuleJSONComment, pointer,
				fmt.Sprintf("the text has a %s comment at %s; JSON has no comments", comment, p.place(offset)),
				"remove it, or move the text into $comment")
		}
	}
	why := reason(err)
	if closing, ok := p.closingAfterComma(offset); ok {
		why = fmt.Sprintf("there is a comma before the closing %c", closing)
	}
	return failure(RuleJSONSyntax, pointer, fmt.Sprintf("the text is not JSON at %s: %s", p.place(offset), why), "correct the JSON text")
}

// commentAt looks for the start of a comment where the decoder stopped; it
// stops on the slash or just before it.
func (p *parser) commentAt(offset int) (string, bool) {
	rest := bytes.TrimLeft(p.text[min(offset, len(p.text)):], " \t\r\n,")
	for _, opening := range []string{"//", "/*", "#"} {
		if bytes.HasPrefix(rest, []byte(opening)) {
			return opening, true
		}
	}
	return "", false
}

// closingAfterComma recognizes a trailing comma, which the decoder calls a
// wrong start of a value.
func (p *parser) closingAfterComma(offset int) (closing byte, ok bool) {
	rest, comma := bytes.CutPrefix(p.text[min(offset, len(p.text)):], []byte(","))
	rest = bytes.TrimLeft(rest, " \t\r\n")
	if !comma || len(rest) == 0 || (rest[0] != ']' && rest[0] != '}') {
		return 0, false
	}
	return rest[0], true
}

// place turns a byte offset into "line 3, column 5".
func (p *parser) place(offset int) string {
	before := p.text[:min(offset, len(p.text))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Sprintf("line %d, column %d", line, column)
}

// reason shortens a decoder error: its own text repeats the whole pointer.
func reason(err error) string {
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) && syntax.Err != nil {
		err = syntax.Err
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return "it ends too early"
	}
	return finding.Clip(err.Error(), 160)
}

func failure(rule, pointer, message, fix string) *finding.Finding {
	return &finding.Finding{
		Rule: rule, Severity: finding.Error, Pointer: finding.Clip(pointer, maxPointer), Message: message, Fix: fix,
	}
}

// maxPointer bounds pointers that hostile input could make as long as the text.
const maxPointer = 1024
