// SPDX-License-Identifier: Apache-2.0

package yamledit

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// Limits on what is edited. A manifest has at most 3 MiB and nests less.
const (
	maxText  = 8 << 20
	maxDepth = 512
)

// Edit replaces bytes of a text.
type Edit struct {
	// Offset and Length are the bytes that are replaced, counted in the text
	// before any edit.
	Offset, Length int
	// Text is what stands there afterwards.
	Text string
}

// Place is what a patch is made for.
type Place struct {
	// Pointer leads from the root of the document to the value that the patch is
	// made for.
	Pointer string
	// Embedded says that the value is a text that holds JSON, and that the patch
	// is made for that JSON.
	Embedded bool
}

// Apply makes edits, which must not overlap, in the order of their offsets.
func Apply(source []byte, edits []Edit) []byte {
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, source[at:e.Offset]...), e.Text...)
		at = e.Offset + e.Length
	}
	return append(out, source[at:]...)
}

// Edits returns the edits that do a patch to the text of one document: a value in
// JSON, or a YAML document without its separators. They are in the order of
// their offsets. The error says why the text cannot be edited; it is then right
// to ask a person.
func Edits(document []byte, place Place, patch []finding.Operation) (edits []Edit, err error) {
	defer func() { // the YAML libraries panic on some malformed documents
		if p := recover(); p != nil {
			edits, err = nil, fmt.Errorf("editing the document: %v", p)
		}
	}()
	after, err := patched(string(document), place, patch)
	if err != nil {
		return nil, err
	}
	return difference(string(document), after), nil
}

func patched(text string, place Place, patch []finding.Operation) (string, error) {
	d, err := parse(text)
	if err != nil {
		return "", err
	}
	if place.Embedded {
		return patchEmbedded(d, place.Pointer, patch)
	}
	for _, o := range patch {
		o.Path = place.Pointer + o.Path
		if o.Op == "move" {
			o.From = place.Pointer + o.From
		}
		if d, err = step(d, o); err != nil {
			return "", err
		}
	}
	return d.text, nil
}

// patchEmbedded edits the JSON in a text of the document, which is another
// document for this package.
func patchEmbedded(d *document, pointer string, patch []finding.Operation) (string, error) {
	inside := d.value.At(finding.Tokens(pointer))
	if inside.Kind() != schema.String {
		return "", fmt.Errorf("at %s there is no text", pointer)
	}
	edited, err := patched(inside.Text(), Place{}, patch)
	if err != nil {
		return "", err
	}
	done, err := step(d, finding.Operation{Op: "replace", Path: pointer, Value: schema.NewString(edited).AppendJSON(nil)})
	if err != nil {
		return "", err
	}
	return done.text, nil
}

// step does one operation. Of the ways to write it the first is taken whose text
// says what the operation says and has kept the comments.
func step(d *document, o finding.Operation) (*document, error) {
	want, err := Patch(d.value, []finding.Operation{o})
	if err != nil {
		return nil, err
	}
	ways, err := d.ways(o)
	if err != nil && o.Op == "move" {
		return carry(d, o)
	}
	if err != nil {
		return nil, fmt.Errorf("applying %s %s: %w", o.Op, o.Path, err)
	}
	for _, w := range ways {
		slices.SortStableFunc(w.edits, func(a, b Edit) int { return a.Offset - b.Offset })
		if !fits(w.edits, len(d.text)) {
			continue
		}
		after, err := parse(string(Apply([]byte(d.text), w.edits)))
		if err == nil && after.value.Equal(want) && keepsComments(d, after, w.lost) {
			return after, nil
		}
	}
	return nil, fmt.Errorf("applying %s %s: %w", o.Op, o.Path, errForm)
}

// carry moves a value that gets more than another name.
func carry(d *document, o finding.Operation) (*document, error) {
	moved := d.value.At(finding.Tokens(o.From)).AppendJSON(nil)
	d, err := step(d, finding.Operation{Op: "remove", Path: o.From})
	if err != nil {
		return nil, err
	}
	return step(d, finding.Operation{Op: "add", Path: o.Path, Value: moved})
}

var errForm = errors.New("the text there is in a form that is not edited by itself (an alias, a merge key, comments inside of what is replaced); edit it by hand")

func fits(edits []Edit, size int) bool {
	at := 0
	for _, e := range edits {
		if e.Offset < at || e.Length < 0 || e.Offset+e.Length > size {
			return false
		}
		at = e.Offset + e.Length
	}
	return true
}

// lineEnd is how lines of a text end.
func lineEnd(text string) string {
	if i := strings.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
