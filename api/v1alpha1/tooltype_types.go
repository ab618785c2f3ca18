// SPDX-License-Identifier: Apache-2.0

package v1alpha1

// FreeForm is a tool whose one argument is a text that the model writes without
// JSON around it: a query, a patch, a program. The application runs it.
//
// +kubebuilder:validation:XValidation:rule="has(self.definition) == (has(self.syntax) && self.syntax != 'Text')",message="set definition exactly when syntax is Lark or Regex"
type FreeForm struct {
	// parameter is the name under which the tool finds the text. Default: input.
	// Where a provider has no such tools, fallback gives the model a function with
	// this one parameter.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[A-Za-z_][A-Za-z0-9_]*$`
	Parameter string `json:"parameter,omitempty"`

	// description says what the text is; it goes where the fallback has a place
	// for it.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=4096
	Description string `json:"description,omitempty"`

	// syntax is what holds the model to a form. Text (default): nothing. Lark: a
	// Lark grammar. Regex: a regular expression that matches the whole text.
	// +optional
	Syntax FreeFormSyntax `json:"syntax,omitempty"`

	// definition is the grammar or the expression.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=32768
	Definition string `json:"definition,omitempty"`

	// maxLength is the most characters of the text; the host refuses more.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1048576
	MaxLength *int32 `json:"maxLength,omitempty"`

	// fallback says what providers without such tools get. None (default):
	// nothing, they are incompatible. Function: a function with one text
	// parameter; a grammar is then said in the description and held by the host.
	// +optional
	Fallback FreeFormFallback `json:"fallback,omitempty"`

	// examples are complete texts.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=16
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=16384
	Examples []string `json:"examples,omitempty"`
}

// FreeFormSyntax is what holds the text to a form.
// +kubebuilder:validation:Enum=Text;Lark;Regex
type FreeFormSyntax string

// The syntaxes; see [FreeForm].
const (
	SyntaxText  FreeFormSyntax = "Text"
	SyntaxLark  FreeFormSyntax = "Lark"
	SyntaxRegex FreeFormSyntax = "Regex"
)

// FreeFormFallback is what providers without free-form tools get.
// +kubebuilder:validation:Enum=None;Function
type FreeFormFallback string

// The fallbacks; see [FreeForm].
const (
	FallbackNone     FreeFormFallback = "None"
	FallbackFunction FreeFormFallback = "Function"
)

// BuiltIn is a tool that a provider brings along. Its name, its version and its
// settings are the provider's own words; other providers cannot take it.
type BuiltIn struct {
	// type is what the provider calls the tool, with its date where it has one:
	// web_search, web_search_20260318, codeExecution. The profiles list them.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[A-Za-z][A-Za-z0-9_]*$`
	Type string `json:"type"`

	// settings are the fields of the tool, spelt as its provider does. The profile
	// knows which there are. No field may hold a secret.
	// +optional
	Settings *JSONObject `json:"settings,omitempty"`
}

// MCP is a tool of an MCP server that the provider calls by itself. A tool whose
// server the application calls is of type Function.
type MCP struct {
	// server says how the provider reaches the server.
	// +required
	Server MCPServer `json:"server"`

	// tool is the name of the tool on the server. Default: toolName.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=128
	// +kubebuilder:validation:Pattern=`^[A-Za-z0-9_.:/-]+$`
	Tool string `json:"tool,omitempty"`
}

// MCPServer says how a provider reaches an MCP server. Credentials are named,
// never written: the host puts them into each request.
//
// +kubebuilder:validation:XValidation:rule="has(self.url) != has(self.connectorID)",message="set exactly one of url and connectorID"
type MCPServer struct {
	// label is the name of the server in a request.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[A-Za-z][A-Za-z0-9_-]*$`
	Label string `json:"label"`

	// url is where the provider finds the server: https, without user, query or
	// fragment.
	// +optional
	// +kubebuilder:validation:MinLength=9
	// +kubebuilder:validation:MaxLength=1024
	// +kubebuilder:validation:Pattern=`^https://[^\s?#@]+$`
	URL string `json:"url,omitempty"`

	// connectorID names a server that the provider keeps.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=128
	// +kubebuilder:validation:Pattern=`^[A-Za-z][A-Za-z0-9_-]*$`
	ConnectorID string `json:"connectorID,omitempty"`

	// description tells the model what the server is for.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1024
	Description string `json:"description,omitempty"`

	// authorization names the place of the token that the host sends along, as
	// vault.orders. A name, never a value.
	// +optional
	// +kubebuilder:validation:MinLength=3
	// +kubebuilder:validation:MaxLength=128
	// +kubebuilder:validation:Pattern=`^[A-Za-z_][A-Za-z0-9_-]*(\.[A-Za-z_][A-Za-z0-9_-]*)+$`
	Authorization string `json:"authorization,omitempty"`

	// headers are further headers that the host sends along, by name and source.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=16
	Headers []MCPHeader `json:"headers,omitempty"`
}

// MCPHeader is a header whose value the host knows.
type MCPHeader struct {
	// name of the header.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[A-Za-z0-9][A-Za-z0-9-]*$`
	Name string `json:"name"`
	// source names the place of the value, as session.tenant.
	// +required
	// +kubebuilder:validation:MinLength=3
	// +kubebuilder:validation:MaxLength=128
	// +kubebuilder:validation:Pattern=`^[A-Za-z_][A-Za-z0-9_-]*(\.[A-Za-z_][A-Za-z0-9_-]*)+$`
	Source string `json:"source"`
}
