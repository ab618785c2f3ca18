// SPDX-License-Identifier: Apache-2.0

// Package dialect converts JSON Schemas of older dialects into 2020-12, exactly
// or not at all: the converted schema admits the instances that the author's
// admits under the rules of its own dialect, and what cannot be said so is an
// Error with a pointer, a reason and a way out.
//
// [Convert] reads draft-04, draft-06, draft-07 and 2019-09. It works in two
// passes: the first finds every schema of the document, where it goes, and what
// it can be called by ($id, anchors); the second writes the new document, with
// every reference led to where its target went. Subschemas are those of the
// document's own dialect, never what stands in const, enum, default or examples,
// or below a keyword that the dialect does not know.
//
// Where the dialects leave room, the package decides as follows.
//
//   - A reference is followed inside of the document only. What embedded $id and
//     anchors name is written as a pointer, and embedded $id are dropped.
//   - $defs is read as schemas in every dialect, as all validators do.
//   - A keyword that an older dialect does not know is dropped, since it says
//     nothing there. Annotations stay, also beside a $ref of draft-07 and before.
//   - format and content* stay. Older dialects let a validator assert formats that
//     they do not define; here all dialects assert the same ones, and content* never.
//   - Numbers are compared by value. Draft-04 alone says that 1.0 is no integer;
//     after the conversion it is one, which an Info finding says.
//   - What validators of one dialect do not agree about is refused: dependencies in
//     2019-09, which is no keyword there and which most obey all the same.
package dialect
