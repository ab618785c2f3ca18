// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"testing"

	"github.com/toolcontract/operator/internal/finding"
)

func parsed(t testing.TB, text string) *Value {
	t.Helper()
	v, failed := Parse([]byte(text))
	if failed != nil {
		t.Fatalf("%.200s: %v", text, failed)
	}
	return v
}

func admitted(t testing.TB, text string) *Schema {
	t.Helper()
	s, findings := Admit(parsed(t, text))
	if s == nil {
		t.Fatalf("%.200s: %v", text, findings)
	}
	return s
}

func compiled(t testing.TB, text string) *Validator {
	t.Helper()
	v, findings := admitted(t, text).Compile()
	if v == nil {
		t.Fatalf("%.200s: %v", text, findings)
	}
	return v
}

// place is what most tests say of a finding: the texts have their own.
type place struct{ Rule, Pointer, Keyword string }

func places(findings []finding.Finding) []place {
	var out []place
	for _, f := range findings {
		out = append(out, place{f.Rule, f.Pointer, f.Keyword})
	}
	return out
}

// checkTexts fails for a finding that a person could not act on or that
// shows what is nobody's business.
func checkTexts(t testing.TB, findings []finding.Finding) {
	t.Helper()
	for _, f := range findings {
		switch {
		case f.Rule == "" || f.Severity == "" || f.Message == "" || f.Fix == "":
			t.Errorf("a field is empty: %+v", f)
		case len(f.Message) > 600 || len(f.Pointer) > maxPointer:
			t.Errorf("a text is too long: %d bytes of message, %d of pointer", len(f.Message), len(f.Pointer))
		case f.Pointer != "" && f.Pointer[0] != '/':
			t.Errorf("%q is no pointer", f.Pointer)
		case f.Rule != RuleRefNotLocal && containsAny(f.Message, "schema:///", "%!", "goroutine"):
			t.Errorf("the message shows internals: %s", f.Message)
		}
	}
}
