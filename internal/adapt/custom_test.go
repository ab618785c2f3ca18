// SPDX-License-Identifier: Apache-2.0

package adapt_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/adapt"
	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// verdict is a case in a made-up profile: a verdict under a condition, which is
// empty for every place.
type verdict struct{ when, verdict string }

// custom makes a profile that takes everything but what is given: verdicts for
// keywords, in their order, and for shapes by a name in upper case. A name that
// begins with root/ is about the root only.
func custom(t testing.TB, verdicts map[string][]verdict, more ...string) *provider.Profile {
	t.Helper()
	groups := map[string]*strings.Builder{"keywords": {}, "shapes": {}, "rootKeywords": {}}
	if _, given := verdicts["BooleanSchema"]; !given {
		fmt.Fprint(groups["shapes"], "- names: [BooleanSchema]\n  both:\n  - {verdict: Accepted, confidence: Low, sources: [mcp-schema]}\n")
	}
	for name, cases := range verdicts {
		group := "keywords"
		if rest, atRoot := strings.CutPrefix(name, "root/"); atRoot {
			group, name = "rootKeywords", rest
		} else if name[0] >= 'A' && name[0] <= 'Z' {
			group = "shapes"
		}
		out := groups[group]
		fmt.Fprintf(out, "- names: [%s]\n  both:\n", name)
		last := ""
		for _, c := range cases {
			last = c.when
			if c.when != "" {
				c.when = "when: {" + c.when + "}, "
			}
			fmt.Fprintf(out, "  - {%sverdict: %s, confidence: Low, sources: [mcp-schema], fix: none, note: none}\n", c.when, c.verdict)
		}
		if last != "" {
			fmt.Fprint(out, "  - {verdict: Enforced, confidence: Low, sources: [mcp-schema]}\n")
		}
	}
	text := "name: custom\nextends: mcp-2025-11-25\nrevision: 1\nreviewed: \"2026-11-30\"\n" + strings.Join(more, "")
	for _, group := range []string{"rootKeywords", "shapes", "keywords"} {
		if groups[group].Len() > 0 {
			text += group + ":\n" + groups[group].String()
		}
	}
	catalog, problems := provider.Builtin().With(map[string][]byte{"custom": []byte(text)}, []string{"mcp-tool"})
	p, ok := catalog.Lookup("custom")
	if !ok {
		t.Fatalf("the profile is broken: %v\n%s", problems, text)
	}
	return p
}

// rejected is a verdict without a condition.
var rejected = []verdict{{"", "Rejected"}}

// rewriteCase is one schema in, one schema out.
type rewriteCase struct {
	verdicts map[string][]verdict
	more     string
	in, want string
	rewrites []string
	errors   []string // rule and pointer of error findings
	// narrows: fewer values are admitted, so that nothing is said of the author's.
	narrows bool
}

// run adapts the schemas of a table. Whatever the effect, the result must be
// contained in the author's schema; with Keep it must be equal.
func run(t *testing.T, cases map[string]rewriteCase) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			author := schematest.Schema(t, c.in)
			most := adapt.Keep
			if c.narrows {
				most = adapt.Narrow
			}
			got := adapt.Schema(author, custom(t, c.verdicts, c.more), provider.Standard, most)
			if got.Schema == nil {
				t.Fatalf("no schema: %v", got.Findings)
			}
			if diff := cmp.Diff(c.want, got.Schema.Root().JSON()); diff != "" {
				t.Errorf("schema (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.rewrites, rewrites(got)); diff != "" {
				t.Errorf("rewrites (-want +got):\n%s", diff)
			}
			var errors []string
			for _, f := range finding.Errors(got.Findings) {
				errors = append(errors, f.Rule+" "+f.Pointer)
			}
			if diff := cmp.Diff(c.errors, errors); diff != "" {
				t.Errorf("errors (-want +got):\n%s", diff)
			}
			for _, w := range got.Rewrites {
				if author.Root().At(finding.Tokens(w.Pointer)) == nil {
					t.Errorf("%s at %s: the author has nothing there", w.Rule, w.Pointer)
				}
			}
			if r := contain.Contains(got.Schema, author); r.Answer == contain.Refuted || r.Defect {
				t.Errorf("the adapted schema admits %s, which the author's does not", r.Witness.JSON())
			} else if r.Answer != contain.Proven {
				t.Errorf("%s: %s", r.Answer, r.Reason)
			}
			if r := contain.Contains(author, got.Schema); r.Answer == contain.Refuted && !c.narrows {
				t.Errorf("the adapted schema refuses %s, which the author's admits", r.Witness.JSON())
			}
		})
	}
}
