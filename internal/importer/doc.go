// SPDX-License-Identifier: Apache-2.0

// Package importer turns tools in the wire forms of provider APIs and of MCP
// into ToolContract manifests. A tool becomes a contract or is reported, and
// everything of it that a contract has no place for is reported too, with a
// pointer and the way out.
//
//   - [Import] reads one tool, an array, a tools/list result, the body of a
//     request, or JSON Lines of these. The form of each tool is told by its
//     members (see recognise), so lists may be mixed.
//   - A strict flag becomes the policy of the targets that it is meant for.
//   - A schema in the OpenAPI spelling of the Gemini API is rewritten into JSON
//     Schema that admits the same values.
//   - A schema of an older dialect is converted by package dialect; what has no
//     exact conversion stays as it is, for check to refuse.
//   - [AppendYAML] writes a contract in the order in which people read it.
//
// Schemas travel as JSON text, so the order of properties survives.
package importer
