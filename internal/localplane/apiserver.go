// SPDX-License-Identifier: Apache-2.0

package localplane

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Files of the API server, relative to the plane's directory.
const (
	tokensFile         = "tokens.csv"
	serviceAccountFile = "service-account.key"
	certDir            = "certs"
	servingCertFile    = "certs/apiserver.crt"
)

// portAttempts is how many ports are tried before giving up. A port that was
// free a moment ago is rarely taken by the time the API server wants it.
const portAttempts = 5

// errPortTaken says that somebody else listens on the chosen port.
var errPortTaken = errors.New("port is already in use")

// freePort returns a TCP port of 127.0.0.1 that nobody listens on.
func freePort(ctx context.Context) (int, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("choosing a port: %w", err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

// startAPIServer starts the API server and waits until it is ready, on another
// port when the chosen one was taken in between. It sets p.apiServer, p.host and
// p.caData.
func (p *Plane) startAPIServer(ctx context.Context, opts Options) error {
	path, err := binaryPath(opts.BinDir, apiServerBinary)
	if err != nil {
		return err
	}
	if err := writeTokens(filepath.Join(p.Dir, tokensFile), p.accounts); err != nil {
		return err
	}
	if err := writeServiceAccountKey(filepath.Join(p.Dir, serviceAccountFile)); err != nil {
		return err
	}
	args := apiServerArgs()
	if opts.Audit {
		if err := os.WriteFile(filepath.Join(p.Dir, auditPolicyFile), []byte(auditPolicy), 0o600); err != nil {
			return fmt.Errorf("writing the audit policy: %w", err)
		}
		p.AuditLogPath = filepath.Join(p.Dir, auditLogFile)
		args = append(args, auditArgs()...)
	}
	args = append(args, opts.APIServerFlags...)

	for range portAttempts {
		err = p.tryAPIServer(ctx, path, args)
		if !errors.Is(err, errPortTaken) {
			return err
		}
	}
	return fmt.Errorf("starting %s after %d attempts: %w", apiServerBinary, portAttempts, err)
}

// tryAPIServer starts the API server on a port that is free now.
func (p *Plane) tryAPIServer(ctx context.Context, path string, args []string) error {
	port, err := p.choosePort(ctx)
	if err != nil {
		return err
	}
	server, err := startProcess(p.Dir, path, slices.Concat(args, []string{fmt.Sprintf("--secure-port=%d", port)})...)
	if err != nil {
		return err
	}
	p.apiServer = server
	p.host = fmt.Sprintf("https://127.0.0.1:%d", port)
	err = server.waitReady(ctx, p.probeAPIServer)
	if err != nil && server.hasExited() && strings.Contains(server.logTail(), "address already in use") {
		return fmt.Errorf("%s: %w", p.host, errPortTaken)
	}
	return err
}

// probeAPIServer returns nil when the API server says that it is ready and has
// made the namespace default. An answer of somebody else's server on the same
// port is never taken for ours: it does not have our certificate.
func (p *Plane) probeAPIServer(ctx context.Context) error {
	caData, err := os.ReadFile(filepath.Join(p.Dir, servingCertFile))
	if err != nil {
		return err // the API server writes its certificate when it starts
	}
	p.caData = caData
	client, err := p.adminClient()
	if err != nil {
		return err
	}
	if err := client.get(ctx, "/readyz"); err != nil {
		return err
	}
	return client.get(ctx, "/api/v1/namespaces/default")
}

// apiServerArgs returns the flags that every plane's API server has. Paths are
// relative to the plane's directory.
func apiServerArgs() []string {
	return []string{
		"--etcd-servers=" + etcdURL,
		"--bind-address=127.0.0.1",
		"--cert-dir=" + certDir,
		"--service-cluster-ip-range=10.0.0.0/24",
		"--authorization-mode=RBAC",
		"--token-auth-file=" + tokensFile,
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + serviceAccountFile,
		"--service-account-signing-key-file=" + serviceAccountFile,
	}
}

// writeServiceAccountKey makes the key that signs service account tokens.
func writeServiceAccountKey(path string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return fmt.Errorf("making the service account key: %w", err)
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return fmt.Errorf("making the service account key: %w", err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der})
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return fmt.Errorf("writing the service account key: %w", err)
	}
	return nil
}
