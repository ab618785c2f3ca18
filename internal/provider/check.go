// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// CheckSchema returns everything that the API has against an input schema in a
// mode, sorted. Pointers lead into the document, to the keyword that is at
// fault or to the node that lacks one; the side is left for the caller. Without
// an error among the findings the API takes the schema.
//
// Only schema locations are looked at, so a property that is named like a
// keyword is never taken for one. What one rule says of very many places is cut
// short; see [checker.given].
func (p *Profile) CheckSchema(s *schema.Schema, mode Mode) []finding.Finding {
	return p.check(s, mode, false).given()
}

// Faults returns all findings that [Profile.CheckSchema] is made of, without
// most of their texts and without patches, in no order of severity, for whoever rewrites a
// schema until the API takes it and needs to know what and where only. It takes
// a fraction of the time.
func (p *Profile) Faults(s *schema.Schema, mode Mode) []finding.Finding {
	c := p.check(s, mode, true)
	return c.findings
}

// Explain gives one of the [Profile.Faults] its texts and its patch.
func (p *Profile) Explain(s *schema.Schema, mode Mode, fault finding.Finding) finding.Finding {
	c := &checker{profile: p, schema: s, mode: mode, table: p.table(mode), outline: outlineOf(s), brief: true, wanted: &fault}
	// Most faults are of a node above their place.
	for i := range s.Nodes() {
		if strings.HasPrefix(fault.Pointer, s.Nodes()[i].Pointer) {
			c.node(i)
			c.reading(i)
		}
	}
	if f, found := c.explained(); found {
		return f
	}
	c.findings = nil
	c.run()
	f, _ := c.explained()
	return f
}

// explained returns the finding that is wanted, with its texts if it came up.
func (c *checker) explained() (f finding.Finding, found bool) {
	for _, f := range finding.Sort(c.findings) {
		if f.Rule == c.wanted.Rule && f.Pointer == c.wanted.Pointer && f.Keyword == c.wanted.Keyword && f.Severity == c.wanted.Severity {
			return f, true
		}
	}
	return *c.wanted, false
}

// OptionalProperties returns those of the [Profile.Faults] that are about
// properties which must be required, by place in the document. It looks at
// nothing else, and most schemas of servers have some.
func (p *Profile) OptionalProperties(s *schema.Schema, mode Mode) []finding.Finding {
	if !p.NeedsAllRequired(mode) {
		return nil
	}
	c := &checker{profile: p, schema: s, mode: mode, table: p.table(mode), outline: outlineOf(s), brief: true}
	for i := range s.Nodes() {
		v := s.Nodes()[i].Value
		if properties := v.Get("properties"); properties != nil && typesOf(v).object {
			c.optionalProperties(i, properties)
		}
	}
	return c.findings
}

func (p *Profile) check(s *schema.Schema, mode Mode, brief bool) *checker {
	c := &checker{profile: p, schema: s, mode: mode, table: p.table(mode), outline: outlineOf(s), brief: brief}
	c.run()
	return c
}

func (c *checker) run() {
	p, s, mode := c.profile, c.schema, c.mode
	if mode == Strict && p.Strict.Place == NoStrict {
		c.mode = Standard
		c.findings = append(c.findings, p.noStrictMode())
	}
	c.root()
	for i := range s.Nodes() {
		c.node(i)
		c.reading(i)
	}
	c.recursion()
	c.limits()
}

// CheckOutput does the same for the schema of the answer, if the API has a
// place for it. Answers are written by tools and not by models, so strictness,
// names and limits do not matter; where the rules of input schemas hold, they
// are those without strict mode.
func (p *Profile) CheckOutput(s *schema.Schema) []finding.Finding {
	if p.OutputSchema.Field == "" {
		return nil
	}
	c := checker{profile: p, schema: s, mode: Standard, table: p.standard, outline: outlineOf(s)}
	if p.OutputSchema.RootMustBeObject && !isObjectRoot(s.Root()) {
		c.findings = append(c.findings, finding.Finding{
			Rule: RuleRootNotObject, Severity: finding.Error, Pointer: typePointer(s.Root()), Keyword: "type",
			Message: "the " + p.Title + " refuses an output schema whose root is not of type object" + said(p.OutputSchema.Error),
			Fix:     `write "type": "object" at the root and put the answer below a property`,
		})
	}
	judge := c.booleanSchema
	if c.cautious = p.OutputSchema.SameAsInput; c.cautious {
		judge = c.node
		c.recursion()
	}
	for i := range s.Nodes() {
		judge(i)
	}
	return c.given()
}

// checker collects the findings for one schema in one mode.
type checker struct {
	profile *Profile
	schema  *schema.Schema
	mode    Mode
	table   *table
	outline *outline
	brief   bool // texts and patches are not wanted
	// wanted is the one finding whose texts are wanted all the same, nil for none.
	wanted   *finding.Finding
	cautious bool // what is Unknown counts as refused, also without strict mode
	findings []finding.Finding
	spoken   map[spoken]int // findings with texts, by what they say
	omitted  []int          // positions of the findings beyond maxGiven
	leaving  map[held]bool  // keywords whose schemas are not judged
	gone     map[int]bool   // nodes below them
}

// held is a keyword of a node.
type held struct {
	node    int
	keyword string
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
	if c.isGone(i) {
		return
	}
	if n.Value.Kind() != schema.Object {
		c.booleanSchema(i)
		return
	}
	types := &c.outline.nodes[i]
	for j, m := range n.Value.Members() {
		c.keyword(i, int(types.keywords[j]), m)
	}
	if types.untyped && i > 0 && !c.isBelowRefusedRoot(n) {
		c.shape(UntypedSchema, c.about(i))
	}
	switch {
	case types.object:
		c.object(i)
	case n.Value.Has("required") && !n.Value.Has("properties") && !c.isBelowRefusedRoot(n):
		c.shape(RequiredWithoutProperties, c.aboutRequired(i))
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

// keyword judges one keyword where it stands. known is its position in the
// table, or -1.
func (c *checker) keyword(i, known int, m schema.Member) {
	var e *entry
	if known < 0 || i == 0 && len(c.table.root) > 0 {
		e = c.table.entry(m.Name, i == 0)
	} else {
		e = &c.table.keywords[known]
	}
	if e.quiet {
		return
	}
	at := place{schema: c.schema, node: i, keyword: m.Name, value: m.Value}
	o := e.match(&at)
	if o == nil {
		return
	}
	if o.leaves {
		if c.leaving == nil {
			c.leaving, c.gone = map[held]bool{}, map[int]bool{}
		}
		c.leaving[held{i, m.Name}] = true
	}
	if o.severity != "" {
		c.report(o, subject{place: at, pointer: finding.Pointer(at.at().Pointer, m.Name)})
	}
}

// isGone reports whether a node is below a keyword that leaves. Parents come
// before what they hold.
func (c *checker) isGone(i int) bool {
	n := &c.schema.Nodes()[i]
	if c.leaving == nil || n.Parent < 0 {
		return false
	}
	gone := c.gone[n.Parent] || c.leaving[held{n.Parent, n.In}]
	if gone {
		c.gone[i] = true
	}
	return gone
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
	c.propertyNames(i, properties)
	before := len(c.findings)
	if properties == nil {
		c.shape(ObjectWithoutProperties, c.about(i))
	}
	if properties != nil && properties.Len() == 0 && i > 0 {
		c.shape(EmptyObject, c.about(i))
	}
	if required == nil && properties.Len() == 0 {
		c.shape(MissingRequired, c.about(i))
	}
	if !c.quiet(OptionalProperty) {
		c.optionalProperties(i, properties)
	}
	if !c.quiet(UndeclaredRequired) {
		c.undeclaredRequired(i, required)
	}
	if len(c.findings) > before {
		return // what follows would say the same again
	}
	if properties.Len() > 0 && required.Len() == 0 {
		c.shape(NoRequiredProperty, c.about(i))
	}
	if properties == nil && required != nil {
		c.shape(RequiredWithoutProperties, c.aboutRequired(i))
	}
}

// aboutRequired is the subject of a finding on required as a whole.
func (c *checker) aboutRequired(i int) subject {
	about := c.about(i)
	about.keyword = "required"
	about.value = about.at().Value.Get("required")
	about.pointer = finding.Pointer(about.pointer, "required")
	return about
}

func (c *checker) optionalProperties(i int, properties *schema.Value) {
	for _, position := range c.outline.nodes[i].optional {
		p := properties.Members()[position]
		about := c.about(i)
		about.pointer = finding.Pointer(about.pointer, "properties", p.Name)
		about.keyword, about.property, about.propertySchema = "required", p.Name, p.Value
		c.shape(OptionalProperty, about)
	}
}

func (c *checker) undeclaredRequired(i int, required *schema.Value) {
	for _, position := range c.outline.nodes[i].undeclared {
		about := c.about(i)
		about.pointer = finding.Pointer(about.pointer, "required", itoa(position))
		about.keyword, about.property = "required", required.Items()[position].Text()
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
