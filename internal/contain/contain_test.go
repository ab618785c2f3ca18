// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"testing"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// admitted reads a schema that must be admitted.
func admitted(t testing.TB, text string) *schema.Schema {
	t.Helper()
	s, ok := admit(text)
	if !ok {
		t.Fatalf("not a schema: %s", text)
	}
	return s
}

func admit(text string) (*schema.Schema, bool) {
	v, failed := schema.Parse([]byte(text))
	if failed != nil {
		return nil, false
	}
	s, findings := schema.Admit(v)
	if finding.HasErrors(findings) {
		return nil, false
	}
	if _, findings := s.Compile(); len(findings) > 0 {
		return nil, false
	}
	return s, true
}
