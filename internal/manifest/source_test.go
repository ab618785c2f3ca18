// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOpen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"b.yaml", "a.json", "sub/c.yml", "notes.txt", "sub/.hidden.yaml", "..2026/a.json", "sub/node_modules/x.json"} {
		write(t, filepath.Join(dir, name))
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.yaml"), 0o600); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"link.yaml": "b.yaml", "dangling.yaml": "nowhere", "folder.yaml": "sub"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name      string
		arguments []string
		want      []string
	}{
		{"a directory has its manifests in order, with those below it", []string{"."}, []string{
			"a.json", "b.yaml", "dangling.yaml: error", "link.yaml", "sub/.hidden.yaml", "sub/c.yml",
		}},
		{"a file that is named may have any name", []string{"notes.txt", "a.json"}, []string{"notes.txt", "a.json"}},
		{"what cannot be read hides nothing", []string{"missing.yaml", "a.json"}, []string{"missing.yaml: error", "a.json"}},
		{"standard input has its place in the order", []string{"b.yaml", "-", "a.json"}, []string{"b.yaml", "-", "a.json"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			arguments := make([]string, len(test.arguments))
			for i, a := range test.arguments {
				if arguments[i] = a; a != Stdin {
					arguments[i] = filepath.Join(dir, a)
				}
			}
			var got []string
			for source, err := range Open(arguments, strings.NewReader("a: b")) {
				name := source.Name
				if name != Stdin {
					name, _ = filepath.Rel(dir, name)
				}
				if err != nil {
					name += ": error"
				} else if string(source.Data) != "a: b" {
					t.Errorf("%s has the data %q", name, source.Data)
				}
				got = append(got, name)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func write(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("a: b"), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestReadSourceIsBounded(t *testing.T) {
	t.Parallel()
	_, err := ReadSource("big", endless{})
	if err == nil || !strings.Contains(err.Error(), "reading big: it has more than") {
		t.Errorf("got the error %v", err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestReadSourceReportsAReadError(t *testing.T) {
	t.Parallel()
	_, err := ReadSource("broken", io.MultiReader(strings.NewReader("a"), failing{}))
	if err == nil || !strings.Contains(err.Error(), "reading broken: ") {
		t.Errorf("got the error %v", err)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }
