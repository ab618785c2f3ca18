// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"strings"
	"testing"
)

func TestTheDefinitionIsJudgedCompletely(t *testing.T) {
	t.Parallel()
	root, err := contractSchema()
	if err != nil {
		t.Fatal(err)
	}
	spec := root.Properties["spec"]
	if spec == nil || len(spec.Properties) < 8 {
		t.Fatal("the definition has no spec with the fields of a contract")
	}
	visit(spec, "/spec", func(s *structural, at string) {
		if s.Pattern != "" && patternFixes[s.Pattern] == "" {
			t.Errorf("%s: the pattern %s has no way out of its own", at, s.Pattern)
		}
		if s.Description == "" && !strings.HasSuffix(at, "/*") {
			t.Errorf("%s: the field has no description to explain it with", at)
		}
	})
}

func TestEveryRuleIsInTheDefinition(t *testing.T) {
	t.Parallel()
	root, err := contractSchema()
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	visit(root, "", func(s *structural, _ string) {
		for _, v := range s.Validations {
			used[v.Rule] = true
		}
	})
	for rule := range rules {
		if !used[rule] {
			t.Errorf("the definition has no rule %s any more", rule)
		}
	}
}

func visit(s *structural, at string, f func(*structural, string)) {
	f(s, at)
	for name, child := range s.Properties {
		visit(child, at+"/"+name, f)
	}
	if s.Items != nil {
		visit(s.Items, at+"/*", f)
	}
}
