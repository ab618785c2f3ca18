// SPDX-License-Identifier: Apache-2.0

package admission

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var start = time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)

const host = "webhook.system.svc"

// trusts reports whether an API server with this bundle trusts what is served.
func trusts(bundle []byte, served *pair, name string, now time.Time) error {
	leaf, err := x509.ParseCertificate(served.serving.Certificate[0])
	if err != nil {
		return err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(bundle)
	_, err = leaf.Verify(x509.VerifyOptions{DNSName: name, Roots: roots, CurrentTime: now})
	return err
}

// TestSomebodyTrustsWhatIsServedAtEveryMoment: an API server may see a bundle a
// while after it was written, and the replica may look at any time.
func TestSomebodyTrustsWhatIsServedAtEveryMoment(t *testing.T) {
	t.Parallel()
	const lag, rounds = 50 * time.Second, 400
	for seed := range uint64(8) {
		random := rand.New(rand.NewPCG(seed, 1))
		replicas := []*rotation{
			{lifetime: DefaultLifetime, settle: DefaultSettle},
			{lifetime: DefaultLifetime, settle: DefaultSettle},
		}
		type written struct {
			at     time.Time
			bundle []byte
		}
		history := []written{{start, nil}}
		seen := func(now time.Time) []byte { // by the slowest API server
			for _, w := range slices.Backward(history) {
				if !w.at.After(now.Add(-lag)) {
					return w.bundle
				}
			}
			return nil
		}
		wake := make([]time.Time, len(replicas))
		now, served := start, map[string]bool{}
		for round := range rounds {
			for i, r := range replicas {
				if now.Before(wake[i]) {
					continue
				}
				bundle := history[len(history)-1].bundle
				wait, err := r.step(now, []string{host}, [][]byte{bundle})
				if err != nil {
					t.Fatal(err)
				}
				if merged := merged(bundle, r.wanted(), r.left, now); !bytes.Equal(merged, bundle) {
					history = append(history, written{now, merged})
					wait = 0 // the watch wakes everybody
				}
				wake[i] = now.Add(wait)
				served[string(r.served.Load().authority)] = true
				if now.Sub(start) > lag {
					if err := trusts(seen(now), r.served.Load(), host, now); err != nil {
						t.Fatalf("seed %d, round %d, replica %d, %s after the start: %v", seed, round, i, now.Sub(start), err)
					}
				}
			}
			if first := slices.MinFunc(wake, time.Time.Compare); first.After(now) {
				now = first
			}
			now = now.Add(time.Duration(random.Int64N(int64(20 * time.Second))))
		}
		if now.Sub(start) < 4*DefaultLifetime || len(served) < 8 {
			t.Errorf("seed %d: only %s went by, with %d certificates", seed, now.Sub(start), len(served))
		}
		if n := bytes.Count(history[len(history)-1].bundle, []byte("BEGIN")); n > 4 {
			t.Errorf("seed %d: %d authorities are left in the bundle", seed, n)
		}
		if len(history) > 4*len(served)+2 {
			t.Errorf("seed %d: %d writes for %d certificates", seed, len(history), len(served))
		}
	}
}

// TestAnAPIServerThatCannotBeReached: the certificate that is served stays until it
// expires; after that another one has nothing to lose.
func TestAnAPIServerThatCannotBeReached(t *testing.T) {
	t.Parallel()
	r := &rotation{lifetime: DefaultLifetime, settle: DefaultSettle}
	step := func(after time.Duration, bundle []byte) *pair {
		t.Helper()
		if _, err := r.step(start.Add(after), []string{host}, [][]byte{bundle}); err != nil {
			t.Fatal(err)
		}
		return r.served.Load()
	}
	first := step(0, nil)
	bundle := merged(nil, r.wanted(), r.left, start)
	if step(DefaultLifetime*2/3, bundle) != first || step(DefaultLifetime-time.Second, bundle) != first {
		t.Error("a successor is served that no bundle vouches for")
	}
	second := step(DefaultLifetime, bundle)
	if second == first || len(r.left) != 2 { // the first and the successor that nobody saw
		t.Errorf("an expired certificate is served, or the bundle keeps its authority: %d", len(r.left))
	}
}

// TestAnotherNameNeedsAnotherCertificate at once, and no caller needs none.
func TestAnotherNameNeedsAnotherCertificate(t *testing.T) {
	t.Parallel()
	r := &rotation{lifetime: DefaultLifetime, settle: DefaultSettle}
	if _, err := r.certificate(nil); err == nil {
		t.Error("there is a certificate before anything was read")
	}
	for _, hosts := range [][]string{nil, {host}, {"127.0.0.1"}, {"::1", host}} {
		if _, err := r.step(start, hosts, [][]byte{nil}); err != nil {
			t.Fatal(err)
		}
		for _, h := range hosts {
			name := h
			if net.ParseIP(h) != nil {
				name = "[" + h + "]"
			}
			if err := trusts(r.served.Load().authority, r.served.Load(), name, start); err != nil {
				t.Errorf("%v: %s: %v", hosts, h, err)
			}
		}
	}
	if err := trusts(r.served.Load().authority, r.served.Load(), "elsewhere.svc", start); err == nil {
		t.Error("it vouches for a name that nobody calls")
	}
	got, err := r.certificate(&tls.ClientHelloInfo{})
	if err != nil || got != &r.served.Load().serving {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestMergedBundles(t *testing.T) {
	t.Parallel()
	made := make([][]byte, 4)
	for i := range made {
		p, err := newPair([]string{host}, start, DefaultLifetime)
		if err != nil {
			t.Fatal(err)
		}
		made[i] = p.authority
	}
	old, err := newPair([]string{host}, start.Add(-2*DefaultLifetime), DefaultLifetime)
	if err != nil {
		t.Fatal(err)
	}
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	own, next, other, left := made[0], made[1], made[2], made[3]
	garbage := []byte("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\nnothing\n")
	key := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: []byte("no")})
	for name, test := range map[string]struct{ bundle, want []byte }{
		"an empty one":                    {nil, join(own, next)},
		"one with all":                    {join(other, next, own), join(other, next, own)},
		"one of another replica":          {other, join(other, own, next)},
		"an authority that is left":       {join(left, own, next), join(own, next)},
		"an authority that has expired":   {join(old.authority, own, next), join(own, next)},
		"twice the same":                  {join(own, next, own, other, other), join(own, next, other)},
		"what is none":                    {join(garbage, key, own, next), join(own, next)},
		"a line end lost by a template":   {join(bytes.TrimSpace(own), []byte("\n"), next), join(own, next)},
		"nothing but what somebody typed": {[]byte("Cg=="), join(own, next)},
	} {
		got := merged(test.bundle, [][]byte{own, next}, [][]byte{left}, start)
		if !bytes.Equal(got, test.want) {
			t.Errorf("%s: got %d authorities, want %d", name, bytes.Count(got, []byte("BEGIN")), bytes.Count(test.want, []byte("BEGIN")))
		}
		if again := merged(got, [][]byte{own, next}, [][]byte{left}, start); !bytes.Equal(got, again) {
			t.Errorf("%s: a second look changes it", name)
		}
	}
	var many []byte
	for range 2 * maxAuthorities {
		p, err := newPair([]string{host}, start, DefaultLifetime)
		if err != nil {
			t.Fatal(err)
		}
		many = append(many, p.authority...)
	}
	got := merged(many, [][]byte{own, next}, nil, start)
	if n := bytes.Count(got, []byte("BEGIN")); n != maxAuthorities || !bytes.HasSuffix(got, join(own, next)) {
		t.Errorf("a bundle of replicas without end holds %d authorities", n)
	}
	// The API server takes objects up to 1.5 MiB; two bundles are far below.
	if len(got) > 64<<10 {
		t.Errorf("it takes %d bytes", len(got))
	}
}

func TestThePatchTouchesNothingButBundles(t *testing.T) {
	t.Parallel()
	c := &admissionregistrationv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{ResourceVersion: "7"},
		Webhooks: []admissionregistrationv1.ValidatingWebhook{
			{ClientConfig: admissionregistrationv1.WebhookClientConfig{Service: &admissionregistrationv1.ServiceReference{Namespace: "system", Name: "webhook"}}},
			{ClientConfig: admissionregistrationv1.WebhookClientConfig{URL: new("https://[::1]:9443/warn")}},
			{ClientConfig: admissionregistrationv1.WebhookClientConfig{URL: new("https://[::1]:9443/enforce")}},
		},
	}
	if diff := cmp.Diff([]string{"::1", host}, hostsOf(c)); diff != "" {
		t.Error(diff)
	}
	p, err := newPair([]string{host}, start, DefaultLifetime)
	if err != nil {
		t.Fatal(err)
	}
	c.Webhooks[1].ClientConfig.CABundle = p.authority
	patch, err := patchOf(c, [][]byte{p.authority}, nil, start)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, false, true} {
		if has := strings.Contains(string(patch), fmt.Sprintf(`"/webhooks/%d/clientConfig/caBundle"`, i)); has != want {
			t.Errorf("webhook %d: %v: %s", i, has, patch)
		}
	}
	if !strings.HasPrefix(string(patch), `[{"op":"replace","path":"/metadata/resourceVersion","value":"7"}`) {
		t.Errorf("a write in between would be lost: %s", patch)
	}
	for i := range c.Webhooks {
		c.Webhooks[i].ClientConfig.CABundle = p.authority
	}
	if patch, err := patchOf(c, [][]byte{p.authority}, nil, start); patch != nil || err != nil {
		t.Errorf("nothing is to be written: %s, %v", patch, err)
	}
}
