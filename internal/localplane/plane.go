// SPDX-License-Identifier: Apache-2.0

package localplane

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// startLimit bounds the start of one program. A quiet machine needs three
// seconds for etcd and the API server together.
const startLimit = 2 * time.Minute

// Options say what kind of plane to start.
type Options struct {
	// BinDir holds etcd and kube-apiserver, and kube-controller-manager where
	// [Plane.StartControllerManager] is called. Required; see [BinDirFromEnv].
	BinDir string
	// Dir is where the plane keeps data, keys and logs. It must be empty or not
	// exist, and stays when the plane has stopped. If Dir is "", the plane makes
	// a directory of its own and removes it in the end.
	Dir string
	// Users may log on beside [AdminUser].
	Users []User
	// Audit records every write, for [Plane.Writes].
	Audit bool
	// APIServerFlags are given to kube-apiserver after the plane's own.
	APIServerFlags []string
}

// Plane is a running control plane.
type Plane struct {
	// Dir holds data, keys and one log file for each program.
	Dir string
	// KubeconfigPath is a kubeconfig file for [AdminUser].
	KubeconfigPath string
	// AuditLogPath is the API server's audit log, one JSON event per line; "" if
	// [Options.Audit] was not set.
	AuditLogPath string

	binDir    string
	removeDir bool
	accounts  []account
	host      string // URL of the API server
	caData    []byte // PEM of the API server's certificate

	etcd, apiServer *process

	audit auditLog

	mutex             sync.Mutex // guards controllerManager
	controllerManager *process

	stop func() error
	// choosePort is freePort, except in a test of ports that are taken.
	choosePort func(context.Context) (int, error)
}

// Start starts etcd and an API server and returns when the API server is ready.
// The context bounds the start only: the plane runs until [Plane.Stop], even
// when the context has ended. After an error nothing is left running; the error
// quotes the end of the log of the program that failed.
func Start(ctx context.Context, opts Options) (*Plane, error) {
	return start(ctx, opts, freePort)
}

func start(ctx context.Context, opts Options, choosePort func(context.Context) (int, error)) (*Plane, error) {
	accounts, err := newAccounts(opts.Users)
	if err != nil {
		return nil, fmt.Errorf("starting a control plane: %w", err)
	}
	p := &Plane{binDir: opts.BinDir, accounts: accounts, choosePort: choosePort}
	p.stop = sync.OnceValue(p.stopAll)
	if err := p.makeDir(opts.Dir); err != nil {
		return nil, fmt.Errorf("starting a control plane: %w", err)
	}
	if err := p.startPrograms(ctx, opts); err != nil {
		// What failed to start is why we stop; that it has ended is no news.
		_ = p.Stop()
		return nil, fmt.Errorf("starting a control plane: %w", err)
	}
	return p, nil
}

// makeDir makes the plane's directory, which only this user can enter.
func (p *Plane) makeDir(dir string) error {
	if dir == "" {
		made, err := os.MkdirTemp("", "toolcontract-plane-")
		p.Dir, p.removeDir = made, true
		return err
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(abs, 0o700); err != nil {
		return err
	}
	entries, err := os.ReadDir(abs)
	if err != nil {
		return err
	}
	if len(entries) > 0 {
		return fmt.Errorf("directory %s is not empty: name a new one or remove it", abs)
	}
	p.Dir = abs
	return os.Chmod(abs, 0o700) //nolint:gosec // a directory without x cannot be entered
}

func (p *Plane) startPrograms(ctx context.Context, opts Options) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	var err error
	if p.etcd, err = startEtcd(ctx, opts.BinDir, p.Dir); err != nil {
		return err
	}
	if err := p.startAPIServer(ctx, opts); err != nil {
		return err
	}
	p.KubeconfigPath = filepath.Join(p.Dir, "kubeconfig")
	return p.WriteKubeconfig(p.KubeconfigPath, AdminUser)
}

// PauseAPIServer freezes the API server: connections stay open and nothing is
// answered, as when its machine hangs.
func (p *Plane) PauseAPIServer() error {
	return p.apiServer.signal(syscall.SIGSTOP)
}

// ResumeAPIServer lets a paused API server go on.
func (p *Plane) ResumeAPIServer() error {
	return p.apiServer.signal(syscall.SIGCONT)
}

// PIDs are the process ids of the running programs, by name.
func (p *Plane) PIDs() map[string]int {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	out := map[string]int{}
	for _, program := range []*process{p.controllerManager, p.apiServer, p.etcd} {
		if program != nil {
			out[program.name] = program.cmd.Process.Pid
		}
	}
	return out
}

// Stop ends the plane and returns when nothing of it runs any more. The error
// names programs that had ended before or had to be killed. Further calls
// return the same.
func (p *Plane) Stop() error {
	return p.stop()
}

// stopAll ends the programs in the order of their dependence. An API server
// whose etcd is gone does not end on SIGTERM.
func (p *Plane) stopAll() error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	var errs []error
	for _, program := range []*process{p.controllerManager, p.apiServer, p.etcd} {
		if program != nil {
			errs = append(errs, program.stop())
		}
	}
	if p.removeDir {
		errs = append(errs, os.RemoveAll(p.Dir))
	}
	return errors.Join(errs...)
}
