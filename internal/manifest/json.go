// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// MaxDepth is the deepest nesting of a manifest, in JSON levels. It leaves
// room around the deepest embedded schema, so that a schema that is too deep
// is reported as such.
const MaxDepth = 2 * schema.MaxDepth

// Rules of this package beside those of package schema that it shares.
const (
	RuleDocumentTooLarge = "document-too-large"
	RuleEncoding         = "text-encoding"
	RuleYAMLSyntax       = "yaml-syntax"
	RuleYAMLAliases      = "yaml-alias-expansion"
	RuleYAMLKey          = "yaml-key"
	RuleNumberPrecision  = "number-precision"
)

// checkJSON walks over the tokens of one JSON value and reports everything
// that an API server refuses or silently changes: repeated names, nesting,
// numbers that no float64 holds or that it rounds.
func checkJSON(text []byte) []finding.Finding {
	var out []finding.Finding
	seen := []map[string]bool{nil}
	decoder := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true))
	for len(out) < maxReported {
		token, err := decoder.ReadToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return append(out, *jsonFailure(decoder, err))
		}
		switch token.Kind() {
		case '{', '[':
			if decoder.StackDepth() > MaxDepth {
				return append(out, *tooDeep(string(decoder.StackPointer())))
			}
			seen = append(seen, nil)
		case '}', ']':
			seen = seen[:len(seen)-1]
		case '"':
			if kind, length := decoder.StackIndex(decoder.StackDepth()); kind == '{' && length%2 == 1 {
				names := &seen[len(seen)-1]
				if *names == nil {
					*names = map[string]bool{}
				}
				name := token.String()
				if (*names)[name] {
					out = append(out, *duplicateKey(string(decoder.StackPointer()), "the key appears twice in one object"))
				}
				(*names)[name] = true
			}
		case '0':
			if f := checkNumber(token.String(), string(decoder.StackPointer())); f != nil {
				out = append(out, *f)
			}
		default: // null, true and false are what they are
		}
	}
	return out
}

// checkNumber judges a number literal as the API server will read it: as an
// int64 if it is one, else as a float64.
func checkNumber(literal, pointer string) *finding.Finding {
	if len(literal) <= 15 && !strings.ContainsAny(literal, "eE") {
		return nil // every such decimal survives a float64
	}
	if _, err := strconv.ParseInt(literal, 10, 64); err == nil {
		return nil
	}
	float, floatErr := strconv.ParseFloat(literal, 64)
	written, err := schema.NewNumber(literal)
	if floatErr != nil || err != nil {
		return failure(schema.RuleNumberRange, pointer,
			fmt.Sprintf("the number %s does not fit into a 64-bit float", finding.Clip(literal, 40)), "write a smaller number")
	}
	stored, err := schema.NewNumber(strconv.FormatFloat(float, 'g', -1, 64))
	if err == nil && stored.Equal(written) {
		return nil
	}
	f := failure(RuleNumberPrecision, pointer,
		fmt.Sprintf("the API server would store the number %s as %s", finding.Clip(literal, 40), stored.Text()),
		"write the stored number, or use the text field beside this one, which keeps every digit")
	f.Severity = finding.Warning
	return f
}

// jsonFailure explains why the decoder stopped.
func jsonFailure(decoder *jsontext.Decoder, err error) *finding.Finding {
	pointer, place := string(decoder.StackPointer()), ""
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		pointer, place = string(syntax.JSONPointer), fmt.Sprintf(" at byte %d", syntax.ByteOffset)
		if syntax.Err != nil {
			err = syntax.Err
		}
	}
	reason := err.Error()
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		reason = "it ends too early"
	}
	return failure(schema.RuleJSONSyntax, pointer,
		fmt.Sprintf("the document is not JSON%s: %s", place, finding.Clip(reason, 160)), "correct the JSON text")
}

func tooDeep(pointer string) *finding.Finding {
	return failure(schema.RuleNestingTooDeep, pointer,
		fmt.Sprintf("the document nests deeper than %d levels", MaxDepth), "flatten it")
}

func duplicateKey(pointer, message string) *finding.Finding {
	return failure(schema.RuleDuplicateKey, pointer, message+"; readers disagree about which one counts", "keep one of them")
}

// maxReported bounds the findings on the text of one document.
const maxReported = 32

// maxPointer bounds pointers that hostile input could make as long as itself.
const maxPointer = 1024

func failure(rule, pointer, message, fix string) *finding.Finding {
	return &finding.Finding{
		Rule: rule, Severity: finding.Error, Side: finding.Contract,
		Pointer: finding.Clip(pointer, maxPointer), Message: message, Fix: fix,
	}
}
