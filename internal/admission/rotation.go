// SPDX-License-Identifier: Apache-2.0

package admission

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"
)

// rotation decides which certificate is served and which authorities a bundle
// needs. A successor is announced in the bundle first, served once all API servers
// have had time to see it, and only then its predecessor is taken out. So at every
// moment the bundle vouches for what is served. It calls nobody: [Certificates]
// shows it what the API server says.
type rotation struct {
	lifetime time.Duration
	// settle is how long an API server may take to see a changed bundle.
	settle time.Duration

	served atomic.Pointer[pair]
	// next is the successor, and announced when a bundle was first seen with it.
	next      *pair
	announced time.Time
	// left are authorities of certificates that are served no more.
	left [][]byte
}

// errNoCertificate is what a caller meets before the configuration has been read.
var errNoCertificate = errors.New("no certificate yet: the ValidatingWebhookConfiguration has not been read")

// certificate is what a TLS server asks for every connection.
func (r *rotation) certificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	if served := r.served.Load(); served != nil {
		return &served.serving, nil
	}
	return nil, errNoCertificate
}

// step looks at what the bundles hold and moves on. The hosts are those under
// which API servers call; none means that nobody does. It returns how long nothing
// will change unless somebody changes a bundle.
func (r *rotation) step(now time.Time, hosts []string, bundles [][]byte) (time.Duration, error) {
	if len(hosts) == 0 {
		return r.lifetime, nil
	}
	served := r.served.Load()
	if served == nil || !slices.Equal(served.hosts, hosts) || !now.Before(served.notAfter) {
		made, err := r.make(hosts, now)
		if err != nil {
			return 0, err
		}
		r.leave(served, r.next)
		r.next = nil
		r.served.Store(made)
		return r.lifetime * 2 / 3, nil
	}
	if r.next == nil && !now.Before(served.renew) {
		made, err := r.make(hosts, now)
		if err != nil {
			return 0, err
		}
		r.next, r.announced = made, time.Time{}
	}
	if r.next == nil {
		return served.renew.Sub(now), nil
	}
	if !vouchFor(bundles, r.next) {
		r.announced = time.Time{}
		return served.notAfter.Sub(now), nil
	}
	if r.announced.IsZero() {
		r.announced = now
	}
	if wait := r.announced.Add(r.settle).Sub(now); wait > 0 {
		return min(wait, served.notAfter.Sub(now)), nil
	}
	r.served.Store(r.next)
	r.leave(served)
	r.next = nil
	return r.served.Load().renew.Sub(now), nil
}

func (r *rotation) make(hosts []string, now time.Time) (*pair, error) {
	made, err := newPair(hosts, now, r.lifetime)
	if err != nil {
		return nil, fmt.Errorf("making a certificate for %v: %w", hosts, err)
	}
	return made, nil
}

// maxLeft is how many authorities are remembered that have to leave the bundles.
// Those that are forgotten leave when they expire.
const maxLeft = 8

func (r *rotation) leave(pairs ...*pair) {
	for _, p := range pairs {
		if p != nil {
			r.left = append(r.left, p.authority)
		}
	}
	r.left = r.left[max(0, len(r.left)-maxLeft):]
}

// wanted are the authorities that every bundle has to hold.
func (r *rotation) wanted() [][]byte {
	var out [][]byte
	for _, p := range []*pair{r.served.Load(), r.next} {
		if p != nil {
			out = append(out, p.authority)
		}
	}
	return out
}

// vouchFor reports whether all bundles hold the authority of a pair.
func vouchFor(bundles [][]byte, p *pair) bool {
	return !slices.ContainsFunc(bundles, func(bundle []byte) bool { return !bytes.Contains(bundle, p.authority) })
}
