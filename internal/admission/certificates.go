// SPDX-License-Identifier: Apache-2.0

package admission

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	toolscache "k8s.io/client-go/tools/cache"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// Lifetime and settling of certificates that nothing else is said about.
const (
	DefaultLifetime = 72 * time.Hour
	DefaultSettle   = time.Minute
)

// retryDelay is the wait after a write that failed, and syncDelay that for the first
// list of the cache.
const (
	retryDelay = 5 * time.Second
	syncDelay  = time.Second
)

// CertificatesOptions say what [NewCertificates] works with.
type CertificatesOptions struct {
	// Configuration names the ValidatingWebhookConfiguration whose bundles are kept.
	Configuration string
	// Cache holds that configuration, and Client writes to it.
	Cache  cache.Cache
	Client client.Client
	// Expiry shows when the served certificate expires, once there is one; nil shows
	// it nowhere.
	Expiry *prometheus.GaugeVec
	// Lifetime of a certificate, and Settle, the time that API servers may take to
	// see a changed bundle. Zero: the defaults.
	Lifetime, Settle time.Duration
}

// Certificates keeps the certificate of one replica in memory and its authority in
// the bundles of the configuration, beside those of the other replicas. No Secret
// is needed and nothing is shared but the configuration, from which it also learns
// under which names it is called.
type Certificates struct {
	options CertificatesOptions
	rotation
}

// NewCertificates returns certificates, of which there are none before [Certificates.Start].
func NewCertificates(o CertificatesOptions) *Certificates {
	if o.Lifetime == 0 {
		o.Lifetime = DefaultLifetime
	}
	if o.Settle == 0 {
		o.Settle = DefaultSettle
	}
	return &Certificates{options: o, rotation: rotation{lifetime: o.Lifetime, settle: o.Settle}}
}

// NeedLeaderElection implements [manager.LeaderElectionRunnable]: every replica
// serves.
func (c *Certificates) NeedLeaderElection() bool { return false }

// Start keeps certificate and bundles until the context ends. Nothing that goes
// wrong ends it: without a certificate, writes go through unreviewed.
func (c *Certificates) Start(ctx context.Context) error {
	log := ctrl.LoggerFrom(ctx).WithName("admission")
	changed := make(chan struct{}, 1)
	informer, err := c.options.Cache.GetInformer(ctx, &admissionregistrationv1.ValidatingWebhookConfiguration{}, cache.BlockUntilSynced(false))
	if err != nil {
		return fmt.Errorf("watching ValidatingWebhookConfiguration %s: %w", c.options.Configuration, err)
	}
	wake := func() {
		select {
		case changed <- struct{}{}:
		default: // it will look anyway
		}
	}
	if _, err := informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { wake() },
		UpdateFunc: func(any, any) { wake() },
	}); err != nil {
		return fmt.Errorf("watching ValidatingWebhookConfiguration %s: %w", c.options.Configuration, err)
	}
	for failed := false; ; {
		wait, err := c.look(ctx, time.Now())
		if err != nil {
			wait = retryDelay
			if !failed && !apierrors.IsConflict(err) && ctx.Err() == nil { // once, and not for every try
				log.Error(err, "the admission webhook is not served properly; writes go through unreviewed, and it is tried again")
			}
		}
		failed = err != nil
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil
		case <-changed:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// look reads the configuration and brings certificate and bundles up to date. It
// returns when to look again.
func (c *Certificates) look(ctx context.Context, now time.Time) (time.Duration, error) {
	if !c.synced(ctx) {
		return syncDelay, nil
	}
	var configuration admissionregistrationv1.ValidatingWebhookConfiguration
	err := c.options.Cache.Get(ctx, client.ObjectKey{Name: c.options.Configuration}, &configuration)
	switch {
	case apierrors.IsNotFound(err):
		return 0, fmt.Errorf("there is no ValidatingWebhookConfiguration %s, so nobody asks for reviews. Fix: apply config/admission, or leave out --webhook-configuration", c.options.Configuration)
	case err != nil:
		return 0, fmt.Errorf("reading ValidatingWebhookConfiguration %s: %w", c.options.Configuration, err)
	}
	wait, err := c.step(now, hostsOf(&configuration), bundlesOf(&configuration))
	if err != nil {
		return 0, err
	}
	c.show()
	patch, err := patchOf(&configuration, c.wanted(), c.left, now)
	if err != nil || patch == nil {
		return wait, err
	}
	err = c.options.Client.Patch(ctx, &configuration, client.RawPatch(types.JSONPatchType, patch), client.FieldOwner(v1alpha1.ManagedBy))
	if err != nil {
		return 0, fmt.Errorf("writing the CA bundle of ValidatingWebhookConfiguration %s: %w", c.options.Configuration, err)
	}
	return wait, nil // the watch shows it, and wakes us
}

// synced reports whether the cache has listed the configuration. Asking it before
// would wait, for ever where a right is missing.
func (c *Certificates) synced(ctx context.Context) bool {
	informer, err := c.options.Cache.GetInformer(ctx, &admissionregistrationv1.ValidatingWebhookConfiguration{}, cache.BlockUntilSynced(false))
	return err == nil && informer.HasSynced()
}

func (c *Certificates) show() {
	if served := c.served.Load(); served != nil && c.options.Expiry != nil {
		c.options.Expiry.WithLabelValues().Set(float64(served.notAfter.Unix()))
	}
}

// hostsOf are the names and addresses under which API servers call the webhooks of
// a configuration, each once and in order.
func hostsOf(configuration *admissionregistrationv1.ValidatingWebhookConfiguration) []string {
	var out []string
	for i := range configuration.Webhooks {
		switch to := configuration.Webhooks[i].ClientConfig; {
		case to.Service != nil:
			out = append(out, to.Service.Name+"."+to.Service.Namespace+".svc")
		case to.URL != nil:
			if u, err := url.Parse(*to.URL); err == nil && u.Hostname() != "" {
				out = append(out, u.Hostname())
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func bundlesOf(configuration *admissionregistrationv1.ValidatingWebhookConfiguration) [][]byte {
	out := make([][]byte, len(configuration.Webhooks))
	for i := range configuration.Webhooks {
		out[i] = configuration.Webhooks[i].ClientConfig.CABundle
	}
	return out
}

// patchOf is the JSON patch that brings the bundles up to date, nil if they are.
// It replaces nothing else, and fails if somebody has written in between.
func patchOf(configuration *admissionregistrationv1.ValidatingWebhookConfiguration, wanted, left [][]byte, now time.Time) ([]byte, error) {
	type operation struct {
		Op    string `json:"op"`
		Path  string `json:"path"`
		Value any    `json:"value"`
	}
	patch := []operation{{"replace", "/metadata/resourceVersion", configuration.ResourceVersion}}
	for i := range configuration.Webhooks {
		have := configuration.Webhooks[i].ClientConfig.CABundle
		if want := merged(have, wanted, left, now); !bytes.Equal(have, want) {
			patch = append(patch, operation{"add", "/webhooks/" + strconv.Itoa(i) + "/clientConfig/caBundle", want})
		}
	}
	if len(patch) == 1 {
		return nil, nil
	}
	return json.Marshal(patch)
}
