// SPDX-License-Identifier: Apache-2.0

package localplane

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"k8s.io/client-go/rest"
)

// getStatus returns the HTTP status of a GET with the given configuration.
func getStatus(t *testing.T, config *rest.Config, path string) int {
	t.Helper()
	httpClient, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	c := &client{http: httpClient, host: config.Host}
	status, err := c.send(t.Context(), http.MethodGet, path, "")
	if status == 0 {
		t.Fatal(err)
	}
	return status
}

func TestUsersMayDoWhatRBACSays(t *testing.T) {
	t.Parallel()
	plane := startPlane(t, Options{Users: []User{
		{Name: "system:serviceaccount:payments:agent"},
		{Name: "operator", Groups: []string{"staff", "system:masters"}},
	}})
	const path = "/api/v1/namespaces/default/configmaps"
	for name, want := range map[string]int{
		AdminUser:                              http.StatusOK,
		"operator":                             http.StatusOK,
		"system:serviceaccount:payments:agent": http.StatusForbidden,
	} {
		config, err := plane.UserConfig(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := getStatus(t, config, path); got != want {
			t.Errorf("GET %s as %s: status %d, want %d", path, name, got, want)
		}
	}
	config := plane.RESTConfig()
	config.BearerToken = "not-a-token"
	if got := getStatus(t, config, path); got != http.StatusUnauthorized {
		t.Errorf("GET %s with an unknown token: status %d, want %d", path, got, http.StatusUnauthorized)
	}
	_, err := plane.UserConfig("nobody")
	wantError(t, err, "Options.Users")
}

func TestKubectlWorksWithTheKubeconfig(t *testing.T) {
	t.Parallel()
	plane := startPlane(t, Options{Users: []User{{Name: "author"}}})
	author := filepath.Join(t.TempDir(), "author")
	if err := plane.WriteKubeconfig(author, "author"); err != nil {
		t.Fatal(err)
	}
	for kubeconfig, want := range map[string]string{
		plane.KubeconfigPath: AdminUser,
		author:               "author",
	} {
		kubectl := exec.CommandContext(t.Context(), filepath.Join(binDir(t), kubectlBinary),
			"--kubeconfig="+kubeconfig, "auth", "whoami", "--output=jsonpath={.status.userInfo.username}")
		output, err := kubectl.CombinedOutput()
		if err != nil || string(output) != want {
			t.Errorf("kubectl auth whoami: %q, %v; want %q", output, err, want)
		}
	}
}

func TestPlanesDoNotSeeEachOther(t *testing.T) {
	t.Parallel()
	first, second := startPlane(t, Options{}), startPlane(t, Options{})
	c, err := first.adminClient()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.send(t.Context(), http.MethodPost, configMaps, `{"metadata":{"name":"mine"}}`); err != nil {
		t.Fatal(err)
	}
	if got := getStatus(t, first.RESTConfig(), configMaps+"/mine"); got != http.StatusOK {
		t.Errorf("GET from the plane with the object: status %d, want %d", got, http.StatusOK)
	}
	if got := getStatus(t, second.RESTConfig(), configMaps+"/mine"); got != http.StatusNotFound {
		t.Errorf("GET from the other plane: status %d, want %d", got, http.StatusNotFound)
	}
	stranger := second.RESTConfig()
	stranger.BearerToken = first.RESTConfig().BearerToken
	if got := getStatus(t, stranger, configMaps); got != http.StatusUnauthorized {
		t.Errorf("GET with the other plane's token: status %d, want %d", got, http.StatusUnauthorized)
	}
}

func TestStopLeavesNothingAndMayBeCalledTwice(t *testing.T) {
	t.Parallel()
	plane := startPlane(t, Options{})
	if err := plane.StartControllerManager(t.Context()); err != nil {
		t.Fatal(err)
	}
	programs := pids(plane)
	if len(programs) != 3 {
		t.Fatalf("%d programs run, want 3", len(programs))
	}
	for range 2 {
		if err := plane.Stop(); err != nil {
			t.Error(err)
		}
	}
	for _, pid := range programs {
		if err := syscall.Kill(pid.(int), 0); !errors.Is(err, syscall.ESRCH) {
			t.Errorf("process %d after Stop: %v, want %v", pid, err, syscall.ESRCH)
		}
	}
	if _, err := os.Stat(plane.Dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("directory after Stop: %v, want %v", err, os.ErrNotExist)
	}
}

func TestStopSaysThatAProgramHadEnded(t *testing.T) {
	t.Parallel()
	plane, err := Start(t.Context(), Options{BinDir: binDir(t)})
	if err != nil {
		t.Fatal(err)
	}
	if err := plane.apiServer.signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-plane.apiServer.exited
	wantError(t, plane.Stop(), "kube-apiserver ended by itself: signal: killed")
}

func TestPausedAPIServerDoesNotAnswer(t *testing.T) {
	t.Parallel()
	plane := startPlane(t, Options{})
	c, err := plane.adminClient()
	if err != nil {
		t.Fatal(err)
	}
	if err := plane.PauseAPIServer(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	if err := c.get(ctx, configMaps); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("GET while paused: %v, want %v", err, context.DeadlineExceeded)
	}
	if err := plane.ResumeAPIServer(); err != nil {
		t.Fatal(err)
	}
	if err := c.get(t.Context(), configMaps); err != nil {
		t.Errorf("GET after resuming: %v", err)
	}
	if err := plane.PauseAPIServer(); err != nil {
		t.Fatal(err)
	}
	if err := plane.Stop(); err != nil {
		t.Errorf("stopping a plane whose API server is paused: %v", err)
	}
}

func TestStartTakesAnotherPortWhenTheFirstIsTaken(t *testing.T) {
	t.Parallel()
	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	asked := 0
	plane, err := start(t.Context(), Options{BinDir: binDir(t)}, func(ctx context.Context) (int, error) {
		if asked++; asked == 1 {
			return taken.Addr().(*net.TCPAddr).Port, nil
		}
		return freePort(ctx)
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := plane.Stop(); err != nil {
			t.Error(err)
		}
	})
	if asked != 2 {
		t.Errorf("%d ports asked for, want 2", asked)
	}
	if got := getStatus(t, plane.RESTConfig(), configMaps); got != http.StatusOK {
		t.Errorf("GET %s: status %d, want %d", configMaps, got, http.StatusOK)
	}
}

func TestStartErrors(t *testing.T) {
	t.Parallel()
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		opts      Options
		cancelled bool
		want      string
	}{
		"a flag the API server does not know: its log is quoted": {
			opts: Options{BinDir: binDir(t), APIServerFlags: []string{"--no-such-flag"}},
			want: "unknown flag: --no-such-flag",
		},
		"no binaries: the way to build them": {
			opts: Options{BinDir: t.TempDir()},
			want: "hack/tools/build.sh controlplane",
		},
		"a directory that is in use": {
			opts: Options{BinDir: binDir(t), Dir: full},
			want: "is not empty",
		},
		"a user given twice": {
			opts: Options{BinDir: binDir(t), Users: []User{{Name: "a"}, {Name: "a"}}},
			want: `user "a" is given twice`,
		},
		"a user without a name": {
			opts: Options{BinDir: binDir(t), Users: []User{{Groups: []string{"g"}}}},
			want: "a user without a name",
		},
		"a context that has ended": {
			opts:      Options{BinDir: binDir(t)},
			cancelled: true,
			want:      context.Canceled.Error(),
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if test.cancelled {
				cancel()
			}
			_, err := Start(ctx, test.opts)
			wantError(t, err, test.want)
		})
	}
}

func TestStartAfterAnErrorLeavesItsLogsInTheGivenDirectory(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "plane")
	_, err := Start(t.Context(), Options{BinDir: binDir(t), Dir: dir, APIServerFlags: []string{"--no-such-flag"}})
	wantError(t, err, "--no-such-flag")
	for _, program := range []string{etcdBinary, apiServerBinary} {
		if _, err := os.Stat(filepath.Join(dir, program+".log")); err != nil {
			t.Error(err)
		}
	}
}

func TestBinDirFromEnvNamesTheWayOut(t *testing.T) {
	t.Setenv(BinDirVariable, "")
	_, err := BinDirFromEnv()
	wantError(t, err, "make test")
	t.Setenv(BinDirVariable, "/somewhere")
	if dir, err := BinDirFromEnv(); err != nil || dir != "/somewhere" {
		t.Errorf("got %q, %v; want /somewhere", dir, err)
	}
}
