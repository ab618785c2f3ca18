// SPDX-License-Identifier: Apache-2.0

// Package toolset renders the tools of a set for one profile: the files that an
// agent mounts. It is a function of its input; which tools a set holds, and
// whether they may be in it, is decided before.
//
// [Render] goes through fixed steps: each tool is rendered by itself, names that
// an API cannot tell apart are settled, then what an API decides for a request as
// a whole (how many tools, strictness for all or none, budgets of strict tools,
// deferred tools), and last the files are written and measured. A tool that cannot
// be in the request is left out with a reason and never takes another one with it.
// Rendered over what it published a set is the same bytes; docs/design/sets.md says
// what this rules out.
//
// Tools that the set published before come first wherever something has to give:
// an incumbent is never left out for a newcomer.
package toolset
