// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/pattern"
	"github.com/toolcontract/operator/internal/schema"
)

// When is the condition of a [Case]. All fields that are given must hold. The
// vocabulary is fixed, so that every condition is checked by machine and read
// by whoever rewrites schemas.
type When struct {
	// AtRoot: the node is the root of the schema.
	AtRoot *bool `json:"atRoot,omitempty"`
	// HeldBy: the node is a direct subschema of one of these keywords.
	HeldBy []string `json:"heldBy,omitempty"`
	// Has: one of these keywords stands beside.
	Has []string `json:"has,omitempty"`
	// Lacks: none of these keywords is in the node.
	Lacks []string `json:"lacks,omitempty"`
	// HasSiblings: the keyword does not stand alone.
	HasSiblings *bool `json:"hasSiblings,omitempty"`
	// SiblingsOtherThan: a keyword stands beside that is none of these; a
	// trailing * matches any ending.
	SiblingsOtherThan []string `json:"siblingsOtherThan,omitempty"`

	// ValueIs: the keyword has this JSON value.
	ValueIs *JSON `json:"valueIs,omitempty"`
	// ValueIn: the keyword has one of these JSON values.
	ValueIn []JSON `json:"valueIn,omitempty"`
	// ValueKinds: the value is of one of these JSON types.
	ValueKinds []string `json:"valueKinds,omitempty"`
	// MemberKinds: an element of the value is of one of these JSON types.
	MemberKinds []string `json:"memberKinds,omitempty"`
	// BranchHas: a subschema of the keyword has one of these keywords.
	BranchHas []string `json:"branchHas,omitempty"`
	// URIReference: the value is, or is not, a URI reference.
	URIReference *bool `json:"uriReference,omitempty"`

	// RefOutside: the reference leads neither to the root, for the word root,
	// nor to an entry of one of these keywords of the root.
	RefOutside []string `json:"refOutside,omitempty"`
	// CycleWithoutOptionalProperty, of [Recursion] only: the cycle passes
	// through no property that may be absent.
	CycleWithoutOptionalProperty *bool `json:"cycleWithoutOptionalProperty,omitempty"`

	// PatternUses: the pattern uses one of these [pattern.Features].
	PatternUses []string `json:"patternUses,omitempty"`
	// PatternRepeatAbove: the pattern repeats something more often than this.
	PatternRepeatAbove *int `json:"patternRepeatAbove,omitempty"`
}

// JSON is a JSON value in a profile file.
type JSON struct{ value *schema.Value }

// UnmarshalJSON reads a value of any type.
func (j *JSON) UnmarshalJSON(raw []byte) error {
	v, failed := schema.Parse(raw)
	if failed != nil {
		return fmt.Errorf("reading value: %s", failed.Message)
	}
	j.value = v
	return nil
}

// patternFeatures are the words of PatternUses.
var patternFeatures = map[string]func(pattern.Features) bool{
	"Lookaround":      func(f pattern.Features) bool { return f.Lookaround },
	"BackReference":   func(f pattern.Features) bool { return f.BackReference },
	"WordBoundary":    func(f pattern.Features) bool { return f.WordBoundary },
	"NamedGroup":      func(f pattern.Features) bool { return f.NamedGroup },
	"UnicodeProperty": func(f pattern.Features) bool { return f.UnicodeProperty },
	"Lazy":            func(f pattern.Features) bool { return f.Lazy },
}

// place is where a case is asked about: a node, and the keyword in it if the
// case is not one of a shape.
type place struct {
	schema  *schema.Schema
	node    int
	keyword string
	value   *schema.Value // of the keyword; nil for shapes
}

func (p *place) at() *schema.Node { return &p.schema.Nodes()[p.node] }

// holds reports whether the condition is true of a place; a nil condition
// always is.
func (w *When) holds(p *place) bool {
	return w == nil || (w.nodeHolds(p) && w.valueHolds(p) && w.targetHolds(p) && w.patternHolds(p))
}

// nodeHolds judges where the node is and what else it has.
func (w *When) nodeHolds(p *place) bool {
	n := p.at()
	switch {
	case w.AtRoot != nil && *w.AtRoot != (n.Parent < 0):
		return false
	case len(w.HeldBy) > 0 && !slices.Contains(w.HeldBy, n.In):
		return false
	case len(w.Has) > 0 && !slices.ContainsFunc(w.Has, n.Value.Has):
		return false
	case slices.ContainsFunc(w.Lacks, n.Value.Has):
		return false
	case w.HasSiblings != nil && *w.HasSiblings != (n.Value.Len() > 1):
		return false
	case len(w.SiblingsOtherThan) > 0 && !p.hasSiblingOtherThan(w.SiblingsOtherThan):
		return false
	}
	return true
}

func (p *place) hasSiblingOtherThan(patterns []string) bool {
	return slices.ContainsFunc(p.at().Value.Members(), func(m schema.Member) bool {
		return m.Name != p.keyword && !slices.ContainsFunc(patterns, func(g string) bool { return matchesGlob(g, m.Name) })
	})
}

// valueHolds judges the value of the keyword.
func (w *When) valueHolds(p *place) bool {
	equals := func(j JSON) bool { return j.value.Equal(p.value) }
	switch {
	case w.ValueIs != nil && !equals(*w.ValueIs):
		return false
	case len(w.ValueIn) > 0 && !slices.ContainsFunc(w.ValueIn, equals):
		return false
	case len(w.ValueKinds) > 0 && (p.value == nil || !slices.Contains(w.ValueKinds, p.value.Kind().String())):
		return false
	case len(w.MemberKinds) > 0 && !p.hasMember(func(v *schema.Value) bool { return slices.Contains(w.MemberKinds, v.Kind().String()) }):
		return false
	case len(w.BranchHas) > 0 && !p.hasMember(func(v *schema.Value) bool { return slices.ContainsFunc(w.BranchHas, v.Has) }):
		return false
	case w.URIReference != nil && *w.URIReference != (p.value != nil && isURIReference(p.value.Text())):
		return false
	}
	return true
}

func (p *place) hasMember(is func(*schema.Value) bool) bool {
	return p.value != nil && slices.ContainsFunc(p.value.Items(), is)
}

// targetHolds judges where a reference leads.
func (w *When) targetHolds(p *place) bool {
	if len(w.RefOutside) == 0 {
		return true
	}
	n := p.at()
	if n.Ref < 0 {
		return false
	}
	target := &p.schema.Nodes()[n.Ref]
	switch {
	case target.Parent < 0:
		return !slices.Contains(w.RefOutside, "root")
	case target.Parent == 0:
		return !slices.Contains(w.RefOutside, target.In)
	default:
		return true
	}
}

// patternHolds judges the regular expression that is the value.
func (w *When) patternHolds(p *place) bool {
	if len(w.PatternUses) == 0 && w.PatternRepeatAbove == nil {
		return true
	}
	if p.value == nil {
		return false
	}
	compiled := p.schema.Pattern(p.value.Text())
	if compiled == nil { // not a string; the meta-schema reports that
		return false
	}
	features := compiled.Features()
	if len(w.PatternUses) > 0 && !slices.ContainsFunc(w.PatternUses, func(name string) bool { return patternFeatures[name](features) }) {
		return false
	}
	return w.PatternRepeatAbove == nil || features.MaxRepeat > *w.PatternRepeatAbove
}

// matchesGlob reports whether a name matches a pattern with at most one *, at
// its end.
func matchesGlob(pattern, name string) bool {
	if prefix, open := strings.CutSuffix(pattern, "*"); open {
		return strings.HasPrefix(name, prefix)
	}
	return pattern == name
}

// isURIReference reports whether every character may stand in a URI reference
// (RFC 3986). That is what the APIs were seen to check; net/url accepts more.
func isURIReference(s string) bool {
	const allowed = "-._~:/?#[]@!$&'()*+,;=%"
	for i := range len(s) {
		c := s[i]
		isLetterOrDigit := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		if !isLetterOrDigit && strings.IndexByte(allowed, c) < 0 {
			return false
		}
		if c == '%' && (i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2])) {
			return false
		}
	}
	return true
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
