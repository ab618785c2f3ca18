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
//   - Reshape: the values have another form. Decoded by the recorded rule, every
//     value that the rendered schema admits is one that the author's admits.
//   - Widen: a constraint is gone from the schema and said in the description.
//
// A rewrite is applied only where the profile's verdict asks for it, and only
// up to the allowed effect, so the least effect that reaches the wanted
// strictness is the one that is used.
//
// A document goes through three steps, of which each is taken only if the
// profile still refuses something. Up to Narrow it is rewritten node by node
// (rewriter, passes). For Reshape a plan is made for the whole document (plan,
// graph): one decode rule undoes it, and the rule sees a value but not the
// branch of a union that the value was written for. For Widen constraints are
// taken out of the author's schema, and the other steps begin again (widen).
//
// The first step takes several passes where it has to. In one pass the rules for
// single nodes change keywords in place, and at most one rule for a node moves
// subschemas (structure); what such a rule wrote is looked at again in the next
// pass. Several schemas that apply to the same value are written as one only
// where that is exact (intersect). Each rule asks the profile first: about the
// keyword as it stands, and, before it commits to another form, about that form
// in the same place (probe).
//
// Some things are never done at any level: a map of any names into an empty
// object, an optional property made required without null, a constraint gone
// without a record, a name changed, a schema that admits nothing.
package adapt
