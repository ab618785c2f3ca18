// SPDX-License-Identifier: Apache-2.0

// Command manager runs the tool contract operator.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"

	"github.com/toolcontract/operator/internal/controller"
	"github.com/toolcontract/operator/internal/operator"
)

func main() {
	var (
		o     operator.Options
		qps   float64
		burst int
	)
	flag.StringVar(&o.MetricsAddress, "metrics-bind-address", ":8443",
		"Address of the metrics endpoint: HTTPS, and only for callers whom the API server lets get /metrics. 0 turns it off.")
	flag.StringVar(&o.ProbeAddress, "health-probe-bind-address", ":8081", "Address of /healthz and /readyz. 0 turns them off.")
	flag.StringVar(&o.Namespace, "namespace", "", "Watch only this namespace. Empty watches all.")
	flag.StringVar(&o.ProfileDir, "profile-dir", "",
		"Directory with provider profiles, as profile files or ProviderProfile manifests, that join the built-in ones or take the place of those with the same name. "+
			"It is read once, at the start; restart the operator after a change.")
	flag.Func("provider-profiles", "What to do with the ProviderProfiles of the cluster. Manage (the default): use them and write their status. "+
		"Read (the default with --namespace): use what their status says is in force; for all but one of several operators in a cluster. "+
		"Ignore: never ask for them; for an operator of one namespace without rights on cluster-scoped objects, see --profile-dir.",
		func(value string) error {
			o.ProviderProfiles = controller.ProfileMode(value)
			return nil
		})
	flag.BoolVar(&o.TrackMounts, "track-mounts", false,
		"Keep revisions and ConfigMaps as long as a Pod or the template of a workload mounts them. Needs list and watch on these, see config/mounts.")
	flag.StringVar(&o.WebhookConfiguration, "webhook-configuration", "",
		"Answer the API server's questions about what somebody applies, which the ValidatingWebhookConfiguration of this name makes it ask, and keep its CA bundles. "+
			"Needs rights on that configuration, see config/admission. Empty turns it off.")
	flag.StringVar(&o.WebhookAddress, "webhook-bind-address", ":9443", "Address where these questions are answered, with TLS.")
	flag.BoolVar(&o.LeaderElection, "leader-elect", false, "Run as one of several replicas, of which one is active.")
	flag.StringVar(&o.LeaseNamespace, "leader-elect-namespace", "",
		"Namespace of the lease. Empty is the pod's own; outside a cluster the watched one, or default.")
	flag.DurationVar(&o.LeaseDuration, "leader-elect-lease-duration", 15*time.Second, "How long a lease lasts without renewal.")
	flag.DurationVar(&o.RenewDeadline, "leader-elect-renew-deadline", 10*time.Second, "How long the leader tries to renew before it exits.")
	flag.IntVar(&o.Concurrency, "concurrent", 4, "Contracts, and sets, that are reconciled at once.")
	flag.Float64Var(&qps, "kube-api-qps", -1,
		"Requests per second to the API server, for each kind of object. -1 sets no limit: --concurrent bounds what is under way, and the API server's priority and fairness decide.")
	flag.IntVar(&burst, "kube-api-burst", 100, "Requests to the API server that may exceed --kube-api-qps for a moment.")
	var logging zap.Options
	logging.BindFlags(flag.CommandLine)
	flag.Parse()
	ctrl.SetLogger(zap.New(zap.UseFlagOptions(&logging)))
	if err := run(o, qps, burst); err != nil {
		fmt.Fprintln(os.Stderr, "manager:", err)
		os.Exit(1)
	}
}

func run(o operator.Options, qps float64, burst int) error {
	config, err := ctrl.GetConfig()
	if err != nil {
		return fmt.Errorf("reading kubeconfig: %w", err)
	}
	config.QPS, config.Burst = float32(qps), burst
	return operator.Run(ctrl.SetupSignalHandler(), config, o)
}
