// SPDX-License-Identifier: Apache-2.0

package dialect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// node writes the schema at an old pointer. What does not change is shared with
// the original.
func (c *conversion) node(n *schema.Value, from string) *schema.Value {
	if n.Kind() != schema.Object {
		return n
	}
	var out schema.Fields
	for _, m := range n.Members() {
		switch {
		case m.Name == "$schema" && m.Value.Kind() == schema.String:
		case m.Name == "dependencies" && c.from > draft7:
			c.refuse(from, m.Name, "2019-09 has no dependencies any more, and some validators still obey them", "write dependentRequired or dependentSchemas")
		case c.isOverridden(n, m.Name):
			c.did(from, m.Name, "%s was dropped; %s ignores what stands beside $ref", m.Name, c.from)
		case m.Name == "additionalItems" && c.isDropped(n, m.Name):
			c.did(from, m.Name, "additionalItems was dropped; it means something only beside a tuple")
		case c.isDropped(n, m.Name):
			c.did(from, m.Name, "%s was dropped; %s does not know it and ignores it", m.Name, c.from)
		default:
			c.member(&out, n, m, from)
		}
	}
	return out.Object()
}

// member writes one member of a node as what it takes in 2020-12.
func (c *conversion) member(out *schema.Fields, n *schema.Value, m schema.Member, from string) {
	isText := m.Value.Kind() == schema.String
	switch {
	case m.Name == c.identifier() && isText:
		c.writeIdentifier(out, m, from)
	case m.Name == "$anchor" && isText:
		if c.keepsAnchor(m.Value.Text(), c.base[from]) {
			*out = append(*out, m)
			return
		}
		c.did(from, m.Name, "$anchor was dropped; references to it became pointers")
	case m.Name == "$ref" && isText:
		out.Add("$ref", text(m.Value, c.reference(m.Value.Text(), from, m.Name)))
	case m.Name == "$recursiveRef":
		c.recursive(out, n, m, from)
	case m.Name == "$recursiveAnchor" || m.Name == "$vocabulary":
		c.did(from, m.Name, "%s was dropped; it says nothing about this document", m.Name)
	case m.Name == "items" && m.Value.Kind() == schema.Array:
		c.did(from, m.Name, "the tuple in items became prefixItems")
		out.NonEmpty("prefixItems", c.mapped(m, from).Value)
	case m.Name == "dependencies" && m.Value.Kind() == schema.Object:
		c.dependencies(out, m.Value, from)
	case c.from == draft4 && exclusiveBounds[m.Name] != "":
		c.exclusive(out, n, m, from)
	case c.from == draft4 && isReplacedBound(n, m.Name):
	default:
		name := c.renamed(n, m.Name)
		if name == "$defs" && m.Name == "definitions" {
			c.did(from, m.Name, "definitions became $defs")
		}
		m = c.mapped(m, from)
		out.Add(name, m.Value)
	}
}

// text is a string value, the given one if it says the same.
func text(v *schema.Value, s string) *schema.Value {
	if v.Text() == s {
		return v
	}
	return schema.NewString(s)
}

// mapped writes the subschemas of a member, in place.
func (c *conversion) mapped(m schema.Member, from string) schema.Member {
	child := func(v *schema.Value, tokens ...string) *schema.Value {
		if !v.IsSchema() {
			return v
		}
		return c.node(v, finding.Pointer(from, append([]string{m.Name}, tokens...)...))
	}
	switch shape := shapeOf(m); {
	case shape == schema.One:
		m.Value = child(m.Value)
	case shape == schema.List && m.Value.Kind() == schema.Array:
		items := slices.Clone(m.Value.Items())
		for i, item := range items {
			items[i] = child(item, strconv.Itoa(i))
		}
		m.Value = schema.NewArray(items...)
	case shape == schema.Map && m.Value.Kind() == schema.Object:
		members := slices.Clone(m.Value.Members())
		for i, entry := range members {
			members[i].Value = child(entry.Value, entry.Name)
		}
		m.Value = schema.NewObject(members...)
	}
	return m
}

// writeIdentifier keeps the identity of the document, and a name as an anchor. An
// embedded document becomes a part of the whole.
func (c *conversion) writeIdentifier(out *schema.Fields, m schema.Member, from string) {
	b := c.base[from]
	bare, fragment, _ := strings.Cut(m.Value.Text(), "#")
	switch {
	case fragment == "" || fragment[0] == '/':
	case c.names[b.key()+"#"+fragment] == from && c.keepsAnchor(fragment, b):
		c.did(from, m.Name, "the fragment of %s became $anchor", m.Name)
		out.Add("$anchor", schema.NewString(fragment))
		fragment = ""
	}
	switch {
	case from == "" && bare != "":
		out.Add("$id", text(m.Value, bare))
	case bare != "" || fragment != "":
		c.did(from, m.Name, "%s was dropped; references to it became pointers", m.Name)
	}
}

// dependencies splits the keyword by what its values are.
func (c *conversion) dependencies(out *schema.Fields, value *schema.Value, from string) {
	var required, schemas schema.Fields
	for _, m := range value.Members() {
		at := finding.Pointer(from, "dependencies", m.Name)
		switch {
		case m.Value.Kind() == schema.Array:
			required.Add(m.Name, m.Value)
		case m.Value.IsSchema():
			schemas.Add(m.Name, c.node(m.Value, at))
		default:
			c.refuse(at, "", fmt.Sprintf("a dependency is a list of names or a schema in %s", c.from), "write a list: [\"name\"]")
		}
	}
	c.did(from, "dependencies", "dependencies became dependentRequired and dependentSchemas")
	out.NonEmpty("dependentRequired", required.Object())
	out.NonEmpty("dependentSchemas", schemas.Object())
}

// exclusive turns the boolean of draft-04 into the bound itself.
func (c *conversion) exclusive(out *schema.Fields, n *schema.Value, m schema.Member, from string) {
	bound := n.Get(exclusiveBounds[m.Name])
	switch {
	case m.Value.Kind() != schema.Bool:
		c.refuse(from, m.Name, m.Name+" is a boolean in draft-04", "write the bound as "+exclusiveBounds[m.Name]+", or name a later dialect in $schema")
	case m.Value.IsFalse():
		c.did(from, m.Name, "%s: false was dropped; it is the default", m.Name)
	case bound == nil:
		c.refuse(from, m.Name, fmt.Sprintf("%s says nothing without %s beside it", m.Name, exclusiveBounds[m.Name]), "add the bound, or remove the keyword")
	default:
		c.did(from, m.Name, "%s became the bound itself", m.Name)
		out.Add(m.Name, bound)
	}
}

// isReplacedBound reports whether a bound goes into the exclusive one beside it.
func isReplacedBound(n *schema.Value, name string) bool {
	for exclusive, bound := range exclusiveBounds {
		if flag := n.Get(exclusive); bound == name && flag != nil && flag.IsTrue() {
			return true
		}
	}
	return false
}
