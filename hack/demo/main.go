// SPDX-License-Identifier: Apache-2.0

// Command demo shows what the operator does: it starts a control plane and the
// operator on this machine, applies the samples, and lets kubectl say what came
// of them. `make demo` builds what it needs and starts it.
//
// Everything it starts ends with it. On a terminal it stays up at the end and
// says how to look further; otherwise it ends by itself.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"

	"github.com/toolcontract/operator/internal/localplane"
	"github.com/toolcontract/operator/internal/operator"
)

// managerUser is the service account that config/default binds the operator's
// roles to: the demonstration runs with the rights of a real installation.
const managerUser = "system:serviceaccount:toolcontract-system:toolcontract-manager"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	// A second signal ends the command at once; on Linux the plane dies with it.
	context.AfterFunc(ctx, stop)
	ctrl.SetLogger(zap.New(zap.WriteTo(io.Discard)))

	err := run(ctx, onTerminal())
	stop()
	switch {
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "demo: interrupted; everything it started has ended")
		os.Exit(130)
	case err != nil:
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

// run shows everything; with stay it waits for Ctrl-C at the end.
func run(ctx context.Context, stay bool) (err error) {
	binDir, err := localplane.BinDirFromEnv()
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "Starting a control plane …")
	plane, err := localplane.Start(ctx, localplane.Options{BinDir: binDir, Users: []localplane.User{{Name: managerUser}}})
	if err != nil {
		return errors.Join(ctx.Err(), err)
	}
	defer func() {
		fmt.Fprintln(os.Stderr, "Stopping the control plane …")
		err = errors.Join(err, plane.Stop())
	}()
	s := &stage{kubectl: filepath.Join(binDir, "kubectl"), kubeconfig: plane.KubeconfigPath, out: os.Stdout}
	if err := s.install(ctx); err != nil {
		return err
	}
	if err := plane.StartControllerManager(ctx); err != nil {
		return err
	}
	stopOperator, err := startOperator(ctx, plane)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stopOperator()) }()
	if err := s.play(ctx); err != nil {
		return errors.Join(ctx.Err(), err)
	}
	if stay {
		s.invite(plane.KubeconfigPath, binDir)
		<-ctx.Done()
	}
	return nil
}

// startOperator runs the operator in this process, as the service account that
// a cluster would run it as.
func startOperator(ctx context.Context, plane *localplane.Plane) (stop func() error, err error) {
	config, err := plane.UserConfig(managerUser)
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(os.Stderr, "Starting the operator …")
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- operator.Run(ctx, config, operator.Options{Concurrency: 4}) }()
	return func() error {
		cancel()
		return <-done
	}, nil
}

// onTerminal reports whether somebody sits in front of the command and could
// press Ctrl-C.
func onTerminal() bool {
	for _, f := range []*os.File{os.Stdin, os.Stdout} {
		info, err := f.Stat()
		if err != nil || info.Mode()&os.ModeCharDevice == 0 {
			return false
		}
	}
	// /dev/null is a character device, too, and nobody sits there.
	null, err := os.Stat(os.DevNull)
	in, inErr := os.Stdin.Stat()
	return err == nil && inErr == nil && !os.SameFile(null, in)
}
