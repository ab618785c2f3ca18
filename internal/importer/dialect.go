// SPDX-License-Identifier: Apache-2.0

package importer

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// draft is a dialect of JSON Schema, by the number or year in its name.
type draft int

// The dialects that can be rewritten into 2020-12.
const (
	draft4    draft = 4
	draft6    draft = 6
	draft7    draft = 7
	draft2019 draft = 2019
	draft2020 draft = 2020
)

// drafts are the known dialects, by their URI without scheme and fragment.
var drafts = map[string]draft{
	"json-schema.org/draft-04/schema":      draft4,
	"json-schema.org/draft-06/schema":      draft6,
	"json-schema.org/draft-07/schema":      draft7,
	"json-schema.org/draft/2019-09/schema": draft2019,
	"json-schema.org/draft/2020-12/schema": draft2020,
}

func (d draft) String() string {
	switch d {
	case draft2019:
		return "2019-09"
	case draft2020:
		return "2020-12"
	default:
		return fmt.Sprintf("draft-%02d", int(d))
	}
}

func dialectOf(root *schema.Value) (d draft, uri string, known bool) {
	declared := root.Get("$schema")
	if declared == nil || declared.Kind() != schema.String {
		return draft2020, schema.Dialect, true
	}
	uri = declared.Text()
	bare := strings.TrimPrefix(strings.TrimPrefix(strings.TrimSuffix(uri, "#"), "http://"), "https://")
	d, known = drafts[bare]
	return d, uri, known
}

// introduced is the dialect in which a keyword got its meaning. An older one
// passes over it, so the exact rewriting drops it. Keywords without effect on
// what is valid are left out.
var introduced = map[string]draft{
	"const": draft6, "contains": draft6, "propertyNames": draft6,
	"if": draft7, "then": draft7, "else": draft7,
	"dependentRequired": draft2019, "dependentSchemas": draft2019, "unevaluatedItems": draft2019, "unevaluatedProperties": draft2019,
	"minContains": draft2019, "maxContains": draft2019, "$anchor": draft2019,
	"prefixItems": draft2020, "$dynamicRef": draft2020, "$dynamicAnchor": draft2020,
}

// conversion rewrites one document into 2020-12.
type conversion struct {
	from draft
	uri  string
	root *schema.Value
	// moved maps pointers of schemas in the old document to those in the new one.
	moved   map[string]string
	changes []string
	unknown bool
}

// toLatest rewrites a document of an older dialect exactly; nil if it is in
// the latest one. Of an unknown dialect the document stays as it is.
func toLatest(root *schema.Value) *conversion {
	from, uri, known := dialectOf(root)
	c := &conversion{from: from, uri: uri, root: root, moved: map[string]string{}, unknown: !known}
	if !known {
		return c
	}
	if from == draft2020 {
		if uri == schema.Dialect || uri == schema.Dialect+"#" {
			return nil
		}
		c.root = root.Without("$schema")
		return c
	}
	c.root = c.node(root, "", "")
	c.root = c.references(c.root)
	return c
}

// notes say what was done, in one line for the dialect and one per change.
func (c *conversion) notes() []string {
	switch {
	case c.unknown:
		return []string{fmt.Sprintf("the dialect %s is unknown and stays as it is; check will refuse it", finding.Quote(c.uri))}
	case len(c.changes) == 0:
		return []string{fmt.Sprintf("the $schema of %s was removed; every keyword in use means the same in 2020-12", c.from)}
	}
	return append([]string{fmt.Sprintf("it was rewritten from %s to 2020-12", c.from)}, clipped(c.changes)...)
}

// clipped bounds a list of changes, and each of them.
func clipped(changes []string) []string {
	const most = 16
	var out []string
	for _, change := range changes[:min(most, len(changes))] {
		out = append(out, finding.Clip(change, 300))
	}
	if rest := len(changes) - most; rest > 0 {
		out = append(out, fmt.Sprintf("and %d more changes", rest))
	}
	return out
}

func (c *conversion) changed(at, format string, arguments ...any) {
	if at == "" {
		at = "(root)"
	}
	c.changes = append(c.changes, at+": "+fmt.Sprintf(format, arguments...))
}

// node rewrites a schema node; from and to are its old and new pointer.
func (c *conversion) node(n *schema.Value, from, to string) *schema.Value {
	c.moved[from] = to
	if n.Kind() != schema.Object {
		return n
	}
	var out schema.Fields
	isReference := c.from <= draft7 && n.Has("$ref")
	for _, m := range n.Members() {
		keyword, known := schema.LookupKeyword(m.Name)
		switch {
		case isReference && m.Name != "$ref" && (!known || !keyword.Annotation):
			c.changed(from, "%s was dropped; %s ignores what stands beside $ref", m.Name, c.from)
		case introduced[m.Name] > c.from:
			c.changed(from, "%s was dropped; %s does not know it and ignores it", m.Name, c.from)
		default:
			c.member(&out, n, m, from, to)
		}
	}
	return out.Object()
}

// member rewrites one member of a node into as many as it takes.
func (c *conversion) member(out *schema.Fields, n *schema.Value, m schema.Member, from, to string) {
	value := m.Value
	switch {
	case m.Name == "$schema" && isKnownDialect(n):
	case isIdentifier(c.from, m):
		c.identifier(out, m, from)
	case m.Name == "items" && value.Kind() == schema.Array && value.Len() > 0:
		c.changed(from, "the tuple in items became prefixItems")
		out.Add("prefixItems", c.list(value, finding.Pointer(from, "items"), finding.Pointer(to, "prefixItems")))
	case m.Name == "additionalItems":
		if items := n.Get("items"); items != nil && items.Kind() == schema.Array && items.Len() > 0 {
			out.Add("items", c.node(value, finding.Pointer(from, m.Name), finding.Pointer(to, "items")))
			return
		}
		c.changed(from, "additionalItems was dropped; it means something only beside a tuple")
	case m.Name == "dependencies" && c.from <= draft7 && value.Kind() == schema.Object:
		c.dependencies(out, value, from, to)
	case c.from == draft4 && value.Kind() == schema.Bool && exclusiveBounds[m.Name] != "":
		c.exclusive(out, n, m, from)
	case c.from == draft4 && isReplacedBound(n, m.Name):
	default:
		*out = append(*out, schema.MapChildren(m, func(child schema.Child) *schema.Value {
			return c.node(child.Value, child.Pointer(from), child.Pointer(to))
		}))
	}
}

func (c *conversion) list(list *schema.Value, from, to string) *schema.Value {
	items := slices.Clone(list.Items())
	for i, item := range items {
		items[i] = c.node(item, finding.Pointer(from, strconv.Itoa(i)), finding.Pointer(to, strconv.Itoa(i)))
	}
	return schema.NewArray(items...)
}

// dependencies splits the keyword by what its values are.
func (c *conversion) dependencies(out *schema.Fields, value *schema.Value, from, to string) {
	var names, schemas schema.Fields
	for _, m := range value.Members() {
		if m.Value.Kind() == schema.Array {
			names.Add(m.Name, m.Value)
			continue
		}
		schemas.Add(m.Name, c.node(m.Value, finding.Pointer(from, "dependencies", m.Name), finding.Pointer(to, "dependentSchemas", m.Name)))
	}
	c.changed(from, "dependencies became dependentRequired and dependentSchemas")
	out.NonEmpty("dependentRequired", names.Object())
	out.NonEmpty("dependentSchemas", schemas.Object())
}

// exclusiveBounds are the keywords that are booleans in draft-04, with the
// bound that they are about.
var exclusiveBounds = map[string]string{"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}

// exclusive turns the boolean into the bound itself.
func (c *conversion) exclusive(out *schema.Fields, n *schema.Value, m schema.Member, from string) {
	bound := n.Get(exclusiveBounds[m.Name])
	switch {
	case m.Value.IsFalse():
		c.changed(from, "%s: false was dropped; it is the default", m.Name)
	case bound == nil:
		out.Add(m.Name, m.Value) // not valid in draft-04 either
	default:
		c.changed(from, "%s became the bound itself", m.Name)
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

func isKnownDialect(n *schema.Value) bool {
	_, _, known := dialectOf(n)
	return known
}

func isIdentifier(from draft, m schema.Member) bool {
	return m.Value.Kind() == schema.String && (m.Name == "$id" && from > draft4 && from <= draft7 || m.Name == "id" && from == draft4)
}

var anchorName = regexp.MustCompile(`^#([A-Za-z_][-A-Za-z0-9._]*)$`)

// identifier keeps a document's identity. A fragment names a place and is an
// anchor in 2020-12.
func (c *conversion) identifier(out *schema.Fields, m schema.Member, from string) {
	if anchor := anchorName.FindStringSubmatch(m.Value.Text()); anchor != nil {
		c.changed(from, "%s became $anchor", m.Name)
		out.Add("$anchor", schema.NewString(anchor[1]))
		return
	}
	out.Add("$id", m.Value)
}

// references follows the schemas that moved.
func (c *conversion) references(n *schema.Value) *schema.Value {
	if n.Kind() != schema.Object {
		return n
	}
	members := slices.Clone(n.Members())
	for i, m := range members {
		members[i] = schema.MapChildren(m, func(child schema.Child) *schema.Value { return c.references(child.Value) })
		if m.Name == "$ref" && m.Value.Kind() == schema.String {
			members[i].Value = schema.NewString(c.reference(m.Value.Text()))
		}
	}
	return schema.NewObject(members...)
}

func (c *conversion) reference(ref string) string {
	fragment, local := strings.CutPrefix(ref, "#/")
	decoded, err := url.PathUnescape(fragment)
	if !local || err != nil {
		return ref
	}
	old := finding.Pointer("", finding.Tokens("/"+decoded)...)
	moved, ok := c.moved[old]
	if !ok || moved == old {
		return ref
	}
	target := url.URL{Fragment: moved}
	return target.String()
}
