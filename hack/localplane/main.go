// SPDX-License-Identifier: Apache-2.0

// Command localplane runs a Kubernetes control plane on this machine until it is
// interrupted, and prints how to reach it. `make local` builds the binaries it
// needs and starts it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/toolcontract/operator/internal/localplane"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	// A second signal ends the command at once; on Linux the plane dies with it.
	context.AfterFunc(ctx, stop)

	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "localplane:", err)
		os.Exit(1)
	}
}

// run starts a plane, says on stdout how to reach it, and stops it when ctx ends.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	flags := flag.NewFlagSet("localplane", flag.ContinueOnError)
	flags.SetOutput(stderr)
	dir := flags.String("dir", "", "keep data and logs in this new `directory` (default: a temporary one, removed in the end)")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	binDir, err := localplane.BinDirFromEnv()
	if err != nil {
		return err
	}

	fmt.Fprintln(stderr, "Starting a control plane …")
	plane, err := localplane.Start(ctx, localplane.Options{BinDir: binDir, Dir: *dir})
	if errors.Is(err, context.Canceled) {
		return errors.New("interrupted while starting")
	}
	if err != nil {
		return err
	}
	defer func() {
		fmt.Fprintln(stderr, "Stopping the control plane …")
		err = errors.Join(err, plane.Stop())
	}()
	if err := plane.StartControllerManager(ctx, localplane.DeploymentController, localplane.ReplicaSetController); err != nil {
		return err
	}

	fmt.Fprintf(stdout, "export KUBECONFIG=%s\nexport PATH=%s:\"$PATH\"\n", plane.KubeconfigPath, absolute(binDir))
	fmt.Fprintln(stderr, "Running; the lines above are for another terminal. Ctrl-C stops it.")
	<-ctx.Done()
	return nil
}

// absolute returns dir as another terminal can use it.
func absolute(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		return abs
	}
	return dir
}
