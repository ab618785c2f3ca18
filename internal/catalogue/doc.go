// SPDX-License-Identifier: Apache-2.0

// Package catalogue writes what the engine says of contracts, sets and profiles
// as static pages for people: HTML and one style sheet, with no script and
// nothing to load from elsewhere. It reads no clock and no file.
//
//   - [Model] is what there is to show. [Build] turns it into files, one after the
//     other, and holds one contract at a time.
//   - Every text of an author goes through html/template, and through pieces:
//     characters that nobody sees, or that turn the direction of text, are shown
//     as escapes.
//   - The name of a file is made from the names that Kubernetes allows, or from a
//     digest of any other: it fits every file system, two are never the same, and
//     none leads out of the folder.
//
// The same model gives the same bytes.
package catalogue
