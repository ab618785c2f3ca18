// SPDX-License-Identifier: Apache-2.0

// Package importer turns the tools that an MCP server lists into ToolContract
// manifests. A tool becomes a contract or is reported, and everything of it
// that a contract has no place for is reported too.
//
//   - [Import] reads one tool, an array, a tools/list result or JSON Lines.
//   - A schema of an older dialect is rewritten into JSON Schema 2020-12 where
//     an exact rewriting exists; else it stays as it is, for check to refuse.
//   - [AppendYAML] writes a contract in the order in which people read it.
//
// Schemas travel as JSON text, so the order of properties survives.
package importer
