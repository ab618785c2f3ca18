// SPDX-License-Identifier: Apache-2.0

package operator

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	ctrlconfig "sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/controller-runtime/pkg/metrics/filters"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/controller"
)

// Options of the operator. The zero value runs one worker without leader
// election, metrics or probes.
type Options struct {
	// MetricsAddress is where metrics are served, with TLS and only to callers
	// whom the API server lets get /metrics. Empty or "0": nowhere.
	MetricsAddress string
	// ProbeAddress is where /healthz and /readyz are served. Empty or "0": nowhere.
	ProbeAddress string
	// Namespace restricts the operator to one namespace; empty means all.
	Namespace string
	// Namespaces restricts the operator to some namespaces, each of which may refer
	// to the others. It takes the place of Namespace, for tests that share a cluster.
	Namespaces []string
	// LeaderElection makes the operator one of several replicas.
	LeaderElection bool
	LeaseDuration  time.Duration
	RenewDeadline  time.Duration
	// LeaseNamespace is where the lease lives. Empty: the pod's own namespace;
	// outside a cluster the watched one, or default.
	LeaseNamespace string
	// ProfileDir holds files of provider profiles that join the built-in ones or
	// take their place; empty is none. See [profiledir.Read].
	ProfileDir string
	// ProviderProfiles says what to do with the ProviderProfiles of the cluster.
	// Empty is [controller.ManageProfiles] and, for an operator of one namespace,
	// [controller.ReadProfiles]: two that manage them and count other contracts
	// would contradict each other for ever.
	ProviderProfiles controller.ProfileMode
	// TrackMounts makes the operator watch Pods and the workloads that make them,
	// so that it keeps what one of them mounts. It needs more rights than the rest,
	// see config/mounts, and works on without them.
	TrackMounts bool
	// Mounts and MountChanges take the place of what TrackMounts makes, for tests
	// that have no Pods.
	Mounts       controller.Mounts
	MountChanges source.Source
	// WebhookConfiguration names the ValidatingWebhookConfiguration through which the
	// API server asks the operator about what somebody applies. Empty: nobody asks.
	WebhookConfiguration string
	// WebhookAddress is where it is answered.
	WebhookAddress string
	// CertificateLifetime and CertificateSettle take the place of the defaults of
	// [admission.CertificatesOptions], for tests.
	CertificateLifetime, CertificateSettle time.Duration
	// Concurrency is the number of contracts reconciled at once; zero means one.
	Concurrency int
	// Recheck is the wait before looking again whether a name that somebody
	// else's object has is free. Zero: 15 seconds.
	Recheck time.Duration
	// Resync is how often everything is looked at again although nothing
	// happened. Zero: about ten hours.
	Resync time.Duration
	// Logger takes the place of the logger of the process.
	Logger logr.Logger
	// Repeated lets one process run the operator more than once.
	Repeated bool
}

// leaseName is named in the RBAC role of leader election.
const leaseName = "toolcontract-operator.toolcontract.dev"

// shutdownTimeout leaves time for the lease to be given back before the
// kubelet's grace period ends.
const shutdownTimeout = 8 * time.Second

// Run runs the operator until the context ends.
func Run(ctx context.Context, config *rest.Config, o Options) error {
	if o.ProviderProfiles == "" {
		o.ProviderProfiles = controller.ManageProfiles
		if o.Namespace != "" {
			o.ProviderProfiles = controller.ReadProfiles
		}
	}
	profiles, err := o.baseProfiles()
	if err != nil {
		return err
	}
	mgr, err := ctrl.NewManager(config, o.managerOptions())
	if err != nil {
		return fmt.Errorf("creating manager: %w", err)
	}
	if err := o.checkProviderProfiles(ctx, mgr.GetAPIReader()); err != nil {
		return err
	}
	options := controller.Options{
		Base: profiles, ProviderProfiles: o.ProviderProfiles, Concurrency: o.Concurrency, Recheck: o.Recheck,
		Namespace: o.Namespace, Mounts: o.Mounts, MountChanges: o.MountChanges,
	}
	var collectors []prometheus.Collector
	if o.TrackMounts {
		tracker, err := o.trackMounts(mgr, config)
		if err != nil {
			return err
		}
		options.Mounts, options.MountChanges, options.SetMountChanges = tracker, tracker.Changes(), tracker.SetChanges()
		collectors = append(collectors, tracker)
	}
	inUse, err := controller.Setup(ctx, mgr, options)
	if err != nil {
		return err
	}
	collectors = append(collectors, controller.ProfileMetrics{Profiles: inUse},
		controller.StateMetrics{Cache: mgr.GetCache(), Elected: mgr.Elected(), Profiles: inUse})
	if o.WebhookConfiguration != "" {
		if err := o.serveAdmission(ctx, mgr, options, inUse); err != nil {
			return err
		}
	}
	if !o.Repeated { // the metrics of a process are those of one operator
		for _, collector := range collectors {
			if err := metrics.Registry.Register(collector); err != nil {
				return fmt.Errorf("registering metrics: %w", err)
			}
		}
	}
	if err := mgr.AddHealthzCheck("ping", healthz.Ping); err != nil {
		return fmt.Errorf("adding health check: %w", err)
	}
	if err := mgr.AddReadyzCheck("ping", healthz.Ping); err != nil {
		return fmt.Errorf("adding readiness check: %w", err)
	}
	return mgr.Start(ctx)
}

func (o Options) managerOptions() ctrl.Options {
	cacheOptions := controller.CacheOptions()
	if o.Namespace != "" {
		cacheOptions.DefaultNamespaces = map[string]cache.Config{o.Namespace: {}}
	}
	for _, namespace := range o.Namespaces {
		if cacheOptions.DefaultNamespaces == nil {
			cacheOptions.DefaultNamespaces = map[string]cache.Config{}
		}
		cacheOptions.DefaultNamespaces[namespace] = cache.Config{}
	}
	if o.WebhookConfiguration != "" {
		o.watchWebhookConfiguration(&cacheOptions)
	}
	if o.Resync != 0 {
		cacheOptions.SyncPeriod = &o.Resync
	}
	shutdown := shutdownTimeout
	options := ctrl.Options{
		Scheme: Scheme(),
		Logger: o.Logger,
		Cache:  cacheOptions,
		Metrics: metricsserver.Options{
			BindAddress: orOff(o.MetricsAddress), SecureServing: true, FilterProvider: filters.WithAuthenticationAndAuthorization,
		},
		HealthProbeBindAddress:  orOff(o.ProbeAddress),
		GracefulShutdownTimeout: &shutdown,
		Controller:              ctrlconfig.Controller{SkipNameValidation: &o.Repeated},
	}
	if o.LeaderElection {
		options.LeaderElection = true
		options.LeaderElectionID = leaseName
		options.LeaderElectionNamespace = o.leaseNamespace()
		options.LeaseDuration, options.RenewDeadline = &o.LeaseDuration, &o.RenewDeadline
		// The process ends right after, so giving the lease back early is safe
		// and the next leader need not wait.
		options.LeaderElectionReleaseOnCancel = true
	}
	return options
}

func orOff(address string) string {
	if address == "" {
		return "0"
	}
	return address
}

// leaseNamespace is the pod's own namespace where there is one, which the
// library finds by itself; outside a cluster it is the watched one.
func (o Options) leaseNamespace() string {
	if o.LeaseNamespace != "" {
		return o.LeaseNamespace
	}
	if _, err := os.Stat("/var/run/secrets/kubernetes.io/serviceaccount/namespace"); err == nil {
		return ""
	}
	if o.Namespace != "" {
		return o.Namespace
	}
	return "default"
}

// Scheme knows every kind that the operator handles.
func Scheme() *runtime.Scheme {
	s := runtime.NewScheme()
	// Must: two packages that claim one kind are wrong at build time.
	utilruntime.Must(clientgoscheme.AddToScheme(s))
	utilruntime.Must(v1alpha1.AddToScheme(s))
	return s
}
