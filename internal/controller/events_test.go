// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// eventRow is a row of the table of docs/events.md: kind, type, action, reason.
var eventRow = regexp.MustCompile("(?m)^\\| (Tool\\w+|ProviderProfile) \\| (Normal|Warning) \\| `(\\w+)` \\| ([^|]*) \\|")

// TestEveryEventIsDocumented: the actions of the events that the code records, and
// the reasons that no condition has, are those of the reference, no more and no
// less. That they stand in the right rows is seen at an API server, see test/e2e.
func TestEveryEventIsDocumented(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/events.md")
	if err != nil {
		t.Fatal(err)
	}
	documentedActions, documented := map[string]bool{}, map[string]bool{}
	for _, row := range eventRow.FindAllStringSubmatch(string(text), -1) {
		documentedActions[row[3]] = true
		documented[strings.Trim(row[4], "`")] = true
	}
	actions, ownReasons := recorded(t)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(actions)), slices.Sorted(maps.Keys(documentedActions))); diff != "" {
		t.Errorf("actions (-in the code +in docs/events.md):\n%s", diff)
	}
	if len(ownReasons) == 0 {
		t.Error("the code has no reasons of events only; this test looks in the wrong place")
	}
	for reason := range ownReasons {
		if !documented[reason] {
			t.Errorf("docs/events.md does not tell of %s", reason)
		}
	}
	declared, _ := declaredReasons(t)
	conditions := slices.Collect(maps.Values(declared))
	for reason := range documented {
		if !strings.HasPrefix(reason, "the reason of ") && !ownReasons[reason] && !slices.Contains(conditions, reason) {
			t.Errorf("docs/events.md tells of %s, which no code says", reason)
		}
	}
}

// recorded reads from the code the actions of all events, which are the fifth
// argument or what is assigned to a variable action, and the constants of reasons
// that only events have.
func recorded(t *testing.T) (actions, reasons map[string]bool) {
	t.Helper()
	actions, reasons = map[string]bool{}, map[string]bool{}
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	literal := func(e ast.Expr, into map[string]bool) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			into[text] = true
		}
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.CallExpr:
				if s, ok := node.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Eventf" {
					literal(node.Args[4], actions)
				}
			case *ast.AssignStmt:
				for i, left := range node.Lhs {
					if name, ok := left.(*ast.Ident); ok && name.Name == "action" && len(node.Rhs) == len(node.Lhs) {
						literal(node.Rhs[i], actions)
					}
				}
			case *ast.ValueSpec:
				for i, name := range node.Names {
					if strings.HasPrefix(name.Name, "reason") && i < len(node.Values) {
						literal(node.Values[i], reasons)
					}
				}
			}
			return true
		})
	}
	return actions, reasons
}
