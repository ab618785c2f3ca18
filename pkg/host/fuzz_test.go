// SPDX-License-Identifier: Apache-2.0

package host_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/toolcontract/operator/pkg/host"
)

// FuzzCall: whatever a model or a tool writes, there is an answer: arguments in
// the author's form, or an error of one bounded line that can be given back.
func FuzzCall(f *testing.F) {
	tool := load(f, published(f, tagOrder))
	f.Add([]byte(`{"order_ref":"ord_1","labels":[{"key":"a","value":"x"}],"note":null}`))
	f.Add([]byte(`{"order_ref":"ord_1","labels":[{"key":"a","value":"x"},{"key":"a","value":"x"}],"note":1e400}`))
	f.Add([]byte(`{"labels":[null,[],{"key":1}]}`))
	f.Add([]byte("{\"\xff\":\"\\ud800\"}"))
	f.Fuzz(func(t *testing.T, written []byte) {
		for _, profile := range tool.Profiles() {
			arguments, err := tool.Decode(profile, written)
			check(t, err)
			if err == nil {
				check(t, tool.ValidateCall(arguments))
			}
		}
		check(t, tool.ValidateResult(written))
	})
}

// FuzzSession: whatever the model, the tool and the session hold, what the host
// hands on is what the contract says, or there is an error for the right reader.
func FuzzSession(f *testing.F) {
	tool := load(f, published(f, listOrders))
	f.Add([]byte(`{"status":"open"}`), `"cus_1"`)
	f.Add([]byte(`{"customer_id":"cus_1","placed":{"after":"2026-01-02","x":1}}`), `null`)
	f.Add([]byte(`{"orders":[{"id":"1","total":5}],"next":1}`), `{"a":[1e5]}`)
	f.Add([]byte(`[{"orders":1}]`), "\xff")
	f.Fuzz(func(t *testing.T, text []byte, value string) {
		invalid := tool.ValidateCall(text)
		check(t, invalid)
		got, err := tool.Inject(text, map[string]any{"session.customer": json.RawMessage(value)})
		var session *host.SessionError
		switch {
		case errors.As(err, &session):
			if strings.ContainsAny(err.Error(), "\n\x1b") || len(err.Error()) > 400 {
				t.Errorf("got %q", err)
			}
		case err != nil:
			check(t, err)
		case tool.ValidateCall(got) == nil:
			t.Errorf("%s passes for a call of the model", got)
		}
		seen, err := tool.Result(text)
		check(t, err)
		if err == nil {
			if again, err := tool.Result(seen); err != nil || string(again) != string(seen) {
				t.Errorf("%s is not final: %s, %v", seen, again, err)
			}
		}
	})
}

func check(t *testing.T, err error) {
	t.Helper()
	var invalid *host.InvalidError
	if err == nil {
		return
	}
	if !errors.As(err, &invalid) || len(invalid.Problems) == 0 || strings.ContainsAny(err.Error(), "\n\x1b") || len(err.Error()) > 4_000 {
		t.Errorf("got %q", err)
	}
}

// FuzzLoad: a folder is loaded whole or not at all.
func FuzzLoad(f *testing.F) {
	files := published(f, tagOrder)
	f.Add(files["index.json"], files["contract.json"])
	f.Add(`{"files":{"contract.json":"sha256:0"}}`, `{}`)
	f.Add(`{"files":{"..":1}}`, `[]`)
	f.Fuzz(func(t *testing.T, index, contract string) {
		changed := reindexed(files, func(c map[string]string) { c["contract.json"] = contract })
		for _, folded := range []map[string]string{changed, {"index.json": index, "contract.json": contract}} {
			tool, err := host.Load(folder(folded))
			if (tool == nil) == (err == nil) {
				t.Errorf("got %v, %v", tool, err)
			}
			if tool == nil {
				continue
			}
			if err := tool.ValidateCall([]byte(`{}`)); err != nil {
				check(t, err)
			}
		}
	})
}

// FuzzResult: whatever a tool answers, the model gets an envelope that is valid, or
// there is an error that becomes one.
func FuzzResult(f *testing.F) {
	tool := load(f, published(f, listShipments))
	f.Add([]byte(`{"order_ref":"ord_1","shipments":[{"id":"s1"}],"next":null}`), "ORDER_NOT_FOUND", "fresh")
	f.Add([]byte(`{"order_ref":"ord_2","shipments":[{"id":"s1"},{},{},{}],"next":"a"}`), "TIMEOUT", "cached")
	f.Add([]byte(`[[[[[[]]]]]]`), "", "replayed")
	f.Add([]byte("{\"shipments\":[[1,2,3,4],{\"a\":[\"\xff\"]}]}"), "\x1b", "\n")
	f.Fuzz(func(t *testing.T, data []byte, code, word string) {
		answer := observed(string(data))
		answer.Delivery = host.Delivery(word)
		text, err := tool.Succeed(call, answer, noon)
		check(t, err)
		if err != nil {
			if text, err = tool.Refuse(err); err != nil {
				t.Fatalf("the model is told nothing: %v", err)
			}
		}
		if err := tool.ValidateEnvelope(call, text, noon); err != nil {
			t.Errorf("%s is refused: %v", text, err)
		}
		check(t, tool.ValidateEnvelope(call, data, noon))
		text, err = tool.Fail(host.Failure{Code: code, Detail: word, Outcome: host.Outcome(word)})
		if err == nil {
			err = tool.ValidateEnvelope(call, text, noon)
		}
		if err != nil && !errors.Is(err, host.ErrUnknownCode) {
			check(t, err)
		}
	})
}

// FuzzLoadSet: the folder of a set is loaded whole or not at all.
func FuzzLoadSet(f *testing.F) {
	files := desk(f)
	f.Add(files["tools.json"], files["request.json"], files["manifest.json"])
	f.Add(`[{"functionDeclarations":1},{"type":"mcp","allowed_tools":[1]}]`, `{"schemaVersion":"toolcontract.dev/request/v1","headers":[1],"body":1}`, `{"tools":[1]}`)
	f.Add(`{}`, `[]`, `{"tools":{}}`)
	f.Fuzz(func(t *testing.T, tools, request, manifest string) {
		set, err := host.LoadSet(folder(reindexed(files, func(c map[string]string) {
			c["tools.json"], c["request.json"], c["manifest.json"] = tools, request, manifest
		})))
		if (set == nil) == (err == nil) {
			t.Errorf("got %v, %v", set, err)
		}
		if set != nil {
			for _, tool := range set.All() {
				check(t, tool.ValidateCall([]byte(`{}`)))
			}
		}
	})
}
