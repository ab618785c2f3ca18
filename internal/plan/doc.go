// SPDX-License-Identifier: Apache-2.0

// Package plan says what the operator would do if manifests were applied. It
// makes no calls.
//
//   - A [World] is what a cluster has: contracts, revisions, sets, and what is
//     published. [From] reads it from a snapshot; [Empty] has nothing.
//   - [Make] applies manifests to a world and lets it settle: each contract is
//     evaluated against its history, each set rendered over what it published. It
//     returns the world as it would be, and a [Plan]: the difference, with the
//     reasons.
//
// Every judgement is that of packages evaluate, change and toolset; this package
// only gathers for them what the controllers would gather, from values instead of
// an API server. A test on a real API server compares the two.
package plan
