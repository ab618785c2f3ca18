// SPDX-License-Identifier: Apache-2.0

package host

import (
	"fmt"
	"math"
	"strconv"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// most is a limit as a number; none is the greatest.
func most(limit *int32) int {
	if limit == nil {
		return 0
	}
	return int(*limit)
}

// withinLimits holds the data of an answer to output.limits.
func (t *Tool) withinLimits(data *schema.Value) error {
	limits := t.content.Output.Limits
	if n := len(data.AppendJSON(nil)); limits.MaxBytes != nil && n > most(limits.MaxBytes) {
		return wrong(result, CodeResultTooLarge, "", fmt.Sprintf("it has %d bytes, more than the %d of output.limits.maxBytes", n, most(limits.MaxBytes)))
	}
	depth, items := math.MaxInt, math.MaxInt
	if limits.MaxDepth != nil {
		depth = most(limits.MaxDepth)
	}
	if limits.MaxItems != nil {
		items = most(limits.MaxItems)
	}
	return beyond("", data, 0, depth, items)
}

// beyond finds the first place that is too deep or has too many items.
func beyond(at string, v *schema.Value, level, depth, items int) error {
	if v.Kind() != schema.Array && v.Kind() != schema.Object {
		return nil
	}
	level++
	if level > depth {
		return wrong(result, CodeResultTooLarge, at, fmt.Sprintf("objects and lists nest deeper than the %d levels of output.limits.maxDepth", depth))
	}
	if n := len(v.Items()); n > items {
		return wrong(result, CodeResultTooLarge, at, fmt.Sprintf("the list has %d items, more than the %d of output.limits.maxItems", n, items))
	}
	for i, item := range v.Items() {
		if err := beyond(finding.Pointer(at, strconv.Itoa(i)), item, level, depth, items); err != nil {
			return err
		}
	}
	for _, m := range v.Members() {
		if err := beyond(finding.Pointer(at, m.Name), m.Value, level, depth, items); err != nil {
			return err
		}
	}
	return nil
}

// cut shortens lists so that the data is within the limits, where the contract
// says that answers are cut: every list to the most items, and then, if there are
// still too many bytes, the list of entries, which is that of the pages or else
// the largest. What cannot be helped in this way is refused afterwards.
func (t *Tool) cut(data *schema.Value) (shorter *schema.Value, cut bool) {
	if t.content.Output.Truncation != marked {
		return data, false
	}
	limits := t.content.Output.Limits
	shorter = data
	if limits.MaxItems != nil {
		shorter = fewer(shorter, most(limits.MaxItems))
	}
	if excess := len(shorter.AppendJSON(nil)) - most(limits.MaxBytes); limits.MaxBytes != nil && excess > 0 {
		shorter = t.shortened(shorter, excess)
	}
	return shorter, shorter != data
}

// fewer cuts every list to at most so many items.
func fewer(v *schema.Value, items int) *schema.Value {
	changed := false
	list := v.Items()
	if len(list) > items {
		list, changed = list[:items], true
	}
	kept := make([]*schema.Value, len(list))
	for i, item := range list {
		kept[i] = fewer(item, items)
		changed = changed || kept[i] != item
	}
	members := make([]schema.Member, v.Len()-len(v.Items()))
	for i, m := range v.Members() {
		members[i] = schema.Member{Name: m.Name, Value: fewer(m.Value, items)}
		changed = changed || members[i].Value != m.Value
	}
	switch {
	case !changed:
		return v
	case v.Kind() == schema.Array:
		return schema.NewArray(kept...)
	default:
		return schema.NewObject(members...)
	}
}

// shortened drops entries from the end of one list until so many bytes are gone.
func (t *Tool) shortened(data *schema.Value, excess int) *schema.Value {
	var at []string
	if p := t.content.Output.Pagination; p != nil && p.Items != "" {
		at = finding.Tokens(p.Items)
	} else {
		at, _ = largest(data)
	}
	list := data.At(at)
	if list == nil || list.Kind() != schema.Array {
		return data
	}
	items := list.Items()
	for len(items) > 0 && excess > 0 {
		last := len(items) - 1
		excess -= len(items[last].AppendJSON(nil))
		if last > 0 {
			excess-- // the comma
		}
		items = items[:last]
	}
	return replaced(data, at, schema.NewArray(items...))
}

// largest returns the way to the list with the most bytes, the first of several.
func largest(v *schema.Value) (at []string, size int) {
	if v.Kind() == schema.Array {
		return nil, len(v.AppendJSON(nil)) // what is inside is smaller
	}
	for _, m := range v.Members() {
		if below, n := largest(m.Value); n > size {
			at, size = append([]string{m.Name}, below...), n
		}
	}
	return at, size
}

// replaced is a value with another one at a place that is there.
func replaced(v *schema.Value, at []string, with *schema.Value) *schema.Value {
	if len(at) == 0 {
		return with
	}
	if v.Kind() == schema.Object {
		return v.With(at[0], replaced(v.Get(at[0]), at[1:], with))
	}
	items := make([]*schema.Value, v.Len())
	for i, item := range v.Items() {
		if items[i] = item; strconv.Itoa(i) == at[0] {
			items[i] = replaced(item, at[1:], with)
		}
	}
	return schema.NewArray(items...)
}
