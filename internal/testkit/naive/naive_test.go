// SPDX-License-Identifier: Apache-2.0

package naive_test

import (
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/corpus"
	"github.com/toolcontract/operator/internal/testkit/naive"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// TestOfficialSuite judges every test of the official suite whose schema is
// admitted. The judge may doubt; it may not be wrong.
func TestOfficialSuite(t *testing.T) {
	t.Parallel()
	decided, doubted := 0, 0
	for file, groups := range corpus.Suite(t, "draft2020-12") {
		// Formats are asserted here, and dependencies is no keyword of 2020-12.
		if file == "format.json" || file == "optional/dependencies-compatibility.json" {
			continue
		}
		for _, group := range groups {
			s, _ := schema.Admit(schematest.Value(t, string(group.Schema)))
			if s == nil {
				continue
			}
			judge := naive.New(s)
			for _, test := range group.Tests {
				valid, why := judge.Accepts(schematest.Value(t, string(test.Data)))
				switch {
				case why != "":
					doubted++
					if !strings.HasPrefix(file, "optional/") {
						t.Logf("%s, %q, %q: %s", file, group.Description, test.Description, why)
					}
				case valid != test.Valid:
					t.Errorf("%s, %q, %q: valid is %t", file, group.Description, test.Description, valid)
				default:
					decided++
				}
			}
		}
	}
	t.Logf("%d decided, %d doubted", decided, doubted)
	if decided < 1000 {
		t.Errorf("only %d tests are decided", decided)
	}
}

func TestDoubtsAreSaid(t *testing.T) {
	t.Parallel()
	for text, instance := range map[string]string{
		`{"format":"idn-hostname"}`: `"a"`,
		`{"pattern":"."}`:           `"\r"`,
		`{"format":"email"}`:        `"a b@c"`,
		`{"format":"time"}`:         `"23:59:60Z"`,
	} {
		if _, why := naive.New(schematest.Schema(t, text)).Accepts(schematest.Value(t, instance)); why == "" {
			t.Errorf("%s: there is no doubt about %s", text, instance)
		}
	}
}
