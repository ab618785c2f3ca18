// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"os"
	"os/signal"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/snapshot"
)

// The words of what a cluster has, as commands use them.
type (
	// Snapshot is what a cluster has.
	Snapshot = snapshot.Snapshot
	// SnapshotWanted says what of it is read.
	SnapshotWanted = snapshot.Wanted
	// PublishedConfigMap is a ConfigMap of the operator.
	PublishedConfigMap = snapshot.PublishedConfigMap
	// Workload is what mounts ConfigMaps.
	Workload = snapshot.Workload
)

// Cluster says which cluster and namespace are read. Empty parts are those that
// kubectl would take.
type Cluster struct{ Kubeconfig, Context, Namespace string }

// clusterFlags are the flags of the commands that read a cluster, without the
// one for the namespace.
func clusterFlags(f *pflag.FlagSet, from *Cluster) {
	f.StringVar(&from.Kubeconfig, "kubeconfig", "", "")
	f.StringVar(&from.Context, "context", "", "")
}

// checkNamespace refuses what cannot be a namespace. done is as of [Program.parse].
func (p *Program) checkNamespace(f *pflag.FlagSet, namespace string) (code int, done bool) {
	if namespace != "" && len(validation.IsDNS1123Label(namespace)) > 0 {
		return p.badUsage(f, "--namespace %s is not a DNS label", finding.Quote(namespace)), true
	}
	return exitOK, false
}

// readCluster reads a cluster. What could not be read for want of rights is told
// on standard error. done is as of [Program.parse].
func (p *Program) readCluster(from Cluster, wanted SnapshotWanted) (s *Snapshot, code int, done bool) {
	if p.Snapshot == nil {
		p.complain("this program was built without a client for clusters")
		return nil, exitUsage, true
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	s, err := p.Snapshot(ctx, from, wanted)
	if err != nil {
		p.complain("%v", err)
		return nil, exitUsage, true
	}
	for _, d := range s.Denied {
		p.complain("not read: %s", d)
	}
	return s, exitOK, false
}
