// SPDX-License-Identifier: Apache-2.0

// Package sets makes sets of whole real servers and holds every published request
// to the limits of its profile, counted anew from the published bytes.
package sets
