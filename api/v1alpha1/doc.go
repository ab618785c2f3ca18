// SPDX-License-Identifier: Apache-2.0

// Package v1alpha1 holds the kinds of the API group toolcontract.dev: the
// [ToolContract] that a team writes and the immutable [ToolRevision] that the
// operator makes of every accepted version.
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
// +kubebuilder:object:generate=true
// +groupName=toolcontract.dev
package v1alpha1
