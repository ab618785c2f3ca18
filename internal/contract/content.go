// SPDX-License-Identifier: Apache-2.0

package contract

import "github.com/toolcontract/operator/internal/schema"

// Content is what a revision freezes. Empty strings, nil pointers and empty
// lists mean that the author left the field out.
type Content struct {
	Version Version
	// Type is the kind of tool; Function is what an author need not say.
	Type        string
	ToolName    string
	Title       string
	Description Description
	Input       Input
	// FreeForm, BuiltIn and MCP are set for the types of these names.
	FreeForm  *FreeForm
	BuiltIn   *BuiltIn
	MCP       *MCP
	Output    Output
	Execution Execution
}

// The types of tools.
const (
	// Function: the application runs the tool with arguments from the model.
	Function = "Function"
	// TypeFreeForm: the application runs it, and the model writes one text.
	TypeFreeForm = "FreeForm"
	// TypeBuiltIn: the provider brings it along.
	TypeBuiltIn = "BuiltIn"
	// TypeMCP: a tool of an MCP server that the provider calls by itself.
	TypeMCP = "MCP"
)

// FreeForm is the one text that the model writes. The tool gets it as the member
// Parameter of an object, whether the model wrote it as a text or as the argument
// of the fallback: [Content.Input] holds the schema of that object.
type FreeForm struct {
	Parameter   string // never empty
	Description string
	Syntax      string // Text, Lark or Regex; never empty
	Definition  string
	MaxLength   *int32
	// Fallback says that providers without such tools get a function.
	Fallback bool
	Examples []string
}

// BuiltIn is a tool of the provider, in the provider's own words.
type BuiltIn struct {
	Type     string
	Settings *schema.Value // nil for none
}

// MCP is a tool of a server that the provider calls. Credentials are names.
type MCP struct {
	Label, URL, ConnectorID, Description, Authorization string
	Headers                                             []MCPHeader
	Tool                                                string // the name on the server; never empty
}

// MCPHeader is a header whose value the host knows under Source.
type MCPHeader struct{ Name, Source string }

// Input is the model-facing side.
type Input struct {
	Schema   *schema.Schema
	Examples []*schema.Value
	// SessionParameters are injected by the host; the model never sees them.
	SessionParameters []SessionParameter
	// Writer says which calls are written: AsDeclared (what absence stands for),
	// every one that the schema admits; Declared, only those whose members the
	// schema declares, because the host rejects others.
	Writer string
}

// SessionParameter is one value that the host takes from the session of the
// caller and hands to the tool beside what the model wrote.
type SessionParameter struct {
	Name   string
	Source string // where the host finds it, as session.tenant
	// Optional says that the tool also works without it.
	Optional bool
	Schema   *schema.Schema
}

// Output is what the tool answers; Schema is nil if the author declared none.
type Output struct {
	Schema *schema.Schema
	Errors []OutputError
	// Limits bound an answer; Truncation is Never (what absence stands for) or
	// Marked.
	Limits     OutputLimits
	Truncation string
	Pagination *Pagination
	Freshness  *Freshness
	Provenance *Provenance
	// Bindings are fields of an answer that repeat an argument.
	Bindings []OutputBinding
	// Reader says what callers make of members that the schema does not declare:
	// AsDeclared (what absence stands for), what the schema says; IgnoreUnknown,
	// they never see them, because the host leaves them out.
	Reader string
}

// The words of Input.Writer and Output.Reader that change what is promised.
const (
	WriterDeclared      = "Declared"
	ReaderIgnoreUnknown = "IgnoreUnknown"
)

// OutputError is one declared failure.
type OutputError struct {
	Code, Category, Recovery, SafeMessage string
	RetryAfterMs                          *int32
}

// OutputLimits bound an answer; nil is no bound.
type OutputLimits struct {
	MaxBytes, MaxDepth, MaxItems *int32
}

// Pagination says how the rest of a long answer is fetched. Input, Output and
// Items are JSON pointers into a call and an answer.
type Pagination struct {
	Mode                 string // Cursor, Offset, Page
	Input, Output, Items string
	MaxPageSize          *int32
}

// Freshness says how old an answer may be, and who may be given a kept one.
type Freshness struct {
	MaxAgeSeconds *int32
	Cache         string // None, Session, Shared; empty is None
}

// Provenance says where an answer comes from.
type Provenance struct {
	Source, ProducerRevision string
	Trust                    string // TrustedControl, UntrustedData; empty is UntrustedData
}

// OutputBinding ties a field of an answer to an argument, by JSON pointers.
type OutputBinding struct{ Output, Input string }

// Execution is what a host must know to run the tool. The words are those of
// the API.
type Execution struct {
	Location           string
	Credentials        string
	Authorization      string
	SideEffect         string // None, Draft, Reversible, Irreversible
	Reach              string // Closed, Open
	Risk               string // Low, Medium, High, Critical
	TimeoutSeconds     *int32
	Retry              *Retry
	Approval           string // None, Required
	IdempotencyMode    string // None, Idempotent, Key
	IdempotencyKey     string
	DataClassification string // Public, Internal, Confidential, Restricted
}

// Retry says how often a host may call again.
type Retry struct {
	MaxAttempts    int32
	BackoffSeconds *int32
}

// Digest identifies the content: the SHA-256 of [Content.Canonical]. It
// includes the version.
func (c *Content) Digest() string { return c.Canonical().Digest() }

// SameMeaning reports whether two contents differ in nothing but the version.
func (c *Content) SameMeaning(other *Content) bool {
	return c.Canonical().Without("version").JSON() == other.Canonical().Without("version").JSON()
}

// Canonical is the content as one ordered value. Absent fields are left out,
// so that a field added to the API later changes no digest. Schemas have
// their keywords in canonical order; the order of properties is content.
func (c *Content) Canonical() *schema.Value {
	var o schema.Fields
	o.Text("version", c.Version.String())
	if c.Type != Function {
		o.Text("type", c.Type)
	}
	o.Text("toolName", c.ToolName)
	o.Text("title", c.Title)
	o.NonEmpty("description", c.Description.canonical())
	switch {
	case c.FreeForm != nil: // the input follows from it
		o.NonEmpty("freeForm", c.FreeForm.canonical())
	default:
		o.NonEmpty("input", c.Input.canonical())
	}
	if c.BuiltIn != nil {
		o.NonEmpty("builtIn", c.BuiltIn.canonical())
	}
	if c.MCP != nil {
		o.NonEmpty("mcp", c.MCP.canonical())
	}
	o.NonEmpty("output", c.Output.canonical())
	o.NonEmpty("execution", c.Execution.canonical())
	return o.Object()
}

func (in Input) canonical() *schema.Value {
	var o schema.Fields
	if in.Schema != nil {
		o.Add("schema", in.Schema.Root())
	}
	if len(in.Examples) > 0 {
		o.NonEmpty("examples", schema.NewArray(in.Examples...))
	}
	if len(in.SessionParameters) > 0 {
		parameters := make([]*schema.Value, len(in.SessionParameters))
		for i, p := range in.SessionParameters {
			parameters[i] = p.canonical()
		}
		o.NonEmpty("sessionParameters", schema.NewArray(parameters...))
	}
	o.Text("writer", in.Writer)
	return o.Object()
}

func (p SessionParameter) canonical() *schema.Value {
	var o schema.Fields
	o.Text("name", p.Name)
	o.Text("source", p.Source)
	if p.Optional {
		o.Add("optional", schema.NewBool(true))
	}
	if p.Schema != nil {
		o.Add("schema", p.Schema.Root())
	}
	return o.Object()
}

func (out Output) canonical() *schema.Value {
	var o schema.Fields
	if out.Schema != nil {
		o.Add("schema", out.Schema.Root())
	}
	if len(out.Errors) > 0 {
		errors := make([]*schema.Value, len(out.Errors))
		for i, e := range out.Errors {
			var entry schema.Fields
			entry.Text("code", e.Code)
			entry.Text("category", e.Category)
			entry.Text("recovery", e.Recovery)
			entry.Text("safeMessage", e.SafeMessage)
			entry.Int("retryAfterMs", e.RetryAfterMs)
			errors[i] = entry.Object()
		}
		o.NonEmpty("errors", schema.NewArray(errors...))
	}
	out.promises(&o)
	o.Text("reader", out.Reader)
	return o.Object()
}

func (e Execution) canonical() *schema.Value {
	var o schema.Fields
	o.Text("location", e.Location)
	o.Text("credentials", e.Credentials)
	o.Text("authorization", e.Authorization)
	o.Text("sideEffect", e.SideEffect)
	o.Text("reach", e.Reach)
	o.Text("risk", e.Risk)
	o.Int("timeoutSeconds", e.TimeoutSeconds)
	if e.Retry != nil {
		var retry schema.Fields
		retry.Int("maxAttempts", &e.Retry.MaxAttempts)
		retry.Int("backoffSeconds", e.Retry.BackoffSeconds)
		o.NonEmpty("retry", retry.Object())
	}
	o.Text("approval", e.Approval)
	var idempotency schema.Fields
	idempotency.Text("mode", e.IdempotencyMode)
	idempotency.Text("keyParameter", e.IdempotencyKey)
	o.NonEmpty("idempotency", idempotency.Object())
	o.Text("dataClassification", e.DataClassification)
	return o.Object()
}

// ExecutionValue is the canonical form of the execution policy, for the host's
// view of a contract.
func (c *Content) ExecutionValue() *schema.Value { return c.Execution.canonical() }

// OutputValue is the canonical form of the output.
func (c *Content) OutputValue() *schema.Value { return c.Output.canonical() }

// InputValue is the canonical form of the input, for a free text that of the
// object in which the tool finds it.
func (c *Content) InputValue() *schema.Value { return c.Input.canonical() }

// TypeValue is the canonical form of what only the type of the tool has, and the
// name of the member that holds it; empty for a function.
func (c *Content) TypeValue() (name string, v *schema.Value) {
	switch {
	case c.FreeForm != nil:
		return "freeForm", c.FreeForm.canonical()
	case c.BuiltIn != nil:
		return "builtIn", c.BuiltIn.canonical()
	case c.MCP != nil:
		return "mcp", c.MCP.canonical()
	}
	return "", nil
}

// DescriptionValue is the canonical form of the parts of the description.
func (c *Content) DescriptionValue() *schema.Value { return c.Description.canonical() }
