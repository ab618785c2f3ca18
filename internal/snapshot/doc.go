// SPDX-License-Identifier: Apache-2.0

// Package snapshot is what a cluster has of tool contracts at one moment, as
// values: what authors wrote, what the operator published, and what mounts it.
// Reading it from an API server is done elsewhere.
package snapshot
