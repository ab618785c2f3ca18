// SPDX-License-Identifier: Apache-2.0

package localplane

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

const (
	// stopLimit is how long a program may take to end after SIGTERM. The API
	// server, the slowest, needs about three seconds.
	stopLimit = 20 * time.Second
	// probeInterval is the pause between two looks at whether a program is ready.
	probeInterval = 50 * time.Millisecond
	// tailBytes is how much of a program's log an error quotes.
	tailBytes = 2048
)

// process is one running program of a plane. Its standard output and error go
// to a log file in the plane's directory.
type process struct {
	name    string
	logPath string
	cmd     *exec.Cmd

	// exited is closed when the program has ended and has been waited for;
	// waitErr is only read after that.
	exited  chan struct{}
	waitErr error
}

// startProcess starts the program at path with dir as its working directory.
func startProcess(dir, path string, args ...string) (*process, error) {
	name := filepath.Base(path)
	logPath := filepath.Join(dir, name+".log")
	log, err := os.OpenFile(logPath, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", name, err)
	}
	defer log.Close() // the program holds its own descriptor

	cmd := exec.Command(path, args...) //nolint:noctx // the program outlives the context of its start
	cmd.Dir = dir
	// etcd reads every ETCD_ variable as a flag, and proxy variables change whom
	// the API server talks to: none of the caller's environment is passed on.
	cmd.Env = []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH")}
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = sysProcAttr()

	p := &process{name: name, logPath: logPath, cmd: cmd, exited: make(chan struct{})}
	started := make(chan error, 1)
	go p.run(started)
	if err := <-started; err != nil {
		return nil, fmt.Errorf("starting %s: %w", name, err)
	}
	return p, nil
}

// run starts the program, reports on started how that went, and waits for the
// program's end. It keeps its operating system thread for all that time: Linux
// sends the parent-death signal when the thread that started the child ends,
// not when the process does (https://go.dev/issue/27505).
func (p *process) run(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	p.waitErr = p.cmd.Wait()
	close(p.exited)
}

// hasExited tells whether the program has ended.
func (p *process) hasExited() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

// waitReady calls probe until it returns nil. It gives up when the program ends
// or ctx does; the error then quotes the end of the program's log.
func (p *process) waitReady(ctx context.Context, probe func(context.Context) error) error {
	tick := time.NewTicker(probeInterval)
	defer tick.Stop()
	for {
		probeErr := probe(ctx)
		if probeErr == nil {
			return nil
		}
		select {
		case <-p.exited:
			return p.exitError()
		case <-ctx.Done():
			return fmt.Errorf("waiting for %s: %w; last answer: %w; end of %s:\n%s",
				p.name, ctx.Err(), probeErr, p.logPath, p.logTail())
		case <-tick.C:
		}
	}
}

// exitError describes a program that ended without being asked to.
func (p *process) exitError() error {
	status := "exit status 0"
	if p.waitErr != nil {
		status = p.waitErr.Error()
	}
	return fmt.Errorf("%s ended by itself: %s; end of %s:\n%s", p.name, status, p.logPath, p.logTail())
}

// stop asks the program to end and waits for it; after stopLimit it is killed.
// It returns an error when the program had ended before or had to be killed.
func (p *process) stop() error {
	if p.hasExited() {
		return p.exitError()
	}
	err := errors.Join(p.signal(syscall.SIGTERM), p.signal(syscall.SIGCONT)) // a paused program does not see SIGTERM
	if err == nil {
		select {
		case <-p.exited:
			return nil
		case <-time.After(stopLimit):
			err = fmt.Errorf("stopping %s: still running %s after SIGTERM, killed", p.name, stopLimit)
		}
	}
	if killErr := p.signal(syscall.SIGKILL); killErr != nil {
		return errors.Join(err, killErr)
	}
	<-p.exited
	return err
}

// signal sends sig to the program; one that has just ended is no error.
func (p *process) signal(sig syscall.Signal) error {
	err := p.cmd.Process.Signal(sig)
	if err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("sending %s to %s: %w", sig, p.name, err)
	}
	return nil
}

// logTail returns the last whole lines of the program's log.
func (p *process) logTail() string {
	log, err := os.ReadFile(p.logPath)
	if err != nil {
		return err.Error()
	}
	if len(log) > tailBytes {
		log = log[len(log)-tailBytes:]
		if _, rest, found := bytes.Cut(log, []byte("\n")); found {
			log = rest
		}
	}
	return string(bytes.TrimSpace(log))
}
