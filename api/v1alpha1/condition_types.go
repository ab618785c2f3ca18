// SPDX-License-Identifier: Apache-2.0

package v1alpha1

// Condition types of a ToolContract. Every condition carries the generation it
// is about. Reasons are API: scripts and alerts may rely on them.
const (
	// ConditionReady is True when the current generation is what is served.
	//
	// Possible reasons for this condition to be True are:
	//
	// * "Published"
	//
	// For False it repeats the reason of the first condition that is not met:
	// SchemaValid, ProvidersCompatible, VersionAccepted, Published.
	ConditionReady = "Ready"

	// ConditionReconciling is present, and True, while the operator still has
	// something to do for the current generation and will try again by itself.
	//
	// Possible reasons for this condition to be True are:
	//
	// * "Retrying"
	ConditionReconciling = "Reconciling"

	// ConditionStalled is present, and True, when only a change by somebody
	// else can help. Its reason is Ready's.
	ConditionStalled = "Stalled"

	// ConditionSchemaValid is True when the schemas are valid JSON Schema
	// 2020-12 within bounds and the examples are valid.
	//
	// Possible reasons for this condition to be True are:
	//
	// * "Valid"
	//
	// Possible reasons for this condition to be False are:
	//
	// * "InvalidSchema"
	// * "InvalidExample"
	// * "InvalidContract"
	// * "UnsupportedDialect"
	// * "NullInObjectForm"
	// * "SessionParameterExposed": the model could fill in what the host injects
	// * "TooLarge"
	ConditionSchemaValid = "SchemaValid"

	// ConditionProvidersCompatible is True when every target takes the contract.
	//
	// Possible reasons for this condition to be True are:
	//
	// * "Compatible"
	//
	// Possible reasons for this condition to be False are:
	//
	// * "TargetsIncompatible": a Block target refuses, nothing new is published
	// * "UnknownProfile": a Block target names no profile
	// * "TargetsExcluded": only Exclude targets refuse; they are left out
	// * "ServedIncompatible": every Block target takes the current generation,
	//   but a profile has changed and refuses what a line serves; it stays served
	//
	// Possible reasons for this condition to be Unknown are:
	//
	// * "NotEvaluated": the schema is not valid
	ConditionProvidersCompatible = "ProvidersCompatible"

	// ConditionVersionAccepted is True when the version says what the change
	// does to callers.
	//
	// Possible reasons for this condition to be True are:
	//
	// * "Accepted"
	//
	// Possible reasons for this condition to be False are:
	//
	// * "MajorBumpRequired", "MinorBumpRequired", "PatchBumpRequired"
	// * "VersionNotHigher": it is not above every version issued in its line, or
	//   its line is retired or older than the lines that are served
	// * "RevisionConflict": the version was issued with other content
	//
	// Possible reasons for this condition to be Unknown are:
	//
	// * "NotEvaluated"
	ConditionVersionAccepted = "VersionAccepted"

	// ConditionPublished is about what is served, whatever the current
	// generation says: "serving 1.2.0; 1.3.0 refused".
	//
	// Possible reasons for this condition to be True are:
	//
	// * "Published": what is served is what the contract says
	// * "ServingPrevious": an earlier version goes on being served
	//
	// Possible reasons for this condition to be False are:
	//
	// * "NothingAccepted": nothing was ever published in this line
	// * "NameConflict": an object of somebody else has the name
	// * "TooLarge": the rendering does not fit into a ConfigMap
	// * "PublishFailed": the API server refused a write
	ConditionPublished = "Published"

	// ConditionLinted is about names, descriptions and other things that decide
	// whether a model uses the tool well. It never blocks and never counts for
	// Ready. Findings that spec.acknowledge accepts do not count.
	//
	// Possible reasons for this condition to be True are:
	//
	// * "LintPassed": nothing was found
	// * "LintWarnings": only warnings were found
	//
	// Possible reasons for this condition to be False are:
	//
	// * "LintErrors"
	//
	// Possible reasons for this condition to be Unknown are:
	//
	// * "NotEvaluated": the contract is not valid
	ConditionLinted = "Linted"
)

// Condition types of a ToolSet, beside Ready, Reconciling, Stalled and Linted.
// Ready is True, with the reason "Published", when every profile has what the
// current generation asks for of the tools that resolve; tools that were left out
// under onIncompatible: Exclude do not count.
const (
	// ConditionResolvedRefs is True when every reference leads to a tool that the
	// set may hold.
	//
	// Possible reasons for this condition to be True are:
	//
	// * "Resolved"
	//
	// Possible reasons for this condition to be False are:
	//
	// * "NotFound": the contract, its line or its version is not there; a tool that
	//   is published stays as it was
	// * "RefNotPermitted": the contract's allowedNamespaces does not permit the
	//   set's namespace; the tool is left out
	// * "RevisionConflict": the version is published with other content, which
	//   stays; the contract was deleted and made again under the same versions
	// * "DuplicateReference": an earlier reference names the contract already
	// * "NothingSelected": neither a reference nor a selector leads to a contract
	ConditionResolvedRefs = "ResolvedRefs"

	// ConditionToolsPublished is True when every tool that resolves is published
	// for every profile. Its message counts: "50 of 53".
	//
	// Possible reasons for this condition to be True are:
	//
	// * "Published"
	//
	// Possible reasons for this condition to be False are:
	//
	// * "ToolsExcluded": some are left out; status.profiles says which and why
	// * "ToolsIncompatible": onIncompatible is Block, and nothing new is published
	// * "UnknownProfile"
	// * "TokenBudgetExceeded"
	// * "TooLarge": the files do not fit into a ConfigMap
	// * "NameConflict": an object of somebody else has the name
	// * "PublishFailed": the API server refused a write
	// * "NothingAccepted": there is no tool to publish
	ConditionToolsPublished = "ToolsPublished"
)

// Condition types of a ProviderProfile, beside Ready and Stalled. Ready is True,
// with the reason "InForce", when the current generation is in force; else it
// repeats the reason of Valid.
const (
	// ConditionValid is True when the facts can be used. While it is False, what
	// was in force before stays in force.
	//
	// Possible reasons for this condition to be True are:
	//
	// * "Valid"
	//
	// Possible reasons for this condition to be False are:
	//
	// * "InvalidProfile": a fact is misspelt, malformed or missing
	// * "UnknownProfile": the profile that it extends is not in force
	ConditionValid = "Valid"
)

// Reasons of conditions; see the condition they belong to.
const (
	ReasonValid               = "Valid"
	ReasonInvalidContract     = "InvalidContract"
	ReasonInvalidSchema       = "InvalidSchema"
	ReasonInvalidExample      = "InvalidExample"
	ReasonUnsupportedDialect  = "UnsupportedDialect"
	ReasonNullInObjectForm    = "NullInObjectForm"
	ReasonTooLarge            = "TooLarge"
	ReasonCompatible          = "Compatible"
	ReasonTargetsIncompatible = "TargetsIncompatible"
	ReasonUnknownProfile      = "UnknownProfile"
	ReasonTargetsExcluded     = "TargetsExcluded"
	ReasonServedIncompatible  = "ServedIncompatible"
	ReasonNotEvaluated        = "NotEvaluated"
	ReasonAccepted            = "Accepted"
	ReasonMajorBumpRequired   = "MajorBumpRequired"
	ReasonMinorBumpRequired   = "MinorBumpRequired"
	ReasonPatchBumpRequired   = "PatchBumpRequired"
	ReasonVersionNotHigher    = "VersionNotHigher"
	ReasonRevisionConflict    = "RevisionConflict"
	ReasonPublished           = "Published"
	ReasonServingPrevious     = "ServingPrevious"
	ReasonNothingAccepted     = "NothingAccepted"
	ReasonNameConflict        = "NameConflict"
	ReasonPublishFailed       = "PublishFailed"
	ReasonRetrying            = "Retrying"
)

// Reasons of [ConditionLinted].
const (
	ReasonLintPassed   = "LintPassed"
	ReasonLintWarnings = "LintWarnings"
	ReasonLintErrors   = "LintErrors"
)

// Reasons of the conditions of a ToolSet; see [ConditionResolvedRefs] and
// [ConditionToolsPublished].
const (
	ReasonResolved            = "Resolved"
	ReasonNotFound            = "NotFound"
	ReasonRefNotPermitted     = "RefNotPermitted"
	ReasonNothingSelected     = "NothingSelected"
	ReasonDuplicateReference  = "DuplicateReference"
	ReasonToolsExcluded       = "ToolsExcluded"
	ReasonToolsIncompatible   = "ToolsIncompatible"
	ReasonTokenBudgetExceeded = "TokenBudgetExceeded" //nolint:gosec // a reason, and no credential
)

// Reasons why a tool is left out of a set, or is not strict in it; see
// [SetToolFinding].
const (
	// ReasonDuplicateToolName: another tool of the set has the name, or one that
	// the API cannot tell from it.
	ReasonDuplicateToolName = "DuplicateToolName"
	// ReasonNotATarget: the contract does not have the profile as a target.
	ReasonNotATarget = "NotATarget"
	// ReasonIncompatible: the API does not take the tool.
	ReasonIncompatible = "Incompatible"
	// ReasonRequestLimit: with the tool the request would be over a limit.
	ReasonRequestLimit = "RequestLimit"
	// ReasonStrictBudget: the tool is not strict so that others can be.
	ReasonStrictBudget = "StrictBudget"
	// ReasonStrictForAll: another tool of the request cannot be strict, and the API
	// has strictness for all tools or for none.
	ReasonStrictForAll = "StrictForAll"
)

// ReasonSessionParameterExposed is a reason of [ConditionSchemaValid]: a session
// parameter is also a property that the model fills in.
const ReasonSessionParameterExposed = "SessionParameterExposed"

// Reasons of the conditions of a ProviderProfile; see [ConditionValid].
const (
	// ReasonInForce: the facts of the current generation are in force.
	ReasonInForce = "InForce"

	ReasonInvalidProfile = "InvalidProfile"
)

// Reasons of the Ready condition of a ToolRevision.
const (
	// ReasonVerified: the content has the digest that the spec names, and the
	// object the name of its contract and version.
	ReasonVerified = "Verified"
	// ReasonDigestMismatch: it has another digest, or none because it is not
	// valid; the revision is never compared with and never served.
	ReasonDigestMismatch = "DigestMismatch"
	// ReasonNameMismatch: the object has another name than its contract and
	// version make, or labels of another contract; it is never used either.
	ReasonNameMismatch = "NameMismatch"
	// ReasonNotAdopted: it is what it claims to be, but its contract did not
	// issue it and does not take it; it is never used either.
	ReasonNotAdopted = "NotAdopted"
)
