// SPDX-License-Identifier: Apache-2.0

// Package converters compares the adaptation of schemas with the converters
// that people use today, which are npm packages: how long each takes per tool,
// how many tools it refuses, how many of its results break the rules of their
// own provider, admit what the author refused, or require a property that was
// optional without letting it be null.
//
// The benchmark runs Node.js on convert.mjs over the same tools in the same
// run. It has no figures without Node.js and says so.
package converters
