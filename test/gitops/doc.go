// SPDX-License-Identifier: Apache-2.0

// Package gitops holds the tests of what GitOps tools see: whether an object is
// healthy, whether it differs from its manifest, and whether it may be pruned.
//
// Whole lives of objects are recorded on a local control plane, every version of
// every object, and judged by kstatus, which Flux uses. The recordings below
// testdata/lives are what the health checks for Argo CD (Lua) and Flux (CEL) are
// held against, without a cluster. -update records them anew.
package gitops
