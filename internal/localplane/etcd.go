// SPDX-License-Identifier: Apache-2.0

package localplane

import (
	"context"
	"os"
	"path/filepath"
)

// Socket names are relative: every program of a plane runs in the plane's
// directory, and the address of a Unix socket is limited to about 100 bytes.
const (
	etcdURL     = "unix://etcd.sock"
	etcdPeerURL = "unix://peer.sock"
)

// startEtcd starts etcd in dir and waits until its socket is there. The process
// is returned with an error too, when there is one to stop.
func startEtcd(ctx context.Context, binDir, dir string) (*process, error) {
	path, err := binaryPath(binDir, etcdBinary)
	if err != nil {
		return nil, err
	}
	etcd, err := startProcess(
		dir, path,
		"--data-dir=etcd",
		"--listen-client-urls="+etcdURL,
		"--advertise-client-urls="+etcdURL,
		"--listen-peer-urls="+etcdPeerURL,
		"--initial-advertise-peer-urls="+etcdPeerURL,
		"--initial-cluster=default="+etcdPeerURL,
		"--unsafe-no-fsync", // the data does not outlive the plane
		"--log-level=warn",
	)
	if err != nil {
		return nil, err
	}
	return etcd, etcd.waitReady(ctx, func(context.Context) error {
		_, err := os.Stat(filepath.Join(dir, "etcd.sock"))
		return err
	})
}
