// SPDX-License-Identifier: Apache-2.0

// Package scale measures the operator with thousands of contracts against a
// real API server: how fast they are published compared with writing the same
// objects directly, what a restart costs, and what one edit touches.
//
// Everything is a ratio within one run. Nothing here runs with the tests; see
// docs/design/scale.md for the figures and how to repeat them.
package scale
