// SPDX-License-Identifier: Apache-2.0

// Package evaluate is the pipeline: contract × history × profiles →
// [Evaluation]. It is the boundary between API objects and the pure engine,
// and the only place where the parts meet, so the command and the controllers
// cannot disagree. It does no I/O and reads no clock.
//
//  1. [Read]: API content → parsed content and findings about the contract itself.
//  2. [Targets]: content × targets × profiles → adapted schema, bytes and findings per target.
//  3. [Decide]: content × history → whether the version is accepted.
//  4. [Pack]: the compatible targets → the bundle that is published.
package evaluate
