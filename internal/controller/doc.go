// SPDX-License-Identifier: Apache-2.0

// Package controller connects the engine to a cluster. Its reconcilers gather
// state, call the core and apply the result; they take no decision about
// schemas, providers or versions.
//
//   - [ContractReconciler] evaluates a ToolContract, freezes accepted versions
//     and publishes ConfigMaps. It owns the contract's status.
//   - [ToolSetReconciler] renders the tools of a ToolSet together and publishes what
//     its agents mount. It owns the set's status.
//   - [RevisionReconciler] checks that a ToolRevision is what it claims to be.
//   - [RetentionReconciler] deletes revisions and renderings that nothing needs.
//   - [ProfileReconciler] makes the ProviderProfiles of the cluster part of the
//     catalogue in use, and has the contracts and sets looked at again that it concerns.
//
// Rules that hold for all of them:
//
//   - Children are created, never applied over. An object that exists is ours
//     only with our label and a controller reference to this contract or set;
//     anything else of that name survives byte for byte.
//   - The order of writes is revision, immutable ConfigMap, channel, status: a
//     process may die after any of them, and the next one finishes the work.
//   - An unchanged object costs no write.
//   - Nothing of the user is ever written: no spec, no labels, no finalizer.
package controller
