// SPDX-License-Identifier: Apache-2.0

// Package ci runs what this project gives to the pipelines of others: the steps of
// the GitHub Action, the hooks of pre-commit and the snippets of
// docs/guides/ci.md, each in a repository with a harmless, a breaking and a wrong
// change. Scripts are taken from the files themselves and run by bash as a runner
// would; only building and installing the command is done once for all.
package ci
