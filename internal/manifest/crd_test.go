// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"strings"
	"testing"
)

// both are the definitions of the kinds that authors write.
func both(t *testing.T) map[string]*structural {
	t.Helper()
	out := map[string]*structural{}
	for kind := range crdFiles {
		root, err := schemaOf(kind)
		if err != nil {
			t.Fatal(err)
		}
		out[kind] = root
	}
	return out
}

func TestTheDefinitionsAreJudgedCompletely(t *testing.T) {
	t.Parallel()
	for kind, root := range both(t) {
		spec := root.Properties["spec"]
		if spec == nil || len(spec.Properties) < 5 {
			t.Fatalf("the definition of %s has no spec with its fields", kind)
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
}

func TestEveryRuleIsInADefinition(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	for _, root := range both(t) {
		visit(root, "", func(s *structural, _ string) {
			for _, v := range s.Validations {
				used[v.Rule] = true
			}
		})
	}
	for rule := range rules {
		if !used[rule] {
			t.Errorf("no definition has the rule %s any more", rule)
		}
	}
}

func visit(s *structural, at string, f func(*structural, string)) {
	f(s, at)
	for name, child := range s.Properties {
		visit(child, at+"/"+name, f)
	}
	if s.Additional != nil {
		visit(s.Additional, at+"/*", f)
	}
	if s.Items != nil {
		visit(s.Items, at+"/*", f)
	}
}
