// SPDX-License-Identifier: Apache-2.0

package mounts

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

func TestConfigMapsOfSetsCount(t *testing.T) {
	t.Parallel()
	spec := corev1.PodSpec{Volumes: []corev1.Volume{
		volume("shop.openai-responses"), volume("shop.openai-responses-1a2b3c4d"), volume("a-v1"), volume("kube-root-ca.crt"), volume("settings"),
	}}
	want := []string{"a-v1", "shop.openai-responses", "shop.openai-responses-1a2b3c4d"}
	if diff := cmp.Diff(want, published(&spec)); diff != "" {
		t.Errorf("published (-want +got):\n%s", diff)
	}
}

// TestSetsAndContractsAreToldApart: a set and a contract may have one name. The
// controller of each hears of its own.
func TestSetsAndContractsAreToldApart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tracker := newTracker(t)
		named := func(names ...string) func(context.Context) ([]types.NamespacedName, error) {
			return func(context.Context) (out []types.NamespacedName, err error) {
				for _, name := range names {
					out = append(out, types.NamespacedName{Namespace: shop, Name: name})
				}
				return out, nil
			}
		}
		tracker.contracts, tracker.sets = named("a", "b"), named("b", "s")
		var contracts, sets recordingQueue
		for _, err := range []error{tracker.Changes().Start(t.Context(), &contracts), tracker.SetChanges().Start(t.Context(), &sets)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		go tracker.announce(t.Context())
		told := func(wantContracts, wantSets []string) {
			t.Helper()
			time.Sleep(2 * tracker.pause)
			synctest.Wait()
			if got := contracts.take(); !slices.Equal(got, wantContracts) {
				t.Errorf("told of the contracts %v, want %v", got, wantContracts)
			}
			if got := sets.take(); !slices.Equal(got, wantSets) {
				t.Errorf("told of the sets %v, want %v", got, wantSets)
			}
		}
		tracker.seesAll()
		told([]string{"shop/a", "shop/b"}, []string{"shop/b", "shop/s"})
		tracker.put(pod("p", "b.openai-responses"))
		told(nil, []string{"shop/b"})
		tracker.put(pod("q", "b-v1"))
		told([]string{"shop/b"}, nil)
		tracker.gone(pod("p"))
		told(nil, []string{"shop/b"})
	})
}
