// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ToolRevision is an accepted version of a ToolContract, frozen. The operator
// writes it; nobody can change it afterwards.
//
// +kubebuilder:object:root=true
// +kubebuilder:storageversion
// +kubebuilder:subresource:status
// +kubebuilder:resource:shortName=trev,categories=llm-tools
// +kubebuilder:printcolumn:name="Contract",type=string,JSONPath=`.spec.contractRef.name`
// +kubebuilder:printcolumn:name="Version",type=string,JSONPath=`.spec.content.version`
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:printcolumn:name="Digest",type=string,priority=1,JSONPath=`.spec.contentDigest`
type ToolRevision struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec is the frozen version.
	// +required
	Spec ToolRevisionSpec `json:"spec"`

	// status says whether the revision is what it claims to be.
	// +optional
	// +kubebuilder:default={observedGeneration:-1}
	Status ToolRevisionStatus `json:"status,omitzero"`
}

// ToolRevisionList is a list of ToolRevisions.
//
// +kubebuilder:object:root=true
type ToolRevisionList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []ToolRevision `json:"items"`
}

// ToolRevisionSpec is one frozen version.
//
// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="a ToolRevision is immutable; publish a new version of its ToolContract"
type ToolRevisionSpec struct {
	// contractRef names the ToolContract, in the same namespace.
	// +required
	ContractRef ContractReference `json:"contractRef"`

	// content is what the contract said at this version.
	// +required
	Content ToolContent `json:"content"`

	// contentDigest is the SHA-256 of the canonical content.
	// +required
	// +kubebuilder:validation:Pattern=`^sha256:[0-9a-f]{64}$`
	ContentDigest string `json:"contentDigest"`

	// checkerVersion identifies the rules that accepted the version.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	CheckerVersion string `json:"checkerVersion"`

	// acknowledgements are those that acceptance rested on.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Acknowledgements []Acknowledgement `json:"acknowledgements,omitempty"`
}

// ContractReference names a ToolContract in the same namespace.
type ContractReference struct {
	// name of the ToolContract.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Name string `json:"name"`
}

// ToolRevisionStatus says whether the revision is what it claims to be.
type ToolRevisionStatus struct {
	// observedGeneration is the generation that the status is about; -1 before
	// the operator has looked at the revision.
	// +optional
	// +kubebuilder:default=-1
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// conditions hold Ready: the content has the digest that the spec names; and
	// Stalled while the revision is not used.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MaxItems=16
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}
