// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"encoding/json"
	"testing"

	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/corpus"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// loudWithoutStrict are the profiles that have much to say of real tools even
// where nobody asked for strictness, with the reason.
var loudWithoutStrict = map[string]string{
	"gemini-openapi": "the message is no JSON Schema and refuses the whole request for a keyword that it does not have",
	"llama-cpp":      "every call is constrained, with the bounds of numbers left out without a word",
}

// Real tools must not drown in findings where nobody asked for strictness.
func TestRealToolsAreQuietWithoutStrict(t *testing.T) {
	t.Parallel()
	tools, findings := 0, map[string]int{}
	for _, file := range corpus.Files(t, "tools/*-mcp-server.jsonl") {
		for tool := range corpus.Lines[corpus.Tool](t, file) {
			s := admittedReal(t, tool.InputSchema)
			if s == nil {
				continue
			}
			tools++
			for _, name := range Builtin().Names() {
				findings[name] += len(profile(t, name).CheckSchema(s, Standard))
			}
		}
	}
	for name, n := range findings {
		if isLoud := n*10 > tools; isLoud != (loudWithoutStrict[name] != "") {
			t.Errorf("%s: %d findings on %d tools", name, n, tools)
		}
	}
	t.Logf("%d tools: %v", tools, findings)
}

// admittedReal admits a schema of a real tool as an importer would: without the
// dialect that older generators write.
func admittedReal(t testing.TB, raw json.RawMessage) *schema.Schema {
	t.Helper()
	v := schematest.Value(t, string(raw))
	if v.Has("$schema") {
		v = v.Without("$schema")
	}
	s, _ := schema.Admit(v)
	return s
}
