// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// conditionTypes is where reasons are declared and documented.
const conditionTypes = "../../api/v1alpha1/condition_types.go"

// TestEveryReasonIsDocumented: reasons are API. Those that the code sets are
// those that the documentation of the condition types lists, no more and no
// less, and each is declared as a constant.
func TestEveryReasonIsDocumented(t *testing.T) {
	t.Parallel()
	declared, documented := declaredReasons(t)
	used := map[string]bool{}
	for _, dir := range []string{".", "../evaluate", "../toolset"} {
		for _, constant := range reasonsIn(t, dir) {
			value, ok := declared[constant]
			if !ok {
				t.Errorf("%s uses v1alpha1.%s, which is not declared in %s", dir, constant, conditionTypes)
			}
			used[value] = true
		}
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(used)), slices.Sorted(maps.Keys(documented))); diff != "" {
		t.Errorf("reasons (-used in the code +documented):\n%s", diff)
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(used)), slices.Sorted(maps.Values(declared))); diff != "" {
		t.Errorf("reasons (-used in the code +declared):\n%s", diff)
	}
}

// bullet is a line of a condition's documentation that lists reasons, and word
// is one of them.
var (
	bullet = regexp.MustCompile(`(?m)^\* .*$`)
	word   = regexp.MustCompile(`"([A-Z][A-Za-z]+)"`)
)

// declaredReasons reads the constants with their values, and the values that
// comments document: in the list of a condition, or at the constant itself.
func declaredReasons(t *testing.T) (declared map[string]string, documented map[string]bool) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), conditionTypes, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	declared, documented = map[string]string{}, map[string]bool{}
	ast.Inspect(file, func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		name, doc := spec.Names[0].Name, spec.Doc.Text()
		for _, line := range bullet.FindAllString(doc, -1) {
			for _, match := range word.FindAllStringSubmatch(line, -1) {
				documented[match[1]] = true
			}
		}
		if !strings.HasPrefix(name, "Reason") {
			return true
		}
		value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		declared[name] = value
		if strings.HasPrefix(doc, name+":") {
			documented[value] = true
		}
		return true
	})
	return declared, documented
}

// reasonsIn lists the Reason constants that a package's code, without its tests,
// refers to.
func reasonsIn(t *testing.T, dir string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(node ast.Node) bool {
			selector, ok := node.(*ast.SelectorExpr)
			if ok && strings.HasPrefix(selector.Sel.Name, "Reason") {
				if from, ok := selector.X.(*ast.Ident); ok && from.Name == "v1alpha1" {
					out = append(out, selector.Sel.Name)
				}
			}
			return true
		})
	}
	return out
}
