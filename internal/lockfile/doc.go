// SPDX-License-Identifier: Apache-2.0

// Package lockfile reads, writes and compares tools.lock.json: which version of
// each tool an evaluation was made with, or an agent was built for, and the exact
// bytes that each provider got.
//
//   - [Lock] is the file. Its form is stable: equal locks have equal bytes.
//   - [Folders] reads what is mounted, and holds every file to its digest.
//   - [Lock.Compare] says how what is mounted differs from what was locked.
//
// The package reads no files but through the [io/fs.FS] that it is given.
package lockfile
