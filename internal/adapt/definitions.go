// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// Rules of definitions.
const (
	RuleRenameDefinitions = "rename-definitions"
	RuleRenameDefinition  = "rename-definition"
	RuleMoveDefinition    = "move-to-definitions"
	RuleDropDefinition    = "drop-unused-definition"
	RuleDropAnchor        = "drop-anchor"
)

// definitions says what becomes of the definitions of a document. It is made
// once, before anything is written: references are written by it.
type definitions struct {
	// keyword holds them in the adapted schema.
	keyword string
	// names are the definitions by the index of their node: those that there are,
	// and those that are made of other places.
	names map[int]string
	// taken are the names that are in use, with the last number behind them.
	taken map[string]int
	// moved are the nodes that become definitions, in document order.
	moved []int
	// respelled are the targets that are referred to by pointer from now on.
	respelled map[int]bool
	// unused are definitions that nothing refers to and that are left out.
	unused map[int]bool
	// changes says that anything is not as the author has it.
	changes bool
}

// planDefinitions decides for the document: definitions becomes $defs where the
// profile takes only that; what a reference leads to becomes a definition where
// the profile takes references to definitions only; names are changed that it
// does not take; what nothing refers to is left out where it is refused.
func (r *rewriter) planDefinitions() {
	r.defs = definitions{keyword: "$defs", names: map[int]string{}, respelled: map[int]bool{}, unused: map[int]bool{}}
	d := &r.defs
	root := r.schema.Root()
	if root.Has("definitions") && !root.Has("$defs") && !r.loses(0, "definitions") {
		d.keyword = "definitions"
	}
	d.changes = root.Has("definitions") && d.keyword == "$defs" && r.loses(0, "definitions")
	r.nameDefinitions()
	if !r.loses(0, d.keyword) {
		r.planMoves()
	}
	r.planUnused()
}

// nameDefinitions gives every definition of the root its own name, or another
// one where both keywords have it.
func (r *rewriter) nameDefinitions() {
	for i := range r.schema.Nodes() {
		n := &r.schema.Nodes()[i]
		if n.Parent == 0 && isDefinition(n) {
			r.defs.names[i] = n.Token
			if n.In != r.defs.keyword && r.schema.Root().Get(r.defs.keyword).Has(n.Token) {
				r.defs.names[i] = ""
			}
		}
	}
	for i := range r.schema.Nodes() {
		if name, known := r.defs.names[i]; known && name == "" {
			r.defs.names[i] = r.freeName(r.schema.Nodes()[i].Token)
		}
	}
}

// freeName is a name that no definition has and that needs no escape in a
// pointer.
func (r *rewriter) freeName(name string) string {
	clean := strings.Map(func(c rune) rune {
		if c == '-' || c == '_' || c == '.' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
			return c
		}
		return '_'
	}, name)
	if clean == "" {
		clean = "definition"
	}
	if r.defs.taken == nil {
		r.defs.taken = map[string]int{}
		for _, other := range r.defs.names {
			r.defs.taken[other] = 1
		}
	}
	free, between := clean, ""
	if last := clean[len(clean)-1]; '0' <= last && last <= '9' {
		between = "_"
	}
	for r.defs.taken[free] > 0 {
		r.defs.taken[clean]++
		free = clean + between + strconv.Itoa(r.defs.taken[clean])
	}
	r.defs.taken[free] = 1
	return free
}

// maxRespelled bounds the references that are asked about one by one.
const maxRespelled = 2_000

// planMoves finds references that the profile would take if they led to a
// definition with a plain name, and makes it so.
func (r *rewriter) planMoves() {
	asked := 0
	for i := range r.schema.Nodes() {
		n := &r.schema.Nodes()[i]
		if n.Parent > 0 && (n.In == "$defs" || n.In == "definitions") && r.loses(n.Parent, n.In) && r.isUsed(i) {
			r.becomesDefinition(i)
		}
		if n.Ref < 0 || !r.loses(i, "$ref") || !r.isUsed(i) {
			continue // what is in a definition that is not used is left out with it
		}
		if asked++; asked > maxRespelled || !r.takesAs(i, n.Value, "$ref") {
			continue
		}
		r.becomesDefinition(n.Ref)
	}
	slices.Sort(r.defs.moved)
	r.defs.moved = slices.Compact(r.defs.moved)
}

// becomesDefinition gives a node a definition with a plain name.
func (r *rewriter) becomesDefinition(i int) {
	n := &r.schema.Nodes()[i]
	name, known := r.defs.names[i]
	r.defs.respelled[i] = true
	r.defs.changes = true
	switch {
	case !known:
		name = n.Token
		switch k, _ := schema.LookupKeyword(n.In); {
		case n.Parent < 0:
			name = "definition"
		case k.Shape == schema.List:
			name = n.In + n.Token // a number says nothing by itself
		case n.Token == "":
			name = n.In
		}
		r.defs.names[i] = r.freeName(name)
		r.defs.moved = append(r.defs.moved, i)
	case isPlainName(name):
		r.defs.keyword = "$defs"
	default:
		delete(r.defs.names, i)
		r.defs.names[i] = r.freeName(name)
		r.record(RuleRenameDefinition, Keep, n.Pointer, "the definition is renamed "+r.defs.names[i]+", because this API does not take the characters of its name in a reference")
	}
}

func isPlainName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(c rune) bool {
		return c != '-' && c != '_' && c != '.' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
	})
}

// planUnused leaves out the definitions that nothing uses, where one of them is
// refused or something in one is. They go together: they may refer to each
// other.
func (r *rewriter) planUnused() {
	var unused []int
	refused := false
	for i := range r.schema.Nodes() {
		n := &r.schema.Nodes()[i]
		if n.Parent < 0 || (n.In != "$defs" && n.In != "definitions") || r.isUsed(i) {
			continue
		}
		unused = append(unused, i)
		keyword := n.In
		if n.Parent == 0 {
			keyword = r.defs.keyword
		}
		refused = refused || r.loses(n.Parent, keyword) || r.isRefusedBelow(n.Pointer)
	}
	if !refused {
		return
	}
	for _, i := range unused {
		r.defs.unused[i] = true
	}
	r.defs.changes = true
}

// isUsed reports whether anything that applies to an instance lies in a node.
func (r *rewriter) isUsed(i int) bool {
	if r.used == nil {
		r.used = usedNodes(r.schema)
	}
	return r.used[i]
}

// usedNodes marks the nodes that can apply to an instance, those that hold one,
// and what these refer to: they are written as a whole.
func usedNodes(s *schema.Schema) []bool {
	used := make([]bool, len(s.Nodes()))
	parts := make([][]int, len(s.Nodes()))
	for i := range s.Nodes() {
		if n := &s.Nodes()[i]; n.Parent >= 0 && n.In != "$defs" && n.In != "definitions" {
			parts[n.Parent] = append(parts[n.Parent], i)
		}
	}
	stack := []int{0}
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if used[i] {
			continue
		}
		used[i] = true
		stack = append(stack, s.Applies(i)...)
		stack = append(stack, parts[i]...)
		if n := &s.Nodes()[i]; n.Parent >= 0 {
			stack = append(stack, n.Parent)
		}
		if n := &s.Nodes()[i]; n.Ref >= 0 {
			stack = append(stack, n.Ref)
		}
	}
	return used
}

// isRefusedBelow reports whether the profile has something against a place or
// what is below.
func (r *rewriter) isRefusedBelow(pointer string) bool {
	return slices.ContainsFunc(r.findings(), func(f finding.Finding) bool {
		return f.Severity == finding.Error && within(f.Pointer, pointer)
	})
}

// definitionsMember writes the keyword that holds the definitions; a member
// without value is left out.
func (r *rewriter) definitionsMember(i int, at place, m schema.Member) schema.Member {
	n := &r.schema.Nodes()[i]
	if i > 0 {
		return r.nestedDefinitions(i, at, m)
	}
	if r.defsWritten {
		return schema.Member{}
	}
	r.defsWritten = true
	var f schema.Fields
	for _, keyword := range []string{"$defs", "definitions"} {
		held := n.Value.Get(keyword)
		if held == nil {
			continue
		}
		if keyword != r.defs.keyword {
			r.record(RuleRenameDefinitions, Keep, finding.Pointer("", keyword), keyword+" is written as "+r.defs.keyword)
		}
		for _, entry := range held.Members() {
			pointer := finding.Pointer("", keyword, entry.Name)
			j, ok := r.schema.IndexAt(pointer)
			switch {
			case !ok: // no schema; the meta-schema says so
				f.Add(entry.Name, entry.Value)
			case !r.dropsDefinition(j):
				name := r.defs.names[j]
				f.Add(name, r.content(j, r.move(pointer, finding.Pointer(at.out, r.defs.keyword, name))))
			}
		}
	}
	for _, j := range r.defs.moved {
		moved := &r.schema.Nodes()[j]
		r.record(RuleMoveDefinition, Keep, moved.Pointer, "the schema is written as the definition "+r.defs.names[j]+", because this API takes references to definitions only")
		name := r.defs.names[j]
		f.Add(name, r.definition(j, finding.Pointer(at.out, r.defs.keyword, name)))
	}
	if len(f) == 0 {
		return schema.Member{}
	}
	return schema.Member{Name: r.defs.keyword, Value: f.Object()}
}

// definition writes the content of a place that becomes a definition.
func (r *rewriter) definition(j int, out string) *schema.Value {
	v := r.content(j, r.move(r.schema.Nodes()[j].Pointer, out))
	if j == 0 {
		r.shares = true
		v = withoutIdentity(v)
	}
	return v
}

// dropsDefinition reports whether a definition is left out, and says so.
func (r *rewriter) dropsDefinition(j int) bool {
	if !r.defs.unused[j] {
		return false
	}
	r.record(RuleDropDefinition, Keep, r.schema.Nodes()[j].Pointer, "nothing refers to the definition; left out")
	return true
}

// nestedDefinitions writes definitions below the root: without those that are
// not used and those that move to the root.
func (r *rewriter) nestedDefinitions(i int, at place, m schema.Member) schema.Member {
	var f schema.Fields
	for _, entry := range m.Value.Members() {
		j, ok := r.schema.IndexAt(finding.Pointer(r.schema.Nodes()[i].Pointer, m.Name, entry.Name))
		switch {
		case !ok:
			f.Add(entry.Name, entry.Value)
		case !r.isMoved(j) && !r.dropsDefinition(j):
			f.Add(entry.Name, r.content(j, at))
		}
	}
	if len(f) == 0 {
		return schema.Member{}
	}
	return schema.Member{Name: m.Name, Value: f.Object()}
}

// isMoved reports whether a place becomes a definition.
func (r *rewriter) isMoved(i int) bool {
	_, moved := slices.BinarySearch(r.defs.moved, i)
	return moved
}

// textOf is a reference as written in the adapted schema: by pointer where
// anchors are not taken, and to the definition that its target has become or
// lies in.
func (r *rewriter) textOf(ref string) string {
	target, ok := r.targetOf(ref)
	if !ok {
		return ref
	}
	pointer := r.schema.Nodes()[target].Pointer
	home := target
	for r.defs.changes {
		name, isDefinition := r.defs.names[home]
		if isDefinition && (home > 0 || target == 0) {
			rest := strings.TrimPrefix(pointer, r.schema.Nodes()[home].Pointer)
			pointer = finding.Pointer("", r.defs.keyword, name) + rest
			break
		}
		if home = r.schema.Nodes()[home].Parent; home < 0 {
			break
		}
	}
	byPointer := ref == "#" || strings.HasPrefix(ref, "#/")
	switch {
	case pointer != r.schema.Nodes()[target].Pointer, r.defs.respelled[target], !byPointer && r.loses(target, "$anchor"):
		return fragment(pointer)
	default:
		return ref
	}
}

// fragment writes a pointer as a reference.
func fragment(pointer string) string {
	return "#" + (&url.URL{Fragment: pointer}).EscapedFragment()
}

// targetOf returns the node that a reference of the document leads to.
func (r *rewriter) targetOf(ref string) (target int, ok bool) {
	if r.targets == nil {
		r.targets = referenceTargets(r.schema)
	}
	target, ok = r.targets[ref]
	return target, ok
}

// referenceTargets are the nodes that references lead to, by their text.
func referenceTargets(s *schema.Schema) map[string]int {
	targets := map[string]int{}
	for i := range s.Nodes() {
		if n := &s.Nodes()[i]; n.Ref >= 0 {
			targets[n.Value.Get("$ref").Text()] = n.Ref
		}
	}
	return targets
}
