// SPDX-License-Identifier: Apache-2.0

// Package install installs the operator as users do, from the packaged charts and
// with kustomize, on a local control plane, runs the manager with the arguments of
// the installed Deployment and the token of its ServiceAccount, upgrades it from
// the commit before, and removes it again.
//
// It is a module of its own, because it needs helm: `make test-install`.
package install
