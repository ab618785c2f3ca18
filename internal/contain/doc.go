// SPDX-License-Identifier: Apache-2.0

// Package contain decides whether every instance that one schema accepts is
// accepted by another. Which change of a tool breaks its callers, and whether a
// rewritten schema is faithful, are both this one question.
//
// [Contains] answers Proven, Refuted or Unknown; [Differences] says so for every
// place that stands against it. Both are sound in both directions: a proof is a
// chain of rules that hold for all instances, a refutation is an instance that
// both validators have judged. Unknown claims nothing; whoever asks must assume
// the worst.
//
// # How it decides
//
// Both schemas are brought into a canonical form (graph, read, fold): references
// become edges, annotations and keywords that cannot apply disappear, each kind
// of JSON value has its own part, and combinators are folded into the parts
// where one node can say the same.
//
// Three methods follow one another, each only where the one before has no answer.
//
//   - Rules for pairs of nodes (prove) take every demand of B and look for its
//     proof in A. Where there is none they leave a gap, for which the smallest
//     instance around the failed rule is built and put before both validators
//     (sample, boundary, witness).
//   - A finite A is decided value by value by both validators.
//   - Refutation (emptiness, cube): A lies inside B if no instance fulfils A and
//     not B. Both are taken apart into cubes, which are conjunctions about one
//     kind of value, and each cube is shown to be contradictory. This judges
//     together what acts together: branches that cover jointly, exclusions,
//     conditions, names and counts. A cube that is not contradictory proposes
//     an instance to the validators.
//
// A proof is attacked with boundary instances: a hit is a defect of this
// package, answered as Unknown.
//
// # What it does not decide
//
// Back-references and most look-around in patterns, formats beyond what formats
// says of them, uniqueItems where only a matching of values to positions shows
// that they run out, unevaluated keywords beside an anyOf with more than four
// branches that evaluate something, and whatever is over a budget are equal or
// Unknown, unless a witness is found.
//
// Nothing depends on time, randomness or map order; all budgets count steps.
package contain
