// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"strings"

	"github.com/toolcontract/operator/internal/decode"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
)

// Effect is what a rewrite does to the admitted values.
type Effect uint8

// The effects, weakest first; see the package documentation.
const (
	Keep Effect = iota
	Narrow
	Reshape
	Widen
)

var effectNames = [...]string{"Keep", "Narrow", "Reshape", "Widen"}

// String is the word for the effect, as in the API.
func (e Effect) String() string { return effectNames[e] }

// Rewrite is one change of the schema.
type Rewrite struct {
	Rule   string
	Effect Effect
	// Pointer leads into the author's schema.
	Pointer string
	Message string
}

// Result is a schema adapted to a profile in one mode.
type Result struct {
	// Schema is what is rendered; nil if there are errors that left no schema.
	Schema   *schema.Schema
	Rewrites []Rewrite
	// Findings are what the profile says of the adapted schema, with pointers
	// into the author's schema. Without an error among them the provider takes it.
	Findings []finding.Finding
	// Decode turns a value that the adapted schema admits into one for the
	// author's schema; nil if there is nothing to undo.
	Decode *decode.Rule

	encoder *encoder
}

// Schema adapts a schema to a profile in one mode, using rewrites up to the
// given effect. What weaker rewrites can reach, stronger ones do not touch.
func Schema(s *schema.Schema, p *provider.Profile, mode provider.Mode, most Effect) Result {
	if p.IsIndifferent(s, mode) {
		return Result{Schema: s}
	}
	return rewritten(s, p, mode, most)
}

// rewritten is [Schema] for a document that there may be something to do in.
func rewritten(s *schema.Schema, p *provider.Profile, mode provider.Mode, most Effect) Result {
	d := draft{profile: p, mode: mode, author: s, schema: s}
	admitted := d.reach(min(most, Reshape))
	if most < Widen || !admitted || !d.refused() {
		return d.result(admitted)
	}
	return d.widened()
}

// reach rewrites the document step by step, until the profile takes it or
// nothing is left to try. It reports false if the document grew too large.
func (d *draft) reach(most Effect) (admitted bool) {
	if !d.settle(min(most, Narrow)) {
		return false
	}
	if most < Narrow || !d.refused() || !d.reshape(most) || !d.refused() {
		return true
	}
	return d.settle(Narrow)
}

// originsOf returns a function that translates a pointer by the deepest place
// that it lies in; the last one written counts, because it was written over the
// others.
func originsOf(places []place) func(pointer string) string {
	byOut := make(map[string]string, len(places))
	for _, p := range places {
		byOut[p.out] = p.author
	}
	return func(pointer string) string {
		for out := pointer; ; {
			if author, known := byOut[out]; known {
				return author + pointer[len(out):]
			}
			slash := strings.LastIndexByte(out, '/')
			if slash < 0 {
				return pointer
			}
			out = out[:slash]
		}
	}
}

// within reports whether a pointer is that of a place or of something below.
func within(pointer, place string) bool {
	rest, ok := strings.CutPrefix(pointer, place)
	return ok && (rest == "" || rest[0] == '/')
}
