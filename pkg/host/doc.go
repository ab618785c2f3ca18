// SPDX-License-Identifier: Apache-2.0

// Package host is the run-time side of a published tool: what the program does
// that offers the tool to a model and runs it. It reads the files that the
// operator publishes, as a pod sees them in a mounted ConfigMap, and needs no
// access to a cluster.
//
// A folder holds one file per provider profile, contract.json with the whole
// contract, result.schema.json and audit.schema.json with the schemas of what a
// host makes of an answer, and index.json with the digest of each file. A host goes
// through these steps:
//
//  1. [Load] reads the folder and compares every file with its digest. While a
//     mounted ConfigMap changes, the files of two versions can be seen together;
//     the error is then [ErrTorn], and loading again a moment later succeeds.
//     [LoadSet] does the same with the folder of a ToolSet, and [Follow] goes on
//     loading as the mounted files change.
//  2. [Tool.Bytes] is what goes into the request: one element of the tools array
//     of that provider's API, byte for byte as it was published. Of a set
//     [Set.Tools] is the whole value of tools, and [Set.Body] what stands beside it.
//  3. [Tool.Decode] turns the arguments that the model wrote for that rendering
//     into arguments for the contract. Some APIs take no optional properties and
//     no maps; the rendering then has another form, which is undone here.
//     [Tool.DecodeText] does so with a free text.
//  4. [Tool.ValidateCall] holds the decoded arguments to the author's schema,
//     before anything is run. It is needed at every strictness: a provider may
//     not enforce all that a schema says, and not every model is held to it. Where
//     the contract says writer: Declared it also refuses undeclared members.
//  5. [Tool.Inject] adds what the tool needs of the session of the caller. The model
//     knows of none of it and may write none of it.
//  6. [Tool.Succeed] makes the envelope that the model gets of the answer of the tool,
//     and [Tool.Fail] that of a failure. Both are valid by result.schema.json, or
//     there is an error; [Tool.Refuse] makes of every error of this package the
//     envelope that tells the model so.
//  7. [Tool.Audit] writes the record that the application keeps and no model sees.
//
// A host that has an envelope of its own holds answers to the output schema with
// [Tool.Result], which leaves out what reader: IgnoreUnknown hides, and no more.
//
// Writer, reader, session parameters, limits and bindings are promises that a
// contract makes. They hold where the host keeps them, and this package does. It
// does not run tools, ask for approvals, count attempts or keep answers.
//
// Arguments and answers are hostile input: their size, their depth and the work
// of validating them are bounded, and every error is one line that names the
// place. The error of ValidateCall is written so that it can be given back to
// the model; what an answer did wrong is for the log.
//
// A [Tool] is immutable and safe for concurrent use, and so is a [Set].
//
// Hosts in other languages read the same files; the decode rule and how to
// apply it in Python and TypeScript are described in docs/guides/decode.md, and the
// forms of all files have published JSON Schemas in docs/schemas.
package host
