// SPDX-License-Identifier: Apache-2.0

// Package jsonpatch applies the patches of findings, as RFC 6902 says, so that
// tests can look at what becomes of a document.
package jsonpatch

import (
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/yamledit"
)

// Apply is [yamledit.Patch].
func Apply(document *schema.Value, patch []finding.Operation) (*schema.Value, error) {
	return yamledit.Patch(document, patch)
}
