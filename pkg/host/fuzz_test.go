// SPDX-License-Identifier: Apache-2.0

package host_test

import (
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
