// SPDX-License-Identifier: Apache-2.0

// Package change decides which version bump a change of a contract needs, and
// says why in findings.
//
// Structure is decided by package contain, in two questions: what was valid
// input must stay valid (old ⊆ new), and what may come back must have been
// possible (new ⊆ old). A containment that is proven both ways asks for
// nothing, one way for a Minor; anything else is a Major, with a counter-example
// where there is one.
//
// Who writes and who reads is part of the question: where a host refuses calls
// with undeclared members, what is written is the closed form of the schema.
//
// Meaning is decided by what the author declares: properties that are gone even
// where an open object still accepts them, defaults, units, content keywords,
// access, session parameters, error codes and the execution fields. A text alone
// is a Patch, and a Minor with a Warning where a word was edited that carries
// meaning: a changed sentence cannot be told from a changed meaning, and only
// declared fields make meaning Major. What generators change without meaning is
// one Patch for the whole contract.
//
// Everything else fails closed. Each rule crosses out what it judged, and a
// field that is left over and differs is a Major.
//
// The package knows contents and schemas; which versions a new one is compared
// with, and whether providers can take it, is decided elsewhere.
package change
