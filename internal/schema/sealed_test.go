// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// targets are two places that a validator would find a schema at if it
// opened anything: a file, and a server that fails the test when it is asked.
func targets(t *testing.T) map[string]string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "schema.json")
	if err := os.WriteFile(file, []byte(`{"type":"string"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("%s was requested", r.URL)
	}))
	t.Cleanup(server.Close)
	return map[string]string{
		"a file":          "file://" + file,
		"a path":          file,
		"a server":        server.URL + "/schema.json",
		"a data URL":      "data:application/json,{}",
		"a relative path": "schema.json",
	}
}

func TestNothingIsOpenedOnTheWayThroughAdmission(t *testing.T) {
	t.Parallel()
	for name, uri := range targets(t) {
		for _, text := range []string{`{"$ref":%q}`, `{"$schema":%q}`, `{"$dynamicRef":%q}`, `{"not":{"$ref":"%[1]s#/x"}}`} {
			text := fmt.Sprintf(text, uri)
			if s, _ := Admit(parsed(t, text)); s != nil {
				t.Errorf("%s: %s is admitted", name, text)
			}
		}
	}
}

// Admission is the first lock; this is the second. Documents that it would
// refuse are handed to the library all the same.
func TestTheLibraryOpensNothing(t *testing.T) {
	t.Parallel()
	for name, uri := range targets(t) {
		for _, text := range []string{`{"$ref":%q}`, `{"$schema":%q}`, `{"allOf":[{"$ref":"%[1]s#/x"}]}`} {
			text := fmt.Sprintf(text, uri)
			unjudged := &Schema{root: parsed(t, text)}
			validator, findings := unjudged.Compile()
			if validator != nil || len(findings) == 0 {
				t.Fatalf("%s: %s compiles", name, text)
			}
			if !strings.Contains(findings[0].Message, "nothing outside the document is ever opened") {
				t.Errorf("%s: %s fails for another reason: %v", name, text, findings)
			}
		}
	}
}

func TestTheLibraryCannotTakeTheProcessDown(t *testing.T) {
	t.Parallel()
	// Exponents beyond a million are a nil pointer to the library. Neither
	// Parse nor NewNumber lets one through, so this is made by hand.
	monster := &Value{kind: Number, text: "1e2000000"}
	unjudged := &Schema{root: NewObject(Member{"multipleOf", monster})}
	if validator, findings := unjudged.Compile(); validator != nil || len(findings) != 1 || findings[0].Rule != RuleInvalidSchema {
		t.Errorf("a schema with such an exponent: %v", findings)
	}
	validator := compiled(t, `{"minimum":0}`)
	if findings := validator.Validate(monster); len(findings) != 1 || findings[0].Rule != RuleInstanceInvalid {
		t.Errorf("an instance with such an exponent: %v", findings)
	}
	if valid, err := validator.Accepts(monster); valid || err == nil {
		t.Errorf("an instance with such an exponent is accepted: %t, %v", valid, err)
	}
}
