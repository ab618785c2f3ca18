// SPDX-License-Identifier: Apache-2.0

package toolset_test

import (
	"cmp"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/manifest"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/toolset"
)

// guide has one set with its contracts, some files that are rendered from it, and
// two tables of what the profiles say.
const guide = "../../docs/guides/tool-sets.md"

func readGuide(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestTheGuideHolds renders the set of the guide.
func TestTheGuideHolds(t *testing.T) {
	t.Parallel()
	text := readGuide(t)
	blocks := regexp.MustCompile("(?s)```(yaml|json [^\n]*)\n(.*?)```").FindAllStringSubmatch(text, -1)
	if len(blocks) != 4 || strings.Count(text, "```") != 8 {
		t.Fatalf("the guide has %d blocks that can be checked, and %d fences", len(blocks), strings.Count(text, "```"))
	}
	contracts := map[string]*v1alpha1.ToolContract{}
	var set *v1alpha1.ToolSet
	for d := range (manifest.Source{Name: "guide", Data: []byte(blocks[0][2])}).Documents() {
		switch {
		case len(d.Findings) > 0:
			t.Fatalf("%s: %v", d.Name, d.Findings)
		case d.IsSet:
			set = d.Set
		default:
			contracts[d.Name] = d.Contract
		}
	}
	files := map[string]string{}
	for _, profile := range set.Spec.Profiles {
		r := toolset.Render(asRequest(t, set, contracts, profile))
		if r.Included != len(contracts) || r.Reason != v1alpha1.ReasonPublished {
			t.Errorf("%s: %s", profile.Profile, r.Message)
		}
		files["json tools "+profile.Profile] = r.Bundle.Files[v1alpha1.FileTools]
		files["json request "+profile.Profile] = r.Bundle.Files[v1alpha1.FileRequest]
	}
	for _, block := range blocks[1:] {
		if diff := gocmp.Diff(block[2], files[block[1]]); diff != "" {
			t.Errorf("%s (-guide +rendered):\n%s", block[1], diff)
		}
	}
}

func asRequest(t *testing.T, set *v1alpha1.ToolSet, contracts map[string]*v1alpha1.ToolContract, spec v1alpha1.SetProfile) toolset.Request {
	t.Helper()
	request := toolset.Request{Set: set.Name, Profile: profile(t, spec.Profile), Models: spec.Models, Groups: set.Spec.Groups, TokenBudget: int(*cmp.Or(spec.TokenBudget, new(int32)))}
	add := func(name, group string, deferLoading bool) {
		if slices.ContainsFunc(request.Tools, func(t toolset.Tool) bool { return t.Contract == name }) {
			return
		}
		c := contracts[name]
		content, findings := evaluate.Read(&c.Spec.ToolContent)
		if content == nil {
			t.Fatalf("%s: %v", name, findings)
		}
		i := slices.IndexFunc(c.Spec.Targets, func(t v1alpha1.Target) bool { return t.Profile == spec.Profile })
		request.Tools = append(request.Tools, toolset.Tool{
			Namespace: c.Namespace, Contract: name, Content: content, Digest: content.Digest(), Target: &c.Spec.Targets[i], Group: group, DeferLoading: deferLoading,
		})
	}
	for _, ref := range set.Spec.Tools {
		add(ref.Contract, ref.Group, ref.DeferLoading)
	}
	for _, selector := range set.Spec.Selectors {
		selects, err := metav1.LabelSelectorAsSelector(&selector.Labels)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"get-order", "list-orders"} {
			if selects.Matches(labels.Set(contracts[name].Labels)) {
				add(name, selector.Group, selector.DeferLoading)
			}
		}
	}
	return request
}

// TestTheTablesOfTheGuideAreThoseOfTheProfiles compares them with the facts.
func TestTheTablesOfTheGuideAreThoseOfTheProfiles(t *testing.T) {
	t.Parallel()
	limits := []string{"| profile | limits |", "|---|---|"}
	members := []string{"| profile | strict tools need | functions beside tools of the API need | tools of MCP servers need |", "|---|---|---|---|"}
	for _, name := range provider.Builtin().Names() {
		p := profile(t, name)
		var of []string
		for _, l := range p.Limits {
			if l.Per != provider.LimitPerRequest || l.Severity != "Error" {
				continue
			}
			words := provider.MeasureWords(l.Measure)
			if l.Mode == provider.Strict && !strings.HasPrefix(words, "strict") {
				of = append(of, fmt.Sprintf("strict: %d %s", l.Max, words))
			} else {
				of = append(of, fmt.Sprintf("%d %s", l.Max, words))
			}
		}
		if len(of) > 0 {
			limits = append(limits, fmt.Sprintf("| `%s` | %s |", name, strings.Join(of, "; ")))
		}
		if row := membersOf(p); row != "| – | – | – |" {
			members = append(members, fmt.Sprintf("| `%s` %s", name, row))
		}
	}
	for _, want := range [][]string{limits, members} {
		table := strings.Join(want, "\n") + "\n"
		if !strings.Contains(readGuide(t), table) {
			t.Errorf("the guide lacks this table, as the profiles have it:\n%s", table)
		}
	}
}

func membersOf(p *provider.Profile) string {
	column := func(parts []string) string { return cmp.Or(strings.Join(parts, "; "), "–") }
	written := func(members []provider.RequestMember) []string {
		var out []string
		for _, m := range members {
			out = append(out, fmt.Sprintf("`%s: %s`", m.Path, m.Get().JSON()))
		}
		return out
	}
	strict, beside := written(p.Request.Strict), written(p.Request.BesideBuiltIn)
	if p.Request.StrictEndpoint != "" {
		strict = append(strict, "the endpoint `"+p.Request.StrictEndpoint+"`")
	}
	if p.Request.StrictBesideBuiltIn {
		beside = append(beside, "they are strict")
	}
	var servers []string
	if p.ToolTypes.MCP != nil {
		for _, h := range p.ToolTypes.MCP.RequestHeaders {
			servers = append(servers, "the header `"+h+"`")
		}
		if p.WireFormat == "anthropic-messages" {
			servers = append(servers, "`mcp_servers`")
		}
	}
	return fmt.Sprintf("| %s | %s | %s |", column(strict), column(beside), column(servers))
}
