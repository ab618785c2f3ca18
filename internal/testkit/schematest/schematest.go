// SPDX-License-Identifier: Apache-2.0

// Package schematest reads the JSON that a test relies on.
package schematest

import (
	"testing"

	"github.com/toolcontract/operator/internal/schema"
)

// Value parses a JSON text.
func Value(t testing.TB, text string) *schema.Value {
	t.Helper()
	v, failed := schema.Parse([]byte(text))
	if failed != nil {
		t.Fatalf("%.200s: %s", text, failed)
	}
	return v
}

// Schema parses a JSON text and admits it.
func Schema(t testing.TB, text string) *schema.Schema {
	t.Helper()
	s, findings := schema.Admit(Value(t, text))
	if s == nil {
		t.Fatalf("%.200s: %v", text, findings)
	}
	return s
}
