// SPDX-License-Identifier: Apache-2.0

// Package card makes the card of a tool for somebody who reviews it: what a
// model sees, and, apart from it, what only the host knows.
//
//   - [Of] reads the card from a contract, or from the rendering for one
//     profile, so that the card shows what is really sent.
//   - [Card.Text] writes it for people. What the author wrote stands behind a
//     bar, so that no text can pass for a part of the card.
//   - [JSON] writes cards for programs.
//
// Nothing of a schema is left out: a keyword that has no words here is shown as
// it is written. Characters that a terminal acts on, or that nobody sees, are
// written as escapes in both forms.
package card
