// SPDX-License-Identifier: Apache-2.0

// Package proof holds every adaptation to its promise, over real tools: no value
// that the effective schema admits is, once decoded, one that the author's
// schema refuses, unless a rewrite says Widen or the profile says that the API
// drops a constraint.
//
// It knows schemas only and nothing of the rewrites. The containment prover
// decides where it can. Where it cannot, and for values that are decoded, values
// are made for the effective schema and put to the validators of both sides.
//
// A fixed sample of tools runs with all tests; all of them with TOOLCONTRACT_SOAK.
package proof
