// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"fmt"
	"sync"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/pattern"
)

// Limits on one document, beside those on its text. A document within them
// compiles in seconds at worst and in little memory.
const (
	// MaxExpansion bounds how many nodes a schema has once every local reference
	// is written out. It stops chains of doubling references ("billion laughs"):
	// the validator has no memo, so 2^20 expanded nodes take seconds per instance.
	MaxExpansion = 20_000
	// MaxChain is the longest chain of schemas that apply to one value: through
	// references, allOf, not and the like. The validator takes a stack frame for
	// each of them at every level of an instance and compares it with those above.
	MaxChain = 256
	// MaxPointers is the most bytes that the pointers of all nodes may have
	// together. A name repeats in the pointer of everything below it, so that one
	// long name above many nodes would take gigabytes.
	MaxPointers = 1 << 20
	// MaxPatternCost is the most automaton instructions that the patterns may need
	// together; each takes about 80 bytes.
	MaxPatternCost = 250_000
)

// Rules of admission.
const (
	RuleDialect         = "unsupported-dialect"
	RuleKeywordRefused  = "unsupported-keyword"
	RuleRefNotLocal     = "ref-not-local"
	RuleRefUnresolved   = "ref-unresolved"
	RuleRefCycle        = "ref-cycle"
	RuleExpansion       = "schema-expansion"
	RuleLongPointers    = "pointers-too-long"
	RulePatternSyntax   = "pattern-syntax"
	RulePatternCost     = "pattern-cost"
	RuleCountRange      = "count-range"
	RuleInvalidSchema   = "invalid-schema"
	RuleUnknownKeyword  = "unknown-keyword"
	RuleYAMLBoolean     = "yaml-boolean"
	RuleEnumType        = "enum-type-mismatch"
	RuleAdmitsNothing   = "admits-nothing"
	RuleInstanceInvalid = "instance-invalid"
	RuleValidationCost  = "validation-cost"
)

// Dialect is the only $schema that is accepted; absent means the same.
const Dialect = "https://json-schema.org/draft/2020-12/schema"

// Node is one schema location of an admitted document.
type Node struct {
	// Pointer leads from the root of the document to the node.
	Pointer string
	// Value is an object or a boolean.
	Value *Value
	// Parent is the index of the enclosing node, -1 for the root.
	Parent int
	// In is the keyword of the parent that holds the node; Token as in [Child].
	In    string
	Token string
	// Ref is the index of the node that $ref leads to, -1 without $ref.
	Ref int
}

// Schema is an admitted document: within bounds, of the one dialect, with
// every reference resolved inside the document and no reference that comes
// back to the same place. It is immutable and safe for concurrent use.
type Schema struct {
	root      *Value
	nodes     []Node
	byPointer map[string]int
	byValue   map[*Value]int
	patterns  map[string]*pattern.Pattern
	edges     []edges
	expansion int
	recursive bool

	derived     sync.Map // see [Schema.Derived]
	compileOnce sync.Once
	validator   *Validator
	compileErr  []finding.Finding
}

// Root is the document with its keywords in canonical order.
func (s *Schema) Root() *Value { return s.root }

// Nodes are all schema locations in document order; the root is the first.
// The caller must not change the slice.
func (s *Schema) Nodes() []Node { return s.nodes }

// Node returns the node at a pointer; ok is false where there is no schema.
func (s *Schema) Node(pointer string) (n *Node, ok bool) {
	i, ok := s.byPointer[pointer]
	if !ok {
		return nil, false
	}
	return &s.nodes[i], true
}

// IndexAt returns the index of the node at a pointer; ok is false where there
// is no schema.
func (s *Schema) IndexAt(pointer string) (i int, ok bool) {
	i, ok = s.byPointer[pointer]
	return i, ok
}

// Index returns the index of the node with this very value, which must be one
// of the schema's own.
func (s *Schema) Index(v *Value) int { return s.byValue[v] }

// Recursive reports whether a reference leads to a schema that contains it.
func (s *Schema) Recursive() bool { return s.recursive }

// Pattern returns the compiled form of a pattern that occurs in the document.
func (s *Schema) Pattern(source string) *pattern.Pattern { return s.patterns[source] }

// Digest is the digest of the canonical document.
func (s *Schema) Digest() string { return s.root.Digest() }

// Admit judges a parsed schema. Findings may be warnings; when one is an
// error the schema is nil. Whether the document obeys the meta-schema is a
// separate question, answered by [Schema.Compile].
func Admit(root *Value) (*Schema, []finding.Finding) { return admit(root, nil) }

// AdmitRewritten judges a rewritten form of the document like [Admit]. Patterns
// that it shares with the document, the costliest part, are not compiled again;
// neither are those that are given.
func (s *Schema) AdmitRewritten(root *Value, compiled ...*pattern.Pattern) (*Schema, []finding.Finding) {
	more := make(map[string]*pattern.Pattern, len(compiled))
	for _, p := range compiled {
		more[p.String()] = p
	}
	return admit(root, func(source string) *pattern.Pattern {
		if known := s.patterns[source]; known != nil {
			return known
		}
		return more[source]
	})
}

func admit(root *Value, compiled func(source string) *pattern.Pattern) (*Schema, []finding.Finding) {
	return admitWithin(1, root, compiled)
}

// admitWithin admits within so many times the limits: what the engine derives
// from an admitted document is larger than the document.
func admitWithin(times int, root *Value, compiled func(source string) *pattern.Pattern) (*Schema, []finding.Finding) {
	if !root.IsSchema() {
		return nil, []finding.Finding{*failure(RuleInvalidSchema, "",
			fmt.Sprintf("the schema is %s, not an object", article(root.kind)), "write an object with type: object")}
	}
	a := admission{Schema: &Schema{
		root:      Canonical(root),
		byPointer: map[string]int{},
		byValue:   map[*Value]int{},
		patterns:  map[string]*pattern.Pattern{},
	}, anchors: map[string]int{}, compiled: compiled, times: times}
	a.collect(a.root, Node{Parent: -1, Ref: -1})
	if a.pointers > times*MaxPointers { // the nodes are not complete
		return nil, []finding.Finding{*failure(RuleLongPointers, "",
			fmt.Sprintf("the pointers to all subschemas have more than %d bytes together", MaxPointers),
			"shorten the names of properties that hold many others, or move the inner schemas to $defs")}
	}
	a.resolve()
	a.connect()
	if !finding.HasErrors(a.findings) { // cycles and expansion need every edge
		a.checkChains()
	}
	if !finding.HasErrors(a.findings) {
		a.checkExpansion()
	}
	findings := finding.Sort(a.findings)
	if finding.HasErrors(findings) {
		return nil, findings
	}
	return a.Schema, findings
}

// admission is a schema under construction.
type admission struct {
	*Schema
	anchors     map[string]int
	compiled    func(source string) *pattern.Pattern // those that are known to compile; nil for none
	pointers    int                                  // bytes of the pointers of all nodes
	patternCost int                                  // instructions of the patterns so far
	times       int                                  // of the limits
	findings    []finding.Finding
}

func (a *admission) report(severity finding.Severity, rule, pointer, keyword, message, fix string) {
	if keyword != "" {
		pointer = finding.Pointer(pointer, keyword)
	}
	a.findings = append(a.findings, finding.Finding{
		Rule: rule, Severity: severity, Pointer: finding.Clip(pointer, maxPointer), Keyword: keyword, Message: message, Fix: fix,
	})
}

// collect indexes a node and everything below it, and judges its keywords.
func (a *admission) collect(v *Value, n Node) {
	if a.pointers += len(n.Pointer); a.pointers > a.times*MaxPointers {
		return
	}
	n.Value = v
	at := len(a.nodes)
	a.nodes = append(a.nodes, n)
	a.byPointer[n.Pointer] = at
	a.byValue[v] = at
	if v.kind != Object {
		return
	}
	a.checkKeywords(at)
	for _, child := range Children(v) {
		if a.pointers > a.times*MaxPointers {
			return
		}
		a.collect(child.Value, Node{
			Pointer: child.Pointer(n.Pointer), Parent: at, In: child.Keyword.Name, Token: child.Token, Ref: -1,
		})
	}
}

func article(k Kind) string {
	switch k {
	case Array, Object:
		return "an " + k.String()
	case Null:
		return "null"
	default:
		return "a " + k.String()
	}
}
