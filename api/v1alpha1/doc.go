// SPDX-License-Identifier: Apache-2.0

// Package v1alpha1 holds the kinds of the API group toolcontract.dev: the
// [ToolContract] that a team writes, the immutable [ToolRevision] that the
// operator makes of every accepted version, the [ToolSet] that one agent mounts,
// and the cluster-scoped [ProviderProfile] that says what one provider API takes.
//
// Conditions of a ToolContract, and what they depend on:
//
//	Ready                      the current generation is what is served
//	├── SchemaValid            schemas, examples and names are valid and within bounds
//	├── ProvidersCompatible    no Block target refuses the contract
//	├── VersionAccepted        the version says what the change does to callers
//	└── Published              the ConfigMaps hold what the contract says
//	Linted                     nothing in it would confuse or harm; never counts for Ready
//	Reconciling, Stalled       present only when True, as kstatus expects
//
// Conditions of a ToolSet:
//
//	Ready                      every profile has what the set asks for, of the tools that resolve
//	└── ToolsPublished         every tool that resolves is published for every profile, or left out as allowed
//	ResolvedRefs               every reference leads to a tool that the set may hold
//	Linted                     no two tools can be taken for each other
//	Reconciling, Stalled       present only when True
//
// Conditions of a ProviderProfile:
//
//	Ready                      the current generation is what is in force
//	└── Valid                  the facts are well-formed, complete, and extend a profile that is in force
//	Stalled                    present only when True
//
// +kubebuilder:object:generate=true
// +groupName=toolcontract.dev
package v1alpha1
