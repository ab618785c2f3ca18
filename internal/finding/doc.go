// SPDX-License-Identifier: Apache-2.0

// Package finding defines the one form in which every part of the engine says
// what it found: a rule, a severity, a JSON pointer, what is wrong and the way
// out. Status conditions, events, text and JSON output are renderings of it, so
// that every surface shows the same findings in the same order.
package finding
