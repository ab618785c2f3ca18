// SPDX-License-Identifier: Apache-2.0

// Package lint says what in a contract would confuse a model, or hand it more
// than it should have: names and descriptions, parameters, the policy of writes,
// promises that contradict each other, hidden characters, text that gives the
// model orders, secrets. It reads English and Chinese.
//
// Nothing here blocks. A finding is an Error where a model, a user or a secret
// can come to harm, a Warning where tools are known to be misused, and Info where
// it is a matter of care. Each can be accepted by an acknowledgement without a
// version. The rules look for words and shapes and prove nothing, so a rule that
// makes an Error rather misses a case than accuses a sound contract.
//
// Every rule is an entry of [Rules], with its reason and examples in both
// languages; the tests hold the rules to their examples, and the documentation is
// made of them. Rules of one family share a file.
//
// The work grows with the size of the contract and no faster, and the findings
// of a rule are bounded.
package lint
