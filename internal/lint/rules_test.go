// SPDX-License-Identifier: Apache-2.0

package lint_test

import (
	"regexp"
	"slices"
	"testing"

	"github.com/toolcontract/operator/internal/change"
	"github.com/toolcontract/operator/internal/example"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/lint"
)

// TestEveryRuleHoldsItsExamples: each rule has a contract that breaks it and one
// that no rule objects to, in both languages.
func TestEveryRuleHoldsItsExamples(t *testing.T) {
	t.Parallel()
	for _, rule := range lint.Rules() {
		languages := map[lint.Language]bool{}
		for _, e := range rule.Examples {
			languages[e.Language] = true
			t.Run(rule.ID+"/"+string(e.Language), func(t *testing.T) {
				t.Parallel()
				bad, err := example.Findings(e, e.Bad)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.ContainsFunc(bad, func(f finding.Finding) bool { return f.Rule == rule.ID }) {
					t.Errorf("the bad example does not break the rule: %v", bad)
				}
				for _, f := range bad {
					if found, known := lint.Lookup(f.Rule); !known || found.Severity != f.Severity || f.Message == "" || f.Fix == "" {
						t.Errorf("the finding is incomplete: %+v", f)
					}
				}
				good, err := example.Findings(e, e.Good)
				if err != nil {
					t.Fatal(err)
				}
				if len(good) > 0 {
					t.Errorf("there is something wrong with the good example: %v", good)
				}
			})
		}
		if !languages[lint.English] || !languages[lint.Chinese] {
			t.Errorf("%s has examples in %v only", rule.ID, languages)
		}
	}
}

var identifier = regexp.MustCompile(`^[a-z]+(-[a-z]+)+$`)

// TestRulesAreDocumented: an acknowledgement names a rule, so that no two may have
// one identifier, here or among those of changes.
func TestRulesAreDocumented(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, rule := range change.Rules() {
		seen[rule] = true
	}
	for _, rule := range lint.Rules() {
		if !identifier.MatchString(rule.ID) || len(rule.ID) > 63 || seen[rule.ID] {
			t.Errorf("%s is no identifier of its own", rule.ID)
		}
		seen[rule.ID] = true
		if rule.Family == "" || rule.Summary == "" || rule.Why == "" || rule.Fix == "" {
			t.Errorf("%s is not documented: %+v", rule.ID, rule)
		}
		switch rule.Severity {
		case finding.Error, finding.Warning, finding.Info:
		default:
			t.Errorf("%s has the severity %q", rule.ID, rule.Severity)
		}
	}
}
