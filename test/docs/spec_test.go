// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	specDir         = "docs/spec/v1alpha1"
	troubleshooting = "docs/guides/troubleshooting.md"
)

// kinds are the pages of the kinds, with the conditions of each.
var kinds = map[string][]string{
	"toolcontract.md":    {"Ready", "SchemaValid", "ProvidersCompatible", "VersionAccepted", "Published", "Linted", "Reconciling", "Stalled"},
	"toolrevision.md":    {"Ready", "Stalled"},
	"toolset.md":         {"Ready", "ToolsPublished", "ResolvedRefs", "Linted", "Reconciling", "Stalled"},
	"providerprofile.md": {"Ready", "Valid", "Stalled"},
}

// good are reasons that need no section about the way out.
var good = map[string]bool{
	"Accepted": true, "Compatible": true, "InForce": true, "LintPassed": true, "Published": true, "Resolved": true, "Valid": true, "Verified": true,
}

// row is a row of a table whose first cell is a reason.
var row = regexp.MustCompile("(?m)^\\| (\\[)?`([A-Z][A-Za-z]+)`(?:\\]\\(([^)]*)\\))? \\| ([^|]*) \\|")

// TestSpecListsEveryReason: the pages of the kinds list each condition with the
// reasons that the API documents for it, and every reason that is not good news
// leads to a section about the way out.
func TestSpecListsEveryReason(t *testing.T) {
	t.Parallel()
	declared, byCondition := declaredConditions(t)
	byPath := map[string]page{}
	for _, p := range pages(t) {
		byPath[p.path] = p
	}
	ways := byPath[troubleshooting].anchors()
	listed := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		spec := byPath[path.Join(specDir, name)]
		sections := sectionsOf(spec.prose)
		for _, condition := range kinds[name] {
			text, isThere := sections[condition]
			if !isThere {
				t.Errorf("%s has no section about the condition %s", name, condition)
				continue
			}
			reasons := map[string]bool{}
			for _, match := range row.FindAllStringSubmatch(text, -1) {
				reasons[match[2]] = true
			}
			// Ready of the other kinds is documented beside its reasons.
			if want := byCondition[condition]; condition != "Ready" || name == "toolcontract.md" {
				if diff := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(reasons))); diff != "" {
					t.Errorf("%s: reasons of %s (-documented at the type +listed in the page):\n%s", name, condition, diff)
				}
			}
		}
		for _, match := range row.FindAllStringSubmatch(spec.prose, -1) {
			reason, target := match[2], match[3]
			listed[reason] = true
			switch {
			case !declared[reason]:
				t.Errorf("%s lists %s, which is no reason", name, reason)
			case good[reason] && target != "":
				t.Errorf("%s: %s is good news and leads to %s", name, reason, target)
			case !good[reason] && target != "../../guides/troubleshooting.md#"+strings.ToLower(reason):
				t.Errorf("%s: %s leads to %q, not to its section in %s", name, reason, target, troubleshooting)
			case !good[reason] && !ways[strings.ToLower(reason)]:
				t.Errorf("%s has no section about %s", troubleshooting, reason)
			}
		}
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(declared)), slices.Sorted(maps.Keys(listed))); diff != "" {
		t.Errorf("reasons (-declared +in the pages of the kinds):\n%s", diff)
	}
	for section := range sectionsOf(byPath[troubleshooting].prose) {
		if !strings.Contains(section, " ") && (!declared[section] || good[section]) {
			t.Errorf("%s has a section about %s, which is no reason to look there", troubleshooting, section)
		}
	}
}

// sectionsOf cuts a page at its headings of the second and third level.
func sectionsOf(text string) map[string]string {
	out := map[string]string{}
	for _, part := range regexp.MustCompile(`(?m)^###? `).Split(text, -1)[1:] {
		title, rest, _ := strings.Cut(part, "\n")
		out[title] = rest
	}
	return out
}

var (
	bullet = regexp.MustCompile(`(?m)^\* .*$`)
	word   = regexp.MustCompile(`"([A-Z][A-Za-z]+)"`)
)

// declaredConditions reads which reasons there are, and which of them the
// documentation of a condition type lists.
func declaredConditions(t *testing.T) (reasons map[string]bool, byCondition map[string]map[string]bool) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, "api", "v1alpha1", "condition_types.go"), nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	reasons, byCondition = map[string]bool{}, map[string]map[string]bool{}
	ast.Inspect(file, func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(spec.Names[0].Name, "Reason") {
			reasons[value] = true
			return true
		}
		byCondition[value] = map[string]bool{}
		for _, line := range bullet.FindAllString(spec.Doc.Text(), -1) {
			for _, match := range word.FindAllStringSubmatch(line, -1) {
				byCondition[value][match[1]] = true
			}
		}
		return true
	})
	if len(reasons) < 40 || len(byCondition) < 11 {
		t.Fatalf("only %d reasons and %d conditions were found", len(reasons), len(byCondition))
	}
	return reasons, byCondition
}
