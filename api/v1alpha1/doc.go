// SPDX-License-Identifier: Apache-2.0

// Package v1alpha1 holds the kinds of the API group toolcontract.dev: the
// [ToolContract] that a team writes, the immutable [ToolRevision] that the
// operator makes of every accepted version, and the cluster-scoped
// [ProviderProfile] that says what one provider API takes.
//
// Conditions of a ToolContract, and what they depend on:
//
//	Ready                      the current generation is what is served
//	├── SchemaValid            schemas, examples and names are valid and within bounds
//	├── ProvidersCompatible    no Block target refuses the contract
//	├── VersionAccepted        the version says what the change does to callers
//	└── Published              the ConfigMaps hold what the contract says
//	Reconciling, Stalled       present only when True, as kstatus expects
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
