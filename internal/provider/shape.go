// SPDX-License-Identifier: Apache-2.0

package provider

// Shape is something about a schema node that is in no single keyword, for
// which an API has a verdict all the same.
type Shape string

// The shapes. A type list that contains "object" makes an object, one that
// contains "array" an array; a node without type that has properties is taken
// for an object.
const (
	// NonObjectRoot is a root whose type is not the string "object".
	NonObjectRoot Shape = "NonObjectRoot"
	// OpenObject is an object without additionalProperties.
	OpenObject Shape = "OpenObject"
	// OptionalProperty is a declared property that is not in required.
	OptionalProperty Shape = "OptionalProperty"
	// UndeclaredRequired is a name in required that properties does not declare.
	UndeclaredRequired Shape = "UndeclaredRequired"
	// MissingRequired is an object that has neither required nor a declared
	// property; one with properties is reported property by property.
	MissingRequired Shape = "MissingRequired"
	// ObjectWithoutProperties is an object without properties.
	ObjectWithoutProperties Shape = "ObjectWithoutProperties"
	// EmptyObject is an object below the root whose properties are there and empty.
	EmptyObject Shape = "EmptyObject"
	// NoRequiredProperty is an object that declares properties and requires none.
	NoRequiredProperty Shape = "NoRequiredProperty"
	// RequiredWithoutProperties is a node of any type that has required and no
	// properties. Conditions on the value are about that of required.
	RequiredWithoutProperties Shape = "RequiredWithoutProperties"
	// ArrayWithoutItems is an array without items.
	ArrayWithoutItems Shape = "ArrayWithoutItems"
	// UntypedSchema is a node without type whose type is not given by $ref or an
	// applicator either.
	UntypedSchema Shape = "UntypedSchema"
	// BooleanSchema is true or false in place of a schema, except as the value
	// of additionalProperties, unevaluatedProperties and unevaluatedItems, which
	// have verdicts of their own.
	BooleanSchema Shape = "BooleanSchema"
	// Recursion is a reference that leads back to a schema that contains it.
	Recursion Shape = "Recursion"
)

// shapeRules gives each shape the rule of its findings. The order is that of
// the compiled tables.
var shapeRules = [...]struct {
	shape Shape
	rule  string
}{
	{NonObjectRoot, RuleRootNotObject},
	{OpenObject, RuleObjectNotClosed},
	{OptionalProperty, RulePropertyNotRequired},
	{UndeclaredRequired, RuleRequiredUndeclared},
	{MissingRequired, RuleRequiredMissing},
	{ObjectWithoutProperties, RuleObjectWithoutProperties},
	{EmptyObject, RuleEmptyObject},
	{NoRequiredProperty, RuleNoRequiredProperty},
	{RequiredWithoutProperties, RuleRequiredWithoutProperties},
	{ArrayWithoutItems, RuleArrayWithoutItems},
	{UntypedSchema, RuleSchemaWithoutType},
	{BooleanSchema, RuleBooleanSchema},
	{Recursion, RuleRecursion},
}

// shapeIndex is the position in [shapeRules], or -1.
func shapeIndex(s Shape) int {
	for i, entry := range shapeRules {
		if entry.shape == s {
			return i
		}
	}
	return -1
}
