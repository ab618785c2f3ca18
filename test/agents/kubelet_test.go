// SPDX-License-Identifier: Apache-2.0

package agents

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// volume is a folder as the kubelet keeps a mounted ConfigMap: the files are in a
// folder whose name begins with two dots, the link ..data leads to it, and the
// names that a program sees are links through ..data.
// Source: kubernetes pkg/volume/util/atomic_writer.go.
type volume struct {
	dir      string
	versions int
}

// write puts a new version in place of the old one in one step, as the kubelet
// does: a new folder, a new link beside the old one, and a rename.
func (v *volume) write(t *testing.T, files map[string]string) {
	t.Helper()
	v.versions++
	name := fmt.Sprintf("..2026_12_01_00_00_%02d.1", v.versions)
	do(t, os.MkdirAll(filepath.Join(v.dir, name), 0o755))
	for file, data := range files {
		do(t, os.WriteFile(filepath.Join(v.dir, name, file), []byte(data), 0o644))
	}
	link := filepath.Join(v.dir, "..data_tmp")
	do(t, os.Symlink(name, link))
	old, _ := os.Readlink(filepath.Join(v.dir, "..data"))
	do(t, os.Rename(link, filepath.Join(v.dir, "..data")))
	for file := range files {
		visible := filepath.Join(v.dir, file)
		if _, err := os.Lstat(visible); err != nil {
			do(t, os.Symlink(filepath.Join("..data", file), visible))
		}
	}
	if old != "" {
		do(t, os.RemoveAll(filepath.Join(v.dir, old)))
	}
}

func do(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
