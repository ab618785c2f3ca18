// SPDX-License-Identifier: Apache-2.0

// Package probe asks a provider API what it thinks of a tool, and compares the
// answer with the profile of that API. It builds requests and reads answers;
// sending is the caller's, so nothing here uses a network.
//
//   - [SurfaceOf] says how the API of a profile is asked, and with which key.
//   - [Surface.Request] is the smallest request that makes the API judge one tool.
//   - [Surface.Read] tells from the answer whether the tool was taken, refused,
//     or not judged at all. A refusal is about the tool only if a tool that
//     nobody could refuse is taken by the same model: the caller asks with one.
//   - [Evidence] is one line of what was found; [Expect] is what the profile says
//     of the same bytes, and [Evidence.Compare] names where the two disagree.
//
// A key is in the headers of a request and nowhere else; [Scrub] keeps it out of
// texts that come from a server.
package probe
