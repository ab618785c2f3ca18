// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// CheckSchema returns everything that the API has against an input schema in a
// mode, sorted. Pointers lead into the document, to the keyword that is at
// fault or to the node that lacks one; the side is left for the caller. Without
// an error among the findings the API takes the schema.
//
// Only schema locations are looked at, so a property that is named like a
// keyword is never taken for one.
func (p *Profile) CheckSchema(s *schema.Schema, mode Mode) []finding.Finding {
	c := checker{profile: p, schema: s, mode: mode, table: p.table(mode)}
	if mode == Strict && p.Strict.Place == NoStrict {
		c.mode = Standard
		c.findings = append(c.findings, p.noStrictMode())
	}
	c.root()
	for i := range s.Nodes() {
		c.node(i)
	}
	c.recursion()
	c.limits()
	return finding.Sort(c.findings)
}

// CheckOutput does the same for the schema of the answer, if the API has a
// place for it. Answers are written by tools and not by models, so strictness,
// names and limits do not matter.
func (p *Profile) CheckOutput(s *schema.Schema) []finding.Finding {
	if p.OutputSchema.Field == "" {
		return nil
	}
	c := checker{profile: p, schema: s, mode: Standard, table: p.standard}
	if p.OutputSchema.RootMustBeObject && !isObjectRoot(s.Root()) {
		c.findings = append(c.findings, finding.Finding{
			Rule: RuleRootNotObject, Severity: finding.Error, Pointer: typePointer(s.Root()), Keyword: "type",
			Message: "the " + p.Title + " refuses an output schema whose root is not of type object" + said(p.OutputSchema.Error),
			Fix:     `write "type": "object" at the root and put the answer below a property`,
		})
	}
	for i := range s.Nodes() {
		c.booleanSchema(i)
	}
	return finding.Sort(c.findings)
}

// checker collects the findings for one schema in one mode.
type checker struct {
	profile  *Profile
	schema   *schema.Schema
	mode     Mode
	table    *table
	findings []finding.Finding
}

func (c *checker) root() {
	root := c.schema.Root()
	if isObjectRoot(root) {
		return
	}
	c.shape(NonObjectRoot, subject{place: place{schema: c.schema, keyword: "type"}, pointer: typePointer(root)})
}

// isObjectRoot reports whether the root is what every API needs: a list that
// contains "object" is not enough.
func isObjectRoot(root *schema.Value) bool {
	t := root.Get("type")
	return t != nil && t.Kind() == schema.String && t.Text() == "object"
}

// typePointer leads to the type of the root, or to the root that has none.
func typePointer(root *schema.Value) string {
	if root.Has("type") {
		return "/type"
	}
	return ""
}

func (c *checker) node(i int) {
	n := &c.schema.Nodes()[i]
	if n.Value.Kind() != schema.Object {
		c.booleanSchema(i)
		return
	}
	for _, m := range n.Value.Members() {
		c.keyword(i, m)
	}
	types := typesOf(n.Value)
	if types.untyped && i > 0 && !c.isBelowRefusedRoot(n) {
		c.shape(UntypedSchema, c.about(i))
	}
	if types.object {
		c.object(i)
	}
	if types.array && !n.Value.Has("items") {
		c.shape(ArrayWithoutItems, c.about(i))
	}
}

// isBelowRefusedRoot reports whether a node is a branch of a keyword that the
// root may not have. Such branches are mostly groups of required names, which
// have no type of their own; that the keyword has to go is all there is to say.
func (c *checker) isBelowRefusedRoot(n *schema.Node) bool {
	return n.Parent == 0 && c.table.root[n.In] != nil && !c.table.root[n.In].quiet
}

// keyword judges one keyword where it stands.
func (c *checker) keyword(i int, m schema.Member) {
	e := c.table.entry(m.Name, i == 0)
	if e.quiet {
		return
	}
	at := place{schema: c.schema, node: i, keyword: m.Name, value: m.Value}
	o := e.match(&at)
	if o == nil || o.severity == "" {
		return
	}
	c.report(o, subject{place: at, pointer: finding.Pointer(at.at().Pointer, m.Name)})
}

func (c *checker) booleanSchema(i int) {
	n := &c.schema.Nodes()[i]
	if n.Value.Kind() != schema.Bool || i == 0 {
		return
	}
	switch n.In {
	case "additionalProperties", "unevaluatedProperties", "unevaluatedItems":
		return // the keyword has a verdict of its own for these values
	}
	about := c.about(i)
	about.value = n.Value
	c.shape(BooleanSchema, about)
}

// object judges what belongs to an object: closing, properties, required.
func (c *checker) object(i int) {
	v := c.schema.Nodes()[i].Value
	properties, required := v.Get("properties"), v.Get("required")
	if !v.Has("additionalProperties") {
		c.shape(OpenObject, c.about(i))
	}
	if properties == nil {
		c.shape(ObjectWithoutProperties, c.about(i))
	}
	if required == nil && (properties == nil || properties.Len() == 0) {
		c.shape(MissingRequired, c.about(i))
	}
	c.propertyNames(i, properties)
	if !c.quiet(OptionalProperty) {
		c.optionalProperties(i, properties, required)
	}
	if !c.quiet(UndeclaredRequired) {
		c.undeclaredRequired(i, properties, required)
	}
}

func (c *checker) optionalProperties(i int, properties, required *schema.Value) {
	if properties == nil {
		return
	}
	names := requiredNames(required)
	for _, p := range properties.Members() {
		if names.has(p.Name) {
			continue
		}
		about := c.about(i)
		about.pointer = finding.Pointer(about.pointer, "properties", p.Name)
		about.keyword, about.property, about.propertySchema = "required", p.Name, p.Value
		c.shape(OptionalProperty, about)
	}
}

func (c *checker) undeclaredRequired(i int, properties, required *schema.Value) {
	if required == nil {
		return
	}
	for j, item := range required.Items() {
		if item.Kind() != schema.String || properties.Has(item.Text()) {
			continue
		}
		about := c.about(i)
		about.pointer = finding.Pointer(about.pointer, "required", itoa(j))
		about.keyword, about.property = "required", item.Text()
		c.shape(UndeclaredRequired, about)
	}
}

// about is the subject of a finding on a node as a whole.
func (c *checker) about(i int) subject {
	at := place{schema: c.schema, node: i}
	return subject{place: at, pointer: at.at().Pointer}
}

func (c *checker) quiet(shape Shape) bool { return c.table.shapes[shapeIndex(shape)].quiet }

// shape judges a shape that was found and reports it if it is not taken.
func (c *checker) shape(shape Shape, about subject) {
	e := &c.table.shapes[shapeIndex(shape)]
	if e.quiet {
		return
	}
	about.shape = shape
	if o := e.match(&about.place); o != nil && o.severity != "" {
		c.report(o, about)
	}
}

// types are the JSON types that matter for shapes.
type types struct{ object, array, untyped bool }

// typesOf reads the type of a node without allocating. A type list counts for
// every type in it: the APIs hold a list to the rules of all its members.
func typesOf(v *schema.Value) types {
	t := v.Get("type")
	if t == nil {
		return types{object: v.Has("properties"), untyped: !hasImpliedType(v)}
	}
	var out types
	mark := func(name string) {
		out.object = out.object || name == "object"
		out.array = out.array || name == "array"
	}
	mark(t.Text())
	for _, item := range t.Items() {
		mark(item.Text())
	}
	return out
}

// hasImpliedType reports whether the type of a node without type is said
// elsewhere: by the target of a reference, or by branches that are judged
// themselves.
func hasImpliedType(v *schema.Value) bool {
	for _, m := range v.Members() {
		switch m.Name {
		case "$ref", "$dynamicRef", "anyOf", "oneOf", "allOf", "not", "if", "then", "else":
			return true
		}
	}
	return false
}
