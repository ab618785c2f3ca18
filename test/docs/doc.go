// SPDX-License-Identifier: Apache-2.0

// Package docs holds the documents to the project: every link and every path in
// them leads somewhere, every command in them exists with its flags, and the
// guides that are walks are walked, command by command, on a local control plane.
package docs
