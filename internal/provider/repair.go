// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// repair does to a document what a fix says. It returns nothing where that
// takes judgement, or where the API would refuse the result as well.
type repair func(c *checker, about *subject) []finding.Operation

// repairs are the fixes that need no judgement, by how the text of a profile
// begins. What may follow is a half-sentence of advice.
var repairs = []struct {
	fix    string
	repair repair
}{
	{`add "additionalProperties": false`, addClosed},
	{`write "additionalProperties": false`, writeClosed},
	{`add "{property}" to required and {nullable}`, requireNullable},
	{`add "required": []`, func(_ *checker, s *subject) []finding.Operation { return s.add("required", schema.NewArray()) }},
	{`add "properties": {}`, func(_ *checker, s *subject) []finding.Operation { return s.add("properties", schema.NewObject()) }},
	{`add items: its type, or "items": {} for any`, addItems},
	{`add "type": "string"`, addStringType},
	{`add "type"`, addType},
	{`write "type": "object" at the root`, writeRootType},
	{`write {} instead of true`, writeEmptySchema},
	{`write "enum": [{value}] with its type`, writeTypedEnum},
	{`write "enum": [{value}]`, writeEnum},
	{`write {keyword} {value} as an inclusive bound`, writeInclusive},
	{`remove required from the object without properties`, removeKeyword},
	{`rename definitions to $defs and repoint the references`, renameDefinitions},
	{`replace {keyword} {value} by "pattern": "^[\\s\\S]{{lengths}}$"`, writeLengths},
	{`write "anyOf": [{"$ref": …}] beside the other keywords`, wrapReference},
	{`write "anyOf": [the enum without null, {"type": "null"}]`, splitNull},
	{`use string or number members; for null write "anyOf": [the enum without null, {"type": "null"}]`, splitNull},
}

// repairOf finds what does a fix, given in the words of a profile, for a keyword
// or shape of this name.
func repairOf(fix, name string) repair {
	for _, keyword := range []string{"{keyword}", name} {
		// With more to do than to remove it, judgement is needed.
		if rest, ok := strings.CutPrefix(fix, "remove "+keyword); ok && (rest == "" || rest[0] == ';') {
			return removeKeyword
		}
	}
	for _, r := range repairs {
		if rest, ok := strings.CutPrefix(fix, r.fix); ok && (rest == "" || strings.ContainsRune("; ,", rune(rest[0]))) {
			return r.repair
		}
	}
	return nil
}

func operation(op, path string, v *schema.Value) finding.Operation {
	o := finding.Operation{Op: op, Path: path}
	if v != nil {
		o.Value = json.RawMessage(v.AppendJSON(nil))
	}
	return o
}

// below returns the pointer of something in the node.
func (s *subject) below(tokens ...string) string {
	return finding.Pointer(s.at().Pointer, tokens...)
}

// add gives the node a keyword that it does not have.
func (s *subject) add(keyword string, v *schema.Value) []finding.Operation {
	if s.at().Value.Has(keyword) {
		return nil
	}
	return []finding.Operation{operation("add", s.below(keyword), v)}
}

// takes reports whether the API would refuse nothing new in a node if it were
// another one.
func (c *checker) takes(node int, v *schema.Value) bool {
	before := c.schema.Nodes()[node].Value
	for _, m := range v.Members() {
		e := c.table.entry(m.Name, c.schema.Nodes()[node].Parent < 0)
		if e.quiet {
			continue
		}
		at := place{schema: c.schema, node: node, keyword: m.Name, value: m.Value, instead: v}
		if o := e.match(&at); o == nil || o.severity != finding.Error {
			continue
		}
		at.value, at.instead = before.Get(m.Name), nil
		if o := e.match(&at); at.value == nil || o == nil || o.severity != finding.Error {
			return false
		}
	}
	return true
}

func removeKeyword(c *checker, s *subject) []finding.Operation {
	switch s.keyword {
	case "$anchor", "$dynamicAnchor", "$defs", "definitions":
		// References may lead to it or into it.
		if c.refers() {
			return nil
		}
	case "if", "contains":
		return nil // then, else, minContains and maxContains would change their meaning
	}
	switch k, _ := schema.LookupKeyword(s.keyword); k.Shape {
	case schema.One, schema.List, schema.Map:
		if c.refers() { // perhaps into it
			return nil
		}
	default:
	}
	if !c.takes(s.node, s.at().Value.Without(s.keyword)) {
		return nil
	}
	return []finding.Operation{operation("remove", s.pointer, nil)}
}

// refers reports whether the document has a reference.
func (c *checker) refers() bool {
	return slices.ContainsFunc(c.schema.Nodes(), func(n schema.Node) bool { return n.Value.Has("$ref") || n.Value.Has("$dynamicRef") })
}

// appliesWithOthers reports whether a node is judged together with schemas
// around it, or its failure means something else: closing it, or requiring in
// it, would then forbid what the others declare.
func (c *checker) appliesWithOthers(node int) bool {
	nodes := c.schema.Nodes()
	for i := node; i > 0; i = nodes[i].Parent {
		switch nodes[i].In {
		case "allOf", "not", "if", "then", "else", "dependentSchemas", "contains", "propertyNames", "oneOf":
			return true
		}
	}
	return false
}

func addClosed(c *checker, s *subject) []finding.Operation {
	if c.appliesWithOthers(s.node) {
		return nil
	}
	return s.add("additionalProperties", schema.NewBool(false))
}

func writeClosed(c *checker, s *subject) []finding.Operation {
	if c.appliesWithOthers(s.node) {
		return nil
	}
	if s.value == nil || s.value.Kind() != schema.Bool { // members of some form are wanted
		return nil
	}
	return []finding.Operation{operation("replace", s.pointer, schema.NewBool(false))}
}

// requireNullable requires a property and lets it be null, as the text of
// {nullable} says.
func requireNullable(c *checker, s *subject) []finding.Operation {
	if c.appliesWithOthers(s.node) {
		return nil
	}
	nullable, ok := makeNullable(c, s)
	if !ok {
		return nil
	}
	name := schema.NewString(s.property)
	if s.at().Value.Has("required") {
		return append(nullable, operation("add", s.below("required", "-"), name))
	}
	return append(nullable, operation("add", s.below("required"), schema.NewArray(name)))
}

// makeNullable writes what [nullable] says.
func makeNullable(c *checker, s *subject) (operations []finding.Operation, ok bool) {
	v, at := s.propertySchema, s.below("properties", s.property)
	node, declared := c.schema.IndexAt(at)
	if !declared {
		return nil, false
	}
	null := schema.NewString("null")
	switch nullSpelling(v) {
	case nullAdmitted:
		return nil, !v.IsFalse()
	case nullInAnyOf:
		branch := schema.NewObject(schema.Member{Name: "type", Value: null})
		branches := schema.NewArray(append(slices.Clone(v.Get("anyOf").Items()), branch)...)
		return []finding.Operation{operation("add", finding.Pointer(at, "anyOf", "-"), branch)}, c.takes(node, v.With("anyOf", branches))
	case nullBeside:
		branches := schema.NewArray(v, schema.NewObject(schema.Member{Name: "type", Value: null}))
		wrapped := schema.NewObject(schema.Member{Name: "anyOf", Value: branches})
		isReferredTo := slices.ContainsFunc(c.schema.Nodes(), func(n schema.Node) bool { return n.Ref >= 0 && within(c.schema, n.Ref, node) })
		return []finding.Operation{operation("replace", at, wrapped)}, c.takes(node, wrapped) && !isReferredTo
	case nullInEnum:
		return []finding.Operation{operation("add", finding.Pointer(at, "enum", "-"), schema.NewNull())}, c.takes(node, withNullMember(v))
	default: // nullInType
		if slices.ContainsFunc([]string{"allOf", "oneOf", "not", "if", "$ref", "$dynamicRef"}, v.Has) {
			return nil, false // one of them may exclude null, whatever the type says
		}
		names := append(typeValues(v), null)
		operations := []finding.Operation{operation("replace", finding.Pointer(at, "type"), schema.NewArray(names...))}
		after := v.With("type", schema.NewArray(names...))
		if v.Has("enum") {
			operations = append(operations, operation("add", finding.Pointer(at, "enum", "-"), schema.NewNull()))
			after = withNullMember(after)
		}
		return operations, c.takes(node, after)
	}
}

// withNullMember is a schema whose enum has null too.
func withNullMember(v *schema.Value) *schema.Value {
	return v.With("enum", schema.NewArray(append(slices.Clone(v.Get("enum").Items()), schema.NewNull())...))
}

// within reports whether node i is another one or below it.
func within(s *schema.Schema, i, other int) bool {
	for ; i >= 0; i = s.Nodes()[i].Parent {
		if i == other {
			return true
		}
	}
	return false
}

// typeValues are the types of a node as values.
func typeValues(v *schema.Value) []*schema.Value {
	t := v.Get("type")
	if t.Kind() == schema.Array {
		return slices.Clone(t.Items())
	}
	return []*schema.Value{t}
}

func addItems(c *checker, s *subject) []finding.Operation {
	if c.refuses(UntypedSchema) {
		return nil
	}
	return s.add("items", schema.NewObject())
}

func (c *checker) refuses(shape Shape) bool { return c.profile.refuses(shape, c.mode) }

// addType adds the type that the other keywords of a node leave no doubt about.
func addType(c *checker, s *subject) []finding.Operation {
	v := s.at().Value
	members := v.Get("enum").Strings()
	var t *schema.Value
	switch {
	case v.Has("enum") && len(members) == v.Get("enum").Len() && len(members) > 0:
		t = schema.NewString("string")
	case v.Has("const") && v.Get("const").Kind() == schema.String:
		t = schema.NewString("string")
	case v.Has("enum") || v.Has("const"):
		return nil
	case v.Has("properties") && !v.Has("items"):
		t = schema.NewString("object")
	case v.Has("items") && !v.Has("properties"):
		t = schema.NewString("array")
	default:
		return nil
	}
	if !c.takes(s.node, v.With("type", t)) {
		return nil
	}
	return s.add("type", t)
}

// addStringType adds the type that a keyword of texts is about.
func addStringType(c *checker, s *subject) []finding.Operation {
	v := s.at().Value
	isText := func(m *schema.Value) bool { return m.Kind() == schema.String }
	enum := v.Get("enum")
	if enum != nil && !isAll(enum.Items(), isText) || v.Has("const") && !isText(v.Get("const")) {
		return nil
	}
	t := schema.NewString("string")
	if v.Has("type") || !c.takes(s.node, v.With("type", t)) {
		return nil
	}
	return s.add("type", t)
}

func isAll(list []*schema.Value, is func(*schema.Value) bool) bool {
	return !slices.ContainsFunc(list, func(v *schema.Value) bool { return !is(v) })
}

// writeRootType gives the root its type where it is an object already.
func writeRootType(_ *checker, s *subject) []finding.Operation {
	root := s.schema.Root()
	object := schema.NewString("object")
	switch {
	case slices.Contains(schema.Types(root), "object"):
		return []finding.Operation{operation("replace", "/type", object)}
	case !root.Has("type") && root.Has("properties"):
		return []finding.Operation{operation("add", "/type", object)}
	default:
		return nil
	}
}

func writeEmptySchema(c *checker, s *subject) []finding.Operation {
	if !s.value.IsTrue() || c.refuses(UntypedSchema) {
		return nil
	}
	return []finding.Operation{operation("replace", s.pointer, schema.NewObject())}
}

// writeEnum turns const into an enum of one value.
func writeEnum(c *checker, s *subject) []finding.Operation {
	enum := schema.NewArray(s.value)
	if v := s.at().Value; v.Has("enum") || !c.takes(s.node, v.Without("const").With("enum", enum)) {
		return nil
	}
	return append([]finding.Operation{operation("remove", s.pointer, nil)}, s.add("enum", enum)...)
}

// writeTypedEnum does the same and adds the type of the value.
func writeTypedEnum(c *checker, s *subject) []finding.Operation {
	v, enum := s.at().Value, schema.NewArray(s.value)
	if v.Has("type") {
		return writeEnum(c, s)
	}
	var t *schema.Value
	switch {
	case s.value.IsInteger():
		t = schema.NewString("integer")
	case s.value.Kind() == schema.Number, s.value.Kind() == schema.String, s.value.Kind() == schema.Bool:
		t = schema.NewString(s.value.Kind().String())
	default:
		return nil
	}
	if v.Has("enum") || !c.takes(s.node, v.Without("const").With("type", t).With("enum", enum)) {
		return nil
	}
	operations := append([]finding.Operation{operation("remove", s.pointer, nil)}, s.add("type", t)...)
	return append(operations, s.add("enum", enum)...)
}

// writeInclusive turns the bound of an integer, which it must not reach, into
// one that it may.
func writeInclusive(c *checker, s *subject) []finding.Operation {
	inclusive, step := "minimum", int64(1)
	if s.keyword == "exclusiveMaximum" {
		inclusive, step = "maximum", -1
	}
	v := s.at().Value
	t := v.Get("type")
	bound, isInteger := s.value.Int()
	if t == nil || t.Kind() != schema.String || t.Text() != "integer" || v.Has(inclusive) || !isInteger || bound+step == bound-step {
		return nil
	}
	if (step > 0) != (bound+step > bound) { // beyond what an int64 holds
		return nil
	}
	reached := schema.NewInt(bound + step)
	if !c.takes(s.node, v.Without(s.keyword).With(inclusive, reached)) {
		return nil
	}
	return append([]finding.Operation{operation("remove", s.pointer, nil)}, s.add(inclusive, reached)...)
}

// renameDefinitions moves the definitions of the root, and the references that
// lead there.
func renameDefinitions(_ *checker, s *subject) []finding.Operation {
	const before, after = "#/definitions/", "#/$defs/"
	if s.node != 0 || s.schema.Root().Has("$defs") {
		return nil
	}
	var out []finding.Operation
	nodes := s.schema.Nodes()
	for i := range nodes {
		n := &nodes[i]
		if n.Value.Has("$dynamicRef") {
			return nil
		}
		if n.Ref < 0 || !strings.HasPrefix(nodes[n.Ref].Pointer, before[1:]) {
			continue
		}
		rest, ok := strings.CutPrefix(n.Value.Get("$ref").Text(), before)
		if !ok { // by an anchor, which stays, or percent-encoded
			if strings.HasPrefix(n.Value.Get("$ref").Text(), "#/") {
				return nil
			}
			continue
		}
		out = append(out, operation("replace", finding.Pointer(n.Pointer, "$ref"), schema.NewString(after+rest)))
	}
	return append(out, finding.Operation{Op: "move", From: "/definitions", Path: "/$defs"})
}

// maxLengthPattern is the greatest length that is written as a repetition.
const maxLengthPattern = 1000

// writeLengths turns lengths of a text into one pattern.
func writeLengths(c *checker, s *subject) []finding.Operation {
	v := s.at().Value
	for _, keyword := range []string{"minLength", "maxLength"} {
		if n, ok := v.Get(keyword).Int(); v.Has(keyword) && (!ok || n < 0 || n > maxLengthPattern) {
			return nil
		}
	}
	written := schema.NewString(`^[\s\S]{` + s.lengths() + `}$`)
	if v.Has("pattern") || !c.takes(s.node, v.Without("minLength", "maxLength").With("pattern", written)) {
		return nil
	}
	var out []finding.Operation
	for _, keyword := range []string{"minLength", "maxLength"} {
		if v.Has(keyword) {
			out = append(out, operation("remove", s.below(keyword), nil))
		}
	}
	return append(out, operation("add", s.below("pattern"), written))
}

// wrapReference puts a reference into an anyOf of its own.
func wrapReference(c *checker, s *subject) []finding.Operation {
	branches := schema.NewArray(schema.NewObject(schema.Member{Name: "$ref", Value: s.value}))
	if v := s.at().Value; v.Has("anyOf") || !c.takes(s.node, v.Without("$ref").With("anyOf", branches)) {
		return nil
	}
	return append([]finding.Operation{operation("remove", s.pointer, nil)}, s.add("anyOf", branches)...)
}

// splitNull moves null out of an enum, into a branch of its own.
func splitNull(c *checker, s *subject) []finding.Operation {
	v := s.at().Value
	for _, m := range v.Members() {
		if k, known := schema.LookupKeyword(m.Name); m.Name != "enum" && m.Name != "type" && (!known || !k.Annotation) {
			return nil
		}
	}
	isNull := func(m *schema.Value) bool { return m.Kind() == schema.Null }
	rest := slices.DeleteFunc(slices.Clone(s.value.Items()), isNull)
	if len(rest) == 0 || len(rest) == len(s.value.Items()) || v.Has("type") && !slices.Contains(schema.Types(v), "null") {
		return nil
	}
	var branch schema.Fields
	operations := []finding.Operation{operation("remove", s.below("enum"), nil)}
	if v.Has("type") {
		operations = append(operations, operation("remove", s.below("type"), nil))
		types := slices.DeleteFunc(typeValues(v), func(t *schema.Value) bool { return t.Text() == "null" })
		switch len(types) {
		case 0:
			return nil
		case 1:
			branch.Add("type", types[0])
		default:
			branch.Add("type", schema.NewArray(types...))
		}
	}
	branch.Add("enum", schema.NewArray(rest...))
	null := schema.NewObject(schema.Member{Name: "type", Value: schema.NewString("null")})
	branches := schema.NewArray(branch.Object(), null)
	if !c.takes(s.node, v.Without("type", "enum").With("anyOf", branches)) || !c.takes(s.node, branch.Object()) {
		return nil
	}
	return append(operations, operation("add", s.below("anyOf"), branches))
}
