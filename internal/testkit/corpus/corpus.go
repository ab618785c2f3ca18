// SPDX-License-Identifier: Apache-2.0

// Package corpus reads the public material of third parties that some tests
// run over: the tools of real servers and their histories, recorded requests,
// and the official suite of JSON Schema. It is no part of the project. The
// environment variable [Variable] names its folder; a test that asks for
// anything of it is skipped where there is none.
package corpus

import (
	"bufio"
	"encoding/json"
	"iter"
	"os"
	"path/filepath"
	"testing"
)

// Variable is the environment variable with the absolute path of the folder.
const Variable = "TOOLCONTRACT_CORPUS"

// Dir returns the folder, for what can do without; ok is false if there is none.
func Dir() (dir string, ok bool) {
	dir = os.Getenv(Variable)
	return dir, dir != ""
}

// Path returns a path below the folder.
func Path(t testing.TB, elements ...string) string {
	t.Helper()
	dir, ok := Dir()
	if !ok {
		t.Skip(Variable + " is not set: this test runs over the corpus of third parties")
	}
	return filepath.Join(append([]string{dir}, elements...)...)
}

// Files returns the files of the folder that match patterns, in the order of
// the patterns and then of their names. Each pattern must match some.
func Files(t testing.TB, patterns ...string) []string {
	t.Helper()
	var out []string
	for _, pattern := range patterns {
		files, err := filepath.Glob(Path(t, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("the corpus has no file %s (%v); is it all there?", pattern, err)
		}
		out = append(out, files...)
	}
	return out
}

// JSON decodes a file.
func JSON[T any](t testing.TB, path string) T {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var value T
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return value
}

// maxLine is longer than every line of the corpus, in bytes.
const maxLine = 16 << 20

// Lines decodes the lines of a file of JSON Lines, one after the other.
func Lines[T any](t testing.TB, path string) iter.Seq[T] {
	t.Helper()
	return func(yield func(T) bool) {
		t.Helper()
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, maxLine)
		for lines.Scan() {
			var line T
			if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			if !yield(line) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
}
