// SPDX-License-Identifier: Apache-2.0

// Package provider knows what each provider API takes: which names, which
// keywords of JSON Schema in which mode, which shapes and sizes, and what it
// does with the rest. It judges schemas and never rewrites or renders them.
//
// The knowledge is data: one YAML file per API surface below profiles/, each
// fact with a source, the date of that source and a confidence. [Facts] is the
// form of a file. Where sources conflict the file takes the safe side and keeps
// the conflict as a note. A verdict that nobody could tell is Unknown, names
// what was searched, and fails closed: it counts as refused where strictness
// was asked for, and warns otherwise.
//
//   - [Builtin] is the catalog of embedded profiles; [Catalog.With] puts others
//     beside them or in their place, and says what is wrong with a file and where.
//   - [Profile.Judge] gives the verdict for one keyword at one place.
//   - [Profile.CheckSchema], [Profile.CheckTool] and their neighbours turn the
//     verdicts into findings with a place, the API's own error text, a fix, and a
//     patch where the fix needs no judgement.
//   - [Profile.EffectiveSchema] is the schema that really holds when one is sent.
//   - [Profile.Cells] is the whole table, with conditions in words and sources.
//   - [Profile.StrictFor] says whether a set of models has strict mode.
//   - [Measure] counts what limits are written against.
package provider
