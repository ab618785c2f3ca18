// SPDX-License-Identifier: Apache-2.0

// Command toolcontract checks, renders, imports and compares tool contracts without
// a cluster, and says what one has or would have. Installed as kubectl-toolcontract it is a kubectl plugin.
package main

import (
	"context"
	"encoding/json"
	"os"

	"github.com/toolcontract/operator/internal/cli"
	"github.com/toolcontract/operator/internal/cluster"
)

// version is set by the linker: -X main.version=v1.2.3.
var version string

func main() {
	program := cli.Program{
		Name: os.Args[0], Version: version, In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Revisions: revisions, Snapshot: snapshot,
	}
	os.Exit(program.Run(os.Args[1:]))
}

// revisions reads the revisions of a contract in a cluster.
func revisions(ctx context.Context, from cli.Cluster, contract string) (namespace string, revisions []json.RawMessage, err error) {
	return cluster.Revisions(ctx, options(from), contract)
}

// snapshot reads what a cluster has.
func snapshot(ctx context.Context, from cli.Cluster, wanted cli.SnapshotWanted) (*cli.Snapshot, error) {
	return cluster.Snapshot(ctx, options(from), wanted)
}

func options(from cli.Cluster) cluster.Options {
	return cluster.Options{Kubeconfig: from.Kubeconfig, Context: from.Context, Namespace: from.Namespace}
}
