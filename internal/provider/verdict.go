// SPDX-License-Identifier: Apache-2.0

package provider

// Mode is how a tool is offered to a model.
type Mode string

const (
	// Strict asks the provider to hold the model to the schema. How it is asked
	// for is [StrictSwitch].
	Strict Mode = "Strict"
	// Standard offers the schema as text that the model should follow.
	Standard Mode = "Standard"
)

// modes lists both in the order of the compiled tables.
var modes = [...]Mode{Strict, Standard}

// Verdict is what an API does with a keyword or a shape.
type Verdict string

const (
	// Enforced means that what the model writes obeys it.
	Enforced Verdict = "Enforced"
	// Accepted means that it is taken and shown to the model, and not enforced.
	Accepted Verdict = "Accepted"
	// Rejected means that the whole request fails.
	Rejected Verdict = "Rejected"
	// Dropped means that it is removed or ignored without a word.
	Dropped Verdict = "Dropped"
	// Unknown means that there is no public evidence. It counts as Rejected in Strict.
	Unknown Verdict = "Unknown"
)

// Confidence is how well a fact is supported.
type Confidence string

const (
	// High is official text, or a recorded live answer.
	High Confidence = "High"
	// Medium is the behaviour of official SDKs, or several independent reports.
	Medium Confidence = "Medium"
	// Low is one report, or inference.
	Low Confidence = "Low"
)

// Cell is one verdict with what supports it.
type Cell struct {
	Verdict    Verdict    `json:"verdict"`
	Confidence Confidence `json:"confidence"`
	// Sources are keys into [Facts.Sources]. For Unknown they are what was searched.
	Sources []string `json:"sources"`
	// Note keeps conflicts between sources and what a reader should know.
	Note string `json:"note,omitempty"`
	// Error is the API's own message, with placeholders (see [placeholders]).
	Error string `json:"error,omitempty"`
	// Fix is what the author should write instead, with placeholders. One that
	// begins in the words of [repairs] is also made into a patch.
	Fix string `json:"fix,omitempty"`
}

// Refused reports whether the verdict keeps a schema from being sent in a mode.
func (c Cell) Refused(mode Mode) bool {
	return c.Verdict == Rejected || (c.Verdict == Unknown && mode == Strict)
}
