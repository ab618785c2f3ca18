// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ToolContract is a provider-neutral contract of one tool that language models
// call. The operator validates it, checks it against every target provider,
// freezes each accepted version as a ToolRevision and publishes the bytes that
// agents send to the providers.
//
// +kubebuilder:object:root=true
// +kubebuilder:storageversion
// +kubebuilder:subresource:status
// +kubebuilder:resource:shortName=tct,categories=llm-tools
// +kubebuilder:printcolumn:name="Version",type=string,JSONPath=`.spec.version`
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.summary`
// +kubebuilder:printcolumn:name="Targets",type=string,JSONPath=`.status.targetsReady`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:validation:XValidation:rule="self.metadata.name.size() <= 63 && self.metadata.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",message="metadata.name must be a DNS label: at most 63 lower-case letters, digits and hyphens, so that every derived name fits"
type ToolContract struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec is the contract as the author wrote it.
	// +required
	Spec ToolContractSpec `json:"spec"`

	// status is what the operator says about it.
	// +optional
	// +kubebuilder:default={observedGeneration:-1}
	Status ToolContractStatus `json:"status,omitzero"`
}

// ToolContractList is a list of ToolContracts.
//
// +kubebuilder:object:root=true
type ToolContractList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []ToolContract `json:"items"`
}

// ToolContractSpec is the content of the contract, which a revision freezes,
// and its delivery, which may change without a new version.
//
// +kubebuilder:validation:XValidation:rule="self.toolName == oldSelf.toolName",message="toolName is immutable: a tool that models know by another name is another contract"
type ToolContractSpec struct {
	ToolContent `json:",inline"`

	// targets are the provider API surfaces that the tool is meant for.
	// +required
	// +listType=map
	// +listMapKey=profile
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	Targets []Target `json:"targets"`

	// acknowledge accepts findings that need a person's word. An entry for a
	// change names the version it was written for and has no effect on another
	// one; an entry for a lint finding names none. A change that a counter-example
	// proves breaking can never be acknowledged.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Acknowledge []Acknowledgement `json:"acknowledge,omitempty"`

	// allowedNamespaces says whose ToolSets may hold the tool. Default: those of
	// the same namespace.
	// +optional
	AllowedNamespaces *AllowedNamespaces `json:"allowedNamespaces,omitempty"`

	// revisionHistoryLimit is how many revisions are kept beside those that are
	// served, were served before, are mounted or are the highest of a line that is
	// not retired; and how many renderings beside the current one of each. Default 5.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100
	RevisionHistoryLimit *int32 `json:"revisionHistoryLimit,omitempty"`

	// servedLines is how many lines are served side by side, the newest first.
	// Default 8. Older lines are retired: their channel is deleted once nothing
	// mounts it, and no version in or below them is accepted again. A greater
	// number does not bring a retired line back.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=16
	ServedLines *int32 `json:"servedLines,omitempty"`
}

// Target is one provider API surface with the wanted strictness.
type Target struct {
	// profile names the provider profile, for example openai-responses.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	// +kubebuilder:validation:XValidation:rule="!(self in ['contract', 'manifest', 'index', 'request', 'tools'])",message="the name is reserved for files that are published beside the profiles"
	Profile string `json:"profile"`

	// models are the models that the agents use, with * for any ending. They
	// decide whether strict mode exists. Default: the models of the profile.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=16
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=128
	// +kubebuilder:validation:items:Pattern=`^[A-Za-z0-9][A-Za-z0-9._:/@-]*\*?$`
	Models []string `json:"models,omitempty"`

	// strict says whether the provider must hold the model to the schema.
	// Required: a contract that strict mode cannot express is incompatible.
	// Preferred (default): strict if the allowed adaptation makes it so.
	// Disabled: never strict.
	// +optional
	Strict StrictPolicy `json:"strict,omitempty"`

	// adaptation is the strongest effect that a rewrite for this provider may
	// have on the admitted values. Keep: none. Narrow (default): fewer. Reshape:
	// another form, which the host turns back by the decode rule in
	// contract.json. Widen: more, with the lost constraint in the description.
	// The least effect that reaches the wanted strictness is used.
	// +optional
	Adaptation Effect `json:"adaptation,omitempty"`

	// examples says where the examples of the input go. Native (default): into
	// the provider's own field, and nowhere if it has none. Description: into
	// the description. Omit: nowhere.
	// +optional
	Examples ExamplesPolicy `json:"examples,omitempty"`

	// onIncompatible says what happens when the provider cannot take the
	// contract. Block (default): no target is published. Exclude: this target is
	// left out, unless it is served already.
	// +optional
	OnIncompatible IncompatiblePolicy `json:"onIncompatible,omitempty"`
}

// StrictPolicy is the wanted strictness of a target.
// +kubebuilder:validation:Enum=Required;Preferred;Disabled
type StrictPolicy string

// The strict policies; see [Target].
const (
	StrictRequired  StrictPolicy = "Required"
	StrictPreferred StrictPolicy = "Preferred"
	StrictDisabled  StrictPolicy = "Disabled"
)

// Effect is what a rewrite may do to the admitted values.
// +kubebuilder:validation:Enum=Keep;Narrow;Reshape;Widen
type Effect string

// The effects, weakest first.
const (
	EffectKeep    Effect = "Keep"
	EffectNarrow  Effect = "Narrow"
	EffectReshape Effect = "Reshape"
	EffectWiden   Effect = "Widen"
)

// ExamplesPolicy says where the examples of a contract go.
// +kubebuilder:validation:Enum=Native;Description;Omit
type ExamplesPolicy string

// The policies; see [Target].
const (
	ExamplesNative      ExamplesPolicy = "Native"
	ExamplesDescription ExamplesPolicy = "Description"
	ExamplesOmit        ExamplesPolicy = "Omit"
)

// IncompatiblePolicy says what an incompatible target does to publication.
// +kubebuilder:validation:Enum=Block;Exclude
type IncompatiblePolicy string

// The policies; see [Target].
const (
	IncompatibleBlock   IncompatiblePolicy = "Block"
	IncompatibleExclude IncompatiblePolicy = "Exclude"
)

// AllowedNamespaces says whose ToolSets may hold a tool.
//
// +kubebuilder:validation:XValidation:rule="has(self.selector) == (self.from == 'Selector')",message="set selector exactly when from is Selector"
type AllowedNamespaces struct {
	// from: Same, the namespace of the contract. All, every one. Selector, the
	// namespace of the contract and those that selector selects.
	// +required
	From NamespacesFrom `json:"from"`
	// selector selects namespaces by their labels.
	// +optional
	Selector *metav1.LabelSelector `json:"selector,omitempty"`
}

// NamespacesFrom is a way to name namespaces.
// +kubebuilder:validation:Enum=Same;All;Selector
type NamespacesFrom string

// The ways; see [AllowedNamespaces].
const (
	NamespacesSame     NamespacesFrom = "Same"
	NamespacesAll      NamespacesFrom = "All"
	NamespacesSelector NamespacesFrom = "Selector"
)

// Acknowledgement accepts one finding.
type Acknowledgement struct {
	// version is the contract version that the finding is about; left out for a
	// lint finding, which is about the contract whatever its version.
	// +optional
	// +kubebuilder:validation:MinLength=5
	// +kubebuilder:validation:MaxLength=40
	Version string `json:"version,omitempty"`

	// rule is the rule identifier of the finding.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	Rule string `json:"rule"`

	// path is the JSON pointer of the finding.
	// +optional
	// +kubebuilder:validation:MaxLength=1024
	Path string `json:"path,omitempty"`

	// reason says why the finding is acceptable. It is frozen with the revision.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1024
	Reason string `json:"reason"`
}

// ToolContractStatus is what the operator says about a contract. It stays
// below 24 KiB whatever the contract holds.
type ToolContractStatus struct {
	// observedGeneration is the generation that the status is about; -1 before
	// the operator has looked at the contract.
	// +optional
	// +kubebuilder:default=-1
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// conditions are the verdicts; see the package documentation.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MaxItems=16
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// summary is Ready's reason and, for targets, the first profile that
	// refuses: "TargetsIncompatible: gemini-json-schema".
	// +optional
	// +kubebuilder:validation:MaxLength=256
	Summary string `json:"summary,omitempty"`

	// targetsReady counts the targets that accept the contract: "4/5".
	// +optional
	// +kubebuilder:validation:MaxLength=16
	TargetsReady string `json:"targetsReady,omitempty"`

	// publishedRevision names the ToolRevision that the channel of this
	// version's line serves.
	// +optional
	// +kubebuilder:validation:MaxLength=253
	PublishedRevision string `json:"publishedRevision,omitempty"`

	// issued are the versions that were accepted, with their content digest. It
	// outlives collected revisions: an issued version can never come back with
	// other content. The highest of each served line is kept, then the newest.
	// While a version is listed its content can be served again.
	// +optional
	// +listType=map
	// +listMapKey=version
	// +kubebuilder:validation:MaxItems=64
	Issued []IssuedVersion `json:"issued,omitempty"`

	// retiredLine is the highest line that was retired. It only rises; a version
	// in or below it is refused.
	// +optional
	// +kubebuilder:validation:MaxLength=21
	RetiredLine string `json:"retiredLine,omitempty"`

	// channels are the ConfigMaps that agents read, the newest line first. Those
	// of retired lines stand here while something still mounts them.
	// +optional
	// +listType=map
	// +listMapKey=line
	// +kubebuilder:validation:MaxItems=24
	Channels []Channel `json:"channels,omitempty"`

	// lint counts what the lint rules found and shows the first findings.
	// +optional
	Lint *LintStatus `json:"lint,omitempty"`

	// targets are the results per provider.
	// +optional
	// +listType=map
	// +listMapKey=profile
	// +kubebuilder:validation:MaxItems=16
	Targets []TargetStatus `json:"targets,omitempty"`
}

// IssuedVersion is one accepted version.
type IssuedVersion struct {
	// version is the accepted version.
	// +required
	// +kubebuilder:validation:MaxLength=40
	Version string `json:"version"`
	// digest is its content digest.
	// +required
	// +kubebuilder:validation:MaxLength=71
	Digest string `json:"digest"`
}

// Channel is one line of versions that agents read under a stable name.
type Channel struct {
	// line is the major version, or 0.y below 1.0.0.
	// +required
	// +kubebuilder:validation:MaxLength=21
	Line string `json:"line"`
	// revision names the ToolRevision that the channel serves.
	// +required
	// +kubebuilder:validation:MaxLength=253
	Revision string `json:"revision"`
	// configMap names the ConfigMap.
	// +required
	// +kubebuilder:validation:MaxLength=253
	ConfigMap string `json:"configMap"`
	// digest is the SHA-256 of the index.json in it.
	// +required
	// +kubebuilder:validation:MaxLength=71
	Digest string `json:"digest"`
	// retired says that the line is retired and its ConfigMap is deleted as soon
	// as nothing mounts it.
	// +optional
	Retired bool `json:"retired,omitempty"`
	// consumers are the first five that mount the ConfigMap of a retired line, as
	// Kind/name. They are only known where mount tracking is on.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=5
	// +kubebuilder:validation:items:MaxLength=320
	Consumers []string `json:"consumers,omitempty"`
}

// TargetStatus is the result of one target.
type TargetStatus struct {
	// profile names the target.
	// +required
	// +kubebuilder:validation:MaxLength=63
	Profile string `json:"profile"`
	// compatible says whether the provider takes the contract.
	// +required
	Compatible Compatibility `json:"compatible"`
	// strict says whether the rendering asks the provider for strict mode.
	// +required
	Strict StrictOutcome `json:"strict"`
	// errors counts the findings that make the target incompatible.
	// +optional
	Errors int32 `json:"errors,omitempty"`
	// warnings counts the findings that do not.
	// +optional
	Warnings int32 `json:"warnings,omitempty"`
	// findings are the first three; toolcontract check prints all.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=3
	Findings []TargetFinding `json:"findings,omitempty"`
	// digest is the SHA-256 of the rendering, if there is one.
	// +optional
	// +kubebuilder:validation:MaxLength=71
	Digest string `json:"digest,omitempty"`
	// profileRevision is the revision of the profile since which the result is
	// as it is; later ones say the same of the contract.
	// +optional
	ProfileRevision int32 `json:"profileRevision,omitempty"`
}

// LintStatus is what the lint rules found.
type LintStatus struct {
	// errors counts the findings that make Linted False.
	// +optional
	Errors int32 `json:"errors,omitempty"`
	// warnings counts the findings that do not.
	// +optional
	Warnings int32 `json:"warnings,omitempty"`
	// acknowledged counts the findings that spec.acknowledge accepts.
	// +optional
	Acknowledged int32 `json:"acknowledged,omitempty"`
	// findings are the first three; toolcontract check prints all.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=3
	Findings []TargetFinding `json:"findings,omitempty"`
}

// Compatibility is whether a provider takes a contract.
// +kubebuilder:validation:Enum=Yes;No
type Compatibility string

// The outcomes of a target.
const (
	CompatibleYes Compatibility = "Yes"
	CompatibleNo  Compatibility = "No"
)

// StrictOutcome says how a target is rendered.
// +kubebuilder:validation:Enum=Strict;NotStrict;None
type StrictOutcome string

// The strict outcomes; None where there is no rendering.
const (
	OutcomeStrict    StrictOutcome = "Strict"
	OutcomeNotStrict StrictOutcome = "NotStrict"
	OutcomeNone      StrictOutcome = "None"
)

// TargetFinding is one finding about a target.
type TargetFinding struct {
	// rule is the rule identifier.
	// +required
	// +kubebuilder:validation:MaxLength=63
	Rule string `json:"rule"`
	// severity is Error, Warning or Info.
	// +required
	// +kubebuilder:validation:MaxLength=16
	Severity string `json:"severity"`
	// pointer leads into the author's schema or, when it starts with /spec,
	// into the contract.
	// +optional
	// +kubebuilder:validation:MaxLength=256
	Pointer string `json:"pointer,omitempty"`
	// message says what is wrong and the way out.
	// +required
	// +kubebuilder:validation:MaxLength=300
	Message string `json:"message"`
}
