// SPDX-License-Identifier: Apache-2.0

package lockfile_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/lockfile"
	"github.com/toolcontract/operator/internal/testkit/golden"
)

// digest is a digest that begins with a digit.
func digest(d string) string { return "sha256:" + strings.Repeat(d, 64) }

func identity(contract, version, content string) lockfile.Identity {
	return lockfile.Identity{
		ToolName: strings.ReplaceAll(contract, "-", "_"), Contract: contract, Namespace: "shop", Version: version, ContentDigest: digest(content),
	}
}

func tool(contract string) lockfile.Tool {
	return lockfile.Tool{
		Identity: identity(contract, "1.0.0", "1"), Digest: digest("a"),
		Renderings: map[string]string{"openai-responses": digest("b"), "anthropic-messages": digest("c")},
		Files:      map[string]string{"contract.json": digest("d"), "audit.schema.json": digest("e")},
	}
}

func set(tools ...lockfile.Identity) lockfile.Set {
	return lockfile.Set{
		Name: "desk", Namespace: "shop", Profile: "openai-responses", Digest: digest("f"),
		Files: map[string]string{"tools.json": digest("1"), "request.json": digest("2"), "manifest.json": digest("3")}, Tools: tools,
	}
}

func TestMarshalIsOneForm(t *testing.T) {
	t.Parallel()
	lock := lockfile.Lock{
		Tools: []lockfile.Tool{tool("submit-refund"), tool("get-order")},
		Sets:  []lockfile.Set{set(identity("get-order", "1.0.0", "1")), {Name: "a", Profile: "p", Digest: digest("0"), Files: map[string]string{}, Tools: []lockfile.Identity{}}},
	}
	text := lock.Marshal()
	golden.Check(t, "tools.lock.json", text)
	slices.Reverse(lock.Tools)
	slices.Reverse(lock.Sets)
	if diff := cmp.Diff(string(text), string(lock.Marshal())); diff != "" {
		t.Errorf("the order of the input shows: %s", diff)
	}
	back, err := lockfile.Read(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(text), string(back.Marshal())); diff != "" {
		t.Error(diff)
	}
	if empty := string(lockfile.Lock{}.Marshal()); empty != "{\n  \"schemaVersion\": \"toolcontract.dev/lock/v1\",\n  \"tools\": []\n}\n" {
		t.Errorf("an empty lock is %s", empty)
	}
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	valid := string(lockfile.Lock{Tools: []lockfile.Tool{tool("get-order")}, Sets: []lockfile.Set{set()}}.Marshal())
	for name, test := range map[string]struct{ text, want string }{
		"nothing":                {"", "unexpected end"},
		"something behind":       {valid + "{}", "after top-level value"},
		"another form":           {strings.Replace(valid, "lock/v1", `lock/v2\u001b[2J`, 1), `its schemaVersion is "`},
		"an unknown member":      {strings.Replace(valid, `"contract":`, `"contrakt":`, 1), "unknown field"},
		"another type":           {strings.Replace(valid, `"version": "1.0.0"`, `"version": 1`, 1), "cannot unmarshal"},
		"no digest":              {strings.Replace(valid, digest("a"), "sha256:a", 1), "/tools/0: a digest is"},
		"no digest of a file":    {strings.Replace(valid, digest("d"), "", 1), "/tools/0: a digest is"},
		"no digest of a profile": {strings.Replace(valid, digest("b"), "md5:1", 1), "/tools/0: a digest is"},
		"no digest of a set":     {strings.Replace(valid, digest("f"), "x", 1), "/sets/0: a digest is"},
		"no contract":            {strings.Replace(valid, `"contract": "get-order"`, `"contract": ""`, 1), "/tools/0 has no contract"},
		"no profile":             {strings.Replace(valid, `"profile": "openai-responses"`, `"profile": ""`, 1), "/sets/0 has no name or no profile"},
		"too large":              {strings.Repeat(" ", lockfile.MaxFile+1), "more than 8388608 bytes"},
		"too deep":               {strings.Repeat("[", 1_000_000), "exceeded max depth"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if lock, err := lockfile.Read(strings.NewReader(test.text)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, %v", lock, err)
			}
		})
	}
}
