// SPDX-License-Identifier: Apache-2.0

// Package sdk shows that what is published decodes into the official SDKs of
// the providers: no member that a type does not know, no value that changes on
// the way through. It is a module of its own, so that the operator does not
// depend on five SDKs.
//
// Most SDKs drop what they do not know without an error, also when asked to be
// strict. Each test therefore does two things: it compares the members of the
// published bytes with the fields of the Go type, and it decodes and encodes
// them and compares the result with what went in.
package sdk
