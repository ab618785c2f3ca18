// SPDX-License-Identifier: Apache-2.0

package localplane

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// ownerVariable makes this test binary a process that starts a plane, prints
// the process ids of its programs and waits to be killed.
const ownerVariable = "LOCALPLANE_TEST_OWNER"

func TestMain(m *testing.M) {
	if os.Getenv(ownerVariable) != "" {
		if err := ownPlane(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// ownPlane starts a plane with a controller manager and never stops it.
func ownPlane() error {
	binDir, err := BinDirFromEnv()
	if err != nil {
		return err
	}
	plane, err := Start(context.Background(), Options{BinDir: binDir, Dir: os.Getenv(ownerVariable)})
	if err != nil {
		return err
	}
	if err := plane.StartControllerManager(context.Background()); err != nil {
		return err
	}
	fmt.Println(pids(plane)...)
	time.Sleep(time.Hour)
	return nil
}

// pids returns the process ids of all programs that the plane has started.
func pids(p *Plane) []any {
	var ids []any
	for _, program := range []*process{p.etcd, p.apiServer, p.controllerManager} {
		if program != nil {
			ids = append(ids, program.cmd.Process.Pid)
		}
	}
	return ids
}

// binDir returns the directory of the control plane's binaries.
func binDir(t *testing.T) string {
	t.Helper()
	dir, err := BinDirFromEnv()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// wantError fails the test unless err says want.
func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error is %v, want one that says %q", err, want)
	}
}

// startPlane starts a plane that is stopped at the end of the test; a program
// that does not end in order fails it.
func startPlane(t *testing.T, opts Options) *Plane {
	t.Helper()
	opts.BinDir = binDir(t)
	plane, err := Start(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := plane.Stop(); err != nil {
			t.Error(err)
		}
	})
	return plane
}
