// SPDX-License-Identifier: Apache-2.0

package dialect

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
)

// reference leads a reference to where its target went. Nothing outside of the
// document is ever opened.
func (c *conversion) reference(ref, from, keyword string) string {
	b := c.base[from]
	uri, err := b.uri.Parse(ref)
	if err != nil {
		return c.lost(ref, from, keyword, "is not a URI reference", "percent-encode what a URI cannot hold")
	}
	fragment := uri.Fragment
	uri.Fragment, uri.RawFragment = "", ""
	root, inside := c.resources[uri.String()]
	name := uri.String() + "#" + fragment
	switch {
	case !inside:
		return c.lost(ref, from, keyword, "leaves the document; nothing is ever fetched or opened", "copy the target into definitions and refer to it there")
	case c.ambiguous[uri.String()] || c.ambiguous[name]:
		return c.lost(ref, from, keyword, "can mean several places, because two of them have that name", "rename one of them")
	case fragment == "":
		return c.pointerTo(root)
	case !strings.HasPrefix(fragment, "/"):
		target, known := c.names[name]
		switch {
		case !known:
			return c.lost(ref, from, keyword, "leads to a name that no schema has", "refer to the place by pointer")
		case strings.HasPrefix(ref, "#") && c.keepsAnchor(fragment, b):
			return ref
		}
		return c.pointerTo(target)
	}
	return c.pointer(ref, root+fragment, from, keyword)
}

// pointer follows a reference that is a pointer in the old document.
func (c *conversion) pointer(ref, target, from, keyword string) string {
	tokens := finding.Tokens(target)
	moved, known := c.moved[target]
	switch {
	case known && moved == target && strings.HasPrefix(ref, "#") && c.base[from].root == "":
		return ref
	case known:
		return c.pointerTo(target)
	case finding.Pointer("", tokens...) != target:
		return c.lost(ref, from, keyword, "has a ~ that is neither ~0 nor ~1", "write ~0 for ~ and ~1 for /")
	case c.document.At(tokens) != nil:
		return c.lost(ref, from, keyword, fmt.Sprintf("leads to a place that is no schema in %s, or that says nothing there", c.from), "move the target below definitions")
	}
	return c.lost(ref, from, keyword, "leads nowhere", "define the target below definitions")
}

// pointerTo is the reference to a place of the old document.
func (c *conversion) pointerTo(target string) string {
	fragment := url.URL{Fragment: c.moved[target]}
	return "#" + strings.TrimPrefix(fragment.String(), "#")
}

func (c *conversion) lost(ref, from, keyword, why, fix string) string {
	c.refuse(from, keyword, fmt.Sprintf("the reference %s %s", finding.Quote(ref), why), fix)
	return ref
}
