// SPDX-License-Identifier: Apache-2.0

package v1alpha1

// ToolContent is the part of a contract that a revision freezes. Any change of
// it needs a new version; an absent field never enters the content digest.
//
// +kubebuilder:validation:XValidation:rule="has(self.input) == (!has(self.type) || self.type in ['Function', 'MCP'])",message="set input for the types Function and MCP, and only for them"
// +kubebuilder:validation:XValidation:rule="has(self.freeForm) == (has(self.type) && self.type == 'FreeForm')",message="set freeForm exactly when type is FreeForm"
// +kubebuilder:validation:XValidation:rule="has(self.builtIn) == (has(self.type) && self.type == 'BuiltIn')",message="set builtIn exactly when type is BuiltIn"
// +kubebuilder:validation:XValidation:rule="has(self.mcp) == (has(self.type) && self.type == 'MCP')",message="set mcp exactly when type is MCP"
type ToolContent struct {
	// version is the semantic version of the content, without build metadata.
	// It says what a change does to callers: the operator refuses a version
	// that promises more than it can prove.
	// +required
	// +kubebuilder:validation:MinLength=5
	// +kubebuilder:validation:MaxLength=40
	// +kubebuilder:validation:Pattern=`^(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})(-(0|[1-9][0-9]{0,8}|[0-9]*[a-z]([0-9a-z-]*[0-9a-z])?)(\.(0|[1-9][0-9]{0,8}|[0-9]*[a-z]([0-9a-z-]*[0-9a-z])?))*)?$`
	Version string `json:"version"`

	// type is the kind of tool. Function (default): the application runs it and
	// the model fills in arguments. FreeForm: the application runs it and the
	// model writes one text. BuiltIn: a tool that the provider brings along. MCP:
	// a tool of an MCP server that the provider calls by itself.
	// +optional
	Type ToolType `json:"type,omitempty"`

	// toolName is the name that the model sees. It is immutable and need not be
	// unique in a namespace. Providers narrow it further: letters, digits, _ and
	// -, at most 64, suit all of them.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=128
	// +kubebuilder:validation:Pattern=`^[A-Za-z0-9_.:/-]+$`
	ToolName string `json:"toolName"`

	// title is a display name for people.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	Title string `json:"title,omitempty"`

	// description tells the model what the tool does and when to use it.
	// +required
	Description Description `json:"description"`

	// input is what the model fills in; of the types Function and MCP.
	// +optional
	Input Input `json:"input,omitzero"`

	// freeForm is the text that the model writes; of the type FreeForm.
	// +optional
	FreeForm *FreeForm `json:"freeForm,omitempty"`

	// builtIn names the tool of the provider; of the type BuiltIn.
	// +optional
	BuiltIn *BuiltIn `json:"builtIn,omitempty"`

	// mcp names the server and its tool; of the type MCP.
	// +optional
	MCP *MCP `json:"mcp,omitempty"`

	// output is what the tool answers.
	// +optional
	Output *Output `json:"output,omitempty"`

	// execution is what a host must know to run the tool. It never reaches a
	// model, except as the annotations of MCP.
	// +optional
	Execution *Execution `json:"execution,omitempty"`
}

// ToolType is the kind of tool.
// +kubebuilder:validation:Enum=Function;FreeForm;BuiltIn;MCP
type ToolType string

// The types; see [ToolContent].
const (
	TypeFunction ToolType = "Function"
	TypeFreeForm ToolType = "FreeForm"
	TypeBuiltIn  ToolType = "BuiltIn"
	TypeMCP      ToolType = "MCP"
)

// Description is the text that the model reads. The parts are joined in this
// order by one space, or by nothing after a full-width sentence end (。！？；).
type Description struct {
	// summary says what the tool does.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=16384
	Summary string `json:"summary"`
	// useWhen says in which situation the tool is the right one.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=4096
	UseWhen string `json:"useWhen,omitempty"`
	// doNotUseWhen says when another tool, or none, is right.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=4096
	DoNotUseWhen string `json:"doNotUseWhen,omitempty"`
	// returns says what comes back.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=4096
	Returns string `json:"returns,omitempty"`
	// sideEffects says what changes in the world.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=4096
	SideEffects string `json:"sideEffects,omitempty"`
	// failures says what an empty or failed answer means.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=4096
	Failures string `json:"failures,omitempty"`
}

// Input is the model-facing side of the tool.
//
// +kubebuilder:validation:XValidation:rule="has(self.schema) != has(self.schemaText)",message="set exactly one of schema and schemaText"
type Input struct {
	// schema is the JSON Schema 2020-12 of the arguments, as an object. The API
	// server sorts its keys: properties are rendered in the order of required,
	// then by name. Nulls are not allowed in it.
	// +optional
	Schema *JSONObject `json:"schema,omitempty"`

	// schemaText is the JSON Schema of the arguments as JSON text, kept byte for
	// byte, with the author's property order.
	// +optional
	// +kubebuilder:validation:MinLength=2
	// +kubebuilder:validation:MaxLength=98304
	SchemaText string `json:"schemaText,omitempty"`

	// examples are complete arguments. They must be valid; providers that have
	// a place for them get them.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=16
	Examples []Example `json:"examples,omitempty"`

	// sessionParameters are values that the host takes from the session of the
	// caller and hands to the tool beside the arguments. The model never sees
	// them: neither their names nor their schemas are in what a provider gets.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=32
	SessionParameters []SessionParameter `json:"sessionParameters,omitempty"`

	// writer says which calls are written. AsDeclared (default): every call that
	// the schema admits. Declared: only calls whose members the schema declares,
	// because the host rejects others; a new optional property of an open object
	// then breaks nobody. Set it only where every host enforces it, as pkg/host
	// does: the operator cannot.
	// +optional
	Writer InputWriter `json:"writer,omitempty"`
}

// InputWriter says which calls are written.
// +kubebuilder:validation:Enum=AsDeclared;Declared
type InputWriter string

// What is written.
const (
	// WriterAsDeclared: every call that the schema admits.
	WriterAsDeclared InputWriter = "AsDeclared"
	// WriterDeclared: only calls whose members the schema declares.
	WriterDeclared InputWriter = "Declared"
)

// SessionParameter is one value that the host injects into a call.
//
// +kubebuilder:validation:XValidation:rule="has(self.schema) != has(self.schemaText)",message="set exactly one of schema and schemaText"
type SessionParameter struct {
	// name is the member of the arguments that the tool finds the value in. No
	// property that the model fills in may have it.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[A-Za-z_][A-Za-z0-9_.-]*$`
	Name string `json:"name"`

	// source names the place in the session that the value comes from, as
	// session.tenant. A name, never a value.
	// +required
	// +kubebuilder:validation:MinLength=3
	// +kubebuilder:validation:MaxLength=128
	// +kubebuilder:validation:Pattern=`^[A-Za-z_][A-Za-z0-9_-]*(\.[A-Za-z_][A-Za-z0-9_-]*)+$`
	Source string `json:"source"`

	// optional says that the tool also works without the value. Without it a
	// session that lacks the value cannot call the tool.
	// +optional
	Optional bool `json:"optional,omitempty"`

	// schema is the JSON Schema 2020-12 of the value, as an object.
	// +optional
	Schema *JSONObject `json:"schema,omitempty"`

	// schemaText is the same as JSON text, kept byte for byte.
	// +optional
	// +kubebuilder:validation:MinLength=2
	// +kubebuilder:validation:MaxLength=16384
	SchemaText string `json:"schemaText,omitempty"`
}

// Example is one complete set of arguments.
//
// +kubebuilder:validation:XValidation:rule="has(self.value) != has(self.valueText)",message="set exactly one of value and valueText"
type Example struct {
	// value is the arguments object.
	// +optional
	Value *JSONObject `json:"value,omitempty"`
	// valueText is the arguments object as JSON text, kept byte for byte.
	// +optional
	// +kubebuilder:validation:MinLength=2
	// +kubebuilder:validation:MaxLength=98304
	ValueText string `json:"valueText,omitempty"`
}

// Execution is what a host must know to run the tool.
type Execution struct {
	// location is where the tool runs.
	// +optional
	Location ExecutionLocation `json:"location,omitempty"`
	// credentials names who holds the credentials that the tool needs. A name,
	// never a value.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=128
	// +kubebuilder:validation:Pattern=`^[A-Za-z0-9][A-Za-z0-9 ._:/@-]*$`
	Credentials string `json:"credentials,omitempty"`
	// authorization names who decides whether a call is allowed.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=128
	// +kubebuilder:validation:Pattern=`^[A-Za-z0-9][A-Za-z0-9 ._:/@-]*$`
	Authorization string `json:"authorization,omitempty"`
	// sideEffect is what a call changes. None: nothing. Draft: something that
	// has no effect until it is submitted. Reversible, Irreversible: the world.
	// +optional
	SideEffect SideEffect `json:"sideEffect,omitempty"`
	// reach says whether the tool stays inside a closed system or touches the
	// open world.
	// +optional
	Reach Reach `json:"reach,omitempty"`
	// risk is how much a wrong call can cost.
	// +optional
	Risk Risk `json:"risk,omitempty"`
	// timeoutSeconds is how long one call may take.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=86400
	TimeoutSeconds *int32 `json:"timeoutSeconds,omitempty"`
	// retry says how often a host may call again.
	// +optional
	Retry *Retry `json:"retry,omitempty"`
	// approval says whether a person must agree to each call.
	// +optional
	Approval Approval `json:"approval,omitempty"`
	// idempotency says what a repeated call does.
	// +optional
	Idempotency *Idempotency `json:"idempotency,omitempty"`
	// dataClassification is the class of the data that the tool handles.
	// +optional
	DataClassification DataClassification `json:"dataClassification,omitempty"`
}

// ExecutionLocation is where a tool runs.
// +kubebuilder:validation:Enum=Application;Provider;MCPServer;Client
type ExecutionLocation string

// SideEffect is what a call changes.
// +kubebuilder:validation:Enum=None;Draft;Reversible;Irreversible
type SideEffect string

// Reach is how far a call reaches.
// +kubebuilder:validation:Enum=Closed;Open
type Reach string

// Risk is how much a wrong call can cost.
// +kubebuilder:validation:Enum=Low;Medium;High;Critical
type Risk string

// Approval is whether a person must agree.
// +kubebuilder:validation:Enum=None;Required
type Approval string

// DataClassification is the class of the data that a tool handles.
// +kubebuilder:validation:Enum=Public;Internal;Confidential;Restricted
type DataClassification string

// Retry says how often a host may call again.
type Retry struct {
	// maxAttempts counts all calls, the first one included.
	// +required
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=10
	MaxAttempts int32 `json:"maxAttempts"`
	// backoffSeconds is the wait before the next call.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=3600
	BackoffSeconds *int32 `json:"backoffSeconds,omitempty"`
}

// Idempotency says what a repeated call does.
//
// +kubebuilder:validation:XValidation:rule="(self.mode == 'Key') == has(self.keyParameter)",message="set keyParameter exactly when mode is Key"
type Idempotency struct {
	// mode: None, a repeated call repeats its effect. Idempotent, it does not.
	// Key, it does not as long as the key parameter is the same.
	// +required
	Mode IdempotencyMode `json:"mode"`
	// keyParameter is the input property that carries the key.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=128
	KeyParameter string `json:"keyParameter,omitempty"`
}

// IdempotencyMode is how a repeated call behaves.
// +kubebuilder:validation:Enum=None;Idempotent;Key
type IdempotencyMode string
