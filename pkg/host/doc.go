// SPDX-License-Identifier: Apache-2.0

// Package host is the run-time side of a published tool: what the program does
// that offers the tool to a model and runs it. It reads the files that the
// operator publishes, as a pod sees them in a mounted ConfigMap, and needs no
// access to a cluster.
//
// A folder holds one file per provider profile, contract.json with the whole
// contract, and index.json with the digest of each file. A host goes through
// six steps:
//
//  1. [Load] reads the folder and compares every file with its digest. While a
//     mounted ConfigMap changes, the files of two versions can be seen together;
//     the error is then [ErrTorn], and loading again a moment later succeeds.
//  2. [Tool.Bytes] is what goes into the request: one element of the tools array
//     of that provider's API, byte for byte as it was published.
//  3. [Tool.Decode] turns the arguments that the model wrote for that rendering
//     into arguments for the contract. Some APIs take no optional properties and
//     no maps; the rendering then has another form, which is undone here.
//  4. [Tool.ValidateCall] holds the decoded arguments to the author's schema,
//     before anything is run. It is needed at every strictness: a provider may
//     not enforce all that a schema says, and not every model is held to it. Where
//     the contract says writer: Declared it also refuses undeclared members.
//  5. [Tool.Inject] adds what the tool needs of the session of the caller. The model
//     knows of none of it and may write none of it.
//  6. [Tool.Result] holds the answer of the tool to the output schema and, where the
//     contract says reader: IgnoreUnknown, leaves undeclared members out.
//
// Writer, reader and session parameters are promises that a contract makes to its
// callers. They hold where the host keeps them, and this package does.
//
// Arguments and answers are hostile input: their size, their depth and the work
// of validating them are bounded, and every error is one line that names the
// place. The error of ValidateCall is written so that it can be given back to
// the model.
//
// A [Tool] is immutable and safe for concurrent use. To follow a channel, load
// the folder again when the mounted files change and keep the old Tool until
// the new one is whole.
//
// Hosts in other languages read the same files; the decode rule and how to
// apply it in Python and TypeScript are described in docs/guides/decode.md.
package host
