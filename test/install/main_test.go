// SPDX-License-Identifier: Apache-2.0

package install

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"

	"github.com/toolcontract/operator/internal/localplane"
	"github.com/toolcontract/operator/internal/operator"
)

// helmVariable names the environment variable that holds the directory of helm.
const helmVariable = "TOOLCONTRACT_HELM"

// home is the namespace of the operator.
const home = "toolcontract-system"

// One control plane serves all tests, one after the other: what they install is of
// the whole cluster.
var (
	plane   *localplane.Plane
	admin   client.Client
	binDir  string // of kubectl
	helmDir string
	// work holds archives, programs and helm's own files.
	work string
)

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	ctrl.SetLogger(zap.New(zap.WriteTo(io.Discard)))
	if err := setUp(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "install:", err)
		if plane != nil {
			_ = plane.Stop()
		}
		return 1
	}
	code := m.Run()
	if err := errors.Join(plane.Stop(), os.RemoveAll(work)); err != nil {
		fmt.Fprintln(os.Stderr, "install: cleaning up:", err)
		return 1
	}
	return code
}

func setUp(ctx context.Context) (err error) {
	if binDir, err = localplane.BinDirFromEnv(); err != nil {
		return err
	}
	if helmDir = os.Getenv(helmVariable); helmDir == "" {
		return errors.New("environment variable " + helmVariable + " is not set: run `make test-install`, or " +
			"`export " + helmVariable + "=$(hack/tools/build.sh helm)` for `go test`")
	}
	if work, err = os.MkdirTemp("", "install-"); err != nil {
		return err
	}
	if err := buildManager(ctx, root(""), manager()); err != nil {
		return err
	}
	plane, err = localplane.Start(ctx, localplane.Options{BinDir: binDir})
	if err != nil {
		return err
	}
	if admin, err = client.New(plane.RESTConfig(), client.Options{Scheme: operator.Scheme()}); err != nil {
		return err
	}
	// The garbage collector has to know the kinds when it starts.
	if out, err := kubectl(ctx, "", "apply", "--server-side", "-k", root("config/crd")); err != nil {
		return fmt.Errorf("installing the CRDs: %w: %s", err, out)
	}
	if out, err := kubectl(ctx, "", "wait", "--for=condition=Established", "--timeout=60s", "crd", "--all"); err != nil {
		return fmt.Errorf("waiting for the CRDs: %w: %s", err, out)
	}
	if err := plane.StartControllerManager(ctx, localplane.DeploymentController, localplane.ReplicaSetController, "clusterrole-aggregation-controller"); err != nil {
		return err
	}
	for _, chart := range []string{"toolcontract-crds", "toolcontract-operator"} {
		if out, err := helm(ctx, "package", root("charts/"+chart), "--destination", work); err != nil {
			return fmt.Errorf("packaging %s: %w: %s", chart, err, out)
		}
	}
	return nil
}

// buildManager builds the manager of a copy of the repository.
func buildManager(ctx context.Context, repository, to string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-o", to, "./cmd/manager")
	cmd.Dir = repository
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building the manager of %s: %w: %s", repository, err, out)
	}
	return nil
}

// top is the root of the project; the tests run in this directory. Without a working
// directory nothing is found, and every test says so.
var top, _ = filepath.Abs(filepath.Join("..", ".."))

// root is the absolute path of a file of the project.
func root(path string) string { return filepath.Join(top, filepath.FromSlash(path)) }

// archive is a packaged chart.
func archive(t *testing.T, chart string) string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(work, chart+"-*.tgz"))
	if err != nil || len(paths) != 1 {
		t.Fatalf("archives of %s: %v, %v", chart, paths, err)
	}
	return paths[0]
}

// kubectl runs kubectl as the administrator, with input on standard input.
func kubectl(ctx context.Context, input string, args ...string) (string, error) {
	return program(ctx, filepath.Join(binDir, "kubectl"), input, args...)
}

// helm runs helm as the administrator, with no file of this user's helm.
func helm(ctx context.Context, args ...string) (string, error) {
	return program(ctx, filepath.Join(helmDir, "helm"), "", args...)
}

// program returns what it wrote to standard output, and to standard error if it
// failed.
func program(ctx context.Context, path, input string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = append(os.Environ(),
		"HELM_CACHE_HOME="+filepath.Join(work, "cache"), "HELM_CONFIG_HOME="+filepath.Join(work, "config"), "HELM_DATA_HOME="+filepath.Join(work, "data"))
	if plane != nil {
		cmd.Env = append(cmd.Env, "KUBECONFIG="+plane.KubeconfigPath)
	}
	cmd.Stdin = strings.NewReader(input)
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil {
		return out.String() + problems.String(), err
	}
	return out.String(), nil
}

// must runs kubectl or helm, which has to succeed.
func must(t *testing.T, run func(context.Context, ...string) (string, error), args ...string) string {
	t.Helper()
	out, err := run(t.Context(), args...)
	if err != nil {
		t.Fatalf("%s: %v: %s", strings.Join(args, " "), err, out)
	}
	return out
}

// kube is kubectl without input, for [must].
func kube(ctx context.Context, args ...string) (string, error) { return kubectl(ctx, "", args...) }

// manager is the manager of this commit.
func manager() string { return filepath.Join(work, "manager") }
