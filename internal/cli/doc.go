// SPDX-License-Identifier: Apache-2.0

// Package cli is the command toolcontract: the engine on files, without a
// cluster. It reads manifests, asks package evaluate, and says what came out;
// it decides nothing itself, so it cannot disagree with the operator.
//
// Only two commands use a network: probe sends what package probe builds, and
// reads the environment; freeze reads revisions through the function that the
// program was given.
//
// There is one file per subcommand, and [Program.Run] is the only entry. Exit
// codes are those of [Program.Run]; everything that is a result goes to
// standard output, everything about the run to standard error.
package cli
