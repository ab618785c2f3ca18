// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEveryNamedTestExists: a document that says which test holds something names
// one that there is.
func TestEveryNamedTestExists(t *testing.T) {
	t.Parallel()
	declared := map[string]bool{}
	declaration := regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == ".git" || entry.Name() == "bin"):
			return fs.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		for _, match := range declaration.FindAllSubmatch(text, -1) {
			declared[string(match[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named, used := regexp.MustCompile("`(Test[A-Z]\\w+)`"), 0
	for _, p := range pages(t) {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(p.path)))
		if err != nil {
			t.Fatal(err)
		}
		for n, line := range bytes.Split(text, []byte("\n")) {
			for _, match := range named.FindAllSubmatch(line, -1) {
				if used++; !declared[string(match[1])] {
					t.Errorf("%s:%d: there is no %s", p.path, n+1, match[1])
				}
			}
		}
	}
	if used < 50 {
		t.Errorf("only %d tests are named", used)
	}
}
