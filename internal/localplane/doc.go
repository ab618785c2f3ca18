// SPDX-License-Identifier: Apache-2.0

// Package localplane runs a Kubernetes control plane on this machine: etcd, one
// kube-apiserver and, when asked for, a kube-controller-manager. It has no
// nodes: objects are stored, validated, authorized, audited and garbage
// collected as in a cluster, but no pod ever runs.
//
// The tests and the demonstration of this project use it, because what they
// claim (bytes that survive, writes that do not happen, objects that are
// collected) only counts when a real API server says so.
//
// # Binaries
//
// The programs come from a directory that `make controlplane` fills, named by
// the environment variable [BinDirVariable]; see [BinDirFromEnv].
//
// # Isolation
//
// Planes do not see each other. etcd and the API server talk over a Unix socket
// in the plane's own directory, which only this user can enter, so the only
// port a plane needs is the API server's, on 127.0.0.1. Tokens, service account
// key and serving certificate are made for each plane.
//
// # Nothing is left behind
//
// [Plane.Stop] ends the programs in the order in which they depend on each
// other and waits for each. On Linux the kernel kills them when the process
// that started them dies, however it dies. They run in process groups of their
// own, so that Ctrl-C in a terminal reaches only the caller, who then stops the
// plane in order.
package localplane
