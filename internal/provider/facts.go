// SPDX-License-Identifier: Apache-2.0

package provider

// Facts is the form of a profile file. Unknown fields are refused, and a file
// is complete: every keyword of JSON Schema 2020-12, every [Shape] and both
// modes have a verdict with a source. A file that extends another gives only
// what differs (see merge).
type Facts struct {
	// Name is the name that targets use; the file is <name>.yaml.
	Name string `json:"name"`
	// Extends names the profile whose facts hold unless this file gives its own.
	Extends string `json:"extends,omitempty"`
	// Title names the API in messages: "OpenAI Responses API".
	Title    string `json:"title"`
	Provider string `json:"provider"`
	API      string `json:"api"`
	// WireFormat names the renderer's format for one element of the tools array.
	WireFormat string `json:"wireFormat"`
	// Revision is raised with every change of the facts.
	Revision int `json:"revision"`
	// Reviewed is the day on which somebody last compared the facts with their
	// sources, as YYYY-MM-DD.
	Reviewed string `json:"reviewed"`

	Sources []Source     `json:"sources,omitempty"`
	Strict  StrictSwitch `json:"strict,omitzero"`
	Models  []Model      `json:"models,omitempty"`
	// ModelPrefixes say where a model runs and not what it is; a model is looked
	// up without them.
	ModelPrefixes []string           `json:"modelPrefixes,omitempty"`
	ToolNames     []NameRule         `json:"toolNames,omitempty"`
	Description   DescriptionRule    `json:"description,omitzero"`
	PropertyNames []PropertyNameRule `json:"propertyNames,omitempty"`
	Examples      ExamplesPlace      `json:"examples,omitzero"`
	OutputSchema  OutputPlace        `json:"outputSchema,omitzero"`
	Effective     EffectiveByMode    `json:"effective,omitzero"`
	Limits        []Limit            `json:"limits,omitempty"`
	ToolTypes     ToolTypes          `json:"toolTypes,omitzero"`
	Request       RequestFacts       `json:"request,omitzero"`

	// RootKeywords are the verdicts for keywords at the root of a schema, where
	// they differ from elsewhere. The name "unknown" is as in Keywords.
	RootKeywords []Verdicts `json:"rootKeywords,omitempty"`
	// Shapes are the verdicts for what is in no single keyword; names are [Shape]s.
	Shapes []Verdicts `json:"shapes,omitempty"`
	// Keywords are the verdicts for keywords. The name "unknown" stands for
	// every keyword that 2020-12 does not know and the file does not name.
	Keywords []Verdicts `json:"keywords,omitempty"`
}

// Source is where a fact comes from.
type Source struct {
	Key   string `json:"key"`
	Title string `json:"title"`
	URL   string `json:"url"`
	// Date of the text, commit or report: YYYY-MM-DD, or YYYY-MM where the day
	// is not known.
	Date string `json:"date"`
}

// Evidence supports a fact.
type Evidence struct {
	Confidence Confidence `json:"confidence"`
	Sources    []string   `json:"sources"`
	Note       string     `json:"note,omitempty"`
}

// StrictPlace is where strictness is asked for.
type StrictPlace string

// The places.
const (
	PerTool    StrictPlace = "Tool"    // a flag on each tool
	PerRequest StrictPlace = "Request" // a setting that holds for all tools of a request
	NoStrict   StrictPlace = "None"    // the API has no strict mode
	// Implied is an API that is always strict: nothing is written and nothing has
	// to be set, every model that the profile knows to be strict is, and asking
	// for less changes nothing. Both modes have the same verdicts.
	Implied StrictPlace = "Implied"
)

// NonStrictSpelling is how a tool says that it is not strict.
type NonStrictSpelling string

// The spellings.
const (
	EmitFalse NonStrictSpelling = "EmitFalse" // strict: false is written
	Omit      NonStrictSpelling = "Omit"      // nothing is written
)

// StrictSwitch says how strict mode is asked for.
type StrictSwitch struct {
	Place     StrictPlace       `json:"place"`
	NonStrict NonStrictSpelling `json:"nonStrict"`
	// RequestSwitch says what the request must set, for [PerRequest], or must do
	// besides the flag on each tool.
	RequestSwitch string `json:"requestSwitch,omitempty"`
	// AllTools, for [PerTool]: the API refuses a request in which some tools are
	// strict and some are not, so that one that is not takes it from all others.
	AllTools bool `json:"allTools,omitempty"`
	Evidence `json:",inline"`
}

// Model says whether a model has strict mode. The first pattern in the list
// that matches decides; a model that none matches is not known.
type Model struct {
	// Pattern is a model identifier, or a prefix followed by *.
	Pattern  string `json:"pattern"`
	Strict   bool   `json:"strict"`
	Evidence `json:",inline"`
}

// NameRule is one condition on the name of a tool. All hold together.
type NameRule struct {
	// Pattern is an RE2 expression.
	Pattern string `json:"pattern"`
	// MaxLength is in characters.
	MaxLength int `json:"maxLength"`
	// Severity is Error or Warning.
	Severity string `json:"severity"`
	// Reserved names belong to tools of the provider and clash with them when
	// both are in one request.
	Reserved []string `json:"reserved,omitempty"`
	Error    string   `json:"error,omitempty"`
	Evidence `json:",inline"`
}

// DescriptionRule holds for the description of a tool; lengths are in
// characters, 0 for none.
type DescriptionRule struct {
	// Required: the API documents a description as required.
	Required bool `json:"required,omitempty"`
	// MinLength is a length below which the API refuses. An empty description is
	// left out, unless it is required.
	MinLength int `json:"minLength,omitempty"`
	// WarnAbove is a length that has been refused, or may be.
	WarnAbove int `json:"warnAbove,omitempty"`
	// MaxLength is a length above which the API refuses.
	MaxLength int    `json:"maxLength,omitempty"`
	Error     string `json:"error,omitempty"`
	Evidence  `json:",inline"`
}

// PropertyScope says which properties a rule is about.
type PropertyScope string

// The scopes.
const (
	RootProperties   PropertyScope = "Root"   // those of the root object
	NestedProperties PropertyScope = "Nested" // all others
	AllProperties    PropertyScope = "All"
)

// PropertyNameRule is a condition on the names below properties.
type PropertyNameRule struct {
	Scope PropertyScope `json:"scope"`
	// Pattern is an RE2 expression; empty for none.
	Pattern string `json:"pattern,omitempty"`
	// Reserved names are not taken, whatever the pattern says.
	Reserved []string `json:"reserved,omitempty"`
	// Severity is Error or Warning.
	Severity string `json:"severity"`
	Error    string `json:"error,omitempty"`
	Evidence `json:",inline"`
}

// ExamplesPlace says where examples of arguments go; an empty Field means that
// the API has no place for them. Where it has one, each example must be an
// object that is valid against the input schema, or the request fails.
type ExamplesPlace struct {
	Field    string `json:"field"`
	Evidence `json:",inline"`
}

// OutputPlace says where the schema of the answer goes; an empty Field means
// that the API has no place for it.
type OutputPlace struct {
	Field string `json:"field"`
	// RootMustBeObject: the root needs "type": "object".
	RootMustBeObject bool `json:"rootMustBeObject,omitempty"`
	// SameAsInput: below the root the rules for input schemas without strict mode
	// hold, and what is Unknown counts as refused: a tool can do without this
	// schema, and not without the request.
	SameAsInput bool   `json:"sameAsInput,omitempty"`
	Error       string `json:"error,omitempty"`
	Evidence    `json:",inline"`
}

// EffectiveByMode says how the schema that really holds differs from the one
// that was sent, beyond keywords whose verdict is Dropped.
type EffectiveByMode struct {
	Strict   Effective `json:"strict"`
	Standard Effective `json:"standard"`
}

// OpenObjects is what becomes of an object that admits undeclared members.
type OpenObjects string

// What becomes of open objects.
const (
	ObjectsKept   OpenObjects = "Kept"
	ObjectsClosed OpenObjects = "Closed" // the API forbids undeclared members by itself
	// ObjectsClosedIfDeclared: the API forbids undeclared members of objects that
	// have properties; one that has none stays open.
	ObjectsClosedIfDeclared OpenObjects = "ClosedIfDeclared"
)

// PatternAnchoring is how a pattern without anchors is matched.
type PatternAnchoring string

// The ways of matching.
const (
	PatternsSearch  PatternAnchoring = "Search"    // anywhere in the text, as in JSON Schema
	PatternsWhole   PatternAnchoring = "WholeText" // as if it were anchored at both ends
	PatternsUnknown PatternAnchoring = "Unknown"
)

// EnumCasing is how enum and const members are matched.
type EnumCasing string

// The ways of matching.
const (
	EnumsExact   EnumCasing = "Exact"
	EnumsAnyCase EnumCasing = "AnyCase" // a value may differ from the member in upper and lower case
)

// OneOfMeaning is what oneOf means.
type OneOfMeaning string

// The meanings.
const (
	OneOfExact   OneOfMeaning = "Exact"
	OneOfAsAnyOf OneOfMeaning = "AsAnyOf" // a value that matches two branches passes
)

// Effective is one mode of [EffectiveByMode].
type Effective struct {
	OpenObjects OpenObjects      `json:"openObjects"`
	Patterns    PatternAnchoring `json:"patterns"`
	Enums       EnumCasing       `json:"enums"`
	OneOf       OneOfMeaning     `json:"oneOf"`
	Evidence    `json:",inline"`
}

// LimitScope is what a limit is counted over.
type LimitScope string

// The scopes.
const (
	LimitPerTool    LimitScope = "Tool"
	LimitPerRequest LimitScope = "Request" // summed over the tools of a request
)

// Limit is a number that the API refuses to exceed.
type Limit struct {
	// Measure says what is counted; see [Counts].
	Measure string `json:"measure"`
	Max     int    `json:"max"`
	// Mode is the mode in which the limit holds; empty means both.
	Mode Mode       `json:"mode,omitempty"`
	Per  LimitScope `json:"per"`
	// Severity is Error, or Warning where the number is only an observation.
	Severity string `json:"severity"`
	Error    string `json:"error,omitempty"`
	Evidence `json:",inline"`
}

// Verdicts gives the same verdicts to several keywords or shapes. It holds
// either Both, or Strict and Standard, of which one may be in another entry.
type Verdicts struct {
	Names    []string `json:"names"`
	Both     []Case   `json:"both,omitempty"`
	Strict   []Case   `json:"strict,omitempty"`
	Standard []Case   `json:"standard,omitempty"`
}

// Case is one entry of an ordered list: the first whose condition holds
// decides. The last has no condition.
type Case struct {
	When *When `json:"when,omitempty"`
	Cell `json:",inline"`
	// Warning is said to the author although the API takes it: what stands
	// behind the API does not.
	Warning string `json:"warning,omitempty"`
}
