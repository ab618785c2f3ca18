// SPDX-License-Identifier: Apache-2.0

// Package schema reads, admits and validates JSON Schema 2020-12 documents
// inside fixed bounds. It is the only door through which author-supplied JSON
// enters the engine.
//
//   - [Parse] turns text into an immutable, ordered [Value] with exact numbers;
//     duplicate keys, comments, deep nesting and huge numbers are findings.
//   - [FromObject] does the same for the object form that an API server stores,
//     where key order and nulls have been lost and must be restored or refused.
//   - [Admit] builds the local reference graph and judges dialect, references,
//     cycles, expansion and patterns, before any library sees the document.
//   - [Schema.Compile] hands the admitted document to a sealed validator that can
//     open neither files nor network.
//
// The package knows JSON Schema and nothing else: no provider, no contract.
package schema
