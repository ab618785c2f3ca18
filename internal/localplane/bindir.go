// SPDX-License-Identifier: Apache-2.0

package localplane

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// BinDirVariable names the environment variable that holds the directory of the
// control plane's binaries. The Makefile sets it.
const BinDirVariable = "TOOLCONTRACT_CONTROLPLANE"

// Names of the programs in the binaries directory.
const (
	etcdBinary              = "etcd"
	apiServerBinary         = "kube-apiserver"
	controllerManagerBinary = "kube-controller-manager"
	kubectlBinary           = "kubectl"
)

// BinDirFromEnv returns the directory of the control plane's binaries, for
// [Options.BinDir]. A test that needs a control plane fails with this error
// rather than being skipped: a skipped test proves nothing and nobody notices.
func BinDirFromEnv() (string, error) {
	dir := os.Getenv(BinDirVariable)
	if dir == "" {
		return "", errors.New("environment variable " + BinDirVariable + " is not set: " +
			"run `make test`, or `export " + BinDirVariable + "=$(hack/tools/build.sh controlplane)` for `go test`")
	}
	return dir, nil
}

// binaryPath returns the absolute path of a program that must be in dir.
func binaryPath(dir, name string) (string, error) {
	path, err := filepath.Abs(filepath.Join(dir, name))
	if err != nil {
		return "", fmt.Errorf("locating %s: %w", name, err)
	}
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("locating %s: %w (build it with `hack/tools/build.sh controlplane`)", name, err)
	}
	return path, nil
}
