// SPDX-License-Identifier: Apache-2.0

package host

import (
	"fmt"
	"math"
	"slices"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/envelope"
	"github.com/toolcontract/operator/internal/schema"
)

// readOutput takes from contract.json what an answer promises. A word that this
// host does not know is an error: a promise that is passed over is broken.
func (t *Tool) readOutput(root *schema.Value) error {
	v := root.Get("output")
	output, err := admit("output schema", v.Get("schema"))
	if err != nil {
		return err
	}
	out := &t.content.Output
	out.Schema = output
	words := reading{}
	out.Reader = words.of("output.reader", textOf(v, "reader"), contract.ReaderIgnoreUnknown, asDeclared)
	out.Truncation = words.of("output.truncation", textOf(v, "truncation"), marked, "Never")
	limits := v.Get("limits")
	out.Limits = contract.OutputLimits{MaxBytes: words.number(limits, "maxBytes"), MaxDepth: words.number(limits, "maxDepth"), MaxItems: words.number(limits, "maxItems")}
	if p := v.Get("pagination"); p != nil {
		out.Pagination = &contract.Pagination{
			Mode:  words.of("output.pagination.mode", textOf(p, "mode"), "Cursor", "", "Offset", "Page"),
			Input: textOf(p, "input"), Output: textOf(p, "output"), Items: textOf(p, "items"), MaxPageSize: words.number(p, "maxPageSize"),
		}
	}
	if f := v.Get("freshness"); f != nil {
		out.Freshness = &contract.Freshness{
			MaxAgeSeconds: words.number(f, "maxAgeSeconds"),
			Cache:         words.of("output.freshness.cache", textOf(f, "cache"), "Session", "None", "Shared"),
		}
	}
	if p := v.Get("provenance"); p != nil {
		out.Provenance = &contract.Provenance{
			Source: textOf(p, "source"), ProducerRevision: textOf(p, "producerRevision"),
			Trust: words.of("output.provenance.trust", textOf(p, "trust"), "TrustedControl", "UntrustedData"),
		}
	}
	for _, b := range itemsOf(v, "bindings") {
		out.Bindings = append(out.Bindings, contract.OutputBinding{Output: textOf(b, "output"), Input: textOf(b, "input")})
	}
	for _, e := range itemsOf(v, "errors") {
		declared := contract.OutputError{
			Code: textOf(e, "code"), Category: textOf(e, "category"), Recovery: textOf(e, "recovery"),
			SafeMessage: textOf(e, "safeMessage"), RetryAfterMs: words.number(e, "retryAfterMs"),
		}
		if envelope.Wire(declared.Category) == "" {
			words.fail("the category of "+declared.Code, declared.Category)
		}
		if declared.Recovery != "" && envelope.Wire(declared.Recovery) == "" {
			words.fail("the recovery of "+declared.Code, declared.Recovery)
		}
		out.Errors = append(out.Errors, declared)
	}
	if words.err != nil {
		return words.err
	}
	if output == nil {
		if out.Reader != "" {
			return fmt.Errorf("loading tool: %s has output.reader and no output schema; the folder was not published by the operator", contractFile)
		}
		return nil
	}
	if t.output, err = compile("output schema", output); err != nil {
		return err
	}
	t.data, err = compile("output schema", output.Closed())
	return err
}

// marked is the word for answers that are cut.
const marked = "Marked"

// readExecution takes what decides who makes the result, and whether a call may
// be repeated. A word that is not known means that it may not.
func (t *Tool) readExecution(root *schema.Value) error {
	v := root.Get("execution")
	t.content.Execution = contract.Execution{
		Location: textOf(v, "location"), Approval: textOf(v, "approval"), SideEffect: textOf(v, "sideEffect"),
		IdempotencyMode: textOf(v.Get("idempotency"), "mode"), IdempotencyKey: textOf(v.Get("idempotency"), "keyParameter"),
	}
	return nil
}

// reading notes the first word that is not known.
type reading struct{ err error }

// of returns a word, and nothing for the one that absence stands for. further
// words stand for themselves.
func (r *reading) of(field, word, known, absence string, further ...string) string {
	switch {
	case word == absence:
		return ""
	case word != "" && word != known && !slices.Contains(further, word):
		r.fail(field, word)
	}
	return word
}

func (r *reading) fail(field, word string) {
	if r.err == nil {
		r.err = unknownWord(field, word)
	}
}

// number reads a whole number; what is none is no smaller mistake than a word.
func (r *reading) number(v *schema.Value, name string) *int32 {
	member := v.Get(name)
	if member == nil {
		return nil
	}
	n, ok := member.Int()
	if !ok || n < 0 || n > math.MaxInt32 {
		r.fail(name, member.JSON())
		return nil
	}
	small := int32(n)
	return &small
}

func itemsOf(v *schema.Value, name string) []*schema.Value {
	if list := v.Get(name); list != nil {
		return list.Items()
	}
	return nil
}
