// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/finding"
)

func TestFoldedNames(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ fold, name, want string }{
		{"", "get.order-now", "get.order-now"},
		{"-.", "get.order-now", "get_order_now"},
		{".", "get.order-now", "get_order-now"},
		{"-.", "订.单", "订_单"},
	} {
		if got := (RequestFacts{NamesFold: test.fold}).Folded(test.name); got != test.want {
			t.Errorf("%s with %q is %s, want %s", test.name, test.fold, got, test.want)
		}
	}
}

func TestWrongRequestFactsAreRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ facts, pointer, says string }{
		"a path that is none":        {`strict: [{path: "a..b", value: true}], ` + evidenced, "/request/strict/0/path", "is no path"},
		"a member without a value":   {"besideBuiltIn: [{path: a.b}], " + evidenced, "/request/besideBuiltIn/0/value", "there is no value"},
		"an endpoint without https":  {"strictEndpoint: http://api.example.com, " + evidenced, "/request/strictEndpoint", "is no https URL"},
		"a search tool that is none": {"searchTools: [a b], " + evidenced, "/request/searchTools/0", "is no type"},
		"letters that fold":          {`namesFold: "ab", ` + evidenced, "/request/namesFold", "are no such characters"},
		"no source":                  {"deferLoading: true, confidence: High, sources: []", "/request/sources", "needs a source"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := fmt.Appendf(child("gateway", "openai-responses", "Rejected"), "request: {%s}\n", test.facts)
			_, broken := Builtin().With(map[string][]byte{"gateway": file}, allFormats)
			if !slices.ContainsFunc(broken["gateway"], func(f finding.Finding) bool {
				return f.Pointer == test.pointer && strings.Contains(f.Message, test.says)
			}) {
				t.Errorf("nothing says %q at %s: %v", test.says, test.pointer, broken["gateway"])
			}
		})
	}
}

// TestSearchToolsAreToolsOfTheAPI: what finds deferred tools can be in a set, if
// anything is known of the tools that the API brings along.
func TestSearchToolsAreToolsOfTheAPI(t *testing.T) {
	t.Parallel()
	for _, name := range Builtin().Names() {
		p, _ := Builtin().Lookup(name)
		for _, kind := range p.Request.SearchTools {
			if _, known := p.BuiltIn(kind); !known && len(p.ToolTypes.BuiltIn) > 0 {
				t.Errorf("%s finds deferred tools by %s, which is none of its tools", name, kind)
			}
		}
		if p.Request.DeferLoading && len(p.Request.SearchTools) == 0 {
			t.Errorf("%s defers tools, and nothing finds them", name)
		}
	}
}
