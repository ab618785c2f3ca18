// SPDX-License-Identifier: Apache-2.0

package admission

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"time"
)

// pair is a certificate to serve with and the authority that vouches for it. The
// key of the authority is thrown away as soon as it has signed this one
// certificate, so nobody can make another: not this process, and not who takes it.
type pair struct {
	serving   tls.Certificate
	authority []byte // PEM
	hosts     []string
	notAfter  time.Time
	// renew is when a successor is made.
	renew time.Time
}

// skew is how far the clock of an API server may be behind.
const skew = time.Hour

// newPair makes a pair for these names or addresses. Two thirds of its life pass
// before it is renewed; the rest is for an API server that cannot be reached.
func newPair(hosts []string, now time.Time, lifetime time.Duration) (*pair, error) {
	authorityKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("making a key: %w", err)
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("making a key: %w", err)
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, fmt.Errorf("making a serial number: %w", err)
	}
	names, addresses := split(hosts)
	authority := &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{CommonName: "toolcontract-operator admission " + serial.Text(36)},
		NotBefore:    now.Add(-skew), NotAfter: now.Add(lifetime),
		IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true,
		KeyUsage: x509.KeyUsageCertSign,
		// It vouches for this service and for nothing else.
		PermittedDNSDomainsCritical: true, PermittedDNSDomains: names, PermittedIPRanges: exactly(addresses),
	}
	leaf := &x509.Certificate{
		SerialNumber: new(big.Int).Add(serial, big.NewInt(1)),
		Subject:      pkix.Name{CommonName: "toolcontract-operator admission"},
		NotBefore:    authority.NotBefore, NotAfter: authority.NotAfter,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames: names, IPAddresses: addresses,
	}
	authorityDER, err := x509.CreateCertificate(rand.Reader, authority, authority, authorityKey.Public(), authorityKey)
	if err != nil {
		return nil, fmt.Errorf("making an authority: %w", err)
	}
	parsed, err := x509.ParseCertificate(authorityDER) // with the key's identifier
	if err != nil {
		return nil, fmt.Errorf("reading the authority: %w", err)
	}
	der, err := x509.CreateCertificate(rand.Reader, leaf, parsed, key.Public(), authorityKey)
	if err != nil {
		return nil, fmt.Errorf("making a certificate: %w", err)
	}
	return &pair{
		serving:   tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key},
		authority: pem.EncodeToMemory(&pem.Block{Type: certificateBlock, Bytes: authorityDER}),
		hosts:     hosts, notAfter: leaf.NotAfter, renew: now.Add(lifetime * 2 / 3),
	}, nil
}

const certificateBlock = "CERTIFICATE"

// split divides hosts into names and addresses.
func split(hosts []string) (names []string, addresses []net.IP) {
	for _, host := range hosts {
		if ip := net.ParseIP(host); ip != nil {
			addresses = append(addresses, ip)
		} else {
			names = append(names, host)
		}
	}
	return names, addresses
}

// exactly are the ranges that hold one address each.
func exactly(addresses []net.IP) []*net.IPNet {
	var out []*net.IPNet
	for _, ip := range addresses {
		if v4 := ip.To4(); v4 != nil {
			ip = v4
		}
		out = append(out, &net.IPNet{IP: ip, Mask: net.CIDRMask(8*len(ip), 8*len(ip))})
	}
	return out
}
