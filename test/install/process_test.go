// SPDX-License-Identifier: Apache-2.0

package install

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// patience bounds every wait. Only a defect comes near it.
const patience = 2 * time.Minute

// process is a manager that runs as the installed Deployment says.
type process struct {
	metrics string // address
	webhook string // address, if there is a webhook
	log     *bytes.Buffer
	cmd     *exec.Cmd
	done    chan error
}

// start runs a manager with the arguments, environment and mounted ConfigMaps of
// the Deployment in a namespace, and with a token of its ServiceAccount and no other
// right. Only addresses are chosen, because other processes of this machine listen
// too, and where the lease lives is said, because no file of a pod says it.
func start(t *testing.T, namespace, program string) *process {
	t.Helper()
	var d appsv1.Deployment
	get(t, namespace, "toolcontract-manager", &d)
	pod := d.Spec.Template.Spec
	container := pod.Containers[0]
	variables := map[string]string{}
	for _, v := range container.Env {
		if v.ValueFrom == nil || v.ValueFrom.FieldRef == nil || v.ValueFrom.FieldRef.FieldPath != "metadata.namespace" {
			t.Fatalf("the variable %s of the Deployment is not known to the test", v.Name)
		}
		variables["$("+v.Name+")"] = namespace
	}
	for _, mount := range container.VolumeMounts {
		for _, volume := range pod.Volumes {
			if volume.Name == mount.Name && volume.ConfigMap != nil {
				variables[mount.MountPath] = mounted(t, namespace, volume.ConfigMap)
			}
		}
	}
	var args []string
	for _, arg := range container.Args {
		for from, to := range variables {
			arg = strings.ReplaceAll(arg, from, to)
		}
		args = append(args, arg)
	}
	p := &process{log: &bytes.Buffer{}, done: make(chan error, 1)}
	if !strings.Contains(strings.Join(args, " "), "--metrics-bind-address") {
		p.metrics = freeAddress(t)
		args = append(args, "--metrics-bind-address="+p.metrics)
	}
	if strings.Contains(strings.Join(args, " "), "--webhook-configuration") {
		p.webhook = freeAddress(t)
		args = append(args, "--webhook-bind-address="+p.webhook)
	}
	args = append(args, "--health-probe-bind-address="+freeAddress(t))
	if hasFlag(t, program, "leader-elect-namespace") {
		args = append(args, "--leader-elect-namespace="+namespace)
	} else { // before the flag there was: a manager of one process needs no lease
		args = append(args, "--leader-elect=false")
	}
	p.cmd = exec.CommandContext(context.WithoutCancel(t.Context()), program, args...)
	p.cmd.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig(t, namespace, pod.ServiceAccountName))
	p.cmd.Stdout, p.cmd.Stderr = p.log, p.log
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.done <- p.cmd.Wait() }()
	t.Cleanup(func() {
		if err := p.stop(); err != nil {
			t.Errorf("the manager: %v\n%s", err, p.log)
		}
		if t.Failed() {
			t.Logf("log of the manager:\n%s", tail(p.log.String()))
		}
	})
	return p
}

func hasFlag(t *testing.T, program, flag string) bool {
	t.Helper()
	out, _ := exec.CommandContext(t.Context(), program, "--help").CombinedOutput() // exits with 2 after the help
	return strings.Contains(string(out), "-"+flag+" ")
}

// stop ends the manager as the kubelet does. A second call does nothing.
func (p *process) stop() error {
	if p.cmd == nil {
		return nil
	}
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	p.cmd = nil
	return <-p.done
}

// isRunning is an error when the manager has ended by itself.
func (p *process) isRunning() error {
	select {
	case err := <-p.done:
		p.done <- err
		return fmt.Errorf("the manager has ended: %w\n%s", err, tail(p.log.String()))
	default:
		return nil
	}
}

// tail is the end of a log without the lines that only tell of its stopping.
func tail(log string) string {
	var out strings.Builder
	for line := range strings.Lines(log) {
		if !strings.Contains(line, "topping and waiting") && !strings.Contains(line, "orkers") {
			out.WriteString(line)
		}
	}
	return out.String()[max(0, out.Len()-3000):]
}

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// mounted writes what the kubelet would mount.
func mounted(t *testing.T, namespace string, volume *corev1.ConfigMapVolumeSource) string {
	t.Helper()
	dir := t.TempDir()
	var cm corev1.ConfigMap
	err := admin.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: volume.Name}, &cm)
	if client.IgnoreNotFound(err) != nil || err != nil && (volume.Optional == nil || !*volume.Optional) {
		t.Fatal(err)
	}
	for name, text := range cm.Data {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// token is one of a ServiceAccount, as a pod gets it.
func token(t *testing.T, namespace, serviceAccount string) string {
	t.Helper()
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: serviceAccount}}
	request := &authenticationv1.TokenRequest{}
	if err := admin.SubResource("token").Create(t.Context(), account, request); err != nil {
		t.Fatalf("asking for a token of %s: %v", serviceAccount, err)
	}
	return request.Status.Token
}

// kubeconfig is a file for a ServiceAccount.
func kubeconfig(t *testing.T, namespace, serviceAccount string) string {
	t.Helper()
	server := plane.RESTConfig()
	config := api.NewConfig()
	config.Clusters["local"] = &api.Cluster{Server: server.Host, CertificateAuthorityData: server.CAData}
	config.AuthInfos["manager"] = &api.AuthInfo{Token: token(t, namespace, serviceAccount)}
	config.Contexts["local"] = &api.Context{Cluster: "local", AuthInfo: "manager"}
	config.CurrentContext = "local"
	path := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, path); err != nil {
		t.Fatal(err)
	}
	return path
}

func get(t *testing.T, namespace, name string, into client.Object) {
	t.Helper()
	if err := admin.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: name}, into); err != nil {
		t.Fatal(err)
	}
}

// eventually waits until there is no error any more.
func eventually(t *testing.T, check func() error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		err := check()
		if err == nil {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("after %v: %v", patience, err)
		case <-time.After(200 * time.Millisecond):
		}
	}
}
