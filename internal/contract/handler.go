// SPDX-License-Identifier: Apache-2.0

package contract

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// RuleHandlerSchema says that what the tool gets cannot be written as one schema.
const RuleHandlerSchema = "handler-schema"

// HandlerSchema is the schema of what the tool gets: the arguments of the model
// and the session parameters in one object. Without session parameters it is the
// input schema.
//
// For arguments that hold none of the names of the session parameters it admits
// the two together exactly if the input schema admits the arguments and each
// session parameter its value. What refuses undeclared members goes on doing so
// and lets the session parameters pass. The one exception is a count of members
// at the root, which is shifted: where a session parameter is optional, arguments
// with one member too many or too few may be admitted without it.
//
// Findings have pointers into the input schema and say what cannot be merged:
// keywords that compare or count the object as a whole.
func (in Input) HandlerSchema() (*schema.Schema, []finding.Finding) {
	if len(in.SessionParameters) == 0 || in.Schema == nil {
		return in.Schema, nil
	}
	m := merger{Schema: in.Schema, parameters: in.SessionParameters, copies: map[int]string{}, group: map[int]bool{}}
	for _, p := range in.SessionParameters {
		m.names = append(m.names, schema.NewString(p.Name))
		if !p.Optional {
			m.required++
		}
	}
	m.follow(0)
	if len(m.findings) > 0 {
		return nil, m.findings
	}
	merged, findings := in.Schema.AdmitRewritten(m.root().Copy())
	if merged == nil { // pointers would lead into the merged form
		return nil, []finding.Finding{{
			Rule: RuleHandlerSchema, Severity: finding.Error, Side: finding.Input,
			Message: "together with the session parameters the input schema is beyond the limits: " + finding.Errors(findings)[0].Message,
			Fix:     "make the schemas of the session parameters smaller, or the input schema",
		}}
	}
	return merged, nil
}

// merger writes an input schema together with session parameters.
type merger struct {
	*schema.Schema
	parameters []SessionParameter
	names      []*schema.Value
	required   int
	// group are the nodes that describe the arguments as a whole; copies are the
	// names in $defs of those that references lead to, in their order.
	group    map[int]bool
	copies   map[int]string
	order    []int
	findings []finding.Finding
}

// follow collects the group and refuses what cannot be merged. A reference gets a
// copy of its target: as a member, the target must stay as it is.
func (m *merger) follow(i int) {
	if m.group[i] {
		return
	}
	m.group[i] = true
	n := &m.Nodes()[i]
	m.check(i, n.Value)
	if n.Ref >= 0 && m.copies[n.Ref] == "" {
		m.name(n.Ref)
	}
	for _, next := range m.AppliesInPlace(i) {
		m.follow(next)
	}
}

// name finds a free name in $defs for a copy.
func (m *merger) name(i int) {
	taken := m.Root().Get("$defs")
	for n := len(m.order) + 1; ; n++ {
		name := "handler-" + strconv.Itoa(n)
		used := slices.ContainsFunc(m.order, func(other int) bool { return m.copies[other] == name })
		if !taken.Has(name) && !used {
			m.copies[i] = name
			m.order = append(m.order, i)
			return
		}
	}
}

func (m *merger) check(i int, v *schema.Value) {
	refuse := func(keyword, message, fix string) {
		m.findings = append(m.findings, finding.Finding{
			Rule: RuleHandlerSchema, Severity: finding.Error, Side: finding.Input, Keyword: keyword,
			Pointer: finding.Pointer(m.Nodes()[i].Pointer, keyword), Message: message, Fix: fix,
		})
	}
	listsObjects := func(values ...*schema.Value) bool {
		return slices.ContainsFunc(values, func(v *schema.Value) bool { return v.Kind() == schema.Object })
	}
	if c := v.Get("const"); c != nil && listsObjects(c) {
		refuse("const", "const compares the arguments as a whole, and the session parameters are not in it", "put the constants below properties")
	}
	if e := v.Get("enum"); e != nil && listsObjects(e.Items()...) {
		refuse("enum", "enum compares the arguments as a whole, and the session parameters are not in it", "put the values below properties")
	}
	for _, keyword := range []string{"minProperties", "maxProperties"} {
		if v.Has(keyword) && i != 0 && m.required < len(m.parameters) {
			refuse(keyword, fmt.Sprintf("%s counts members, of which optional session parameters may be some", keyword),
				"make the session parameters required, or say with required and properties what is meant")
		}
	}
}

// root writes the merged document.
func (m *merger) root() *schema.Value {
	root := m.Root()
	if root.Kind() != schema.Object {
		root = schema.NewObject()
		if m.Root().IsFalse() {
			root = root.With("not", schema.NewObject())
		}
	}
	recursive := slices.ContainsFunc(m.Nodes(), func(n schema.Node) bool { return n.Ref == 0 })
	if recursive {
		m.name(0)
	}
	out := m.node(0, true, root)
	definitions := out.Get("$defs")
	if definitions == nil {
		definitions = schema.NewObject()
	}
	for _, i := range m.order {
		v := m.Nodes()[i].Value
		if i == 0 {
			v = v.Without("$schema", "$id", "$anchor", "$defs", "definitions")
			definitions = definitions.With(m.copies[i], m.node(0, false, v))
			continue
		}
		if v.Kind() == schema.Object {
			v = m.node(i, true, v.Without("$anchor"))
		}
		definitions = definitions.With(m.copies[i], v)
	}
	if definitions.Len() > 0 {
		out = out.With("$defs", definitions)
	}
	properties, required := out.Get("properties"), out.Get("required")
	if properties == nil {
		properties = schema.NewObject()
	}
	names := []*schema.Value{}
	if required != nil {
		names = slices.Clone(required.Items())
	}
	for i, p := range m.parameters {
		properties = properties.With(p.Name, p.Schema.MovedTo(finding.Pointer("", "properties", p.Name)))
		if !p.Optional {
			names = append(names, m.names[i])
		}
	}
	out = out.With("properties", properties)
	if len(names) > 0 {
		out = out.With("required", schema.NewArray(names...))
	}
	return out
}

// node writes a node; in a copy of the group it lets the session parameters
// pass.
func (m *merger) node(i int, passing bool, v *schema.Value) *schema.Value {
	if v.Kind() != schema.Object {
		return v
	}
	for _, member := range v.Members() {
		written := schema.MapChildren(member, func(c schema.Child) *schema.Value {
			k, _ := m.IndexAt(c.Pointer(m.Nodes()[i].Pointer))
			return m.node(k, passing && c.Keyword.InPlace, c.Value)
		})
		if written != member {
			v = v.With(written.Name, written.Value)
		}
	}
	// A reference to the root from below means the root as the model sees it.
	if ref := m.Nodes()[i].Ref; ref == 0 || ref > 0 && passing {
		v = v.With("$ref", schema.NewString(schema.RefTo(finding.Pointer("", "$defs", m.copies[ref]))))
	}
	if passing {
		v = m.pass(i, v)
	}
	return v
}

// pass lets the session parameters pass a node that would refuse them for their
// names or their number.
func (m *merger) pass(i int, v *schema.Value) *schema.Value {
	if i != 0 && (v.Has("additionalProperties") || v.Has("unevaluatedProperties")) {
		properties := v.Get("properties")
		if properties == nil {
			properties = schema.NewObject()
		}
		for _, name := range m.names {
			properties = properties.With(name.Text(), schema.NewBool(true))
		}
		v = v.With("properties", properties)
	}
	if names := v.Get("propertyNames"); names != nil {
		own := schema.NewObject(schema.Member{Name: "enum", Value: schema.NewArray(m.names...)})
		v = v.With("propertyNames", schema.NewObject(schema.Member{Name: "anyOf", Value: schema.NewArray(own, names)}))
	}
	for keyword, more := range map[string]int{"minProperties": m.required, "maxProperties": len(m.names)} {
		if n, ok := v.Get(keyword).Int(); ok {
			v = v.With(keyword, schema.NewInt(n+int64(more)))
		}
	}
	return v
}
