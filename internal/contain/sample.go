// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/toolcontract/operator/internal/pattern"
	"github.com/toolcontract/operator/internal/schema"
)

// sampler builds small instances from what the schemas say: listed values,
// bounds, lengths, examples and defaults. It only proposes; the validators of
// both schemas decide what a proposal is worth. Nothing in it is random.
type sampler struct {
	judge *judge
	// memo holds what is known of a pair; a pair being sampled has nothing yet,
	// which ends recursive schemas.
	memo map[pair][]*schema.Value
	// edges holds what boundary has proposed.
	edges map[edgesKey][]*schema.Value
	left  int
	// spelling is what may still be spent on texts for patterns.
	spelling int
}

const (
	// maxSamples bounds the pairs that are sampled for one question.
	maxSamples = 4_000
	// maxMinimal is how many small values of one node are kept.
	maxMinimal = 3
	// maxSpelling bounds the work on texts for patterns, and maxTextWork that on
	// one of them.
	maxSpelling = pattern.MaxWithin
	maxTextWork = 10_000
	// maxPadding is the longest string or array that is built to reach a
	// minimum; a witness longer than that shows nothing to a reader.
	maxPadding = 2_048
)

func newSampler(j *judge) sampler {
	return sampler{judge: j, memo: map[pair][]*schema.Value{}, edges: map[edgesKey][]*schema.Value{}, left: maxSamples, spelling: maxSpelling}
}

// minimal proposes small values of a, those first that b admits as well. Both
// may be nil.
func (s *sampler) minimal(a, b *node) []*schema.Value {
	a, b = a.orEverything(), b.orEverything()
	key := pair{a, b}
	if known, ok := s.memo[key]; ok {
		return known
	}
	s.memo[key] = nil
	if s.left--; s.left < 0 {
		return nil
	}
	out := s.choose(a, b, slices.Concat(s.plain(a, b), s.fromApplicators(a, b)))
	s.memo[key] = out
	return out
}

// choose keeps the first proposals that a may admit, distinct, those first
// that b admits.
func (s *sampler) choose(a, b *node, proposals []*schema.Value) []*schema.Value {
	var both, rest []*schema.Value
	for _, v := range newValueSet(proposals).list {
		if s.judge.admits(a, v) == no {
			continue
		}
		if s.judge.admits(b, v) == yes {
			both = append(both, v)
		} else {
			rest = append(rest, v)
		}
	}
	all := slices.Concat(both, rest)
	return head(all, maxMinimal)
}

// plain proposes values from the parts of the node.
func (s *sampler) plain(a, b *node) []*schema.Value {
	out := slices.Concat(authored(a), authored(b), listedValues(a))
	if a.kinds&kindString != 0 {
		out = append(out, s.stringsOf(&a.text)...)
	}
	if a.kinds&kindNumber != 0 {
		out = appendNumber(out, a.number.nearest(new(big.Rat)))
		out = appendNumber(out, a.number.nearest(big.NewRat(1, 2)))
	}
	out = append(out, a.singles()...)
	if a.kinds&kindObject != 0 {
		out = append(out, s.object(a, b)...)
	}
	if a.kinds&kindArray != 0 {
		out = append(out, s.arrayOf(a, b, a.array.min)...)
	}
	return out
}

// authored are the examples that a schema gives itself.
func authored(n *node) []*schema.Value {
	var out []*schema.Value
	if v := n.source.Get("default"); v != nil {
		out = append(out, v)
	}
	if v := n.source.Get("examples"); v != nil && v.Kind() == schema.Array {
		out = append(out, head(v.Items(), maxMinimal)...)
	}
	return out
}

// listedValues are the first values of each list of the node.
func listedValues(n *node) []*schema.Value {
	var out []*schema.Value
	for _, set := range []*valueSet{n.text.values, n.number.values, n.array.values, n.object.values} {
		if set != nil {
			out = append(out, set.head(maxMinimal)...)
		}
	}
	return out
}

// fromApplicators proposes values of the schemas at the same place, filled up
// with what the node itself requires.
func (s *sampler) fromApplicators(a, b *node) []*schema.Value {
	var out []*schema.Value
	add := func(n *node) {
		for _, v := range s.minimal(n, b) {
			out = append(out, s.fill(a, b, v))
		}
	}
	for _, c := range a.all {
		add(c)
	}
	for _, branches := range a.unions() {
		for _, branch := range branches {
			add(branch)
		}
	}
	return out
}

// object proposes the smallest object with everything that a requires, and
// with what b requires and a allows.
func (s *sampler) object(a, b *node) []*schema.Value {
	base := s.fill(a, b, schema.NewObject())
	out := []*schema.Value{base}
	if short := a.object.min - int64(base.Len()); short > 0 {
		out = append(out, s.pad(a, b, base, min(short, maxPadding)))
	}
	return out
}

// fill adds the required members that an object lacks, as far as they can be
// made; other values stay as they are.
func (s *sampler) fill(a, b *node, v *schema.Value) *schema.Value {
	if v.Kind() != schema.Object {
		return v
	}
	v = s.extend(a, b, v, slices.Concat(a.object.required, b.object.required), int64(maxPadding))
	for range maxDemands {
		more := slices.Concat(a.demands(v), b.demands(v))
		filled := s.extend(a, b, v, more, int64(maxPadding))
		if filled == v {
			break
		}
		v = filled
	}
	return v
}

// maxDemands is how often added members may demand further ones.
const maxDemands = 3

// demands are names that the members of an object require, and those that the
// schemas beside the node require.
func (n *node) demands(v *schema.Value) []string {
	var names []string
	for _, d := range n.object.dependent {
		if v.Has(d.name) {
			names = append(names, d.needs...)
		}
	}
	for _, c := range n.all {
		names = append(names, c.object.required...)
	}
	for _, d := range n.dependent {
		if v.Has(d.name) {
			names = append(names, d.node.object.required...)
		}
	}
	return names
}

// extend adds members of these names that an object lacks, at most n.
func (s *sampler) extend(a, b *node, v *schema.Value, names []string, n int64) *schema.Value {
	members := slices.Clip(v.Members())
	present := make(map[string]bool, len(members))
	for _, m := range members {
		present[m.Name] = true
	}
	for _, name := range names {
		if n <= 0 {
			break
		}
		if name == "" || present[name] {
			continue
		}
		present[name] = true
		if value := s.member(a, b, name); value != nil {
			members = append(members, schema.Member{Name: name, Value: value})
			n--
		}
	}
	if len(members) == v.Len() {
		return v
	}
	return schema.NewObject(members...)
}

// pad adds members until an object has n more.
func (s *sampler) pad(a, b *node, v *schema.Value, n int64) *schema.Value {
	names := make([]string, 0, len(a.object.properties))
	for _, p := range a.object.properties {
		names = append(names, p.name)
	}
	names = append(names, freshName(a, b))
	for i := range n {
		names = append(names, "extra"+strconv.FormatInt(i+1, 10))
	}
	return s.extend(a, b, v, names, n)
}

// member proposes one value for a member, or nil if none was found.
func (s *sampler) member(a, b *node, name string) *schema.Value {
	values := s.common(a.object.surelyAt(name), b.object.surelyAt(name))
	if len(values) == 0 {
		return nil
	}
	return values[0]
}

// common proposes values that every schema of inA admits; the first schema
// that says anything makes the proposals.
func (s *sampler) common(inA, inB []*node) []*schema.Value {
	var proposals []*schema.Value
	for _, x := range append(slices.Clip(inA), nil) {
		proposals = append(proposals, s.minimal(x, first(inB))...)
	}
	return slices.DeleteFunc(proposals, func(v *schema.Value) bool {
		return slices.ContainsFunc(inA, func(n *node) bool { return s.judge.admits(n, v) == no })
	})
}

// objectWithout proposes objects of a that lack one member.
func (s *sampler) objectWithout(a, b *node, name string) []*schema.Value {
	var out []*schema.Value
	for _, v := range s.minimal(a, b) {
		if v.Kind() == schema.Object {
			out = append(out, v.Without(name))
		}
	}
	return out
}

// objectsWith proposes objects of a that have one member and lack another.
func (s *sampler) objectsWith(a, b *node, name, without string) []*schema.Value {
	member := s.member(a, b, name)
	if member == nil {
		return nil
	}
	v := s.fill(a, b, schema.NewObject(schema.Member{Name: name, Value: member}))
	return []*schema.Value{v.Without(without), v}
}

// arrayOf proposes arrays of a given length.
func (s *sampler) arrayOf(a, b *node, length int64) []*schema.Value {
	for _, c := range a.array.contains {
		length = max(length, c.min)
	}
	if length > maxPadding {
		return nil
	}
	items := make([]*schema.Value, 0, length)
	used := newValueSet(nil)
	for i := range int(length) {
		item := s.item(a, b, i, used)
		if item == nil {
			return nil
		}
		used.add(item)
		items = append(items, item)
	}
	out := []*schema.Value{schema.NewArray(items...)}
	for _, c := range a.array.contains {
		if matching := s.minimal(c.node, a.array.rest); len(matching) > 0 {
			out = append(out, schema.NewArray(slices.Repeat(matching[:1], int(max(c.min, length)))...))
		}
	}
	return out
}

// item proposes one item: one that is not used yet, if items must differ.
func (s *sampler) item(a, b *node, i int, used *valueSet) *schema.Value {
	proposals := s.minimal(a.array.item(i), b.array.item(i))
	if !a.array.unique {
		if len(proposals) == 0 {
			return nil
		}
		return proposals[0]
	}
	n := a.array.item(i).orEverything()
	proposals = slices.Concat(proposals, listedAll(n), distinct(n, len(used.list)))
	for _, v := range proposals {
		if !used.has(v) && s.judge.admits(n, v) != no {
			return v
		}
	}
	return nil
}

func listedAll(n *node) []*schema.Value {
	values, _ := n.finite()
	return values
}

// distinct are a number and a string that differ for each count.
func distinct(n *node, i int) []*schema.Value {
	out := []*schema.Value{schema.NewString(strings.Repeat("x", i+1))}
	step := unit
	if n.number.step != nil {
		step = n.number.step
	}
	return appendNumber(out, n.number.nearest(new(big.Rat).Mul(step, big.NewRat(int64(i), 1))))
}

// patternSamples are texts of the shapes that patterns of real tools ask for.
var patternSamples = []string{
	"a", "A", "0", "1", "ab", "abc", "a1", "A1", "a-b", "a_b", "a.b", "a/b", "a:b", "x-a", "AB", "ABC", "US", "USD", "01", "10", "1.0", "1.2.3",
	"2026-01-02", "2026-01", "2026", "03:04", "2026-01-02T03:04:05Z", "a@example.com", "https://example.com/", "/a", "#ffffff", "+1",
	"00000000-0000-4000-8000-000000000000", "0x0", "en", "en-US", " ", "!", "é", "",
}

// stringsOf proposes strings: a plain one, some of each format, a shortest one
// by the patterns, and common shapes stretched to the wanted length.
func (s *sampler) stringsOf(t *texts) []*schema.Value {
	if t.min > maxPadding {
		return nil
	}
	var texts []string
	for _, format := range t.formats {
		texts = append(texts, formats[format].has...)
	}
	texts = append(texts, strings.Repeat("x", int(max(t.min, 1))), "")
	if len(t.patterns) > 0 {
		for _, p := range t.patterns {
			texts = append(texts, likely(p))
		}
		texts = append(texts, patternSamples...)
		for _, c := range "a0A" {
			texts = append(texts, strings.Repeat(string(c), int(max(t.min, 1))))
		}
	}
	var out []*schema.Value
	for _, text := range texts {
		if t.admits(text) != no {
			out = append(out, schema.NewString(text))
		}
		if len(out) == maxMinimal {
			return out
		}
	}
	if len(t.patterns)+len(t.formats) > 0 {
		out = s.appendText(out, t.language())
	}
	return out
}

// appendText adds a shortest text of a set, or what is likely to be one.
func (s *sampler) appendText(list []*schema.Value, set pattern.Texts) []*schema.Value {
	budget := min(s.spelling, maxTextWork)
	s.spelling -= budget
	found, text := set.Find(&budget)
	s.spelling += max(budget, 0)
	if found == pattern.No || (found == pattern.Undecided && text == "") {
		return list
	}
	return append(list, schema.NewString(text))
}

// likely is the text that is left of a pattern without its operators; for a
// prefix such as ^x- it is a match.
func likely(p *pattern.Pattern) string {
	return strings.Trim(strings.NewReplacer(`\`, "", "^", "", "$", "", "(", "", ")", "", ".*", "", ".+", "a").Replace(p.String()), " ")
}

// nameMatching proposes a member name for a pattern that neither side
// declares; empty if none was found.
func nameMatching(p *pattern.Pattern, a, b *node) string {
	for _, name := range append([]string{likely(p), likely(p) + "a"}, patternSamples...) {
		if ok, err := p.Match(name); err == nil && ok && undeclared(name, a, b) {
			return name
		}
	}
	budget := maxNaming
	_, name := pattern.Texts{All: []*pattern.Pattern{p}, Most: -1, Except: declaredNames(&a.object, &b.object)}.Find(&budget)
	return name
}

// maxNaming bounds the work on one name for a pattern.
const maxNaming = 5_000

// freshName proposes a member name that neither side speaks of.
func freshName(a, b *node) string {
	for _, name := range []string{"extra", "other", "x", "zz", "0", "_", "-", "A"} {
		if undeclared(name, a, b) && !matchesAny(name, &a.object) && !matchesAny(name, &b.object) {
			return name
		}
	}
	return ""
}

func undeclared(name string, a, b *node) bool {
	_, inA := a.object.property(name)
	_, inB := b.object.property(name)
	return !inA && !inB
}

func matchesAny(name string, o *objects) bool {
	return slices.ContainsFunc(o.patterns, func(p patternProperty) bool {
		ok, err := p.pattern.Match(name)
		return ok || err != nil
	})
}
