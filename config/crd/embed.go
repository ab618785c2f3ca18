// SPDX-License-Identifier: Apache-2.0

// Package crd holds the generated CustomResourceDefinitions, for programs that
// install them or judge manifests without an API server.
package crd

import "embed"

// Bases are the generated files as they stand, below bases/.
//
//go:embed bases/*.yaml
var Bases embed.FS
