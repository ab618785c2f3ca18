// SPDX-License-Identifier: Apache-2.0

// Package adapt rewrites a schema into the subset that a provider profile
// takes. It never loses anything silently: every rewrite is recorded with its
// effect on the admitted values, and what no allowed rewrite can express stays
// in place for the profile to refuse, with a pointer into the author's schema.
//
// Effects, weakest first:
//
//   - Keep: the same values are admitted.
//   - Narrow: fewer are. Every value that the rendered schema admits, the
//     author's schema admits.
//
// A rewrite is applied only where the profile's verdict asks for it, and only
// up to the allowed effect, so the least effect that reaches the wanted
// strictness is the one that is used.
//
// Some things are never done at any level: a map of any names into an empty
// object, an optional property made required without null, a constraint gone
// without a record, a name changed, a schema that admits nothing.
package adapt
