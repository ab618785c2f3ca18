// SPDX-License-Identifier: Apache-2.0

package schema_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

func numbered(n int, format string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(list, ",")
}

// oracle decides node by node which schemas apply to a value and what they
// declare, straight from the words of the definition.
type oracle struct {
	t        *testing.T
	schema   *schema.Schema
	compiler *jsonschema.Compiler
	compiled map[string]*jsonschema.Schema
}

func newOracle(t *testing.T, s *schema.Schema) *oracle {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(s.Root().JSON()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema:///d", document); err != nil {
		t.Fatal(err)
	}
	return &oracle{t, s, c, map[string]*jsonschema.Schema{}}
}

// accepts reports whether the node at a pointer accepts a value.
func (o *oracle) accepts(n *schema.Node, v *schema.Value) bool {
	o.t.Helper()
	c := o.compiled[n.Pointer]
	if c == nil {
		var err error
		if c, err = o.compiler.Compile("schema:///d#" + strings.ReplaceAll(n.Pointer, "^", "%5E")); err != nil {
			o.t.Fatal(err)
		}
		o.compiled[n.Pointer] = c
	}
	instance, err := jsonschema.UnmarshalJSON(strings.NewReader(v.JSON()))
	if err != nil {
		o.t.Fatal(err)
	}
	return c.Validate(instance) == nil
}

// active adds to a list the nodes that apply in place and accept the value.
func (o *oracle) active(list []int, i int, v *schema.Value) []int {
	if slices.Contains(list, i) {
		return list
	}
	n := &o.schema.Nodes()[i]
	list = append(list, i)
	for _, next := range o.schema.AppliesInPlace(i) {
		m := &o.schema.Nodes()[next]
		if applies := n.Ref == next || o.applies(n, m, v); applies && o.accepts(m, v) {
			list = o.active(list, next, v)
		}
	}
	return list
}

func (o *oracle) applies(parent, m *schema.Node, v *schema.Value) bool {
	condition := func() bool {
		c, ok := o.schema.Node(parent.Pointer + "/if")
		return ok && o.accepts(c, v)
	}
	switch m.In {
	case "not":
		return false
	case "then":
		return condition()
	case "else":
		return !condition()
	case "dependentSchemas":
		return v.Has(m.Token)
	default:
		return true
	}
}

// declares reports whether some node that a node applies in place, whatever the
// value, declares a property or pattern.
func (o *oracle) declares(i int) bool {
	n := &o.schema.Nodes()[i]
	if n.Value.Get("properties").Len()+n.Value.Get("patternProperties").Len() > 0 {
		return true
	}
	return slices.ContainsFunc(o.schema.AppliesInPlace(i), func(next int) bool {
		return (n.Ref == next || o.schema.Nodes()[next].In != "not") && o.declares(next)
	})
}

// onlyDeclared reports whether a value has only members that some schema which
// applies at their place declares.
func (o *oracle) onlyDeclared(applying []int, v *schema.Value) bool {
	var active []int
	free := true
	for _, i := range applying {
		active = o.active(active, i, v)
		free = free && !o.declares(i)
	}
	below := func(part *schema.Value, applies func(n, child *schema.Node) bool) (nodes []int) {
		for _, i := range active {
			for _, c := range o.schema.Applies(i) {
				if child := &o.schema.Nodes()[c]; child.Parent == i && applies(&o.schema.Nodes()[i], child) && o.accepts(child, part) {
					nodes = append(nodes, c)
				}
			}
		}
		return nodes
	}
	for _, m := range v.Members() {
		nodes := below(m.Value, func(n, child *schema.Node) bool { return o.describes(n, child, m.Name) })
		open := slices.ContainsFunc(active, func(i int) bool {
			n := &o.schema.Nodes()[i]
			return n.Value.Has("additionalProperties") || n.Value.Has("unevaluatedProperties")
		})
		if !free && !open && len(nodes) == 0 || !o.onlyDeclared(nodes, m.Value) {
			return false
		}
	}
	for at, item := range v.Items() {
		nodes := below(item, func(n, child *schema.Node) bool {
			switch child.In {
			case "prefixItems":
				return child.Token == fmt.Sprint(at)
			case "items":
				return at >= n.Value.Get("prefixItems").Len()
			case "contains", "unevaluatedItems":
				return true
			}
			return false
		})
		if !o.onlyDeclared(nodes, item) {
			return false
		}
	}
	return true
}

func (o *oracle) describes(n, child *schema.Node, name string) bool {
	matches := func(pattern string) bool {
		ok, err := o.schema.Pattern(pattern).Match(name)
		return ok && err == nil
	}
	switch child.In {
	case "properties":
		return child.Token == name
	case "patternProperties":
		return matches(child.Token)
	case "additionalProperties":
		patterns := n.Value.Get("patternProperties")
		return !n.Value.Get("properties").Has(name) && (patterns == nil || !slices.ContainsFunc(patterns.Members(), func(m schema.Member) bool { return matches(m.Name) }))
	case "unevaluatedProperties":
		return true
	}
	return false
}

// varied adds and removes members of a value at random.
func varied(r *rand.Rand, v *schema.Value) *schema.Value {
	switch v.Kind() {
	case schema.Object:
		var out []schema.Member
		for _, m := range v.Members() {
			out = append(out, schema.Member{Name: m.Name, Value: varied(r, m.Value)})
		}
		if name := []string{"a", "b", "c", "d", "x", "zz"}[r.IntN(6)]; r.IntN(3) == 0 && !v.Has(name) {
			out = append(out, schema.Member{Name: name, Value: schema.NewObject(schema.Member{Name: "b", Value: schema.NewInt(1)})})
		}
		return schema.NewObject(out...)
	case schema.Array:
		var out []*schema.Value
		for _, item := range v.Items() {
			out = append(out, varied(r, item))
		}
		return schema.NewArray(out...)
	default:
		return v
	}
}

// TestTheFormsKeepTheirPromises, over random documents and values.
func TestTheFormsKeepTheirPromises(t *testing.T) {
	t.Parallel()
	const documents = 100
	seen := map[string]int{}
	for seed := range uint64(documents) {
		checkForms(t, seed, schematest.Random(seed), seen)
		checkForms(t, seed, entwined(seed), seen)
	}
	for _, what := range []string{"closed refuses", "closed admits", "opened admits more", "projected", "copied", "declared, in a document with conditions"} {
		if seen[what] < 20 {
			t.Errorf("%s: only %d times", what, seen[what])
		}
	}
	t.Log(seen)
}

// entwined writes documents in which schemas meet at one place.
func entwined(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 3))
	var object func(depth int) string
	node := func(depth int) string {
		if depth == 0 {
			return []string{`{}`, `true`, `{"type":"string"}`, `{"const":"a"}`, `{"type":"object"}`, `{"enum":["a",{"b":1}]}`}[r.IntN(6)]
		}
		return []string{
			object(depth - 1), object(depth - 1), `{"$ref":"#/$defs/d"}`, `{"$ref":"#/$defs/e","description":"x"}`, `{"$ref":"#"}`,
			`{"items":` + object(depth-1) + `}`, `{"type":"array","uniqueItems":true,"items":` + object(depth-1) + `}`,
			`{"anyOf":[` + object(depth-1) + `,{"type":"null"}]}`, `{"oneOf":[` + object(depth-1) + `,{"type":"string"}]}`,
		}[r.IntN(9)]
	}
	member := func(depth int) string {
		var parts []string
		for _, name := range []string{"a", "b", "c"} {
			if r.IntN(2) == 0 {
				parts = append(parts, `"`+name+`":`+node(depth))
			}
		}
		return `"properties":{` + strings.Join(parts, ",") + `}`
	}
	object = func(depth int) string {
		parts := []string{member(depth)}
		for _, extra := range []string{
			`"type":"object"`, `"required":["a"]`, `"additionalProperties":false`, `"unevaluatedProperties":false`, `"minProperties":1`, `"maxProperties":2`,
			`"patternProperties":{"^x":` + node(0) + `}`, `"dependentRequired":{"a":["d"]}`, `"propertyNames":{"maxLength":1}`,
		} {
			if r.IntN(5) == 0 {
				parts = append(parts, extra)
			}
		}
		if depth > 0 {
			for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
				if r.IntN(4) == 0 {
					parts = append(parts, `"`+keyword+`":[{`+member(depth-1)+`},`+[]string{`{` + member(depth-1) + `}`, `{"$ref":"#/$defs/d"}`, `{"required":["b"]}`}[r.IntN(3)]+`]`)
				}
			}
			for _, extra := range []string{
				`"not":{` + member(depth-1) + `,"required":["c"]}`, `"if":{"required":["c"]},"then":{` + member(depth-1) + `}`,
				`"if":{` + member(depth-1) + `},"else":{` + member(depth-1) + `}`, `"dependentSchemas":{"c":{` + member(depth-1) + `}}`, `"$ref":"#/$defs/e"`,
			} {
				if r.IntN(8) == 0 && !strings.Contains(strings.Join(parts, ","), extra[:5]) {
					parts = append(parts, extra)
				}
			}
		}
		return `{` + strings.Join(parts, ",") + `}`
	}
	root := object(3)
	return root[:len(root)-1] + `,"$defs":{"d":{` + member(1) + `},"e":{` + member(0) + `,"additionalProperties":` + []string{"true", "false", `{"type":"object"}`}[r.IntN(3)] + `}}}`
}

func checkForms(t *testing.T, seed uint64, text string, seen map[string]int) {
	t.Helper()
	root, failed := schema.Parse([]byte(text))
	if failed != nil {
		t.Fatalf("%s: %s", text, failed)
	}
	s, _ := schema.Admit(root)
	if s == nil {
		return
	}
	own, invalid := s.Compile()
	if len(invalid) > 0 {
		return
	}
	closed, opened := s.Closed(), s.Opened()
	closing, invalidClosed := closed.Compile()
	opening, invalidOpened := opened.Compile()
	if len(invalidClosed)+len(invalidOpened) > 0 {
		t.Fatalf("%s: %v %v", text, invalidClosed, invalidOpened)
	}
	if closed.Root().Get("$defs").Has("declared-1") {
		seen["copied"]++
	}
	for _, n := range s.Nodes() {
		if _, ok := closed.Node(n.Pointer); !ok {
			t.Fatalf("%s has no place in the closed form of %s", n.Pointer, text)
		}
		if _, ok := opened.Node(n.Pointer); !ok && n.In != "additionalProperties" && n.In != "unevaluatedProperties" {
			t.Fatalf("%s has no place in the opened form of %s", n.Pointer, text)
		}
	}
	o := newOracle(t, s)
	conditional := slices.ContainsFunc([]string{"allOf", "anyOf", "oneOf", "not", "if", "contains", "uniqueItems"}, func(k string) bool { return strings.Contains(text, `"`+k+`"`) })
	instances := schematest.NewInstances(s, seed)
	accepts := func(v *schema.Validator, value *schema.Value) bool {
		ok, err := v.Accepts(value)
		return ok && err == nil
	}
	for range 25 {
		v := instances.Next()
		if instances.IntN(2) == 0 {
			v = varied(instances.Rand, v)
		}
		admits, closedAdmits, openedAdmits := accepts(own, v), accepts(closing, v), accepts(opening, v)
		declared := admits && o.onlyDeclared([]int{0}, v)
		projected := s.Project(v)
		fail := func(what string) {
			t.Errorf("%s: %s\n%s\nclosed %s\nopened %s\nprojected %s", what, v.JSON(), text, closed.Root().JSON(), opened.Root().JSON(), projected.JSON())
		}
		switch {
		case closedAdmits && !admits:
			fail("the closed form admits more")
		case declared && !closedAdmits:
			fail("the closed form refuses what is declared")
		case closedAdmits && !declared && !conditional:
			fail("the closed form admits what is not declared")
		case admits && !openedAdmits:
			fail("the opened form refuses more")
		case openedAdmits && !accepts(own, projected):
			fail("what is left of a value is not admitted")
		case declared && projected != v:
			fail("something declared was left out")
		case s.Project(projected) != projected:
			fail("something more is left out the second time")
		}
		for what, is := range map[string]bool{
			"closed refuses": admits && !closedAdmits, "closed admits": closedAdmits, "opened admits more": openedAdmits && !admits,
			"projected": admits && projected != v, "declared, in a document with conditions": declared && conditional,
		} {
			if is {
				seen[what]++
			}
		}
	}
}
