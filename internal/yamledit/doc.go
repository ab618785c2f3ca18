// SPDX-License-Identifier: Apache-2.0

// Package yamledit changes a YAML or JSON text as a person would with an
// editor: it does a JSON Patch to one document and leaves every byte alone that
// the patch is not about, with comments, order, quotes, indentation, anchors and
// line ends.
//
//   - [Edits] gives the replacements for a patch, [Apply] makes them.
//   - [Patch] does the same to a value. Each step of [Edits] reads its result
//     again and compares it with [Patch], so that a text in an unusual form is
//     refused with an error and never changed wrongly.
//   - [Unified] shows what has changed.
//
// Ends of nodes, which the YAML library does not give, are found in the text.
package yamledit
