// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"slices"

	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
)

// RuleDropRedundant says: a keyword says nothing that the others do not say.
const RuleDropRedundant = "drop-redundant"

// maxProofs bounds the proofs of redundancy in one pass.
const maxProofs = 24

// dropNeutral leaves out keywords that the profile does not take and whose value
// admits everything.
func dropNeutral(r *rewriter, i int, v *schema.Value) *schema.Value {
	for _, m := range r.schema.Nodes()[i].Value.Members() {
		if saysNothing(m) && r.dropsFrom(i, v, m) {
			v = r.drop(i, v, m.Name)
		}
	}
	return v
}

// dropRedundant leaves out keywords that the profile does not take and that say
// what those of the author's that are left say as well: of two keywords, each
// may say what the other says.
func dropRedundant(r *rewriter, i int, v *schema.Value) *schema.Value {
	left := r.schema.Nodes()[i].Value
	for _, m := range left.Members() {
		if mayBeRedundant(m.Name) && mayBeImplied(left, m.Name) && r.dropsFrom(i, v, m) && r.isImplied(i, left, m.Name) {
			v, left = r.drop(i, v, m.Name), left.Without(m.Name)
		}
	}
	return v
}

// dropsFrom reports whether the profile does not take a keyword that still
// stands in a node, and nothing else looks at whether it is there.
func (r *rewriter) dropsFrom(i int, v *schema.Value, m schema.Member) bool {
	if v.Get(m.Name) == nil || !r.loses(i, m.Name) || (r.unevaluated && evaluates(m.Name)) || r.isReferredInto(i, m.Name) {
		return false
	}
	// Open is not what an object is by itself everywhere.
	return m.Name != "additionalProperties" ||
		(r.effective().OpenObjects == provider.ObjectsKept && !r.judgeShapeAs(i, v.Without(m.Name), provider.OpenObject).Refused(r.mode))
}

func (r *rewriter) drop(i int, v *schema.Value, keyword string) *schema.Value {
	r.record(RuleDropRedundant, Keep, finding.Pointer(r.schema.Nodes()[i].Pointer, keyword), keyword+" says nothing that the rest of the schema does not say; left out")
	return v.Without(keyword)
}

// mayBeRedundant lists the keywords that a schema can do without: not those
// that make its shape.
func mayBeRedundant(name string) bool {
	switch name {
	case "pattern", "format", "minLength", "maxLength", "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf",
		"patternProperties", "propertyNames", "minProperties", "maxProperties", "dependentRequired", "dependentSchemas",
		"additionalProperties", "unevaluatedProperties", "unevaluatedItems", "contains", "minContains", "maxContains",
		"minItems", "maxItems", "uniqueItems", "not", "if", "then", "else", "const", "type":
		return true
	}
	return false
}

// evaluates reports whether unevaluated keywords elsewhere look at what a
// keyword saw.
func evaluates(name string) bool {
	switch name {
	case "patternProperties", "additionalProperties", "unevaluatedProperties", "contains", "minContains", "maxContains", "unevaluatedItems",
		"dependentSchemas", "if", "then", "else":
		return true
	}
	return false
}

// saysNothing reports whether a keyword admits every value by its own value.
func saysNothing(m schema.Member) bool {
	switch m.Name {
	case "minLength", "minItems", "minProperties":
		n, ok := m.Value.Int()
		return ok && n == 0
	case "uniqueItems", "not":
		return m.Value.IsFalse()
	case "additionalProperties", "unevaluatedProperties", "unevaluatedItems":
		return isAnything(m.Value)
	case "propertyNames": // they are strings
		return isAnything(m.Value) || slices.Equal(m.Value.Members(), []schema.Member{{Name: "type", Value: m.Value.Get("type")}}) && isOfTypes(schema.Types(m.Value), schema.NewString(""))
	case "patternProperties", "dependentRequired", "dependentSchemas":
		return m.Value.Kind() == schema.Object && m.Value.Len() == 0
	}
	return false
}

// mayBeImplied reports whether a node has another keyword that could say what
// one says. It spares proofs that would come to nothing.
func mayBeImplied(v *schema.Value, keyword string) bool {
	has := func(names ...string) bool { return slices.ContainsFunc(names, v.Has) }
	if hasInPlace(v) || has("enum", "const") {
		return true
	}
	switch keyword {
	case "minLength", "maxLength":
		return has("pattern")
	case "minimum", "exclusiveMinimum":
		return v.Has("minimum") && v.Has("exclusiveMinimum")
	case "maximum", "exclusiveMaximum":
		return v.Has("maximum") && v.Has("exclusiveMaximum")
	case "multipleOf":
		return slices.Contains(schema.Types(v), "integer")
	case "minProperties":
		return has("required")
	case "maxProperties", "propertyNames", "patternProperties":
		return has("additionalProperties", "propertyNames", "maxProperties")
	case "dependentRequired", "dependentSchemas":
		return has("required", "properties", "additionalProperties")
	case "minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains":
		return has("items", "prefixItems", "maxItems", "minItems") || !v.Has("contains")
	case "if", "then", "else", "not", "unevaluatedItems", "unevaluatedProperties":
		return true
	}
	return false // a type, a format or a pattern by itself
}

// isImplied proves that the rest of a node says the same without a keyword.
func (r *rewriter) isImplied(i int, v *schema.Value, keyword string) bool {
	if r.proofs++; r.proofs > maxProofs {
		return false
	}
	if _, invalid := r.author.Compile(); len(invalid) > 0 {
		return false // nothing can be said of what is no schema
	}
	whole := r.standalone(i, withoutIdentity(v))
	rest := r.standalone(i, withoutIdentity(v.Without(keyword)))
	if whole == nil || rest == nil {
		return false
	}
	// Without a keyword that others look at, fewer values may be left.
	return contain.Proves(rest, whole) && contain.Proves(whole, rest)
}
