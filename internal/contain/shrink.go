// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"iter"
	"regexp"
	"slices"

	"github.com/toolcontract/operator/internal/schema"
)

const (
	// maxTrimmed bounds the instances that shrink all witnesses of one question,
	// and maxTrimming the work on them, in applications.
	maxTrimmed  = 600
	maxTrimming = 200_000
	// maxTrimmedParts is the longest container of which single parts are left out.
	maxTrimmedParts = 64
)

// shrink leaves out of a witness what it does not need to be one: members,
// items, characters. What the second schema says against it stays the same, so
// that it goes on showing the place that it was built for; a witness that was
// found by chance (anywhere) may lose some of it. It is deterministic: the first
// smaller value that is still a witness is taken, again and again.
func (c *court) shrink(v *schema.Value, anywhere bool) *schema.Value {
	against := c.objections(v)
	for shrunk := true; shrunk; {
		shrunk = false
		for smaller := range lesser(v) {
			if c.trims--; c.trims < 0 || c.trimming < 0 {
				return v
			}
			if c.shows(smaller, against, anywhere) {
				v, shrunk = smaller, true
				break
			}
		}
	}
	return v
}

// objection is one thing that the second schema says against an instance.
type objection struct{ pointer, keyword, message string }

// position is an index in a pointer. It moves when an item before it is left
// out, so it does not count.
var position = regexp.MustCompile(`/[0-9]+(/|$)`)

func (c *court) objections(v *schema.Value) map[objection]bool {
	list := map[objection]bool{}
	for _, f := range c.b.Validate(v) {
		o := objection{pointer: position.ReplaceAllString(f.Pointer, "/*$1"), keyword: f.Keyword}
		if f.Keyword == "required" {
			o.message = f.Message // says which names
		}
		list[o] = true
	}
	return list
}

// shows reports whether an instance is a witness against which the second
// schema says nothing new.
func (c *court) shows(v *schema.Value, against map[objection]bool, anywhere bool) bool {
	if c.trimming -= c.a.Cost(v) + 2*c.b.Cost(v); c.trimming < 0 {
		return false
	}
	if ok, err := c.a.Accepts(v); err != nil || !ok {
		return false
	}
	if ok, err := c.b.Accepts(v); err != nil || ok {
		return false
	}
	now := c.objections(v)
	for o := range now {
		if !against[o] {
			return false
		}
	}
	return anywhere || len(now) == len(against)
}

// lesser yields values with less in them, those first that lack most.
func lesser(v *schema.Value) iter.Seq[*schema.Value] {
	return func(yield func(*schema.Value) bool) {
		switch v.Kind() {
		case schema.Object:
			lesserObjects(v, yield)
		case schema.Array:
			lesserArrays(v, yield)
		case schema.String:
			lesserTexts(v.Text(), yield)
		default:
		}
	}
}

func lesserObjects(v *schema.Value, yield func(*schema.Value) bool) {
	if half := v.Len() / 2; half > 1 {
		first, second := slices.Clone(v.Members()[:half]), slices.Clone(v.Members()[half:])
		if !yield(schema.NewObject(first...)) || !yield(schema.NewObject(second...)) {
			return
		}
	}
	if v.Len() > maxTrimmedParts {
		return
	}
	for _, m := range v.Members() {
		if !yield(v.Without(m.Name)) {
			return
		}
	}
	for _, m := range v.Members() {
		for smaller := range lesser(m.Value) {
			if !yield(v.With(m.Name, smaller)) {
				return
			}
		}
	}
}

func lesserArrays(v *schema.Value, yield func(*schema.Value) bool) {
	items := v.Items()
	if half := len(items) / 2; half > 1 && !yield(schema.NewArray(slices.Clone(items[:half])...)) {
		return
	}
	if len(items) > maxTrimmedParts {
		yield(schema.NewArray(slices.Clone(items[:len(items)-1])...))
		return
	}
	for i := range items {
		if !yield(schema.NewArray(slices.Delete(slices.Clone(items), i, i+1)...)) {
			return
		}
	}
	for i, item := range items {
		for smaller := range lesser(item) {
			if !yield(withItem(v, i, smaller)) {
				return
			}
		}
	}
}

// maxShownText is the longest text that is left as it is: a date without its
// end is smaller, and harder to read.
const maxShownText = 24

func lesserTexts(s string, yield func(*schema.Value) bool) {
	runes := []rune(s)
	if len(runes) > maxShownText && yield(schema.NewString(string(runes[:len(runes)/2]))) {
		yield(schema.NewString(string(runes[:len(runes)-1])))
	}
}
