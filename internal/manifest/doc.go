// SPDX-License-Identifier: Apache-2.0

// Package manifest reads ToolContracts from files as kubectl and the API
// server would, without either: what the server would refuse is a finding here,
// and what it would store is what comes out.
//
//   - [Open] finds the inputs: files, directories, standard input.
//   - [Source.Documents] cuts an input into documents as kubectl does, converts
//     them with the YAML library that kubectl uses, expands lists, and judges
//     each object by itself: a bad document never hides another one.
//   - The structural schema and the rules are those of the generated
//     CustomResourceDefinition, so the two cannot drift apart.
//
// Everything is bounded before a library sees it: bytes, nesting, and what the
// aliases of a YAML document expand to.
package manifest
