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
	// Empty: each of these keywords is missing in the node, or has no element or
	// member.
	Empty []string `json:"empty,omitempty"`
	// HasSiblings: the keyword does not stand alone; of a shape: the node is not
	// the empty schema.
	HasSiblings *bool `json:"hasSiblings,omitempty"`
	// SiblingsOtherThan: a keyword stands beside that is none of these; a
	// trailing * matches any ending.
	SiblingsOtherThan []string `json:"siblingsOtherThan,omitempty"`
	// TypeHas: the type of the node is one of these, or a list with one of them.
	TypeHas []string `json:"typeHas,omitempty"`
	// TypeOtherThan: the node has no type, or one that is none of these, alone or
	// in a list.
	TypeOtherThan []string `json:"typeOtherThan,omitempty"`
	// ReachedOtherThan: a step from the root to the node is by a keyword that is
	// none of these.
	ReachedOtherThan []string `json:"reachedOtherThan,omitempty"`

	// ValueIs: the keyword has this JSON value.
	ValueIs *JSON `json:"valueIs,omitempty"`
	// ValueIn: the keyword has one of these JSON values.
	ValueIn []JSON `json:"valueIn,omitempty"`
	// ValueKinds: the value is of one of these JSON types.
	ValueKinds []string `json:"valueKinds,omitempty"`
	// MemberKinds: an element of the value is of one of these JSON types.
	MemberKinds []string `json:"memberKinds,omitempty"`
	// MemberIn: an element of the value is one of these JSON values.
	MemberIn []JSON `json:"memberIn,omitempty"`
	// ValueAbove: the value is a number greater than this one.
	ValueAbove *JSON `json:"valueAbove,omitempty"`
	// CountAbove: the value has more elements or members than this.
	CountAbove *int `json:"countAbove,omitempty"`
	// BranchHas: a subschema of the keyword has one of these keywords.
	BranchHas []string `json:"branchHas,omitempty"`
	// BranchLacks: a subschema of the keyword has none of these keywords.
	BranchLacks []string `json:"branchLacks,omitempty"`
	// ValueMatches: the value is a string or number whose text matches this RE2
	// expression.
	ValueMatches *Expression `json:"valueMatches,omitempty"`
	// ValueRepeated: another node has the same keyword with the same text, upper
	// and lower case aside.
	ValueRepeated *bool `json:"valueRepeated,omitempty"`
	// TypeExcludesMember, of type: a member of the enum that stands beside, or the
	// const, has none of the types.
	TypeExcludesMember *bool `json:"typeExcludesMember,omitempty"`
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
	// PatternAnchored: the whole pattern stands between ^ and $, or does not, so
	// that searching for it and comparing with it are the same, or are not.
	PatternAnchored *bool `json:"patternAnchored,omitempty"`
}

// JSON is a JSON value in a profile file.
type JSON struct{ value *schema.Value }

// UnmarshalJSON reads a value of any type.
func (j *JSON) UnmarshalJSON(raw []byte) error {
	v, failed := schema.Parse(raw)
	if failed != nil {
		return fmt.Errorf("reading value: %s", failed.Message)
	}
	j.value = byName(v)
	return nil
}

// byName puts the members of objects in the order of their names: an API server
// keeps no other, and a profile is the same with any.
func byName(v *schema.Value) *schema.Value {
	switch v.Kind() { //nolint:exhaustive // all other kinds hold nothing
	case schema.Array:
		items := make([]*schema.Value, v.Len())
		for i, item := range v.Items() {
			items[i] = byName(item)
		}
		return schema.NewArray(items...)
	case schema.Object:
		members := slices.Clone(v.Members())
		for i := range members {
			members[i].Value = byName(members[i].Value)
		}
		slices.SortFunc(members, func(a, b schema.Member) int { return strings.Compare(a.Name, b.Name) })
		return schema.NewObject(members...)
	}
	return v
}

// MarshalJSON writes the value.
func (j JSON) MarshalJSON() ([]byte, error) { return j.value.AppendJSON(nil), nil }

// patternFeatures are the words of PatternUses.
var patternFeatures = map[string]func(pattern.Features) bool{
	"Lookaround":        func(f pattern.Features) bool { return f.Lookaround },
	"BackReference":     func(f pattern.Features) bool { return f.BackReference },
	"WordBoundary":      func(f pattern.Features) bool { return f.WordBoundary },
	"StartAnchor":       func(f pattern.Features) bool { return f.StartAnchor },
	"EndAnchor":         func(f pattern.Features) bool { return f.EndAnchor },
	"NamedGroup":        func(f pattern.Features) bool { return f.NamedGroup },
	"NonCapturingGroup": func(f pattern.Features) bool { return f.NonCapturing },
	"ClassEscape":       func(f pattern.Features) bool { return f.ClassEscape },
	"UnicodeProperty":   func(f pattern.Features) bool { return f.UnicodeProperty },
	"Lazy":              func(f pattern.Features) bool { return f.Lazy },
}

// place is where a case is asked about: a node, and the keyword in it if the
// case is not one of a shape.
type place struct {
	schema  *schema.Schema
	node    int
	keyword string
	value   *schema.Value // of the keyword; nil for shapes
	// instead is what the node is thought to be, where a repair is weighed.
	instead *schema.Value
}

func (p *place) at() *schema.Node {
	n := &p.schema.Nodes()[p.node]
	if p.instead == nil {
		return n
	}
	thought := *n
	thought.Value = p.instead
	return &thought
}

// holds reports whether the condition is true of a place; a nil condition
// always is.
func (w *When) holds(p *place) bool {
	return w == nil || (w.nodeHolds(p) && w.valueHolds(p) && w.branchHolds(p) && w.targetHolds(p) && w.patternHolds(p))
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
	case slices.ContainsFunc(w.Empty, func(k string) bool { return n.Value.Get(k).Len() > 0 }):
		return false
	case w.HasSiblings != nil && *w.HasSiblings != p.hasSiblings():
		return false
	case len(w.SiblingsOtherThan) > 0 && !p.hasSiblingOtherThan(w.SiblingsOtherThan):
		return false
	case len(w.TypeHas) > 0 && !p.typeHas(w.TypeHas):
		return false
	case len(w.TypeOtherThan) > 0 && !p.typeOtherThan(w.TypeOtherThan):
		return false
	case len(w.ReachedOtherThan) > 0 && !p.reachedOtherThan(w.ReachedOtherThan):
		return false
	}
	return true
}

func (p *place) hasSiblings() bool {
	alone := 1
	if p.keyword == "" {
		alone = 0
	}
	return p.at().Value.Len() > alone
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
	case len(w.MemberIn) > 0 && !p.hasMember(func(v *schema.Value) bool {
		return slices.ContainsFunc(w.MemberIn, func(j JSON) bool { return j.value.Equal(v) })
	}):
		return false
	case w.ValueAbove != nil && !isAbove(p.value, w.ValueAbove.value):
		return false
	case w.CountAbove != nil && p.value.Len() <= *w.CountAbove:
		return false
	case w.URIReference != nil && *w.URIReference != (p.value != nil && isURIReference(p.value.Text())):
		return false
	case w.ValueMatches != nil && !p.valueMatches(w.ValueMatches):
		return false
	case w.ValueRepeated != nil && *w.ValueRepeated != p.valueRepeated():
		return false
	case w.TypeExcludesMember != nil && *w.TypeExcludesMember != p.typeExcludesMember():
		return false
	}
	return true
}

func (p *place) hasMember(is func(*schema.Value) bool) bool {
	return p.value != nil && slices.ContainsFunc(p.value.Items(), is)
}

// isAbove reports whether both are numbers and the first is the greater one.
func isAbove(v, bound *schema.Value) bool {
	a, b := v.Rat(), bound.Rat()
	return a != nil && b != nil && a.Cmp(b) > 0
}

// branchHolds judges the subschemas that the keyword holds.
func (w *When) branchHolds(p *place) bool {
	has := func(names []string) func(*schema.Value) bool {
		return func(v *schema.Value) bool { return slices.ContainsFunc(names, v.Has) }
	}
	lacks := func(names []string) func(*schema.Value) bool {
		return func(v *schema.Value) bool { return v.IsSchema() && !slices.ContainsFunc(names, v.Has) }
	}
	return (len(w.BranchHas) == 0 || p.hasBranch(has(w.BranchHas))) &&
		(len(w.BranchLacks) == 0 || p.hasBranch(lacks(w.BranchLacks)))
}

// hasBranch reports whether a subschema that the keyword holds is so.
func (p *place) hasBranch(is func(*schema.Value) bool) bool {
	if p.value == nil {
		return false
	}
	switch k, _ := schema.LookupKeyword(p.keyword); k.Shape {
	case schema.One:
		return is(p.value)
	case schema.List:
		return slices.ContainsFunc(p.value.Items(), is)
	case schema.Map:
		return slices.ContainsFunc(p.value.Members(), func(m schema.Member) bool { return is(m.Value) })
	default:
		return false
	}
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
	if !w.isAboutPattern() {
		return true
	}
	if p.value == nil {
		return false
	}
	features, ok := p.features()
	if !ok { // not a string; the meta-schema reports that
		return false
	}
	if len(w.PatternUses) > 0 && !slices.ContainsFunc(w.PatternUses, func(name string) bool { return patternFeatures[name](features) }) {
		return false
	}
	if w.PatternAnchored != nil && *w.PatternAnchored != features.Anchored {
		return false
	}
	return w.PatternRepeatAbove == nil || features.MaxRepeat > *w.PatternRepeatAbove
}

// features are those of the value as a pattern. One that does not stand in the
// document, and is only thought of, is read here.
func (p *place) features() (features pattern.Features, ok bool) {
	if compiled := p.schema.Pattern(p.value.Text()); compiled != nil {
		return compiled.Features(), true
	}
	if p.value.Kind() != schema.String {
		return pattern.Features{}, false
	}
	features, err := pattern.FeaturesOf(p.value.Text())
	return features, err == nil
}

// isAboutPattern reports whether the condition looks into a pattern.
func (w *When) isAboutPattern() bool {
	return len(w.PatternUses) > 0 || w.PatternRepeatAbove != nil || w.PatternAnchored != nil
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
