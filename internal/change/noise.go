// SPDX-License-Identifier: Apache-2.0

package change

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// noise is what generators change from one release to the next and no caller
// can notice. It makes one finding for the whole contract, so that a new
// release of a generator hides nothing that matters.
type noise struct {
	places int
	counts [kinds]int
	side   finding.Side
	first  string
	mixed  bool
	known  map[heardAt]bool
}

// heardAt is one sort of noise at one place of the document.
type heardAt struct {
	kind    noiseKind
	side    finding.Side
	pointer string
}

// noiseKind is one sort of noise.
type noiseKind int

const (
	dialects noiseKind = iota
	identifiers
	comments
	titles
	listOrder
	propertyOrder
	spelledOut
	references
	definitions
	extensions
	otherSpelling
	kinds
)

var noiseWords = [kinds]string{
	"$schema", "$id", "$comment", "title", "another order in lists", "another order of properties",
	"defaults spelled out or left out", "$ref inlined, factored out or renamed", "unused $defs",
	"hints for generators", "another spelling",
}

func heardOf(keyword string) noiseKind {
	return map[string]noiseKind{"$schema": dialects, "$id": identifiers, "$comment": comments, "title": titles}[keyword]
}

// heard counts one place.
func (s schemaChange) heard(kind noiseKind, pointer string) {
	n := &s.noise
	at := heardAt{kind, s.side, s.base + pointer}
	if n.known[at] {
		return
	}
	if n.known == nil {
		n.known = map[heardAt]bool{}
	}
	n.known[at] = true
	if n.places == 0 {
		n.side, n.first = s.side, s.base+pointer
	}
	n.mixed = n.mixed || n.side != s.side
	n.places++
	n.counts[kind]++
}

// sayNoise reports all of it together. Contents that differ although nobody
// said anything differ in their spelling.
func (c *comparison) sayNoise() {
	if c.noise.places == 0 && len(c.findings) > 0 {
		return
	}
	if c.noise.places == 0 {
		c.noise = noise{places: 1, side: finding.Contract, first: "/spec"}
		c.noise.counts[otherSpelling] = 1
	}
	var list []string
	for kind, n := range c.noise.counts {
		if n > 0 {
			list = append(list, fmt.Sprintf("%s at %s", noiseWords[kind], places(n)))
		}
	}
	side, pointer := c.noise.side, c.noise.first
	if c.noise.mixed {
		side, pointer = finding.Contract, "/spec"
	}
	c.say(statement{
		rule: "noise", side: side, pointer: pointer, oldPointer: pointer, bump: contract.Patch, proof: Proven,
		what: "what no caller notices: " + strings.Join(list, ", "),
	})
}

func places(n int) string {
	if n == 1 {
		return "1 place"
	}
	return fmt.Sprintf("%d places", n)
}

// spelling finds the noise among the keywords that decide what is admitted.
// Only what is certainly neutral counts here; everything else is judged by
// containment.
func (s schemaChange) spelling() {
	w := s.survey.walker
	s.survey.shared(func(p place) {
		pointer := w.new.schema.Nodes()[p.new[0]].Pointer
		var heard [kinds]bool
		for _, keyword := range w.keywords(p) {
			if kind, ok := w.neutral(keyword, p); ok && !heard[kind] {
				heard[kind] = true
				s.heard(kind, pointer)
			}
		}
		if !slices.Equal(w.old.references(p.old), w.new.references(p.new)) {
			s.heard(references, pointer)
		}
		if w.reorderedProperties(p) {
			s.heard(propertyOrder, pointer)
		}
	})
	// Definitions that nothing refers to are no place of an instance.
	if s.noise.counts[references] == 0 && !slices.Equal(definitionNames(s.old), definitionNames(s.new)) {
		s.heard(definitions, "")
	}
}

// neutral reports how a keyword of a place is written in another way that
// cannot mean anything else.
func (w *walker) neutral(keyword string, p place) (noiseKind, bool) {
	was, is := w.old.written(p.old, keyword), w.new.written(p.new, keyword)
	switch {
	case len(was) == len(is) && slices.EqualFunc(was, is, sameText):
		return 0, false
	case (len(was) == 0 || len(is) == 0) && !slices.ContainsFunc(slices.Concat(was, is), isNoDefault(keyword)):
		return spelledOut, true
	case slices.Contains([]string{"required", "enum", "type"}, keyword) && len(was) == 1 && len(is) == 1 && sameElements(was[0], is[0]):
		return listOrder, true
	default:
		return 0, false
	}
}

// written are the values of a keyword at some locations, in their order.
func (a *applied) written(locations []int, keyword string) []*schema.Value {
	var out []*schema.Value
	for _, i := range locations {
		if v := a.schema.Nodes()[i].Value.Get(keyword); v != nil {
			out = append(out, v)
		}
	}
	return out
}

func sameText(a, b *schema.Value) bool { return a.JSON() == b.JSON() }

func sameElements(a, b *schema.Value) bool {
	x, y := elements(a), elements(b)
	if len(x) != len(y) {
		return false
	}
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// elements are the members of a list in JSON; a single value is a list of one.
func elements(v *schema.Value) []string {
	if v.Kind() != schema.Array {
		return []string{v.JSON()}
	}
	out := make([]string, v.Len())
	for i, item := range v.Items() {
		out[i] = item.JSON()
	}
	return out
}

// isNoDefault reports whether a value of a keyword says more than its absence.
func isNoDefault(keyword string) func(*schema.Value) bool {
	return func(v *schema.Value) bool { return !isDefault(keyword, v) }
}

func isDefault(keyword string, v *schema.Value) bool {
	switch keyword {
	case "additionalProperties", "unevaluatedProperties", "items", "unevaluatedItems", "propertyNames":
		return v.IsTrue() || v.Kind() == schema.Object && v.Len() == 0
	case "minLength", "minItems", "minProperties":
		return v.Text() == "0"
	case "uniqueItems":
		return v.IsFalse()
	case "required":
		return v.Len() == 0
	case "properties", "patternProperties", "dependentRequired", "dependentSchemas":
		return v.Len() == 0
	case "minContains":
		return v.Text() == "1"
	default:
		return false
	}
}

// references are the targets of the references of a place, in order.
func (a *applied) references(locations []int) []string {
	var out []string
	for _, i := range locations {
		if ref := a.schema.Nodes()[i].Value.Get("$ref"); ref != nil {
			out = append(out, ref.Text())
		}
	}
	return out
}

// reorderedProperties reports whether the properties that both schemas declare
// at a place stand in another order.
func (w *walker) reorderedProperties(p place) bool {
	steps, old := w.old.steps(p.old)
	later, next := w.new.steps(p.new)
	inBoth := func(list []step, other map[step][]int) []step {
		return slices.DeleteFunc(slices.Clone(list), func(s step) bool { return s.in != "properties" || len(other[s]) == 0 })
	}
	return !slices.Equal(inBoth(steps, next), inBoth(later, old))
}

// definitionNames are the pointers of all definitions, sorted.
func definitionNames(s *schema.Schema) []string {
	var out []string
	for _, n := range s.Nodes() {
		if n.In == "$defs" || n.In == "definitions" {
			out = append(out, n.Pointer)
		}
	}
	slices.Sort(out)
	return out
}

// extensionPrefixes begin keywords that speak to generators of code and to
// editors: how a name is spelled in a language, how a text is shown. No host
// and no model acts on them. Any other extension may mean anything.
//   - x-go-*, x-oapi-codegen-*: github.com/oapi-codegen/oapi-codegen, goswagger.io
//   - x-enum-varnames, x-enumNames: openapi-generator.tech, github.com/RicoSuter/NSwag
//   - x-intellij-*: jetbrains.com/help/idea/json.html
var extensionPrefixes = []string{"x-go-", "x-oapi-codegen-", "x-enum-varnames", "x-enumNames", "x-intellij-"}

// extension reports whether a keyword is known to be such a hint.
func extension(keyword string) bool {
	return slices.ContainsFunc(extensionPrefixes, func(prefix string) bool { return strings.HasPrefix(keyword, prefix) })
}
