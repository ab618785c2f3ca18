// SPDX-License-Identifier: Apache-2.0

// Package containment holds the containment prover to its word from outside:
// pairs with known answers and their rewritten forms, random pairs that are
// attacked by a search of its own, laws that every answer must obey, and the
// tools that people compare schemas with today, on the same pairs.
//
// Instances are judged by [naive], which shares nothing with the validator that
// the prover confirms its witnesses with, and by a third validator where one
// reads the schema.
//
// The random part runs over a sample with all tests, and over a million pairs
// with TOOLCONTRACT_SOAK.
//
// [naive]: https://pkg.go.dev/github.com/toolcontract/operator/internal/testkit/naive
package containment
