// SPDX-License-Identifier: Apache-2.0

package dialect

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// base is what the references of a schema are relative to: the URI of the
// document, or of the embedded document, that it is part of.
type base struct {
	uri  url.URL
	root string // old pointer of that document
}

// key is the URI as a map key, empty for a document that has none.
func (b *base) key() string { return b.uri.String() }

// index finds every schema below a node, where it goes, and what it is called.
func (c *conversion) index(n *schema.Value, from, to string, around *base) {
	if c.pointers += len(from) + len(to); c.pointers > 2*schema.MaxPointers {
		if !finding.HasErrors(c.findings) {
			c.refuse("", "", fmt.Sprintf("the pointers to all subschemas have more than %d bytes together", schema.MaxPointers),
				"shorten the names of properties that hold many others, or move the inner schemas to definitions")
		}
		return
	}
	c.moved[from] = to
	c.base[from] = around
	if from == "" {
		c.claim(c.resources, "", "")
	}
	if n.Kind() != schema.Object {
		return
	}
	c.base[from] = c.identify(n, from, around)
	for _, s := range c.seats(n) {
		c.boolean(s, from)
		c.index(s.value, finding.Pointer(from, s.old...), finding.Pointer(to, s.new...), c.base[from])
	}
}

// boolean judges a boolean in the place of a schema. Draft-04 has them in two
// keywords only.
func (c *conversion) boolean(s seat, from string) {
	if c.from > draft4 || s.value.Kind() != schema.Bool || s.old[0] == "additionalProperties" || s.old[0] == "additionalItems" {
		return
	}
	c.noBoolean(finding.Pointer(from, s.old...))
}

func (c *conversion) noBoolean(at string) {
	c.refuse(at, "", "draft-04 has no boolean schemas, so it does not say what this one admits", "write {} for true and {\"not\": {}} for false")
}

// identifier is the keyword that names a schema in the dialect.
func (c *conversion) identifier() string {
	if c.from == draft4 {
		return "id"
	}
	return "$id"
}

// identify records what a schema is called, and returns what its references
// are relative to.
func (c *conversion) identify(n *schema.Value, from string, around *base) *base {
	b := around
	if id := n.Get(c.identifier()); id != nil && id.Kind() == schema.String && !c.isOverridden(n, c.identifier()) {
		b = c.identified(id.Text(), from, around)
	}
	anchor := n.Get("$anchor")
	if c.from == draft2019 && anchor != nil && anchor.Kind() == schema.String {
		c.claim(c.names, b.key()+"#"+anchor.Text(), from)
	}
	c.nestedDialect(n, from)
	return b
}

// identified records one identifier.
func (c *conversion) identified(id, from string, around *base) *base {
	keyword := c.identifier()
	uri, err := around.uri.Parse(id)
	if err != nil {
		c.refuse(from, keyword, fmt.Sprintf("%s is not a URI reference", finding.Quote(id)), "correct it, or remove it: nothing needs it")
		return around
	}
	fragment := uri.Fragment
	uri.Fragment, uri.RawFragment = "", ""
	b := around
	if bare, _, _ := strings.Cut(id, "#"); bare != "" && (from == "" || uri.String() != around.key()) {
		b = &base{uri: *uri, root: from}
		c.claim(c.resources, b.key(), from)
	}
	switch {
	case fragment == "":
	case c.from > draft7:
		c.refuse(from, keyword, fmt.Sprintf("%s has a fragment, which 2019-09 forbids", finding.Quote(id)), "write the fragment as $anchor")
	case strings.HasPrefix(fragment, "/"):
		// Not a name but a pointer, which generators write at every place. It says
		// nothing new where it is true.
		if b.root+fragment != from {
			c.ambiguous[b.key()+"#"+fragment] = true
		}
	default:
		c.claim(c.names, b.key()+"#"+fragment, from)
	}
	return b
}

// claim records that a place has a name.
func (c *conversion) claim(names map[string]string, name, from string) {
	if other, taken := names[name]; taken && other != from {
		c.ambiguous[name] = true
	}
	names[name] = from
}

// nestedDialect refuses documents of several dialects.
func (c *conversion) nestedDialect(n *schema.Value, from string) {
	declared := n.Get("$schema")
	if from == "" || declared == nil || declared.Kind() != schema.String || c.from <= draft7 && n.Has("$ref") {
		return
	}
	if d, known := lookup(declared.Text()); !known || d != c.from {
		c.refuse(from, "$schema", fmt.Sprintf("the dialect %s begins inside of a document of %s", finding.Quote(declared.Text()), c.from),
			"write the whole document in one dialect")
	}
}

// anchorName is what an anchor of 2020-12 looks like.
var anchorName = regexp.MustCompile(`^[A-Za-z_][-A-Za-z0-9._]*$`)

// keepsAnchor reports whether a name can stay an anchor: 2020-12 allows it, it is
// that of one place, and embedded documents, whose names it would meet, have none.
func (c *conversion) keepsAnchor(name string, b *base) bool {
	return b.root == "" && anchorName.MatchString(name) && !c.ambiguous[b.key()+"#"+name]
}
