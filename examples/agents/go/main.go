// SPDX-License-Identifier: Apache-2.0

// Command go is an agent that reads a set from files and follows it. The model is
// standard input and the application is the variable ANSWERS; see ../README.md.
package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/toolcontract/operator/pkg/host"
)

func main() {
	a, err := newAgent(os.Getenv)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	go host.Follow(ctx, os.Getenv("TOOLS_DIR"), ticker.C, host.LoadSet, a.changed)
	select { // the first call should find tools, if there are any
	case <-a.first:
	case <-time.After(time.Second):
	}
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1<<20)
	for input.Scan() {
		var call modelCall
		if err := json.Unmarshal(input.Bytes(), &call); err != nil {
			fmt.Fprintln(os.Stderr, "not a call:", err)
			continue
		}
		a.answer(call)
	}
}

// agent answers the calls of one model.
type agent struct {
	// set is the one in force. A call takes it once and keeps it to its end, so that
	// a change in the middle of it mixes nothing.
	set     atomic.Pointer[host.Set]
	session map[string]any
	answers map[string]json.RawMessage
	// approved are the tools that a person has agreed to; a real host asks for each
	// call.
	approved map[string]bool
	// producer is the revision of the application.
	producer string
	// first is closed when something was loaded, or could not be.
	first chan struct{}
	once  sync.Once
	out   sync.Mutex
}

type modelCall struct {
	ID        string          `json:"id"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
}

func newAgent(getenv func(string) string) (*agent, error) {
	a := &agent{first: make(chan struct{}), producer: cmp.Or(getenv("PRODUCER"), "sample")}
	for name, into := range map[string]any{"SESSION": &a.session, "ANSWERS": &a.answers, "APPROVED": &a.approved} {
		if text := getenv(name); text != "" {
			if err := json.Unmarshal([]byte(text), into); err != nil {
				return nil, fmt.Errorf("reading %s: %w", name, err)
			}
		}
	}
	return a, nil
}

// changed takes a new set, or says why the old one stays.
func (a *agent) changed(set *host.Set, err error) {
	defer a.once.Do(func() { close(a.first) })
	if err != nil {
		a.print(event{Event: "kept", Reason: err.Error()})
		return
	}
	a.set.Store(set)
	names := []string{}
	for _, t := range set.All() {
		names = append(names, t.Name())
	}
	a.print(event{Event: "loaded", Digest: set.Digest(), Tools: names})
}

// answer goes the way from what the model wrote to what it gets.
func (a *agent) answer(call modelCall) {
	set := a.set.Load()
	if set == nil {
		a.print(event{Event: "result", ID: call.ID, Error: "no tools are loaded yet"})
		return
	}
	tool, ok := set.Tool(call.Tool)
	if !ok {
		a.print(event{Event: "result", ID: call.ID, Error: "there is no tool " + call.Tool})
		return
	}
	envelope, err := a.run(set, tool, call.Arguments)
	if err != nil {
		a.print(event{Event: "result", ID: call.ID, Error: err.Error()})
		return
	}
	a.print(event{Event: "result", ID: call.ID, Version: tool.Version(), Envelope: envelope})
}

// run is one call: decode, validate, inject, run, answer. Every failure has an
// envelope of its own, so the model always gets one.
func (a *agent) run(set *host.Set, tool *host.Tool, written []byte) ([]byte, error) {
	decoded, err := tool.Decode(set.Profile(), written)
	if err != nil {
		return tool.Refuse(err)
	}
	if err := tool.ValidateCall(decoded); err != nil {
		return tool.Refuse(err)
	}
	arguments, err := tool.Inject(decoded, a.session)
	if err != nil {
		return tool.Refuse(err)
	}
	if tool.Approval() && !a.approved[tool.Name()] {
		return tool.Fail(host.Failure{Code: host.CodeApprovalRequired})
	}
	data, ok := a.application(tool.Name(), arguments)
	if !ok {
		return tool.Fail(host.Failure{Code: host.CodeToolUnavailable})
	}
	now := time.Now()
	envelope, err := tool.Succeed(decoded, host.Answer{Data: data, Provenance: host.Provenance{ProducerRevision: cmp.Or(tool.Producer(), a.producer), ObservedAt: now}}, now)
	if err != nil {
		return tool.Refuse(err)
	}
	return envelope, nil
}

// application stands for the program that does the work. It gets what the model
// wrote and what the session added.
func (a *agent) application(tool string, _ []byte) (data []byte, ok bool) {
	data, ok = a.answers[tool]
	return data, ok
}

// event is one line of the output.
type event struct {
	Event    string          `json:"event"`
	Digest   string          `json:"digest,omitempty"`
	Tools    []string        `json:"tools,omitempty"`
	Reason   string          `json:"reason,omitempty"`
	ID       string          `json:"id,omitempty"`
	Version  string          `json:"version,omitempty"`
	Envelope json.RawMessage `json:"envelope,omitempty"`
	Error    string          `json:"error,omitempty"`
}

func (a *agent) print(e event) {
	a.out.Lock()
	defer a.out.Unlock()
	if err := json.NewEncoder(os.Stdout).Encode(e); err != nil {
		fmt.Fprintln(os.Stderr, "writing an event:", err)
	}
}
