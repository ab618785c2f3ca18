// SPDX-License-Identifier: Apache-2.0

package containment

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// A rewrite changes how a schema is written. Done to both sides of a pair it
// leaves the answer as it is. It may not do what a schema does not allow; then
// it returns its argument.
type rewrite func(*schema.Value) *schema.Value

// then does one rewrite after the other.
func then(steps ...rewrite) rewrite {
	return func(v *schema.Value) *schema.Value {
		for _, step := range steps {
			v = step(v)
		}
		return v
	}
}

// mapNodes rewrites every subschema, those below first.
func mapNodes(v *schema.Value, f func(*schema.Value) *schema.Value) *schema.Value {
	if v.Kind() != schema.Object {
		return f(v)
	}
	var out schema.Fields
	for _, m := range v.Members() {
		out = append(out, schema.MapChildren(m, func(c schema.Child) *schema.Value { return mapNodes(c.Value, f) }))
	}
	return f(out.Object())
}

// uses reports whether a keyword is anywhere in a schema.
func uses(v *schema.Value, keywords ...string) bool {
	found := false
	mapNodes(v, func(n *schema.Value) *schema.Value {
		found = found || slices.ContainsFunc(keywords, n.Has)
		return n
	})
	return found
}

// renamed is another name for a property or a definition, one that has to be
// escaped in pointers and is not ASCII.
func renamed(name string) string { return "~" + name + "/é" }

// rename gives every property and every definition another name. Where patterns
// look at the names of properties on either side of a pair, those stay.
func rename(a, b *schema.Value) rewrite {
	property := renamed
	if uses(a, "patternProperties", "propertyNames") || uses(b, "patternProperties", "propertyNames") {
		property = func(name string) string { return name }
	}
	return func(v *schema.Value) *schema.Value { return renameWith(v, property) }
}

func renameWith(v *schema.Value, property func(string) string) *schema.Value {
	return mapNodes(v, func(n *schema.Value) *schema.Value {
		if n.Kind() != schema.Object {
			return n
		}
		var out schema.Fields
		for _, m := range n.Members() {
			switch m.Name {
			case "$ref":
				m.Value = schema.NewString(renameRef(m.Value.Text(), property))
			case "$defs", "definitions":
				m.Value = renameMembers(m.Value, renamed)
			case "properties", "dependentSchemas":
				m.Value = renameMembers(m.Value, property)
			case "required":
				m.Value = renameItems(m.Value, property)
			case "dependentRequired":
				var lists schema.Fields
				for _, d := range m.Value.Members() {
					lists.Add(property(d.Name), renameItems(d.Value, property))
				}
				m.Value = lists.Object()
			case "const", "enum", "default", "examples":
				m.Value = renameData(m.Value, property)
			}
			out = append(out, m)
		}
		return out.Object()
	})
}

func renameMembers(v *schema.Value, f func(string) string) *schema.Value {
	var out schema.Fields
	for _, m := range v.Members() {
		out = append(out, schema.Member{Name: f(m.Name), Value: m.Value})
	}
	return out.Object()
}

func renameItems(v *schema.Value, f func(string) string) *schema.Value {
	var items []*schema.Value
	for _, name := range v.Strings() {
		items = append(items, schema.NewString(f(name)))
	}
	return schema.NewArray(items...)
}

// renameData renames the members of all objects in a value of the tool.
func renameData(v *schema.Value, f func(string) string) *schema.Value {
	switch v.Kind() {
	case schema.Array:
		var items []*schema.Value
		for _, item := range v.Items() {
			items = append(items, renameData(item, f))
		}
		return schema.NewArray(items...)
	case schema.Object:
		var out schema.Fields
		for _, m := range v.Members() {
			out = append(out, schema.Member{Name: f(m.Name), Value: renameData(m.Value, f)})
		}
		return out.Object()
	default:
		return v
	}
}

// renameRef follows the renaming: the token after a map of schemas is a name.
func renameRef(ref string, property func(string) string) string {
	tokens := strings.Split(ref, "/")
	for i := 1; i+1 < len(tokens); i++ {
		name := strings.ReplaceAll(strings.ReplaceAll(tokens[i+1], "~1", "/"), "~0", "~")
		switch tokens[i] {
		case "$defs", "definitions":
			name = renamed(name)
		case "properties", "dependentSchemas":
			name = property(name)
		case "patternProperties":
		default:
			continue
		}
		i++
		tokens[i] = finding.Pointer("", name)[1:]
	}
	return strings.Join(tokens, "/")
}

// reorder turns around every order that means nothing: of members, and of lists
// that are sets. Lists of schemas stay where a reference counts in them.
func reorder(v *schema.Value) *schema.Value {
	counted := false
	mapNodes(v, func(n *schema.Value) *schema.Value {
		if ref := n.Get("$ref"); ref != nil {
			counted = counted || strings.Contains(ref.Text(), "Of/")
		}
		return n
	})
	return mapNodes(v, func(n *schema.Value) *schema.Value {
		if n.Kind() != schema.Object {
			return n
		}
		var out schema.Fields
		for _, m := range n.Members() {
			switch m.Name {
			case "required", "enum", "type":
				m.Value = backwards(m.Value)
			case "allOf", "anyOf", "oneOf":
				if !counted {
					m.Value = backwards(m.Value)
				}
			case "properties", "patternProperties", "dependentSchemas", "$defs", "dependentRequired":
				m.Value = backwards(m.Value)
			}
			out = append(out, m)
		}
		slices.Reverse(out)
		return out.Object()
	})
}

func backwards(v *schema.Value) *schema.Value {
	switch v.Kind() {
	case schema.Array:
		items := slices.Clone(v.Items())
		slices.Reverse(items)
		return schema.NewArray(items...)
	case schema.Object:
		members := slices.Clone(v.Members())
		slices.Reverse(members)
		return schema.NewObject(members...)
	default:
		return v
	}
}

// byReference moves every subschema to $defs and leaves a reference.
func byReference(v *schema.Value) *schema.Value {
	s, ok := admit(v)
	if !ok {
		return v
	}
	at := func(i int) *schema.Value { return refTo(fmt.Sprintf("#/$defs/w%d", i)) }
	var defs schema.Fields
	for i, n := range s.Nodes() {
		if n.Value.Kind() != schema.Object {
			defs.Add(fmt.Sprintf("w%d", i), n.Value)
			continue
		}
		var out schema.Fields
		for _, m := range n.Value.Members() {
			switch m.Name {
			case "$defs", "definitions", "$anchor", "$schema":
				continue
			case "$ref":
				m.Value = at(n.Ref).Get("$ref")
			default:
				m = schema.MapChildren(m, func(c schema.Child) *schema.Value {
					child, _ := s.IndexAt(c.Pointer(n.Pointer))
					return at(child)
				})
			}
			out = append(out, m)
		}
		defs.Add(fmt.Sprintf("w%d", i), out.Object())
	}
	return at(0).With("$defs", defs.Object())
}

func refTo(target string) *schema.Value {
	return schema.NewObject(schema.Member{Name: "$ref", Value: schema.NewString(target)})
}

// below puts a schema into another one, at a pointer that is given.
func below(pointer string, frame func(*schema.Value) *schema.Value) rewrite {
	return func(v *schema.Value) *schema.Value {
		return frame(mapNodes(v, func(n *schema.Value) *schema.Value {
			if ref := n.Get("$ref"); ref != nil && (ref.Text() == "#" || strings.HasPrefix(ref.Text(), "#/")) {
				return n.With("$ref", schema.NewString("#"+pointer+ref.Text()[1:]))
			}
			return n
		}))
	}
}

func object(members ...schema.Member) *schema.Value { return schema.NewObject(members...) }

func member(name string, value *schema.Value) schema.Member {
	return schema.Member{Name: name, Value: value}
}

var (
	inProperty = below("/properties/in", func(v *schema.Value) *schema.Value {
		return object(member("type", schema.NewString("object")), member("properties", object(member("in", v))))
	})
	inClosedProperty = below("/properties/in", func(v *schema.Value) *schema.Value {
		return object(member("type", schema.NewString("object")), member("properties", object(member("in", v))),
			member("required", schema.NewArray(schema.NewString("in"))), member("additionalProperties", schema.NewBool(false)))
	})
	inItems = below("/items", func(v *schema.Value) *schema.Value {
		return object(member("type", schema.NewString("array")), member("items", v))
	})
)

// annotate adds texts that mean nothing to every schema.
func annotate(v *schema.Value) *schema.Value {
	return mapNodes(v, func(n *schema.Value) *schema.Value {
		if n.Kind() != schema.Object {
			return n
		}
		return n.With("title", schema.NewString("T")).With("$comment", schema.NewString("c")).With("deprecated", schema.NewBool(true))
	})
}

// split moves what a schema says beside its combinators into two parts of an
// allOf. Keywords that look at each other stay together.
func split(v *schema.Value) *schema.Value {
	movable := []string{"type", "enum", "const", "minimum", "maximum", "minLength", "maxLength", "pattern", "required", "minProperties", "maxProperties", "uniqueItems", "not"}
	refers := false
	mapNodes(v, func(n *schema.Value) *schema.Value {
		refers = refers || n.Has("$ref")
		return n
	})
	return mapNodes(v, func(n *schema.Value) *schema.Value {
		if n.Kind() != schema.Object || n.Has("allOf") || n.Has("unevaluatedProperties") || n.Has("unevaluatedItems") || refers && n.Has("not") {
			return n
		}
		var own, moved schema.Fields
		for _, m := range n.Members() {
			if slices.Contains(movable, m.Name) {
				moved = append(moved, m)
			} else {
				own = append(own, m)
			}
		}
		if len(moved) < 2 {
			return n
		}
		half := len(moved) / 2
		return own.Object().With("allOf", schema.NewArray(object(moved[:half]...), object(moved[half:]...)))
	})
}

// inline replaces references to definitions that refer to nothing by a copy.
func inline(v *schema.Value) *schema.Value {
	defs := v.Get("$defs")
	return mapNodes(v, func(n *schema.Value) *schema.Value {
		ref := n.Get("$ref")
		if ref == nil || n.Len() > 1 || defs == nil {
			return n
		}
		name, ok := strings.CutPrefix(ref.Text(), "#/$defs/")
		if target := defs.Get(name); ok && target != nil && !uses(target, "$ref") {
			return target
		}
		return n
	})
}

// TestRewritesKeepTheMeaning judges the same instances before and after, those
// of the rewrites that do not move the schema.
func TestRewritesKeepTheMeaning(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]rewrite{
		"reorder": reorder, "byReference": byReference, "annotate": annotate, "split": split, "inline": inline,
		"all": then(reorder, inline, split, byReference, annotate),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			changed := 0
			for seed := range uint64(300) {
				g := newGrammar(seed)
				before, ok := admit(g.document())
				if !ok {
					continue
				}
				after, ok := admit(f(before.Root()))
				if !ok {
					t.Fatalf("seed %d: the rewritten schema is refused: %s", seed, f(before.Root()).JSON())
				}
				if before.Digest() != after.Digest() {
					changed++
				}
				same(t, before, after, g.instances(before, after, 20))
			}
			if changed < 50 {
				t.Errorf("only %d schemas changed", changed)
			}
		})
	}
}
