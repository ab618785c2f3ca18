// SPDX-License-Identifier: Apache-2.0

// Package envelope writes, for one contract, the schemas of what a host makes of
// an answer: [ResultSchema], the envelope that a model sees, and [AuditSchema],
// the record that it must never see.
//
// Both are exact. The data of the envelope is what the contract declares and
// nothing else, an error has one of the codes that the contract or the platform
// declares, with the category, the recovery and the text that belong to it, and
// success and failure exclude each other.
package envelope
