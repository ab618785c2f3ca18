// SPDX-License-Identifier: Apache-2.0

package host

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/schema"
)

// ErrNoText says that a tool is not called with a free text.
var ErrNoText = errors.New("the tool takes arguments, not a text")

// FreeForm reports whether the model writes a text for the tool, where its provider
// has such tools.
func (t *Tool) FreeForm() bool { return t.content.Type == contract.TypeFreeForm }

// DecodeText turns the text that a model wrote for a tool of type FreeForm into
// arguments for the contract: an object whose one member holds it. Where a
// provider has no such tools, the model wrote the arguments of a function instead,
// and [Tool.Decode] reads them.
//
// The text is held to the contract by [Tool.ValidateCall]: to its length and, with
// the syntax Regex, to the expression. A Lark grammar is held by the provider; a
// host that does not trust it parses the text itself.
func (t *Tool) DecodeText(profile string, written []byte) ([]byte, error) {
	if _, ok := t.targets[profile]; !ok {
		return nil, t.unknown(profile)
	}
	if !t.FreeForm() {
		return nil, fmt.Errorf("%s %s: %w", t.contract, t.content.Version, ErrNoText)
	}
	problem := ""
	switch {
	case len(written) > MaxCall:
		problem = fmt.Sprintf("the text has %d bytes, more than the limit of %d", len(written), MaxCall)
	case !utf8.Valid(written):
		problem = "the text is not UTF-8"
	}
	if problem != "" {
		return nil, wrong(arguments, CodeInvalidArguments, "", problem)
	}
	return schema.NewObject(schema.Member{Name: t.content.FreeForm.Parameter, Value: schema.NewString(string(written))}).AppendJSON(nil), nil
}
