// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"slices"

	"github.com/toolcontract/operator/internal/decode"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
)

// Rules of giving values another form.
const (
	RuleRequireNullable = "require-nullable"
	RuleOptionalToNull  = "optional-to-null"
	RuleMapToPairs      = "map-to-pairs"
)

// reshape gives the document the form that its findings ask for, as far as a
// plan allows. It reports whether anything changed.
func (d *draft) reshape(most Effect) (changed bool) {
	if most < Reshape && !mayRequire(d.schema, d.findings) {
		return false
	}
	p := newPlan(d.schema, d.findings, most)
	if p.size() == 0 {
		return false
	}
	w := reshaper{plan: p, profile: d.profile, mode: d.mode, takesList: map[string]bool{}}
	root := w.write(0, place{})
	adapted, _ := d.schema.AdmitRewritten(root)
	if adapted == nil { // too large; what was there before says what is wrong
		return false
	}
	for _, r := range w.rewrites {
		r.Pointer = d.toAuthor(r.Pointer)
		if r.Rule == RuleMapToPairs { // what the object was given before is gone with it
			d.rewrites = slices.DeleteFunc(d.rewrites, func(old Rewrite) bool {
				return old.Pointer == r.Pointer && (old.Rule == RuleAddProperties || old.Rule == RuleAddRequired)
			})
		}
		d.rewrites = append(d.rewrites, r)
	}
	d.origins = append([]func(string) string{originsOf(w.places)}, d.origins...)
	d.schema, d.checked = adapted, false
	if p.graph != nil {
		d.decode, d.encoder = p.graph.decoding(), &encoder{plan: p}
	}
	return true
}

// mayRequire reports whether nothing but optional properties is in the way,
// and none of them plainly refuses null. Otherwise another form would be needed,
// and a plan for less would come to nothing.
func mayRequire(s *schema.Schema, findings []finding.Finding) bool {
	for _, f := range findings {
		if f.Severity != finding.Error {
			continue
		}
		n, ok := s.Node(f.Pointer)
		if f.Rule != provider.RulePropertyNotRequired || !ok {
			return false
		}
		if types := schema.Types(n.Value); types != nil && !slices.Contains(types, "null") {
			return false
		}
	}
	return true
}

// reshaper writes a document with its plan carried out.
type reshaper struct {
	*plan
	profile   *provider.Profile
	mode      provider.Mode
	takesList map[string]bool
	places    []place
	rewrites  []Rewrite
}

func (w *reshaper) record(rule string, effect Effect, pointer, message string) {
	w.rewrites = append(w.rewrites, Rewrite{Rule: rule, Effect: effect, Pointer: pointer, Message: message})
}

// move records that what stood at one place was written to another.
func (w *reshaper) move(old, written string) place {
	at := place{author: old, out: written}
	if old != written {
		w.places = append(w.places, at)
	}
	return at
}

// write writes a node. What has nothing planned in it stays the value it was.
func (w *reshaper) write(i int, at place) *schema.Value {
	n := w.node(i)
	if n.Value.Kind() != schema.Object {
		return n.Value
	}
	if w.pairs[i] {
		return w.writePairs(i, at)
	}
	v := n.Value
	for _, m := range n.Value.Members() {
		written := schema.MapChildren(m, func(c schema.Child) *schema.Value {
			below, _ := w.at(i, c.Keyword.Name, c.Token)
			return w.write(below, w.placeOf(i, at, c))
		})
		if written != m {
			v = v.With(written.Name, written.Value)
		}
	}
	return w.annotations(i, w.requireAll(i, v))
}

// placeOf is where a child is written. One that becomes nullable may move into
// an alternative of its own.
func (w *reshaper) placeOf(i int, at place, c schema.Child) place {
	if c.Keyword.Name != "properties" || !w.drop[property{i, c.Token}] {
		return at
	}
	if v := c.Value; v.Kind() == schema.Object && w.wraps(v) {
		old := c.Pointer(w.node(i).Pointer)
		written := at.below(old)
		w.move(old, finding.Pointer(written, "anyOf"))
		w.move(old, finding.Pointer(written, "anyOf", "1"))
		return w.move(old, finding.Pointer(written, "anyOf", "0"))
	}
	return at
}

// wraps reports whether [nullable] puts a schema into an alternative.
func (w *reshaper) wraps(v *schema.Value) bool {
	written := nullable(v, w.takes)
	return written.Has("anyOf") && (!v.Has("anyOf") || !onlyAnnotates(v, "anyOf"))
}

// requireAll makes the planned properties of an object required.
func (w *reshaper) requireAll(i int, v *schema.Value) *schema.Value {
	properties := v.Get("properties")
	if properties == nil {
		return v
	}
	required := v.Get("required").Strings()
	names := make(map[string]bool, len(required))
	for _, name := range required {
		names[name] = true
	}
	members := slices.Clone(properties.Members())
	before := len(names)
	for j, m := range members {
		pointer := finding.Pointer(w.node(i).Pointer, "properties", m.Name)
		switch at := (property{i, m.Name}); {
		case w.drop[at]:
			members[j].Value = nullable(m.Value, w.takes)
			w.record(RuleOptionalToNull, Reshape, pointer, "the optional property is required and may be null, which the host reads as absent")
		case w.require[at]:
			w.record(RuleRequireNullable, Narrow, pointer, "the property is required; it admits null already")
		default:
			continue
		}
		names[m.Name] = true
	}
	if len(names) == before {
		return v
	}
	// In the order of the properties, with what is not declared behind them.
	list := make([]*schema.Value, 0, len(names))
	for _, m := range members {
		if names[m.Name] {
			list = append(list, schema.NewString(m.Name))
		}
	}
	for _, name := range required {
		if !properties.Has(name) {
			list = append(list, schema.NewString(name))
		}
	}
	return v.With("properties", schema.NewObject(members...)).With("required", schema.NewArray(list...))
}

// takes reports whether the API takes a type list.
func (w *reshaper) takes(types *schema.Value) bool {
	key := types.JSON()
	known, ok := w.takesList[key]
	if !ok {
		known = w.probe(schema.NewObject(schema.Member{Name: "type", Value: types}))
		w.takesList[key] = known
	}
	return known
}

// probe asks the profile about the keywords of a property's schema, apart from
// any document.
func (w *reshaper) probe(v *schema.Value) bool {
	name := schema.NewString("value")
	root := schema.NewObject(
		schema.Member{Name: "type", Value: schema.NewString("object")},
		schema.Member{Name: "properties", Value: schema.NewObject(schema.Member{Name: name.Text(), Value: v})},
		schema.Member{Name: "required", Value: schema.NewArray(name)},
		schema.Member{Name: "additionalProperties", Value: schema.NewBool(false)},
	)
	s, _ := schema.Admit(root)
	return s != nil && w.profile.Judge(s, 1, "type", w.mode).Verdict != provider.Dropped && !w.profile.Judge(s, 1, "type", w.mode).Refused(w.mode)
}

// pairsText tells a model what it cannot see from the form.
const pairsText = "One entry per key; no key twice."

// writePairs writes a map as an array of pairs.
func (w *reshaper) writePairs(i int, at place) *schema.Value {
	n := w.node(i)
	m := readMap(n.Value)
	here := at.below(n.Pointer)
	w.record(RuleMapToPairs, Reshape, n.Pointer, "the map is an array of objects with key and value, which the host turns back")
	var f schema.Fields
	for _, old := range n.Value.Members() {
		switch old.Name {
		case "type":
			f.Add("type", arrayType(old.Value))
		case "description":
			f.Text("description", sentences(old.Value.Text(), pairsText))
		case "minProperties", "maxProperties":
			name := map[string]string{"minProperties": "minItems", "maxProperties": "maxItems"}[old.Name]
			w.move(finding.Pointer(n.Pointer, old.Name), finding.Pointer(here, name))
			f.Add(name, old.Value)
		case "properties", "required", "additionalProperties", "patternProperties", "propertyNames":
		default:
			f = append(f, old)
		}
	}
	if !n.Value.Has("description") {
		f.Text("description", pairsText)
	}
	f.Add("items", w.pair(i, m, here))
	return w.annotations(i, f.Object())
}

func arrayType(types *schema.Value) *schema.Value {
	if types.Kind() == schema.String {
		return schema.NewString("array")
	}
	words := slices.Clone(types.Items())
	for i, word := range words {
		if word.Text() == "object" {
			words[i] = schema.NewString("array")
		}
	}
	return schema.NewArray(words...)
}

// pair is the schema of one pair of a map.
func (w *reshaper) pair(i int, m *mapSchema, here string) *schema.Value {
	n := w.node(i)
	at := w.valueOf(i, m)
	w.move(n.Pointer, finding.Pointer(here, "items"))
	value := w.write(at, w.move(w.node(at).Pointer, finding.Pointer(here, "items", "properties", decode.PairValue)))
	properties := schema.NewObject(
		schema.Member{Name: decode.PairKey, Value: w.key(i, m, finding.Pointer(here, "items", "properties", decode.PairKey))},
		schema.Member{Name: decode.PairValue, Value: value},
	)
	return schema.NewObject(
		schema.Member{Name: "type", Value: schema.NewString("object")},
		schema.Member{Name: "properties", Value: properties},
		schema.Member{Name: "required", Value: schema.NewArray(schema.NewString(decode.PairKey), schema.NewString(decode.PairValue))},
		schema.Member{Name: "additionalProperties", Value: schema.NewBool(false)},
	)
}

// key is the schema of the names of a map.
func (w *reshaper) key(i int, m *mapSchema, here string) *schema.Value {
	n := w.node(i)
	key := schema.NewObject(schema.Member{Name: "type", Value: schema.NewString("string")})
	if m.keyword == "patternProperties" {
		w.move(finding.Pointer(n.Pointer, "patternProperties", m.pattern), finding.Pointer(here, "pattern"))
		return key.With("pattern", schema.NewString(m.pattern))
	}
	names := n.Value.Get("propertyNames")
	if names == nil || names.IsTrue() {
		return key
	}
	w.move(finding.Pointer(n.Pointer, "propertyNames"), here)
	if names.IsFalse() {
		return names
	}
	return schema.NewObject(append(slices.Clone(key.Members()), names.Without("type").Members()...)...)
}

// annotations gives the values that a node quotes the form of the others.
func (w *reshaper) annotations(i int, v *schema.Value) *schema.Value {
	if w.graph == nil || !w.graph.changes[i] {
		return v
	}
	e := encoder{plan: w.plan}
	if value := v.Get("default"); value != nil {
		v = v.With("default", e.encode(i, value))
	}
	if list := v.Get("examples"); list != nil && list.Kind() == schema.Array {
		items := make([]*schema.Value, list.Len())
		for j, item := range list.Items() {
			items[j] = e.encode(i, item)
		}
		v = v.With("examples", schema.NewArray(items...))
	}
	return v
}
