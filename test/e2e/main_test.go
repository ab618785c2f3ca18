// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"

	"github.com/toolcontract/operator/internal/localplane"
	"github.com/toolcontract/operator/internal/operator"
)

// managerUser is the service account that config/default binds the manager's
// roles to.
const managerUser = "system:serviceaccount:toolcontract-system:toolcontract-manager"

// authorUser may do what the aggregated edit role allows, and no more.
const authorUser = "author"

var (
	plane *localplane.Plane
	// admin may do everything and reads from the API server.
	admin client.Client
	// binDir holds kubectl and the control plane's programs.
	binDir string
)

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	// Tests wait for the operator more than they compute. The command line wins.
	if err := flag.Set("test.parallel", "8"); err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	ctrl.SetLogger(zap.New(zap.WriteTo(io.Discard)))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if err := setUp(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		if plane != nil {
			_ = plane.Stop()
		}
		return 1
	}
	code := m.Run()
	if err := errors.Join(checkOperatorWrites(ctx), checkEvents(ctx)); err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		code = 1
	}
	cancel()
	if err := plane.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, "e2e: stopping the control plane:", err)
		return 1
	}
	return code
}

// setUp starts the control plane and installs the operator as a user would,
// from config/default; only its Deployment cannot run without nodes.
func setUp(ctx context.Context) (err error) {
	if binDir, err = localplane.BinDirFromEnv(); err != nil {
		return err
	}
	plane, err = localplane.Start(ctx, localplane.Options{
		BinDir: binDir, Audit: true,
		Users: []localplane.User{{Name: managerUser}, {Name: authorUser}, {Name: trackingUser}, {Name: scraperUser}},
	})
	if err != nil {
		return err
	}
	if admin, err = client.New(plane.RESTConfig(), client.Options{Scheme: operator.Scheme()}); err != nil {
		return err
	}
	if out, err := kubectl(ctx, "", "apply", "--server-side", "-k", repository("config/default")); err != nil {
		return fmt.Errorf("installing config/default: %w: %s", err, out)
	}
	out, err := kubectl(ctx, "", "wait", "--for=condition=Established", "--timeout=30s", "crd",
		"toolcontracts.toolcontract.dev", "toolrevisions.toolcontract.dev", "toolsets.toolcontract.dev", "providerprofiles.toolcontract.dev")
	if err != nil {
		return fmt.Errorf("waiting for the CRDs: %w: %s", err, out)
	}
	return changed.follow(ctx)
}

// repository is the path of a file of the project. Tests run in the directory of
// their package.
func repository(path string) string { return filepath.Join("..", "..", path) }

// kubectl runs kubectl as the administrator, with input on standard input.
func kubectl(ctx context.Context, input string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(binDir, "kubectl"), args...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+plane.KubeconfigPath)
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// managerConfig is a client configuration with the operator's own rights.
func managerConfig(t *testing.T) *rest.Config {
	t.Helper()
	config, err := plane.UserConfig(managerUser)
	if err != nil {
		t.Fatal(err)
	}
	return config
}
