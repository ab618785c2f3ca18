// SPDX-License-Identifier: Apache-2.0

// Package operator puts the controllers into a running manager. The command,
// the demonstration and the tests against a real API server start the operator
// through it, so that all of them run the same thing.
package operator
