// SPDX-License-Identifier: Apache-2.0

package toolset_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/toolset"
)

// copied renders tools alone and takes one of them over as it was published.
func copied(t *testing.T, profileName string, tool toolset.Tool) toolset.Tool {
	t.Helper()
	r := toolset.Render(toolset.Request{Set: "s", Profile: profile(t, profileName), Tools: []toolset.Tool{tool}})
	published, err := toolset.ReadPublished(r.Bundle.Files)
	if err != nil {
		t.Fatal(err)
	}
	tool.Kept, tool.Content, tool.Target, tool.Served = &published.Tools[0].Kept, nil, nil, true
	return tool
}

// TestWhoChangedGivesWay: a tool whose contract is gone is copied, and nobody asked
// for a change of it; what grew gives way to it and to what stayed as it was.
func TestWhoChangedGivesWay(t *testing.T) {
	t.Parallel()
	const anthropic = "anthropic-messages"
	grown := tool(t, "grown", "get_grown", options{optional: 20, strict: required, served: true})
	same := tool(t, "same", "get_same", options{optional: 12, strict: required, served: true})
	same.Unchanged = true
	gone := copied(t, anthropic, tool(t, "gone", "get_gone", options{optional: 12, strict: required}))
	newcomer := tool(t, "new", "get_new", options{optional: 12, strict: required})
	for name, test := range map[string]struct {
		tools []toolset.Tool
		want  []string
	}{
		"a copied one":          {[]toolset.Tool{grown, gone}, []string{"grown RequestLimit", "gone strict"}},
		"one that is as it was": {[]toolset.Tool{grown, same}, []string{"grown RequestLimit", "same strict"}},
		"both of them":          {[]toolset.Tool{newcomer, grown, same, gone}, []string{"new RequestLimit", "grown RequestLimit", "same strict", "gone strict"}},
		"a newcomer":            {[]toolset.Tool{newcomer, grown}, []string{"new RequestLimit", "grown strict"}},
	} {
		r := toolset.Render(toolset.Request{Set: "s", Profile: profile(t, anthropic), Tools: test.tools})
		if diff := cmp.Diff(test.want, said(r)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestACopiedToolStaysDeferred as long as another one can be loaded.
func TestACopiedToolStaysDeferred(t *testing.T) {
	t.Parallel()
	const anthropic = "anthropic-messages"
	both := toolset.Render(toolset.Request{Set: "s", Profile: profile(t, anthropic), Tools: []toolset.Tool{
		tool(t, "loaded", "get_loaded", options{}), tool(t, "gone", "get_gone", options{deferred: true}),
	}})
	published, err := toolset.ReadPublished(both.Bundle.Files)
	if err != nil {
		t.Fatal(err)
	}
	gone := toolset.Tool{Namespace: "shop", Contract: "gone", Served: true, Kept: &published.Tools[1].Kept}
	r := toolset.Render(toolset.Request{Set: "s", Profile: profile(t, anthropic), Tools: []toolset.Tool{gone, tool(t, "new", "get_new", options{deferred: true})}})
	next, err := toolset.ReadPublished(r.Bundle.Files)
	if err != nil {
		t.Fatal(err)
	}
	if len(next.Tools) != 2 || !next.Tools[0].Kept.Element.Equal(gone.Kept.Element) || next.Tools[1].Kept.Element.Get("defer_loading") != nil {
		t.Errorf("published %s", r.Bundle.Files[v1alpha1.FileTools])
	}
}

// TestACopiedToolKeepsWhatItSaysOfItsServer: two tools of one label have one entry
// in a request, with the words of the first; when that one leaves, the other says
// what its own contract said.
func TestACopiedToolKeepsWhatItSaysOfItsServer(t *testing.T) {
	t.Parallel()
	ofServer := func(contract, name, description string) toolset.Tool {
		return tool(t, contract, name, options{content: &v1alpha1.ToolContent{
			Type: v1alpha1.TypeMCP, Input: v1alpha1.Input{SchemaText: `{"type":"object","properties":{}}`},
			Execution: &v1alpha1.Execution{Location: "MCPServer", Credentials: "none", Authorization: "shop"},
			MCP:       &v1alpha1.MCP{Server: v1alpha1.MCPServer{Label: "orders", URL: "https://mcp.example.com", Description: description}},
		}})
	}
	const openai = "openai-responses"
	both := toolset.Render(toolset.Request{Set: "s", Profile: profile(t, openai), Tools: []toolset.Tool{ofServer("a", "find_a", "Says a."), ofServer("b", "find_b", "Says b.")}})
	published, err := toolset.ReadPublished(both.Bundle.Files)
	if err != nil || len(published.Tools) != 2 {
		t.Fatalf("%v, %v", published, err)
	}
	r := toolset.Render(toolset.Request{Set: "s", Profile: profile(t, openai), Tools: []toolset.Tool{
		{Namespace: "shop", Contract: "b", Served: true, Kept: &published.Tools[1].Kept},
	}})
	if got := r.Bundle.Files[v1alpha1.FileTools]; !strings.Contains(got, "Says b.") || strings.Contains(got, "Says a.") {
		t.Errorf("published %s", got)
	}
}

// TestALabelDisplacesNoNamedTool: who may label a contract must not put it in the
// place of one that the set names, whatever it is called.
func TestALabelDisplacesNoNamedTool(t *testing.T) {
	t.Parallel()
	squatter := tool(t, "aaa", "submit_refund", options{})
	squatter.Selected = true
	r := toolset.Render(toolset.Request{Set: "s", Profile: profile(t, "openai-responses"), Tools: []toolset.Tool{tool(t, "submit-refund", "submit_refund", options{}), squatter}})
	if diff := cmp.Diff([]string{"submit-refund strict", "aaa DuplicateToolName"}, said(r)); diff != "" {
		t.Error(diff)
	}
}
