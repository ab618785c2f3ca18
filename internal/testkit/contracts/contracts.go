// SPDX-License-Identifier: Apache-2.0

// Package contracts reads the project's own contracts for tests: the samples,
// which are documentation, and the catalogue, which has one of each kind.
package contracts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// Read returns the ToolContract in a file, given by its path in the repository.
func Read(t testing.TB, path string) *v1alpha1.ToolContract {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root(t), path))
	if err != nil {
		t.Fatal(err)
	}
	var contract v1alpha1.ToolContract
	if err := yaml.UnmarshalStrict(text, &contract); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return &contract
}

// All returns every contract of config/samples and test/catalogue, in the order
// of their files.
func All(t testing.TB) []*v1alpha1.ToolContract {
	t.Helper()
	var out []*v1alpha1.ToolContract
	for _, folder := range []string{"config/samples", "test/catalogue"} {
		paths, err := filepath.Glob(filepath.Join(root(t), folder, "*.yaml"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s holds no contracts (%v)", folder, err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(text), "\nkind: ToolContract\n") {
				out = append(out, Read(t, filepath.Join(folder, filepath.Base(path))))
			}
		}
	}
	return out
}

// root is the top of the repository: the folder with the file PROJECT.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "PROJECT")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("there is no file PROJECT above the test")
		}
		dir = parent
	}
}
