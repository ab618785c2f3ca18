// SPDX-License-Identifier: Apache-2.0

package decode

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// Value returns the JSON form of a rule. Equal rules have equal bytes.
func (r *Rule) Value() *schema.Value {
	var f schema.Fields
	if r == nil {
		return f.Object()
	}
	f.Text("ref", r.Ref)
	if len(r.DropNull) > 0 {
		names := make([]*schema.Value, len(r.DropNull))
		for i, name := range r.DropNull {
			names[i] = schema.NewString(name)
		}
		f.Add("dropNull", schema.NewArray(names...))
	}
	f.NonEmpty("properties", byName(r.Properties))
	for _, part := range []struct {
		name string
		rule *Rule
	}{{"values", r.Values}, {"items", r.Items}, {"pairs", r.Pairs}} {
		if part.rule != nil {
			f.Add(part.name, part.rule.Value())
		}
	}
	f.NonEmpty("definitions", byName(r.Definitions))
	return f.Object()
}

func byName(rules map[string]*Rule) *schema.Value {
	members := make([]schema.Member, 0, len(rules))
	for _, name := range slices.Sorted(maps.Keys(rules)) {
		members = append(members, schema.Member{Name: name, Value: rules[name].Value()})
	}
	return schema.NewObject(members...)
}

// Read reads the JSON form of a rule. A member that it does not know is an
// error: what cannot be undone must not be passed over.
func Read(v *schema.Value) (*Rule, error) {
	rd := reader{}
	r := rd.rule(v, "", true)
	if rd.err == nil {
		rd.references(r)
	}
	if rd.err != nil {
		return nil, rd.err
	}
	return r, nil
}

type reader struct {
	err  error
	refs []reference
}

// reference is a use of a name.
type reference struct{ name, pointer string }

func (rd *reader) fail(pointer, format string, args ...any) {
	if rd.err != nil {
		return
	}
	if pointer == "" {
		pointer = "(root)"
	}
	rd.err = fmt.Errorf("reading decode rule at %s: "+format,
		append([]any{finding.Printable(finding.Clip(pointer, maxPlace))}, args...)...)
}

func (rd *reader) rule(v *schema.Value, at string, outermost bool) *Rule {
	r := &Rule{}
	if v.Kind() != schema.Object {
		rd.fail(at, "it is not an object")
		return r
	}
	for _, m := range v.Members() {
		below := finding.Pointer(at, m.Name)
		switch m.Name {
		case "dropNull":
			r.DropNull = rd.names(m.Value, below)
		case "properties":
			r.Properties = rd.rules(m.Value, below)
		case "values":
			r.Values = rd.rule(m.Value, below, false)
		case "items":
			r.Items = rd.rule(m.Value, below, false)
		case "pairs":
			r.Pairs = rd.rule(m.Value, below, false)
		case "ref":
			if r.Ref = m.Value.Text(); m.Value.Kind() != schema.String || r.Ref == "" {
				rd.fail(below, "it is not a name")
			}
			rd.refs = append(rd.refs, reference{r.Ref, below})
		case "definitions":
			if !outermost {
				rd.fail(below, "only the outermost rule has definitions")
			}
			r.Definitions = rd.rules(m.Value, below)
		default:
			rd.fail(below, "it is not known here; the contract was published by a newer version, so update the host")
		}
	}
	switch {
	case r.Ref != "" && (len(r.DropNull) > 0 || r.Properties != nil || r.Values != nil || r.Items != nil || r.Pairs != nil):
		rd.fail(at, "a rule with ref has nothing else")
	case r.Items != nil && r.Pairs != nil:
		rd.fail(at, "an array has either items or pairs")
	}
	return r
}

func (rd *reader) names(v *schema.Value, at string) []string {
	names := v.Strings()
	if v.Kind() != schema.Array || len(names) != v.Len() {
		rd.fail(at, "it is not a list of names")
		return nil
	}
	slices.SortFunc(names, strings.Compare)
	return slices.Compact(names)
}

func (rd *reader) rules(v *schema.Value, at string) map[string]*Rule {
	if v.Kind() != schema.Object {
		rd.fail(at, "it is not an object")
		return nil
	}
	out := make(map[string]*Rule, v.Len())
	for _, m := range v.Members() {
		out[m.Name] = rd.rule(m.Value, finding.Pointer(at, m.Name), false)
	}
	return out
}

// references checks that every name is defined and that no definition is only
// a circle of names.
func (rd *reader) references(r *Rule) {
	for _, ref := range rd.refs {
		next, steps := ref.name, 0
		for next != "" {
			target, defined := r.Definitions[next]
			switch {
			case !defined:
				rd.fail(ref.pointer, "there is no definition %s", finding.Quote(next))
				return
			case steps > len(r.Definitions):
				rd.fail(ref.pointer, "the definition %s leads back to itself", finding.Quote(ref.name))
				return
			}
			next = target.Ref
			steps++
		}
	}
}
