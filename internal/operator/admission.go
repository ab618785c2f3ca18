// SPDX-License-Identifier: Apache-2.0

package operator

import (
	"context"
	"errors"
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/fields"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	ctrlmetrics "sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/toolcontract/operator/internal/admission"
	"github.com/toolcontract/operator/internal/controller"
	"github.com/toolcontract/operator/internal/metrics"
)

// watchWebhookConfiguration has the cache hold one configuration and no other: the
// operator has rights on this one only.
func (o Options) watchWebhookConfiguration(options *cache.Options) {
	options.ByObject[&admissionregistrationv1.ValidatingWebhookConfiguration{}] = cache.ByObject{
		Field: fields.OneTermEqualSelector("metadata.name", o.WebhookConfiguration),
	}
}

// serveAdmission has every replica answer admission reviews. Neither health nor
// readiness depends on it: nothing but the answers is missing without it.
func (o Options) serveAdmission(ctx context.Context, mgr ctrl.Manager, options controller.Options, profiles *controller.ProfilesInUse) error {
	if o.WebhookAddress == "" {
		return errors.New("there is a configuration for admission reviews and no address to answer them at. Fix: set --webhook-bind-address, or leave out --webhook-configuration")
	}
	reviewer, err := controller.NewReviewer(ctx, mgr, options, profiles)
	if err != nil {
		return err
	}
	expiry := metrics.WebhookCertificateExpiry.NewGauge()
	if !o.Repeated {
		if err := ctrlmetrics.Registry.Register(expiry); err != nil {
			return fmt.Errorf("registering metrics: %w", err)
		}
	}
	certificates := admission.NewCertificates(admission.CertificatesOptions{
		Configuration: o.WebhookConfiguration, Cache: mgr.GetCache(), Client: mgr.GetClient(),
		Lifetime: o.CertificateLifetime, Settle: o.CertificateSettle,
		Expiry: expiry,
	})
	for _, runnable := range []manager.Runnable{certificates, admission.NewServer(o.WebhookAddress, admission.NewHandler(reviewer), certificates)} {
		if err := mgr.Add(runnable); err != nil {
			return fmt.Errorf("adding admission reviews: %w", err)
		}
	}
	return nil
}
