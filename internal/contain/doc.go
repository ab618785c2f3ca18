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
// where one node can say the same. The prover then takes every demand of B and
// looks for its proof in A (prove). Where there is none it leaves a gap, for
// which the smallest instance around the failed rule is built and put before
// both validators (sample, boundary, witness). A proof is attacked with the
// same instances: a hit is a defect of this package, answered as Unknown.
//
// # What it does not decide yet
//
// Two different formats, patterns with look-around and patterns that only do it
// together, numeric ranges covered only by several alternatives together,
// alternatives that overlap, unevaluated keywords beside schemas that could not
// be folded, and negations of objects and arrays are equal or Unknown, unless a
// witness is found. The rules are independent of each other, so a stronger one
// replaces the method of its keyword and nothing else.
//
// Nothing depends on time, randomness or map order; all budgets count steps.
package contain
