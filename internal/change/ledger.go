// SPDX-License-Identifier: Apache-2.0

package change

import (
	"slices"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// ledger keeps what no rule has judged yet. Every rule crosses out its fields
// on both sides; what is left must be equal. So a field that is added to the
// contract later is a Major until a rule for it exists, instead of a change
// that nobody looked at.
type ledger struct{ old, new *schema.Value }

func newLedger(old, next *contract.Content) *ledger {
	return &ledger{old: old.Canonical().Without("version"), new: next.Canonical().Without("version")}
}

// judged crosses out a field on both sides.
func (l *ledger) judged(path ...string) {
	l.old, l.new = without(l.old, path), without(l.new, path)
}

// without removes a member; objects that become empty by it disappear too,
// since a content leaves out empty ones.
func without(v *schema.Value, path []string) *schema.Value {
	inner := v.Get(path[0])
	if inner == nil {
		return v
	}
	if len(path) > 1 {
		if inner = without(inner, path[1:]); inner.Len() > 0 {
			return v.With(path[0], inner)
		}
	}
	return v.Without(path[0])
}

// unjudged reports every field that differs and that no rule has crossed out.
func (c *comparison) unjudged() {
	for _, pointer := range differences(c.ledger.old, c.ledger.new, "/spec") {
		c.declared(contract.Major, "unknown-field", pointer,
			"change of this field", "no rule knows what it means")
	}
}

// differences lists the topmost members that differ.
func differences(old, next *schema.Value, pointer string) []string {
	if old.Equal(next) {
		return nil
	}
	if old == nil || next == nil || old.Kind() != schema.Object || next.Kind() != schema.Object {
		return []string{pointer}
	}
	var names []string
	for _, v := range []*schema.Value{old, next} {
		for _, m := range v.Members() {
			names = append(names, m.Name)
		}
	}
	slices.Sort(names)
	var out []string
	for _, name := range slices.Compact(names) {
		out = append(out, differences(old.Get(name), next.Get(name), finding.Pointer(pointer, name))...)
	}
	return out
}
