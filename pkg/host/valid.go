// SPDX-License-Identifier: Apache-2.0

package host

import (
	"fmt"
	"sync"
	"time"

	"github.com/toolcontract/operator/internal/envelope"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// frames are the schemas of envelopes without their data, by the code of the
// failure; that of successes is under no code. They are made when they are first
// needed.
type frames struct {
	mu     sync.Mutex
	byCode map[string]*schema.Validator
}

func (t *Tool) frame(code string) (*schema.Validator, error) {
	t.frames.mu.Lock()
	defer t.frames.mu.Unlock()
	if known := t.frames.byCode[code]; known != nil {
		return known, nil
	}
	v := envelope.SuccessFrame(&t.content)
	if code != "" {
		v = envelope.FailureFrame(&t.content, code)
	}
	admitted, err := admit("envelope", v)
	if err != nil {
		return nil, err
	}
	compiled, err := compile("envelope", admitted)
	if err != nil {
		return nil, err
	}
	if t.frames.byCode == nil {
		t.frames.byCode = map[string]*schema.Validator{}
	}
	t.frames.byCode[code] = compiled
	return compiled, nil
}

// valid holds an envelope to its frame, its data to the output schema, and both to
// what no schema can say.
func (t *Tool) valid(call []byte, v *schema.Value, now time.Time) error {
	code := ""
	if textOf(v, "status") == envelope.Failed {
		code = envelope.CodeInternal // its frame says what is wrong with the shape
		if named := v.Get("error").Get("code"); named != nil && named.Kind() == schema.String {
			code = named.Text()
			if t.failure(code) == nil {
				return wrong(enveloped, CodeResultInvalid, "/error/code",
					fmt.Sprintf("the tool has no error %s; it has %s", finding.Quote(code), t.codes()))
			}
		}
	}
	frame, err := t.frame(code)
	if err != nil {
		return err
	}
	if err := validate(enveloped, CodeResultInvalid, frame, v, false); err != nil {
		return err
	}
	if code != "" {
		return nil
	}
	data := v.Get("data")
	if err := t.validData(data); err != nil {
		return err
	}
	if next, known := t.nextPage(data); known {
		whole := v.Get("execution").Get("complete").IsTrue()
		cut := v.Get("execution").Get("truncated").IsTrue()
		if whole != (!next && !cut) {
			return wrong(enveloped, CodeResultInvalid, "/execution/complete",
				fmt.Sprintf("it is %t, and the next page at /data%s says otherwise", whole, t.content.Output.Pagination.Output))
		}
	}
	if err := t.bound(call, data); err != nil {
		return err
	}
	return t.fresh(textOf(v.Get("provenance"), "observed_at"), now)
}

// validData holds the data to the limits and to the output schema.
func (t *Tool) validData(data *schema.Value) error {
	if t.data == nil {
		if data.Kind() != schema.Null {
			return wrong(result, CodeResultInvalid, "",
				"the contract declares no output schema, so there is no data to answer; leave the data out, or declare output.schema")
		}
		return nil
	}
	if err := t.withinLimits(data); err != nil {
		return err
	}
	return validate(result, CodeResultInvalid, t.data, data, true)
}

// nextPage reports whether the answer names a further page; known is false where
// the contract names no place for that.
func (t *Tool) nextPage(data *schema.Value) (next, known bool) {
	p := t.content.Output.Pagination
	if p == nil || p.Output == "" {
		return false, false
	}
	at := data.At(finding.Tokens(p.Output))
	return at != nil && at.Kind() != schema.Null, true
}

// bound compares the fields of an answer that repeat an argument with it. A field
// or an argument that is not there repeats nothing.
func (t *Tool) bound(call []byte, data *schema.Value) error {
	if call == nil || len(t.content.Output.Bindings) == 0 {
		return nil
	}
	written, err := parse(call)
	if err != nil {
		return err
	}
	for _, b := range t.content.Output.Bindings {
		argument, field := written.At(finding.Tokens(b.Input)), data.At(finding.Tokens(b.Output))
		if argument != nil && field != nil && !argument.Equal(field) {
			return wrong(result, CodeResultInvalid, b.Output,
				fmt.Sprintf("it differs from the argument %s that it has to repeat: this is the answer to another call", b.Input))
		}
	}
	return nil
}

// fresh holds the age of an answer to what the contract allows.
func (t *Tool) fresh(observed string, now time.Time) error {
	f := t.content.Output.Freshness
	if f == nil || f.MaxAgeSeconds == nil {
		return nil
	}
	if now.IsZero() {
		return fmt.Errorf("%s %s: the contract bounds the age of its data; give the time of the answer", t.contract, t.content.Version)
	}
	at, err := time.Parse(time.RFC3339Nano, observed)
	if err != nil {
		return wrong(result, CodeResultInvalid, "", "it does not say when its data was true, and the contract bounds the age of it")
	}
	age := now.Sub(at)
	switch limit := time.Duration(*f.MaxAgeSeconds) * time.Second; {
	case age > limit:
		return wrong(result, CodeResultStale, "", fmt.Sprintf("its data is %s old, more than the %s of output.freshness.maxAgeSeconds", age.Truncate(time.Second), limit))
	case age < -ClockSkew:
		return wrong(result, CodeResultInvalid, "", fmt.Sprintf("its data was observed %s from now", (-age).Truncate(time.Second)))
	}
	return nil
}

func wrong(what, code, pointer, message string) error {
	return &InvalidError{What: what, Code: code, Problems: []Problem{{Pointer: pointer, Message: message}}}
}
