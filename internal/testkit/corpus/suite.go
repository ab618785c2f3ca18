// SPDX-License-Identifier: Apache-2.0

package corpus

import (
	"encoding/json"
	"io/fs"
	"iter"
	"path/filepath"
	"testing"
)

// SuiteGroup is one schema of the official JSON Schema suite with its tests.
type SuiteGroup struct {
	Description string
	Schema      json.RawMessage
	Tests       []struct {
		Description string
		Data        json.RawMessage
		Valid       bool
	}
}

// Suite yields the files of the official suite for a draft ("draft2020-12"),
// its optional part included, by their names relative to the draft.
func Suite(t testing.TB, draft string) iter.Seq2[string, []SuiteGroup] {
	t.Helper()
	folder := Path(t, "schemas/json-schema-test-suite/tests", draft)
	return func(yield func(string, []SuiteGroup) bool) {
		t.Helper()
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(path) != ".json" {
				return err
			}
			name, err := filepath.Rel(folder, path)
			if err == nil && !yield(filepath.ToSlash(name), JSON[[]SuiteGroup](t, path)) {
				return fs.SkipAll
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
