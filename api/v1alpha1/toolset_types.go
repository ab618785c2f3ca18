// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ToolSet is what one agent mounts: tools of several contracts, rendered for the
// APIs that the agent calls, within what each API takes in one request. For each
// profile the operator publishes one ConfigMap whose tools.json is the value of
// tools in a request.
//
// +kubebuilder:object:root=true
// +kubebuilder:storageversion
// +kubebuilder:subresource:status
// +kubebuilder:resource:shortName=tset,categories=llm-tools
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.summary`
// +kubebuilder:printcolumn:name="Tools",type=string,JSONPath=`.status.toolsReady`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:validation:XValidation:rule="self.metadata.name.size() <= 63 && self.metadata.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",message="metadata.name must be a DNS label: at most 63 lower-case letters, digits and hyphens, so that every derived name fits"
// +kubebuilder:validation:XValidation:rule="!self.metadata.name.matches('-v[0-9]+$')",message="metadata.name must not end in -v and a number: a contract's ConfigMaps have such names"
type ToolSet struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec says which tools the set holds, and for which APIs.
	// +required
	Spec ToolSetSpec `json:"spec"`

	// status is what the operator says about it.
	// +optional
	// +kubebuilder:default={observedGeneration:-1}
	Status ToolSetStatus `json:"status,omitzero"`
}

// ToolSetList is a list of ToolSets.
//
// +kubebuilder:object:root=true
type ToolSetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []ToolSet `json:"items"`
}

// ToolSetSpec says which tools the set holds, and for which APIs.
//
// +kubebuilder:validation:XValidation:rule="has(self.tools) || has(self.selectors)",message="name at least one tool or selector"
type ToolSetSpec struct {
	// tools are named contracts. They come first, in this order.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=512
	Tools []ToolReference `json:"tools,omitempty"`

	// selectors add the contracts of the set's namespace that have certain labels,
	// each selector in turn, by name. A contract that is in the set already is not
	// added again.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	Selectors []ToolSelector `json:"selectors,omitempty"`

	// groups are the namespaces that tools can be put into, for APIs that have
	// them. Elsewhere the tools of a group stand where they would without it.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=64
	Groups []ToolGroup `json:"groups,omitempty"`

	// profiles are the APIs that the agent calls. A tool is in what is published
	// for a profile if its contract has the profile as a target; how it is rendered
	// is what that target says.
	// +required
	// +listType=map
	// +listMapKey=profile
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	Profiles []SetProfile `json:"profiles"`

	// onIncompatible says what happens when a tool cannot be in a request.
	// Exclude (default): it is left out and named in the status. Block: nothing
	// new is published for that profile.
	// +optional
	OnIncompatible IncompatiblePolicy `json:"onIncompatible,omitempty"`

	// acknowledge accepts lint findings about the set: tools that a model could
	// take for each other.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Acknowledge []Acknowledgement `json:"acknowledge,omitempty"`
}

// ToolReference names a contract, and what of it the set holds.
//
// +kubebuilder:validation:XValidation:rule="has(self.channel) != has(self.version)",message="set exactly one of channel and version"
type ToolReference struct {
	// contract is the name of the ToolContract.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	Contract string `json:"contract"`

	// namespace of the contract. Default: that of the set. The contract's
	// allowedNamespaces must permit another one.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	Namespace string `json:"namespace,omitempty"`

	// channel is the line that the set follows: a major version, or 0.y.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=21
	// +kubebuilder:validation:Pattern=`^([1-9][0-9]{0,8}|0\.(0|[1-9][0-9]{0,8}))$`
	Channel string `json:"channel,omitempty"`

	// version is the one version that the set holds, also a pre-release.
	// +optional
	// +kubebuilder:validation:MinLength=5
	// +kubebuilder:validation:MaxLength=40
	Version string `json:"version,omitempty"`

	// deferLoading has the model find the tool by a search instead of reading it
	// in every request, where the API can do that.
	// +optional
	DeferLoading bool `json:"deferLoading,omitempty"`

	// group is the name of the group that the tool is in.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	Group string `json:"group,omitempty"`
}

// ToolSelector selects contracts of the set's namespace that serve a line.
type ToolSelector struct {
	// labels selects by the labels of the contracts.
	// +required
	Labels metav1.LabelSelector `json:"labels"`

	// channel is the line that the set follows: a major version, or 0.y. A
	// contract that never served this line is not selected.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=21
	// +kubebuilder:validation:Pattern=`^([1-9][0-9]{0,8}|0\.(0|[1-9][0-9]{0,8}))$`
	Channel string `json:"channel"`

	// deferLoading is that of the tools; see [ToolReference].
	// +optional
	DeferLoading bool `json:"deferLoading,omitempty"`

	// group is that of the tools.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	Group string `json:"group,omitempty"`
}

// ToolGroup is a namespace that the model sees.
type ToolGroup struct {
	// name of the group.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[A-Za-z0-9_-]+$`
	Name string `json:"name"`
	// description tells the model what the tools of the group are for.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1024
	Description string `json:"description"`
}

// SetProfile is one API that the agent calls.
type SetProfile struct {
	// profile names the provider profile.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	Profile string `json:"profile"`

	// models are the models that the agent uses. They take the place of those of
	// the contracts' targets.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=16
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=128
	// +kubebuilder:validation:items:Pattern=`^[A-Za-z0-9][A-Za-z0-9._:/@-]*\*?$`
	Models []string `json:"models,omitempty"`

	// tokenBudget is the most tokens that the tools may take in every request, by
	// the operator's estimate. Tools that are loaded later do not count. Beyond it
	// ToolsPublished says so; nothing is left out.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=10000000
	TokenBudget *int32 `json:"tokenBudget,omitempty"`
}

// ToolSetStatus is what the operator says about a set. It stays below 24 KiB
// whatever the set holds.
type ToolSetStatus struct {
	// observedGeneration is the generation that the status is about; -1 before
	// the operator has looked at the set.
	// +optional
	// +kubebuilder:default=-1
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// conditions are Ready, ResolvedRefs, ToolsPublished and Linted, and while
	// they hold Reconciling and Stalled.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MaxItems=16
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// summary is Ready's reason and what it is about.
	// +optional
	// +kubebuilder:validation:MaxLength=256
	Summary string `json:"summary,omitempty"`

	// toolsReady counts the tools that are published for every profile: "50/53".
	// +optional
	// +kubebuilder:validation:MaxLength=16
	ToolsReady string `json:"toolsReady,omitempty"`

	// unresolved are the first references that lead nowhere or where they may not.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=8
	Unresolved []UnresolvedTool `json:"unresolved,omitempty"`

	// profiles are the results per profile.
	// +optional
	// +listType=map
	// +listMapKey=profile
	// +kubebuilder:validation:MaxItems=16
	Profiles []SetProfileStatus `json:"profiles,omitempty"`
}

// UnresolvedTool is a reference that leads nowhere.
type UnresolvedTool struct {
	// pointer leads to the reference in the set.
	// +required
	// +kubebuilder:validation:MaxLength=64
	Pointer string `json:"pointer"`
	// contract is the contract as namespace/name.
	// +required
	// +kubebuilder:validation:MaxLength=128
	Contract string `json:"contract"`
	// reason is that of ResolvedRefs.
	// +required
	// +kubebuilder:validation:MaxLength=63
	Reason string `json:"reason"`
	// message says what is wrong and the way out.
	// +required
	// +kubebuilder:validation:MaxLength=300
	Message string `json:"message"`
	// kept says that the tool stays published as it was.
	// +optional
	Kept bool `json:"kept,omitempty"`
}

// SetProfileStatus is the result for one profile.
type SetProfileStatus struct {
	// profile names the provider profile.
	// +required
	// +kubebuilder:validation:MaxLength=63
	Profile string `json:"profile"`
	// configMap names the ConfigMap that agents mount.
	// +optional
	// +kubebuilder:validation:MaxLength=253
	ConfigMap string `json:"configMap,omitempty"`
	// digest is the SHA-256 of the index.json in it.
	// +optional
	// +kubebuilder:validation:MaxLength=71
	Digest string `json:"digest,omitempty"`
	// rendering names the immutable ConfigMap with the same bytes.
	// +optional
	// +kubebuilder:validation:MaxLength=253
	Rendering string `json:"rendering,omitempty"`
	// tools counts the tools in it, wanted those that the set names for it.
	// +optional
	Tools int32 `json:"tools,omitempty"`
	// wanted counts the tools that the set names.
	// +optional
	Wanted int32 `json:"wanted,omitempty"`
	// strict counts the tools that are strict.
	// +optional
	Strict int32 `json:"strict,omitempty"`
	// tokens estimates what the tools take in every request.
	// +optional
	Tokens int32 `json:"tokens,omitempty"`
	// bytes is the size of the files.
	// +optional
	Bytes int32 `json:"bytes,omitempty"`
	// excluded are the first tools that are left out; toolcontract check names all.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=5
	Excluded []SetToolFinding `json:"excluded,omitempty"`
	// demoted are the first tools that are not strict so that others can be.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=5
	Demoted []SetToolFinding `json:"demoted,omitempty"`
	// split proposes sets that fit where this one does not: the tools of each, as
	// the first five and how many follow.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=8
	// +kubebuilder:validation:items:MaxLength=512
	Split []string `json:"split,omitempty"`
	// consumers are the first five that mount the ConfigMaps, as Kind/name. They
	// are only known where mount tracking is on.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=5
	// +kubebuilder:validation:items:MaxLength=320
	Consumers []string `json:"consumers,omitempty"`
}

// SetToolFinding is one finding about a tool in a set.
type SetToolFinding struct {
	// contract is the contract, as namespace/name where it is not the set's.
	// +required
	// +kubebuilder:validation:MaxLength=128
	Contract string `json:"contract"`
	// reason says why: DuplicateToolName, NotATarget, Incompatible, StrictBudget …
	// +required
	// +kubebuilder:validation:MaxLength=63
	Reason string `json:"reason"`
	// pointer leads into the contract.
	// +optional
	// +kubebuilder:validation:MaxLength=256
	Pointer string `json:"pointer,omitempty"`
	// message says what is wrong and the way out.
	// +required
	// +kubebuilder:validation:MaxLength=300
	Message string `json:"message"`
}
