// SPDX-License-Identifier: Apache-2.0

package sdk

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestMCP builds a real server on each published file, lists its tools through
// a real client, and compares what the client got with what is published.
func TestMCP(t *testing.T) {
	t.Parallel()
	each(t, "mcp-tool", func(t *testing.T, r rendering) {
		decodes[mcp.Tool](t, r.bytes)
		decoder := json.NewDecoder(bytes.NewReader(r.bytes))
		decoder.DisallowUnknownFields()
		var tool mcp.Tool
		if err := decoder.Decode(&tool); err != nil {
			t.Fatal(err)
		}
		server := mcp.NewServer(&mcp.Implementation{Name: "tools", Version: "1.0.0"}, nil)
		server.AddTool(&tool, nil)
		listed := list(t, server)
		if len(listed) != 1 {
			t.Fatalf("the client sees %d tools", len(listed))
		}
		encoded, err := json.Marshal(listed[0])
		if err != nil {
			t.Fatal(err)
		}
		sameAfter(t, r.bytes, encoded)
	})
}

// list connects a client to a server in memory and asks for its tools.
func list(t *testing.T, server *mcp.Server) []*mcp.Tool {
	t.Helper()
	ctx := t.Context()
	here, there := mcp.NewInMemoryTransports()
	serving, err := server.Connect(ctx, there, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer serving.Close()
	client, err := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1.0.0"}, nil).Connect(ctx, here, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	var out []*mcp.Tool
	for tool, err := range client.Tools(ctx, nil) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, tool)
	}
	return out
}
