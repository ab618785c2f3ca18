// SPDX-License-Identifier: Apache-2.0

// Package mounts tells which published ConfigMaps something mounts: Pods that
// have not finished, and the pod templates of workloads that may start more.
//
// A [Tracker] lists and watches these objects and keeps an index from ConfigMaps
// to what mounts them. Only names of the shape that the operator publishes under
// enter the index, so that all other workloads of a cluster cost nothing.
//
// The index is never trusted while it may lack something. [Tracker.Ready] is
// true while every kind has been listed and is being watched; a missing right, a
// lost connection or a list that starts anew makes it false, and then everything
// counts as mounted.
//
// # Why the watches are its own
//
// The manager's cache cannot hold them: each controller waits at its start until
// everything in that cache has been listed, so one missing right would stop the
// whole operator. A client that reads from the cache would also be given Pods
// without a spec. So each kind has a reflector, the half of an informer that
// lists and watches, with the index as its store. Compared with a whole informer
// this keeps nothing of objects that mount nothing of ours, has no queue between
// the watch and the index, and knows when a relisting is complete, which an
// informer does not say a second time.
package mounts
