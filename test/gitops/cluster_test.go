// SPDX-License-Identifier: Apache-2.0

package gitops

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"

	"github.com/toolcontract/operator/internal/controller"
	"github.com/toolcontract/operator/internal/localplane"
	"github.com/toolcontract/operator/internal/operator"
)

// managerUser is the service account that config/default binds the manager's
// roles to.
const managerUser = "system:serviceaccount:toolcontract-system:toolcontract-manager"

// cluster is a control plane with the operator installed and running.
type cluster struct {
	plane  *localplane.Plane
	binDir string
	// admin may do everything and reads from the API server.
	admin client.WithWatch
	// ended gets what the operator ended with.
	ended chan error
	stop  context.CancelFunc
}

// start starts the only cluster of the package when the first test asks for it:
// the tests over recorded lives need none.
var start = sync.OnceValues(func() (*cluster, error) {
	ctrl.SetLogger(zap.New(zap.WriteTo(io.Discard)))
	ctx, cancel := context.WithCancel(context.Background())
	c := &cluster{stop: cancel, ended: make(chan error, 1)}
	started = c
	var err error
	if c.binDir, err = localplane.BinDirFromEnv(); err != nil {
		return nil, err
	}
	c.plane, err = localplane.Start(ctx, localplane.Options{BinDir: c.binDir, Audit: true, Users: []localplane.User{{Name: managerUser}}})
	if err != nil {
		return nil, err
	}
	if c.admin, err = client.NewWithWatch(c.plane.RESTConfig(), client.Options{Scheme: operator.Scheme()}); err != nil {
		return nil, err
	}
	if out, err := c.kubectl(ctx, "", "apply", "--server-side", "-k", repository("config/default")); err != nil {
		return nil, fmt.Errorf("installing config/default: %w: %s", err, out)
	}
	if out, err := c.kubectl(ctx, "", "wait", "--for=condition=Established", "--timeout=30s", "-f", repository("config/crd/bases")); err != nil {
		return nil, fmt.Errorf("waiting for the CRDs: %w: %s", err, out)
	}
	config, err := c.plane.UserConfig(managerUser)
	if err != nil {
		return nil, err
	}
	go func() {
		c.ended <- operator.Run(ctx, config, operator.Options{
			Concurrency: 4, Repeated: true, Recheck: 200 * time.Millisecond, ProviderProfiles: controller.ManageProfiles,
		})
	}()
	return c, nil
})

// started is what has to be stopped in the end, if anything.
var started *cluster

func TestMain(m *testing.M) {
	code := m.Run()
	if started != nil {
		if err := started.end(); err != nil {
			fmt.Fprintln(os.Stderr, "gitops:", err)
			code = 1
		}
	}
	os.Exit(code)
}

// end stops the operator and the control plane. An operator that has ended by
// itself is an error: nothing that a user does may end it.
func (c *cluster) end() error {
	var err error
	select {
	case err = <-c.ended:
		err = fmt.Errorf("the operator has ended by itself: %w", err)
	default:
	}
	c.stop()
	if c.plane != nil {
		if stopped := c.plane.Stop(); err == nil {
			err = stopped
		}
	}
	return err
}

// repository is the path of a file of the project. Tests run in the directory of
// their package.
func repository(path string) string { return filepath.Join("..", "..", path) }

// kubectl runs kubectl as the administrator, with input on standard input.
func (c *cluster) kubectl(ctx context.Context, input string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(c.binDir, "kubectl"), args...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+c.plane.KubeconfigPath)
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// world is a namespace of its own in the cluster.
type world struct {
	*testing.T
	*cluster
	namespace string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	c, err := start()
	if err != nil {
		t.Fatal(err)
	}
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "gitops-"}}
	if err := c.admin.Create(t.Context(), ns); err != nil {
		t.Fatal(err)
	}
	return &world{T: t, cluster: c, namespace: ns.Name}
}

// must runs kubectl in the namespace and fails the test if it fails.
func (w *world) must(input string, args ...string) string {
	w.Helper()
	out, err := w.kubectl(w.Context(), input, append(args, "-n", w.namespace)...)
	if err != nil {
		w.Fatalf("kubectl %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// eventually looks until the check passes, and fails the test with its last
// complaint after a minute. Nothing here asserts how long things take.
func (w *world) eventually(check func() error) {
	w.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		err := check()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			w.Fatal(err)
		}
	}
}
