// SPDX-License-Identifier: Apache-2.0

package agents

import (
	"bufio"
	"encoding/json"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/envelope"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/contracts"
	"github.com/toolcontract/operator/internal/toolset"
)

// set renders sample contracts as one set.
func set(t *testing.T, profile string, edit func(*v1alpha1.ToolContract), names ...string) (files map[string]string, contents map[string]*contract.Content) {
	t.Helper()
	p, ok := provider.Builtin().Lookup(profile)
	if !ok {
		t.Fatalf("there is no profile %s", profile)
	}
	request := toolset.Request{Set: "shop", Profile: p}
	contents = map[string]*contract.Content{}
	for _, name := range names {
		c := contracts.Read(t, "config/samples/"+name+".yaml")
		edit(c)
		content, findings := evaluate.Read(&c.Spec.ToolContent)
		if content == nil {
			t.Fatalf("%s: %v", name, findings)
		}
		contents[content.ToolName] = content
		// Reshape, so that the agents have something to decode.
		request.Tools = append(request.Tools, toolset.Tool{
			Namespace: "shop", Contract: c.Name, Content: content, Digest: content.Digest(), Target: &v1alpha1.Target{Adaptation: v1alpha1.EffectReshape},
		})
	}
	r := toolset.Render(request)
	if r.Bundle == nil || r.Included != len(names) {
		t.Fatalf("the set is not published: %s", r.Message)
	}
	return r.Bundle.Files, contents
}

func unchanged(*v1alpha1.ToolContract) {}

// event is one line of an agent.
type event struct {
	Event, Digest, Reason, ID, Version, Error string
	Tools                                     []string
	Envelope                                  json.RawMessage
}

// process is a running agent.
type process struct {
	t      *testing.T
	stdin  io.Writer
	events chan event
}

// answers are what the application answers, whatever it is asked.
const answers = `{
	"get_order_status": {"order_id": "ord_7Kx9", "status": "shipped", "updated_at": "2026-12-01T08:00:00Z", "tracking_number": "T1"},
	"list_open_orders": {"orders": [{"order_id": "ord_1", "status": "paid", "placed_at": "2026-11-30T10:00:00Z", "total_minor": 1999, "currency": "EUR"}], "next_cursor": "abc"},
	"get_inventory": {"sku": "MUG-BLUE", "counted_at": "2026-12-01T08:00:00Z", "stock": [{"warehouse_id": "north", "available": 3}]}
}`

func start(t *testing.T, dir string, session string, command ...string) *process {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Env = append(os.Environ(), "TOOLS_DIR="+dir, "SESSION="+session, "ANSWERS="+answers)
	stdin, err := cmd.StdinPipe()
	do(t, err)
	stdout, err := cmd.StdoutPipe()
	do(t, err)
	cmd.Stderr = os.Stderr
	do(t, cmd.Start())
	p := &process{t: t, stdin: stdin, events: make(chan event, 64)}
	go func() {
		defer close(p.events)
		lines := bufio.NewScanner(stdout)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var e event
			if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
				t.Errorf("not an event: %s", lines.Text())
			}
			p.events <- e
		}
	}()
	t.Cleanup(func() {
		_ = stdin.Close()
		_ = cmd.Wait()
	})
	return p
}

// next waits for the next event.
func (p *process) next(want string) event {
	p.t.Helper()
	select {
	case e := <-p.events:
		if e.Event != want {
			p.t.Fatalf("the agent says %+v, want %s", e, want)
		}
		return e
	case <-time.After(time.Minute):
		p.t.Fatalf("the agent does not say %s", want)
	}
	return event{}
}

// quiet makes sure that nothing was said: the answer to a call comes first.
func (p *process) call(id, tool, arguments string) event {
	p.t.Helper()
	_, err := io.WriteString(p.stdin, `{"id":"`+id+`","tool":"`+tool+`","arguments":`+arguments+"}\n")
	do(p.t, err)
	e := p.next("result")
	if e.ID != id {
		p.t.Fatalf("the answer is to %s, not %s", e.ID, id)
	}
	return e
}

// outcome is the status of an envelope, and the code of a failure.
func outcome(t *testing.T, c *contract.Content, e event) string {
	t.Helper()
	if e.Error != "" {
		return e.Error
	}
	value, failed := schema.Parse(e.Envelope)
	if failed != nil {
		t.Fatalf("no envelope: %+v", e)
	}
	admitted, findings := schema.Admit(envelope.ResultSchema(c))
	if admitted == nil {
		t.Fatal(findings)
	}
	validator, _ := admitted.Compile()
	for _, f := range validator.Validate(value) {
		t.Errorf("the envelope is not valid at %s: %s\n%s", f.Pointer, f.Message, e.Envelope)
	}
	if code := value.Get("error").Get("code").Text(); code != "" {
		return code
	}
	return value.Get("status").Text()
}

// TestAgents drives all three through the life of a set.
func TestAgents(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../..")
	do(t, err)
	binary := filepath.Join(t.TempDir(), "agent")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "./examples/agents/go")
	build.Dir = root
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	leftOut := strings.Fields(os.Getenv("TOOLCONTRACT_LEAVE_OUT"))
	for name, command := range map[string][]string{
		"go":         {binary},
		"python":     {"python3", "-B", filepath.Join(root, "examples/agents/python/agent.py")},
		"typescript": {"node", filepath.Join(root, "examples/agents/typescript/agent.mjs")},
	} {
		if slices.Contains(leftOut, command[0]) {
			continue // make test has said so
		}
		for _, profile := range []string{"openai-responses", "anthropic-messages", "gemini-json-schema"} {
			t.Run(name+" "+profile, func(t *testing.T) {
				t.Parallel()
				life(t, profile, command)
			})
		}
	}
}

const session = `{"session.customer": "cus_1", "session.channel": "web", "session.agent": "assistant-1"}`

func life(t *testing.T, profile string, command []string) {
	v := &volume{dir: t.TempDir()}
	names := []string{"get-order-status", "list-open-orders", "get-inventory", "submit-refund"}
	first, contents := set(t, profile, unchanged, names...)
	v.write(t, first)
	p := start(t, v.dir, session, command...)

	loaded := p.next("loaded")
	want := []string{"get_order_status", "list_open_orders", "get_inventory", "submit_refund"}
	if diff := cmp.Diff(want, loaded.Tools); diff != "" || loaded.Digest != schema.DigestBytes([]byte(first["index.json"])) {
		t.Fatalf("loaded %s: %s", loaded.Digest, diff)
	}
	inventory := `{"sku":"MUG-BLUE"}`
	if profile == "openai-responses" { // optional is written as null there
		inventory = `{"sku":"MUG-BLUE","warehouse_id":null}`
	}
	const refund = `{"draft_id":"rfd_8Kq2","amount_minor":1999,"currency":"EUR","idempotency_key":"5f0c6a52-3f0e-4a57-9d3e-0c1b8e6a7d21"}`
	for call, want := range map[[2]string]string{
		{"get_order_status", `{"order_id":"ord_7Kx9"}`}:                                      "succeeded",
		{"get_order_status", `{"order_id":"ord_other"}`}:                                     "RESULT_INVALID", // another order than that of the call
		{"get_order_status", `{"order_id":7}`}:                                               "INVALID_ARGUMENTS",
		{"get_order_status", `{"order_id":"ord_7Kx9","customer_id":"cus_2"}`}:                "INVALID_ARGUMENTS",
		{"get_order_status", `{}`}:                                                           "INVALID_ARGUMENTS",
		{"list_open_orders", `{"page_size":10,"cursor":null}`}:                               "succeeded",
		{"list_open_orders", `{"page_size":51,"cursor":null}`}:                               "INVALID_ARGUMENTS",
		{"get_inventory", inventory}:                                                         "succeeded",
		{"submit_refund", refund}:                                                            "APPROVAL_REQUIRED",
		{"list_open_orders", `{"page_size":` + strings.Repeat("9", 400) + `,"cursor":null}`}: "INVALID_ARGUMENTS",
		{"reserve_inventory", `{}`}:                                                          "there is no tool reserve_inventory",
	} {
		if got := outcome(t, contents[call[0]], p.call("1", call[0], call[1])); got != want {
			t.Errorf("%s%s: %s, want %s", call[0], call[1], got, want)
		}
	}

	// The next version: calls that follow the switch are answered by it.
	second, contents := set(t, profile, func(c *v1alpha1.ToolContract) {
		c.Spec.Version = "1.1.0"
		if c.Spec.ToolName == "get_order_status" {
			c.Spec.Input.Schema = &v1alpha1.JSONObject{Raw: []byte(`{"type":"object","properties":{"order_id":{"type":"string","pattern":"^ord_"}},"required":["order_id"],"additionalProperties":false}`)}
		}
	}, names...)
	v.write(t, second)
	if e := p.next("loaded"); e.Digest != schema.DigestBytes([]byte(second["index.json"])) {
		t.Errorf("loaded %s", e.Digest)
	}
	if e := p.call("2", "get_order_status", `{"order_id":"ord_7Kx9"}`); e.Version != "1.1.0" || outcome(t, contents["get_order_status"], e) != "succeeded" {
		t.Errorf("answered by %s: %s", e.Version, e.Envelope)
	}

	// Files that are not those of the index: the tools that work stay, and it is
	// said once.
	broken := maps.Clone(second)
	broken["index.json"] = first["index.json"]
	v.write(t, broken)
	if e := p.next("kept"); !strings.Contains(e.Reason, ".json") {
		t.Errorf("the reason names no file: %s", e.Reason)
	}
	if e := p.call("3", "get_order_status", `{"order_id":"ord_7Kx9"}`); e.Version != "1.1.0" {
		t.Errorf("answered by %q: %s", e.Version, e.Error)
	}

	// A tool that leaves.
	third, _ := set(t, profile, unchanged, names[0])
	v.write(t, third)
	if diff := cmp.Diff([]string{"get_order_status"}, p.next("loaded").Tools); diff != "" {
		t.Error(diff)
	}
	if e := p.call("4", "get_inventory", `{}`); e.Error != "there is no tool get_inventory" {
		t.Errorf("a tool that left answers %+v", e)
	}
}

// TestWhatTheSessionLacks: without its session no call goes through.
func TestWhatTheSessionLacks(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../..")
	do(t, err)
	for _, command := range [][]string{
		{"python3", "-B", filepath.Join(root, "examples/agents/python/agent.py")},
		{"node", filepath.Join(root, "examples/agents/typescript/agent.mjs")},
	} {
		if slices.Contains(strings.Fields(os.Getenv("TOOLCONTRACT_LEAVE_OUT")), command[0]) {
			continue
		}
		v := &volume{dir: t.TempDir()}
		files, contents := set(t, "anthropic-messages", unchanged, "get-order-status")
		v.write(t, files)
		p := start(t, v.dir, `{}`, command...)
		p.next("loaded")
		if got := outcome(t, contents["get_order_status"], p.call("1", "get_order_status", `{"order_id":"ord_7Kx9"}`)); got != "SESSION_REQUIRED" {
			t.Errorf("%s: %s", command[0], got)
		}
	}
}
