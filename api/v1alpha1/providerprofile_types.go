// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ProviderProfile says what one provider API takes: its wire format, names,
// limits, and a verdict for every keyword of JSON Schema, each fact with its
// source and date. It takes the place of the built-in profile of its name, or
// adds one. Most profiles extend another and give only what differs.
//
// +kubebuilder:object:root=true
// +kubebuilder:storageversion
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,shortName=tpp,categories=llm-tools
// +kubebuilder:printcolumn:name="Extends",type=string,JSONPath=`.spec.extends`
// +kubebuilder:printcolumn:name="Revision",type=integer,JSONPath=`.status.inForce.revision`
// +kubebuilder:printcolumn:name="Valid",type=string,JSONPath=`.status.conditions[?(@.type=="Valid")].status`
// +kubebuilder:printcolumn:name="Used by",type=integer,JSONPath=`.status.usedBy`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:printcolumn:name="Reviewed",type=string,priority=1,JSONPath=`.status.inForce.facts.reviewed`
// +kubebuilder:validation:XValidation:rule="self.metadata.name.size() <= 63 && self.metadata.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",message="metadata.name must be a DNS label, because targets name the profile by it: at most 63 lower-case letters, digits and hyphens"
// +kubebuilder:validation:XValidation:rule="!(self.metadata.name in ['contract', 'manifest', 'index', 'request', 'tools'])",message="the name is reserved for files that are published beside the profiles"
type ProviderProfile struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec holds the facts, in the form of a built-in profile without its name.
	// It is kept as it was written and read by the operator alone, which names
	// every misspelt or missing fact: an API server would drop it silently.
	// +required
	Spec JSONObject `json:"spec"`

	// status says what is in force.
	// +optional
	// +kubebuilder:default={observedGeneration:-1}
	Status ProviderProfileStatus `json:"status,omitzero"`
}

// ProviderProfileList is a list of ProviderProfiles.
//
// +kubebuilder:object:root=true
type ProviderProfileList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []ProviderProfile `json:"items"`
}

// ProviderProfileStatus says what is in force under the name of the profile.
type ProviderProfileStatus struct {
	// observedGeneration is the generation that the status is about; -1 before
	// the operator has looked at the profile.
	// +optional
	// +kubebuilder:default=-1
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// conditions hold Ready and Valid; see the package documentation.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MaxItems=16
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// inForce is what contracts are checked against and rendered for: the last
	// valid spec. It is absent if there never was one; then the built-in profile
	// of this name is in force, if there is one.
	// +optional
	InForce *ProfileInForce `json:"inForce,omitempty"`

	// usedBy counts the ToolContracts that have the profile as a target.
	// +optional
	UsedBy *int32 `json:"usedBy,omitempty"`
}

// ProfileInForce is a set of facts that has been found valid. The operator
// writes it before it uses the facts, so that an invalid edit leaves them in
// force, whatever happens to the operator in between.
type ProfileInForce struct {
	// revision is that of the facts.
	// +required
	Revision int32 `json:"revision"`
	// digest is the SHA-256 of all that the facts say, however they say it.
	// +required
	// +kubebuilder:validation:MaxLength=71
	Digest string `json:"digest"`
	// facts are complete: those that the spec inherits are filled in.
	// +required
	Facts JSONObject `json:"facts"`
}
