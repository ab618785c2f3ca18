// SPDX-License-Identifier: Apache-2.0

package v1alpha1

// Output is what the tool answers.
//
// +kubebuilder:validation:XValidation:rule="!(has(self.schema) && has(self.schemaText))",message="set at most one of schema and schemaText"
type Output struct {
	// schema is the JSON Schema 2020-12 of the data of a successful answer.
	// +optional
	Schema *JSONObject `json:"schema,omitempty"`

	// schemaText is the same as JSON text, kept byte for byte.
	// +optional
	// +kubebuilder:validation:MinLength=2
	// +kubebuilder:validation:MaxLength=98304
	SchemaText string `json:"schemaText,omitempty"`

	// errors are the failures that the tool reports by a stable code.
	// +optional
	// +listType=map
	// +listMapKey=code
	// +kubebuilder:validation:MaxItems=64
	Errors []OutputError `json:"errors,omitempty"`

	// limits bound what comes back. A host counts an answer beyond them as failed
	// or cuts it, as truncation says.
	// +optional
	Limits *OutputLimits `json:"limits,omitempty"`

	// truncation says what happens to an answer beyond the limits. Never
	// (default): it is a failure. Marked: it is cut where the tool can cut it, and
	// the envelope says so.
	// +optional
	Truncation Truncation `json:"truncation,omitempty"`

	// pagination says how the rest of a long answer is fetched.
	// +optional
	Pagination *Pagination `json:"pagination,omitempty"`

	// freshness says how old an answer may be, and whether it may be kept.
	// +optional
	Freshness *Freshness `json:"freshness,omitempty"`

	// provenance says where the data comes from and how far it can be trusted.
	// +optional
	Provenance *Provenance `json:"provenance,omitempty"`

	// bindings are fields of the answer that repeat an argument. A host refuses an
	// answer in which they differ: it is the answer to another question.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Bindings []OutputBinding `json:"bindings,omitempty"`

	// reader says what callers make of members of the answer that the schema does
	// not declare. AsDeclared (default): what the schema says. IgnoreUnknown: they
	// never see them, because the host leaves them out; a new property of a closed
	// object then breaks nobody. Set it only where every host does that, as
	// pkg/host does.
	// +optional
	Reader OutputReader `json:"reader,omitempty"`
}

// OutputReader says what callers make of undeclared members.
// +kubebuilder:validation:Enum=AsDeclared;IgnoreUnknown
type OutputReader string

// What is read.
const (
	// ReaderAsDeclared: what the schema says.
	ReaderAsDeclared OutputReader = "AsDeclared"
	// ReaderIgnoreUnknown: undeclared members are left out before a caller sees
	// them.
	ReaderIgnoreUnknown OutputReader = "IgnoreUnknown"
)

// OutputError is one declared failure.
//
// +kubebuilder:validation:XValidation:rule="!has(self.retryAfterMs) || (has(self.recovery) && self.recovery == 'RetryLater')",message="set retryAfterMs only with the recovery RetryLater"
type OutputError struct {
	// code is the stable identifier, in upper case.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[A-Z][A-Z0-9_]*$`
	Code string `json:"code"`
	// category is the kind of failure.
	// +required
	Category ErrorCategory `json:"category"`
	// recovery is what the caller can do. Default None.
	// +optional
	Recovery ErrorRecovery `json:"recovery,omitempty"`
	// safeMessage is a text that may be shown to a model or a user.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	SafeMessage string `json:"safeMessage,omitempty"`
	// retryAfterMs is how long a caller waits before it calls again, in
	// milliseconds; with the recovery RetryLater only.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=86400000
	RetryAfterMs *int32 `json:"retryAfterMs,omitempty"`
}

// ErrorCategory is the kind of failure.
// +kubebuilder:validation:Enum=InvalidInput;NotFound;PermissionDenied;Approval;Conflict;RateLimited;Timeout;Unavailable;Internal
type ErrorCategory string

// ErrorRecovery is what a caller can do about a failure.
// +kubebuilder:validation:Enum=None;FixInput;AskUser;RequestApproval;RetryLater
type ErrorRecovery string

// OutputLimits bound an answer. What is left out is not bounded by the contract.
type OutputLimits struct {
	// maxBytes is the most bytes of the answer as JSON.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=16777216
	MaxBytes *int32 `json:"maxBytes,omitempty"`
	// maxDepth is the most levels of objects and lists within each other.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=64
	MaxDepth *int32 `json:"maxDepth,omitempty"`
	// maxItems is the most members of any list in the answer.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000000
	MaxItems *int32 `json:"maxItems,omitempty"`
}

// Truncation is what happens to an answer beyond the limits.
// +kubebuilder:validation:Enum=Never;Marked
type Truncation string

// The ways; see [Output].
const (
	TruncationNever  Truncation = "Never"
	TruncationMarked Truncation = "Marked"
)

// Pagination says how the rest of a long answer is fetched: the value at output
// of one answer is the argument at input of the next call.
type Pagination struct {
	// mode is what that value is. Cursor: an opaque text. Offset: the number of
	// entries to skip. Page: the number of the page.
	// +required
	Mode PaginationMode `json:"mode"`
	// input is the JSON pointer of the argument, in a call.
	// +required
	// +kubebuilder:validation:MinLength=2
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^(/([^~/]|~[01])*)+$`
	Input string `json:"input"`
	// output is the JSON pointer of the value, in an answer. A missing or null
	// value means that there is no more. Required for the mode Cursor.
	// +optional
	// +kubebuilder:validation:MinLength=2
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^(/([^~/]|~[01])*)+$`
	Output string `json:"output,omitempty"`
	// items is the JSON pointer of the list, in an answer.
	// +optional
	// +kubebuilder:validation:MinLength=2
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^(/([^~/]|~[01])*)+$`
	Items string `json:"items,omitempty"`
	// maxPageSize is the most entries of one answer.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=100000
	MaxPageSize *int32 `json:"maxPageSize,omitempty"`
}

// PaginationMode is how the next page is named.
// +kubebuilder:validation:Enum=Cursor;Offset;Page
type PaginationMode string

// Freshness says how old an answer may be, and whether it may be kept.
type Freshness struct {
	// maxAgeSeconds is how old the data of an answer may be. With it every
	// successful answer says when the data was observed.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=31536000
	MaxAgeSeconds *int32 `json:"maxAgeSeconds,omitempty"`
	// cache says who may be given a kept answer. None (default): nobody. Session:
	// the session that asked. Shared: everybody who may call the tool.
	// +optional
	Cache CachePolicy `json:"cache,omitempty"`
}

// CachePolicy says who may be given a kept answer.
// +kubebuilder:validation:Enum=None;Session;Shared
type CachePolicy string

// Provenance says where the data of an answer comes from.
type Provenance struct {
	// source is the name that a model may be told.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=128
	// +kubebuilder:validation:Pattern=`^[A-Za-z0-9][A-Za-z0-9 ._:/@-]*$`
	Source string `json:"source"`
	// producerRevision is the revision of the program that makes the answer, if
	// only that one may. Left out, every answer says which one made it.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=128
	// +kubebuilder:validation:Pattern=`^[A-Za-z0-9][A-Za-z0-9 ._:/@+-]*$`
	ProducerRevision string `json:"producerRevision,omitempty"`
	// trust says what a model may make of texts in the data. UntrustedData
	// (default): they are data and never instructions. TrustedControl: the
	// application wrote all of them.
	// +optional
	Trust Trust `json:"trust,omitempty"`
}

// Trust is what a model may make of an answer.
// +kubebuilder:validation:Enum=TrustedControl;UntrustedData
type Trust string

// OutputBinding ties a field of the answer to an argument.
type OutputBinding struct {
	// output is the JSON pointer of the field, in an answer.
	// +required
	// +kubebuilder:validation:MinLength=2
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^(/([^~/]|~[01])*)+$`
	Output string `json:"output"`
	// input is the JSON pointer of the argument, in a call.
	// +required
	// +kubebuilder:validation:MinLength=2
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^(/([^~/]|~[01])*)+$`
	Input string `json:"input"`
}
