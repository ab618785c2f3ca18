// SPDX-License-Identifier: Apache-2.0

package admission

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"

	"github.com/toolcontract/operator/internal/localplane"
	"github.com/toolcontract/operator/internal/operator"
)

const (
	// managerUser is the service account that the components bind their roles to.
	managerUser = "system:serviceaccount:toolcontract-system:toolcontract-manager"
	// editorUser may do in its namespace what the role admin of Kubernetes allows.
	editorUser = "editor"
	// collectorUser is the garbage collector, who has rights on everything.
	collectorUser = "system:serviceaccount:kube-system:generic-garbage-collector"

	systemNamespace = "toolcontract-system"
	configuration   = "toolcontract-admission"
)

var (
	plane *localplane.Plane
	// admin may do everything and reads from the API server.
	admin  client.Client
	binDir string
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	ctrl.SetLogger(zap.New(zap.WriteTo(io.Discard)))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	fail := func(err error) int {
		fmt.Fprintln(os.Stderr, "admission:", err)
		return 1
	}
	var err error
	if binDir, err = localplane.BinDirFromEnv(); err != nil {
		return fail(err)
	}
	plane, err = localplane.Start(ctx, localplane.Options{
		BinDir: binDir, Users: []localplane.User{{Name: managerUser}, {Name: editorUser}, {Name: collectorUser}},
	})
	if err != nil {
		return fail(err)
	}
	ended := make(chan error, 1)
	err = setUp(ctx, ended)
	code := 1
	if err == nil {
		code = m.Run()
		cancel()
		err = <-ended
	}
	if err := errors.Join(err, plane.Stop()); err != nil {
		return fail(err)
	}
	return code
}

// setUp installs what the overlay holds and starts the operator. Its Service leads
// nowhere without nodes, so the configuration calls the process by its address.
func setUp(ctx context.Context, ended chan<- error) (err error) {
	if admin, err = client.New(plane.RESTConfig(), client.Options{Scheme: operator.Scheme()}); err != nil {
		return err
	}
	if out, err := kubectl(ctx, "", "apply", "--server-side", "-k", "testdata/overlay"); err != nil {
		return fmt.Errorf("installing the overlay: %w: %s", err, out)
	}
	out, err := kubectl(ctx, "", "wait", "--for=condition=Established", "--timeout=30s", "crd",
		"toolcontracts.toolcontract.dev", "toolrevisions.toolcontract.dev", "toolsets.toolcontract.dev", "providerprofiles.toolcontract.dev")
	if err != nil {
		return fmt.Errorf("waiting for the CRDs: %w: %s", err, out)
	}
	address, err := freeAddress(ctx)
	if err != nil {
		return err
	}
	var installed admissionregistrationv1.ValidatingWebhookConfiguration
	if err := admin.Get(ctx, client.ObjectKey{Name: configuration}, &installed); err != nil {
		return err
	}
	byURL(&installed, address)
	if err := admin.Update(ctx, &installed); err != nil {
		return err
	}
	config, err := plane.UserConfig(managerUser)
	if err != nil {
		return err
	}
	go func() {
		ended <- operator.Run(ctx, config, operator.Options{
			Concurrency: 2, Repeated: true, WebhookConfiguration: configuration, WebhookAddress: address,
			LeaderElection: true, LeaseNamespace: systemNamespace, LeaseDuration: time.Minute, RenewDeadline: 40 * time.Second,
		})
	}()
	return nil
}

// byURL has the webhooks of a configuration call an address of this machine.
func byURL(c *admissionregistrationv1.ValidatingWebhookConfiguration, address string) {
	for i := range c.Webhooks {
		to := &c.Webhooks[i].ClientConfig
		to.URL, to.Service = new("https://"+address+*to.Service.Path), nil
	}
}

// freeAddress is one that nothing listens at.
func freeAddress(ctx context.Context) (string, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

// kubectl runs kubectl as the administrator, with input on standard input.
func kubectl(ctx context.Context, input string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(binDir, "kubectl"), args...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+plane.KubeconfigPath)
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// world is a namespace of its own.
type world struct {
	*testing.T
	namespace string
}

func newWorld(t *testing.T, labels map[string]string) *world {
	t.Helper()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "t-", Labels: labels}}
	if err := admin.Create(t.Context(), ns); err != nil {
		t.Fatal(err)
	}
	return &world{T: t, namespace: ns.Name}
}

// enforced asks for refusals.
var enforced = map[string]string{"toolcontract.dev/admission": "enforce"}

// as is a client with the rights of a user.
func (w *world) as(user string) client.Client {
	w.Helper()
	config, err := plane.UserConfig(user)
	if err != nil {
		w.Fatal(err)
	}
	c, err := client.New(config, client.Options{Scheme: operator.Scheme()})
	if err != nil {
		w.Fatal(err)
	}
	return c
}

// kubectl runs kubectl in the namespace.
func (w *world) kubectl(input string, args ...string) (string, error) {
	w.Helper()
	return kubectl(w.Context(), input, append([]string{"-n", w.namespace}, args...)...)
}

// apply applies a manifest, which must succeed, and returns what kubectl printed.
func (w *world) apply(manifest string, flags ...string) string {
	w.Helper()
	out, err := w.kubectl(manifest, append([]string{"apply", "-f", "-"}, flags...)...)
	if err != nil {
		w.Fatalf("kubectl apply: %v\n%s", err, out)
	}
	return out
}

// eventually looks until the check passes, and fails the test with its last
// complaint after a minute.
func (w *world) eventually(check func() error) {
	w.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		err := check()
		switch {
		case err == nil:
			return
		case time.Now().After(deadline):
			w.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// startOperator runs another operator, of this namespace, that refuses what is
// wrong in it. It never leads, since the first one does.
func (w *world) startOperator(config *rest.Config, adjust ...func(*operator.Options)) (c *admissionregistrationv1.ValidatingWebhookConfiguration, stop func()) {
	w.Helper()
	address, err := freeAddress(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	c = w.ownConfiguration(address)
	return c, w.startOperatorOf(c, config, address, adjust...)
}

// startOperatorOf runs an operator that keeps a configuration and answers at an
// address.
func (w *world) startOperatorOf(c *admissionregistrationv1.ValidatingWebhookConfiguration, config *rest.Config, address string, adjust ...func(*operator.Options)) (stop func()) {
	o := operator.Options{
		Namespace: w.namespace, Repeated: true, WebhookConfiguration: c.Name, WebhookAddress: address,
		LeaderElection: true, LeaseNamespace: systemNamespace, LeaseDuration: time.Minute, RenewDeadline: 40 * time.Second,
	}
	for _, set := range adjust {
		set(&o)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- operator.Run(ctx, config, o) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			w.Errorf("the operator ended with %v", err)
		}
	})
	w.Cleanup(stop)
	return stop
}

// ownConfiguration makes a configuration like the installed one that refuses in
// this namespace only, whatever its labels.
func (w *world) ownConfiguration(address string) *admissionregistrationv1.ValidatingWebhookConfiguration {
	w.Helper()
	var installed admissionregistrationv1.ValidatingWebhookConfiguration
	if err := admin.Get(w.Context(), client.ObjectKey{Name: configuration}, &installed); err != nil {
		w.Fatal(err)
	}
	c := &admissionregistrationv1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: w.namespace}}
	for _, hook := range installed.Webhooks {
		if strings.HasPrefix(hook.Name, "enforce.") {
			hook.Name = w.namespace + ".toolcontract.dev"
			hook.ClientConfig = admissionregistrationv1.WebhookClientConfig{URL: new("https://" + address + "/enforce")}
			hook.NamespaceSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"kubernetes.io/metadata.name": w.namespace}}
			c.Webhooks = append(c.Webhooks, hook)
		}
	}
	if err := admin.Create(w.Context(), c); err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() {
		if err := admin.Delete(context.Background(), c); err != nil {
			w.Error(err)
		}
	})
	return c
}

// authorities are the certificates in the first bundle of a configuration.
func authorities(t *testing.T, c *admissionregistrationv1.ValidatingWebhookConfiguration) []string {
	t.Helper()
	var out []string
	for rest := c.Webhooks[0].ClientConfig.CABundle; ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			return out
		}
		out = append(out, string(block.Bytes))
	}
}

// expiredAuthority is what a replica that died long ago left in a bundle.
func expiredAuthority(t *testing.T) []byte {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Unix(0, 0), NotAfter: time.Unix(1, 0), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}
