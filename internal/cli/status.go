// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"time"

	"github.com/toolcontract/operator/internal/finding"
)

const statusUsage = `Show the contracts, sets and profiles of a cluster: what each provider gets of each
contract, which versions are served, and what is not ready.

Usage:
  {command} status [-n NAMESPACE | -A] [-o text|wide|json] [--watch]
      [--kubeconfig FILE] [--context NAME]

A cell of the matrix is one contract for one profile:
  S  strict                          x  left out (onIncompatible: Exclude)
  s  not strict                      !  refused: it blocks the contract
  ~  behind S or s: the schema had   ?  not judged yet
     to be adapted                   .  not a target

Only rights on ToolContracts in the namespace are needed; what cannot be read is named.

Flags:
  -n, --namespace NAMESPACE
                    this namespace (default: that of the context)
  -A, --all-namespaces
                    all namespaces
  -o, --output text|wide|json
                    text is for people (default); wide adds the messages and names of
                    ConfigMaps
  -w, --watch       go on until Ctrl-C: a terminal is drawn again at each change;
                    elsewhere each object that changes is one line, or with -o json
                    each state one document
      --kubeconfig FILE
                    as of kubectl
      --context NAME
                    as of kubectl
  -h, --help        print this text

Exit code: 0 everything is ready; 1 something is not; 2 bad usage, or a cluster that
cannot be read.

Examples:
  {command} status
  {command} status -A --watch
  {command} status -n payments -o json
`

func (p *Program) status(arguments []string) int {
	f := p.flags("status")
	var from Cluster
	f.StringVarP(&from.Namespace, "namespace", "n", "", "")
	all := f.BoolP("all-namespaces", "A", false, "")
	output := f.StringP("output", "o", "text", "")
	watch := f.BoolP("watch", "w", false, "")
	clusterFlags(f, &from)
	if code, done := p.parse(f, statusUsage, arguments); done {
		return code
	}
	switch {
	case f.NArg() > 0:
		return p.badUsage(f, "it takes no names; -n chooses a namespace")
	case *all && from.Namespace != "":
		return p.badUsage(f, "--namespace and --all-namespaces contradict each other")
	case !slices.Contains([]string{"text", "wide", "json"}, *output):
		return p.badUsage(f, "there is no output format %s; write text, wide or json", finding.Quote(*output))
	}
	if code, done := p.checkNamespace(f, from.Namespace); done {
		return code
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	s := &statusRun{p: p, from: from, output: *output, wanted: SnapshotWanted{AllNamespaces: *all}, effects: map[string]effectsOf{}}
	if !*watch {
		view, code, done := s.read(ctx)
		if done {
			return code
		}
		s.write(view)
		return view.code()
	}
	return s.watch(ctx)
}

// statusRun reads and writes the state of a cluster, once or again and again.
type statusRun struct {
	p      *Program
	from   Cluster
	output string
	wanted SnapshotWanted
	// effects are what published files say of adaptation, by their digest.
	effects map[string]effectsOf
	told    bool // what may not be read
	// interrupted says that somebody ended the run while it read.
	interrupted bool
	// failure is what was said last of a cluster that cannot be read.
	failure string
}

// read reads the state. ConfigMaps, which are large, are read only if bytes are
// published that were not seen before. done is as of [Program.parse].
func (s *statusRun) read(ctx context.Context) (view *statusView, code int, done bool) {
	if s.p.Snapshot == nil {
		s.p.complain("this program was built without a client for clusters")
		return nil, exitUsage, true
	}
	state, err := s.p.Snapshot(ctx, s.from, s.wanted)
	if err == nil && s.learn(state) {
		wanted := s.wanted
		wanted.Published = true
		if state, err = s.p.Snapshot(ctx, s.from, wanted); err == nil {
			s.learn(state)
		}
	}
	if err != nil {
		s.interrupted = errors.Is(err, context.Canceled)
		if !s.interrupted && err.Error() != s.failure {
			s.failure = err.Error()
			s.p.complain("%v", err)
		}
		return nil, exitUsage, true
	}
	s.failure = ""
	if !s.told {
		for _, d := range state.Denied {
			s.p.complain("not read: %s", d)
		}
		s.told = true
	}
	return newStatusView(state, s.effects), exitOK, false
}

// pollInterval is how often a cluster is read while it is watched.
const pollInterval = 2 * time.Second

// watch shows every state until somebody interrupts it. A cluster that cannot be
// read is told once, and tried again.
func (s *statusRun) watch(ctx context.Context) int {
	var last *statusView
	code := exitUsage
	for {
		view, failed, done := s.read(ctx)
		switch {
		case ctx.Err() != nil || s.interrupted:
			return code
		case done && last == nil: // it never could be read
			return failed
		case !done:
			s.show(view, last)
			last, code = view, view.code()
		}
		if err := s.p.out.Flush(); err != nil {
			return exitUsage // said by Run
		}
		if !s.p.wait(ctx, pollInterval) {
			return code
		}
	}
}

// show writes a state if it differs from the last one.
func (s *statusRun) show(view, last *statusView) {
	switch {
	case last != nil && last.equal(view):
	case s.output != "json" && s.p.terminal(s.p.Out):
		fmt.Fprint(s.p.out, "\x1b[H\x1b[2J") // the cursor home, and the screen empty
		s.write(view)
	case s.output == "json":
		s.write(view)
	default:
		s.p.writeStatusChanges(view, last)
	}
}

func (s *statusRun) write(view *statusView) {
	if s.output == "json" {
		s.p.writeJSON(view)
		return
	}
	s.p.writeStatus(view, s.output == "wide")
}

// wait pauses; it returns false if somebody interrupts it.
func (p *Program) wait(ctx context.Context, pause time.Duration) bool {
	if p.Sleep != nil {
		p.Sleep(pause)
		return ctx.Err() == nil
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(pause):
		return true
	}
}
