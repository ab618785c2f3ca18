// SPDX-License-Identifier: Apache-2.0

//go:build unix

package lockfile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/toolcontract/operator/pkg/host"
)

// TestAPipeIsNoFile: whoever opened one would wait for ever.
func TestAPipeIsNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.json"), []byte(`{"files":{"contract.json":"sha256:0"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "contract.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	folders, err := Folders(os.DirFS(dir))
	said := fmt.Sprint(err)
	for _, f := range folders {
		said += fmt.Sprint(f.Differences)
	}
	if !strings.Contains(said, "no regular file") {
		t.Errorf("the folder is read: %+v, %v", folders, err)
	}
	if _, err := host.LoadDir(dir); err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Errorf("the folder is loaded: %v", err)
	}
}
