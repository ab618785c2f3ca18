// SPDX-License-Identifier: Apache-2.0

package decode

import (
	"slices"

	"github.com/toolcontract/operator/internal/schema"
)

// Rule says what to undo at one place of a value and below; see the package
// documentation. A nil rule, and one without members, undoes nothing. Rules
// are immutable once built, and safe for concurrent use.
type Rule struct {
	// DropNull is sorted and has no name twice.
	DropNull   []string
	Properties map[string]*Rule
	Values     *Rule
	Items      *Rule
	// Pairs is not nil where an array is a map, also if nothing is to be undone in
	// the values.
	Pairs *Rule
	// Ref names an entry of Definitions of the outermost rule.
	Ref string
	// Definitions are set in the outermost rule only.
	Definitions map[string]*Rule
}

// Names of the two members of a pair.
const (
	PairKey   = "key"
	PairValue = "value"
)

// resolve follows references; the rules that [Read] takes and that adaptation
// makes have no circle of references alone.
func (r *Rule) resolve(definitions map[string]*Rule) *Rule {
	for r != nil && r.Ref != "" {
		r = definitions[r.Ref]
	}
	return r
}

// Apply returns the value with everything undone. What does not change is
// shared with the original. The error is an [*Error].
func (r *Rule) Apply(v *schema.Value) (*schema.Value, error) {
	if r == nil {
		return v, nil
	}
	a := application{definitions: r.Definitions}
	out := a.value(r, v)
	if a.failed != nil {
		return nil, a.failed
	}
	return out, nil
}

// application is one use of a rule. It notes the first thing that cannot be
// undone, with the way to it.
type application struct {
	definitions map[string]*Rule
	path        []step
	failed      *Error
}

func (a *application) value(r *Rule, v *schema.Value) *schema.Value {
	if r = r.resolve(a.definitions); r == nil || a.failed != nil {
		return v
	}
	switch {
	case v.Kind() == schema.Object && (len(r.DropNull) > 0 || len(r.Properties) > 0 || r.Values != nil):
		return a.object(r, v)
	case v.Kind() == schema.Array && r.Pairs != nil:
		return a.pairs(r.Pairs, v)
	case v.Kind() == schema.Array && r.Items != nil:
		return a.items(r.Items, v)
	default:
		return v
	}
}

func (a *application) object(r *Rule, v *schema.Value) *schema.Value {
	members := make([]schema.Member, 0, v.Len())
	changed := false
	for _, m := range v.Members() {
		if m.Value.Kind() == schema.Null && r.drops(m.Name) {
			changed = true
			continue
		}
		below, named := r.Properties[m.Name]
		if !named {
			below = r.Values
		}
		written := a.below(step{name: m.Name}, below, m.Value)
		changed = changed || written != m.Value
		members = append(members, schema.Member{Name: m.Name, Value: written})
	}
	if !changed {
		return v
	}
	return schema.NewObject(members...)
}

func (r *Rule) drops(name string) bool {
	_, found := slices.BinarySearch(r.DropNull, name)
	return found
}

func (a *application) items(r *Rule, v *schema.Value) *schema.Value {
	items := make([]*schema.Value, v.Len())
	changed := false
	for i, item := range v.Items() {
		items[i] = a.below(step{index: i, isIndex: true}, r, item)
		changed = changed || items[i] != item
	}
	if !changed {
		return v
	}
	return schema.NewArray(items...)
}

// pairs makes an object of an array of pairs.
func (a *application) pairs(r *Rule, v *schema.Value) *schema.Value {
	members := make([]schema.Member, 0, v.Len())
	seen := make(map[string]bool, v.Len())
	for i, pair := range v.Items() {
		key, value := pair.Get(PairKey), pair.Get(PairValue)
		at := step{index: i, isIndex: true}
		switch {
		case key == nil || value == nil || key.Kind() != schema.String || pair.Len() != 2:
			a.fail(NotAPair, at)
			return v
		case seen[key.Text()]:
			a.fail(RepeatedKey, at, step{name: PairKey})
			return v
		}
		seen[key.Text()] = true
		a.path = append(a.path, at)
		members = append(members, schema.Member{Name: key.Text(), Value: a.below(step{name: PairValue}, r, value)})
		a.path = a.path[:len(a.path)-1]
	}
	return schema.NewObject(members...)
}

func (a *application) below(s step, r *Rule, v *schema.Value) *schema.Value {
	if r == nil || a.failed != nil {
		return v
	}
	a.path = append(a.path, s)
	out := a.value(r, v)
	a.path = a.path[:len(a.path)-1]
	return out
}
