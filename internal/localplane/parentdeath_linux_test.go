// SPDX-License-Identifier: Apache-2.0

package localplane

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A test binary that runs into its timeout, or a demonstration whose terminal
// is closed, stops nothing itself; its control plane must not stay behind.
func TestKilledOwnerLeavesNoProcess(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	owner := exec.CommandContext(t.Context(), self)
	owner.Env = append(os.Environ(), BinDirVariable+"="+binDir(t), ownerVariable+"="+filepath.Join(t.TempDir(), "plane"))
	owner.Stderr = os.Stderr
	stdout, err := owner.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := owner.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatalf("reading the process ids of the plane: %v", err)
	}
	if err := owner.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = owner.Wait() // it was killed

	programs := strings.Fields(line)
	if len(programs) != 3 {
		t.Fatalf("the plane's process ids are %q, want three", line)
	}
	for _, text := range programs {
		pid, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		for running(pid) { // until the test's own deadline
			time.Sleep(probeInterval)
		}
	}
}

// running tells whether pid is a process that is not dead; where nobody waits
// for orphans, a killed one stays as a zombie.
func running(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z")
}
