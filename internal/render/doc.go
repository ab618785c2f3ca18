// SPDX-License-Identifier: Apache-2.0

// Package render writes the wire form of one tool: one element of a provider
// API's tools array, as the exact bytes that are published. There is one file
// per wire format. The package decides nothing: what it gets is compatible.
//
// Bytes are compact JSON with the members in the order the API documents,
// UTF-8 unescaped where JSON allows it, and one final newline. They are a
// function of the [Tool] and the renderer version of the format, which is
// raised only when bytes change.
package render
