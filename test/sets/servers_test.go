// SPDX-License-Identifier: Apache-2.0

package sets

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/importer"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/testkit/corpus"
	"github.com/toolcontract/operator/internal/toolset"
)

// source is a published server, or a public collection, as the tools of a set.
type source struct {
	name string
	// read counts the tools of the source, of which some make no contract: names and
	// types that no API takes.
	read  int
	tools []toolset.Tool
}

func sources(t *testing.T) []source {
	t.Helper()
	var out []source
	whole := 0
	for _, path := range corpus.Files(t, "tools/npm/*.jsonl", "tools/*.jsonl") {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		contracts, report, isList := importer.Import(data, importer.Options{Version: "1.0.0", Targets: []v1alpha1.Target{{Profile: "mcp-2025-11-25"}}})
		if !isList {
			t.Fatalf("%s: it is no list of tools: %v", path, report)
		}
		s := source{name: strings.TrimSuffix(filepath.Base(path), ".jsonl"), read: strings.Count(string(data), "\n")}
		for _, c := range contracts {
			content, _ := evaluate.Read(&c.Spec.ToolContent)
			if content != nil {
				s.tools = append(s.tools, toolset.Tool{Namespace: "servers", Contract: c.Name, Content: content, Digest: content.Digest()})
			}
		}
		out = append(out, s)
		whole += len(s.tools)
	}
	if whole < 1000 {
		t.Fatalf("the sources have only %d contracts together; are they all there?", whole)
	}
	return out
}

// wanting has one target for every tool.
func wanting(tools []toolset.Tool, strict v1alpha1.StrictPolicy) []toolset.Tool {
	out := make([]toolset.Tool, len(tools))
	for i, t := range tools {
		t.Target = &v1alpha1.Target{Strict: strict, Adaptation: v1alpha1.EffectReshape}
		out[i] = t
	}
	return out
}

// TestWholeServersAsSets publishes every real server as one set for every profile.
// What is published obeys the profile; what does not fit is named, and the
// proposed split fits.
func TestWholeServersAsSets(t *testing.T) {
	t.Parallel()
	policies := []v1alpha1.StrictPolicy{v1alpha1.StrictPreferred, v1alpha1.StrictRequired}
	all := sources(t)
	names := provider.Builtin().Names()
	var lock sync.Mutex
	cells := map[string]string{}
	t.Run("sources", func(t *testing.T) {
		for _, s := range all {
			if len(s.tools) == 0 { // its types are no JSON Schema; the table says so
				continue
			}
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				for _, name := range names {
					p, _ := provider.Builtin().Lookup(name)
					for _, policy := range policies {
						request := toolset.Request{Set: "server", Profile: p, Tools: wanting(s.tools, policy)}
						r := toolset.Render(request)
						check(t, fmt.Sprintf("%s, strict: %s", name, policy), request, r)
						lock.Lock()
						cells[s.name+name+string(policy)] = cell(r)
						lock.Unlock()
					}
				}
			})
		}
	})
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "source\ttools\tcontracts\tstrict\t"+strings.Join(names, "\t"))
	for _, s := range all {
		for _, policy := range policies {
			fmt.Fprintf(w, "%s\t%d\t%d\t%s", s.name, s.read, len(s.tools), policy)
			for _, name := range names {
				fmt.Fprint(w, "\t"+cells[s.name+name+string(policy)])
			}
			fmt.Fprintln(w)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	t.Log("published/demoted/incompatible/excluded by others, and into how many sets the split goes\n" + table.String())
}

// cell says the result in the table.
func cell(r *toolset.Result) string {
	demoted, incompatible, excluded := 0, 0, 0
	for _, tool := range r.Tools {
		switch {
		case tool.Demoted:
			demoted++
		case tool.Included:
		case tool.Reason == v1alpha1.ReasonIncompatible:
			incompatible++
		default:
			excluded++
		}
	}
	published := "-"
	if r.Bundle != nil {
		published = fmt.Sprint(r.Included)
	}
	out := fmt.Sprintf("%s/%d/%d/%d", published, demoted, incompatible, excluded)
	if r.Split != nil {
		out += fmt.Sprintf(" %dx", len(r.Split))
	}
	return out
}

// splits reports whether a tool is left out for what a split helps against.
func splits(tool toolset.ToolResult) bool {
	return !tool.Included && (tool.Reason == v1alpha1.ReasonRequestLimit || tool.Reason == v1alpha1.ReasonStrictForAll)
}

// check holds a result to the profile and to itself.
func check(t *testing.T, what string, request toolset.Request, r *toolset.Result) {
	t.Helper()
	in, split := 0, r.TooLarge != nil
	for _, tool := range r.Tools {
		if tool.Included {
			in++
		}
		if (!tool.Included || tool.Demoted) && (tool.Reason == "" || tool.Pointer == "" || tool.Message == "") {
			t.Errorf("%s: %s is left out or demoted without a reason, a pointer and a message", what, tool.Contract)
		}
		if tool.Demoted && request.Tools[0].Target.Strict == v1alpha1.StrictRequired {
			t.Errorf("%s: %s demands strictness and is demoted", what, tool.Contract)
		}
		split = split || splits(tool)
	}
	if in != r.Included {
		t.Errorf("%s: %d tools are in, and the result says %d", what, in, r.Included)
	}
	if (r.Bundle == nil) != (r.TooLarge != nil) {
		t.Errorf("%s: something is published although it is too large, or nothing although it is not", what)
	}
	if r.TooLarge != nil && (len(r.TooLarge.Tools) != in || r.TooLarge.Tools[0].Bytes < r.TooLarge.Tools[in-1].Bytes) {
		t.Errorf("%s: the sizes of %d tools are named, the largest first; want %d", what, len(r.TooLarge.Tools), in)
	}
	if r.Bundle != nil {
		if why := obeys(request.Profile, r.Bundle.Files, r.Included); why != "" {
			t.Errorf("%s: what is published is refused: %s", what, why)
		}
		again(t, what, request, r)
	}
	if split && r.Split == nil {
		t.Errorf("%s: does not fit, and no split is proposed: %s", what, r.Message)
	}
	if r.Split != nil {
		applied(t, what, request, r)
	}
}

// again renders what is published once more: with every tool an incumbent, and
// with every tool copied from it, the bytes are the same.
func again(t *testing.T, what string, request toolset.Request, r *toolset.Result) {
	t.Helper()
	published, err := toolset.ReadPublished(r.Bundle.Files)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	kept := map[string]*toolset.Kept{}
	for i := range published.Tools {
		kept[published.Tools[i].Contract] = &published.Tools[i].Kept
	}
	served, copied := request, request
	served.Tools, copied.Tools = nil, nil
	for _, tool := range request.Tools {
		tool.Served = kept[tool.Contract] != nil
		served.Tools = append(served.Tools, tool)
		if tool.Served {
			tool.Kept, tool.Content, tool.Target = kept[tool.Contract], nil, nil
			copied.Tools = append(copied.Tools, tool)
		}
	}
	if next := toolset.Render(copied); next.Bundle == nil || next.Bundle.Digest != r.Bundle.Digest {
		t.Errorf("%s: copied it is something else: %s", what, next.Message)
	}
	if len(request.Tools) > 200 { // the same at greater cost; see the smaller ones
		return
	}
	if next := toolset.Render(served); next.Bundle == nil || next.Bundle.Digest != r.Bundle.Digest {
		t.Errorf("%s: rendered again it is something else: %s", what, next.Message)
	}
}

// applied makes the sets of a proposed split: each publishes all its tools, and
// none of the tools that a split helps is missing.
func applied(t *testing.T, what string, request toolset.Request, r *toolset.Result) {
	t.Helper()
	byName := map[string]toolset.Tool{}
	missing := map[string]bool{}
	for i, tool := range request.Tools {
		name := tool.Namespace + "/" + tool.Contract
		byName[name] = tool
		if r.Tools[i].Included || splits(r.Tools[i]) {
			missing[name] = true
		}
	}
	for i, names := range r.Split {
		part := request
		part.Tools = nil
		for _, name := range names {
			part.Tools = append(part.Tools, byName[name])
			delete(missing, name)
		}
		next := toolset.Render(part)
		if next.Bundle == nil || next.Included != len(names) || next.Split != nil {
			t.Errorf("%s: part %d of the split is no set by itself: %s", what, i+1, next.Message)
			continue
		}
		if why := obeys(request.Profile, next.Bundle.Files, next.Included); why != "" {
			t.Errorf("%s: part %d of the split is refused: %s", what, i+1, why)
		}
	}
	if len(missing) > 0 {
		t.Errorf("%s: the split lacks %d tools", what, len(missing))
	}
}
