// SPDX-License-Identifier: Apache-2.0

// Package profiledir reads provider profiles from the files of a directory, for
// the command and for an operator that has no rights on ProviderProfiles.
package profiledir
