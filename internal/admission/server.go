// SPDX-License-Identifier: Apache-2.0

package admission

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"strings"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

// Server serves a handler with TLS.
type Server struct {
	// Address is where it listens.
	Address string
	Handler http.Handler
	// Certificate returns the certificate for a connection.
	Certificate func(*tls.ClientHelloInfo) (*tls.Certificate, error)
}

// NewServer returns a server of a handler with these certificates.
func NewServer(address string, handler http.Handler, certificates *Certificates) *Server {
	return &Server{Address: address, Handler: handler, Certificate: certificates.certificate}
}

// NeedLeaderElection implements [manager.LeaderElectionRunnable]: every replica
// serves.
func (s *Server) NeedLeaderElection() bool { return false }

// Bounds of a connection. The port is open to the whole cluster.
const (
	headerTimeout = 5 * time.Second
	idleTimeout   = 90 * time.Second
	maxHeader     = 16 << 10
	closeTimeout  = 2 * time.Second
)

// Start serves until the context ends.
func (s *Server) Start(ctx context.Context) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", s.Address)
	if err != nil {
		return fmt.Errorf("listening for admission reviews: %w", err)
	}
	server := &http.Server{
		Handler: s.Handler,
		TLSConfig: &tls.Config{
			MinVersion:     tls.VersionTLS13, // every API server that can call it speaks that
			NextProtos:     []string{"http/1.1"},
			GetCertificate: s.Certificate,
		},
		ReadHeaderTimeout: headerTimeout, ReadTimeout: maxTimeout, WriteTimeout: maxTimeout + closeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
		ErrorLog: log.New(quiet{}, "", 0),
	}
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		<-ctx.Done()
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
		defer cancel()
		if server.Shutdown(closing) != nil {
			_ = server.Close() // whoever still waits goes on without an answer
		}
	}()
	if err := server.ServeTLS(listener, "", ""); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving admission reviews: %w", err)
	}
	<-closed // with the answers that were under way
	return nil
}

// quiet passes what a server says about single connections to the log of those
// who look for it: a port that probes connect to would fill it otherwise.
type quiet struct{}

// Write implements [io.Writer].
func (quiet) Write(line []byte) (int, error) {
	ctrl.Log.WithName("admission").V(1).Info(strings.TrimSpace(string(line)))
	return len(line), nil
}
