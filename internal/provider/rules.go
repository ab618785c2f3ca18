// SPDX-License-Identifier: Apache-2.0

package provider

// Rules of the findings of this package. They are stable: acknowledgements and
// scripts refer to them.
const (
	// RuleKeywordRejected says: the API refuses the keyword where it stands.
	RuleKeywordRejected = "keyword-rejected"
	// RuleKeywordUnknown says: nothing is known of the keyword in this mode.
	RuleKeywordUnknown = "keyword-unknown"
	// RuleKeywordDropped says: the API drops the keyword, and the constraint with it.
	RuleKeywordDropped = "keyword-dropped"
	// RuleKeywordNotEnforced says: strict mode takes the keyword and does not hold
	// the model to it.
	RuleKeywordNotEnforced = "keyword-not-enforced"

	// RuleRootNotObject says: the root of the schema must be of type object.
	RuleRootNotObject = "root-not-object"
	// RuleRootKeyword says: the API does not take the keyword at the root.
	RuleRootKeyword = "root-keyword"
	// RuleObjectNotClosed says: an object must forbid undeclared members.
	RuleObjectNotClosed = "object-not-closed"
	// RulePropertyNotRequired says: every declared property must be required.
	RulePropertyNotRequired = "property-not-required"
	// RuleRequiredUndeclared says: required names a property that is not declared.
	RuleRequiredUndeclared = "required-undeclared"
	// RuleRequiredMissing says: an object must have required, even if it is empty.
	RuleRequiredMissing = "required-missing"
	// RuleObjectWithoutProperties says: an object must have properties, even if empty.
	RuleObjectWithoutProperties = "object-without-properties"
	// RuleEmptyObject says: an object below the root must declare a property.
	RuleEmptyObject = "empty-object"
	// RuleNoRequiredProperty says: an object must require one of its properties.
	RuleNoRequiredProperty = "no-required-property"
	// RuleRequiredWithoutProperties says: required is not taken without properties.
	RuleRequiredWithoutProperties = "required-without-properties"
	// RuleArrayWithoutItems says: an array must say what its items are.
	RuleArrayWithoutItems = "array-without-items"
	// RuleSchemaWithoutType says: a schema must have a type.
	RuleSchemaWithoutType = "schema-without-type"
	// RuleBooleanSchema says: true and false are not taken as schemas.
	RuleBooleanSchema = "boolean-schema"
	// RuleRefSiblings says: the keywords beside $ref are not taken.
	RuleRefSiblings = "ref-siblings"
	// RuleRecursion says: a reference leads back to a schema that contains it.
	RuleRecursion = "recursion"
	// RuleFormatRejected says: the value of format is not taken.
	RuleFormatRejected = "format-rejected"
	// RulePatternFeature says: the pattern uses a construct that is not taken.
	RulePatternFeature = "pattern-feature"

	// RuleEnumCasing says: a listed text may come in other upper and lower case.
	RuleEnumCasing = "enum-casing"
	// RuleOneOfAsAnyOf says: a value that matches two branches of oneOf passes.
	RuleOneOfAsAnyOf = "one-of-as-any-of"

	// RuleLimitExceeded says: a count is over a limit of the API.
	RuleLimitExceeded = "limit-exceeded"
	// RuleClientCompatibility says: the API takes it, and what stands behind it does not.
	RuleClientCompatibility = "client-compatibility"

	// RuleToolName says: the API refuses the name of the tool.
	RuleToolName = "tool-name"
	// RuleToolNameReserved says: the name is that of one of the provider's own tools.
	RuleToolNameReserved = "tool-name-reserved"
	// RulePropertyName says: the API refuses the name of a property.
	RulePropertyName = "property-name"
	// RulePropertyNameReserved says: the API refuses this one name of a property.
	RulePropertyNameReserved = "property-name-reserved"
	// RuleDescriptionLength says: the description is longer than the API takes.
	RuleDescriptionLength = "description-length"
	// RuleDescriptionMissing says: the API documents a description as required.
	RuleDescriptionMissing = "description-missing"

	// RuleTypeUnsupported says: the API has no tools of this type.
	RuleTypeUnsupported = "tool-type-unsupported"
	// RuleGrammarUnsupported says: the engine refuses a feature of the grammar.
	RuleGrammarUnsupported = "grammar-unsupported"
	// RuleBuiltInSettings says: the API does not take a setting of its tool.
	RuleBuiltInSettings = "built-in-settings"
	// RuleBuiltInName says: the tool has a fixed name, and the contract another one.
	RuleBuiltInName = "built-in-name"

	// RuleNoStrictMode says: the API has no strict mode.
	RuleNoStrictMode = "no-strict-mode"
	// RuleModelWithoutStrict says: a model has no strict mode, or none that is known.
	RuleModelWithoutStrict = "model-without-strict"
)
