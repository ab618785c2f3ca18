// SPDX-License-Identifier: Apache-2.0

// Package e2e holds the tests that need a real API server: they run the whole
// operator, under its own RBAC role, against a local control plane, and look
// at what users see: objects, bytes, kubectl's answers and the audit log.
//
// One control plane serves all tests of the package. Each test has a
// namespace of its own and, where it needs one, an operator that watches only
// that namespace, so that tests run in parallel.
package e2e
