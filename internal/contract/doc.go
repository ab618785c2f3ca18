// SPDX-License-Identifier: Apache-2.0

// Package contract is the content of a tool contract as pure values: parsed
// schemas, the description text, versions and lines, and the digest that
// decides whether two contents are the same. It knows no Kubernetes object and
// no provider; everything that judges or renders a contract starts from it.
package contract
