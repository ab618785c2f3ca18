// SPDX-License-Identifier: Apache-2.0

package admission

import (
	"fmt"
	"slices"
	"testing"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/internal/testkit/contracts"
)

// BenchmarkApply200 creates 200 contracts with all five targets of a sample, one
// after the other, while the operator publishes them.
func BenchmarkApply200(b *testing.B) {
	for _, test := range []struct {
		name     string
		selector *metav1.LabelSelector
	}{
		{"reviewed", nil},
		{"unreviewed", &metav1.LabelSelector{MatchLabels: map[string]string{"no": "object"}}},
	} {
		b.Run(test.name, func(b *testing.B) {
			defer selectObjects(b, nil)
			selectObjects(b, test.selector)
			sample := contracts.Read(b, "config/samples/get-order-status.yaml")
			var took []time.Duration
			for b.Loop() {
				ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "b-"}}
				if err := admin.Create(b.Context(), ns); err != nil {
					b.Fatal(err)
				}
				for i := range 200 {
					c := sample.DeepCopy()
					c.Namespace, c.Name = ns.Name, fmt.Sprintf("tool-%d", i)
					began := time.Now()
					if err := admin.Create(b.Context(), c); err != nil {
						b.Fatal(err)
					}
					took = append(took, time.Since(began))
				}
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
		})
	}
}

// selectObjects has the installed webhooks asked about some objects only, and waits
// until the API server does so.
func selectObjects(b *testing.B, selector *metav1.LabelSelector) {
	b.Helper()
	var c admissionregistrationv1.ValidatingWebhookConfiguration
	if err := admin.Get(b.Context(), client.ObjectKey{Name: configuration}, &c); err != nil {
		b.Fatal(err)
	}
	for i := range c.Webhooks {
		c.Webhooks[i].ObjectSelector = selector
	}
	if err := admin.Update(b.Context(), &c); err != nil {
		b.Fatal(err)
	}
	time.Sleep(2 * time.Second)
}
