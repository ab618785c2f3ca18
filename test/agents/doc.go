// SPDX-License-Identifier: Apache-2.0

// Package agents drives the sample agents through the life of a mounted set, in a
// directory that is written the way the kubelet writes it.
package agents
