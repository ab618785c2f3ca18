// SPDX-License-Identifier: Apache-2.0

package toolset_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/render"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/toolset"
)

// randomTools makes tools of every type, some of them with equal names.
func randomTools(t testing.TB, rng *rand.Rand) []toolset.Tool {
	t.Helper()
	var out []toolset.Tool
	for i := range 3 + rng.IntN(24) {
		contract := fmt.Sprintf("c%02d", i)
		name := fmt.Sprintf("get_%02d", rng.IntN(40))
		switch rng.IntN(12) {
		case 0:
			label := []string{"shop", "stock"}[rng.IntN(2)]
			out = append(out, mcp(t, contract, name, label, fmt.Sprintf("do_%d", rng.IntN(4))))
		case 1:
			kind := []string{"web_search", "googleSearch", "web_search_20260318"}[rng.IntN(3)]
			word := kind
			if kind == "web_search_20260318" {
				word = "web_search"
			}
			out = append(out, builtIn(t, contract, word, kind))
		default:
			o := options{optional: rng.IntN(9), unions: rng.IntN(5)}
			o.strict = []v1alpha1.StrictPolicy{"", "", "", required, disabled}[rng.IntN(5)]
			if rng.IntN(3) == 0 {
				o.adaptation = v1alpha1.EffectReshape
			}
			out = append(out, tool(t, contract, name, o))
		}
		last := &out[len(out)-1]
		last.DeferLoading = rng.IntN(4) == 0
		last.Group = []string{"", "", "g", "h", "unknown"}[rng.IntN(5)]
	}
	return out
}

func groups() []v1alpha1.ToolGroup {
	return []v1alpha1.ToolGroup{{Name: "g", Description: "First."}, {Name: "h", Description: "Second."}}
}

// asServed marks what a result holds, and asKept copies it.
func asServed(request toolset.Request, r *toolset.Result) toolset.Request {
	request.Tools = slices.Clone(request.Tools)
	for i := range request.Tools {
		request.Tools[i].Served = r.Tools[i].Included
	}
	return request
}

func asKept(t testing.TB, request toolset.Request, r *toolset.Result) toolset.Request {
	t.Helper()
	published, err := toolset.ReadPublished(r.Bundle.Files)
	if err != nil {
		t.Fatal(err)
	}
	tools := request.Tools
	request.Tools = nil
	for i, p := range published.Tools {
		k := slices.IndexFunc(tools, func(t toolset.Tool) bool { return t.Contract == p.Contract })
		if group := tools[k].Group; p.Group != "" && p.Group != group {
			t.Errorf("%s is read back from the group %s, want %s", p.Contract, p.Group, group)
		}
		request.Tools = append(request.Tools, toolset.Tool{Namespace: p.Namespace, Contract: p.Contract, Group: tools[k].Group, Kept: &published.Tools[i].Kept})
	}
	return request
}

func digest(r *toolset.Result) string {
	if r.Bundle == nil {
		return "nothing: " + r.Message
	}
	return r.Bundle.Digest
}

// contracts are the names of the tools in manifest.json.
func contracts(t testing.TB, r *toolset.Result) []string {
	t.Helper()
	published, err := toolset.ReadPublished(r.Bundle.Files)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range published.Tools {
		out = append(out, p.Contract)
	}
	return out
}

// TestProperties: what holds for every set and every profile.
func TestProperties(t *testing.T) {
	t.Parallel()
	for _, name := range provider.Builtin().Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(12) {
				rng := rand.New(rand.NewPCG(seed, 7))
				request := toolset.Request{Set: "s", Profile: profile(t, name), Tools: randomTools(t, rng), Groups: groups()}
				r := toolset.Render(request)
				if r.Bundle == nil {
					t.Fatalf("seed %d: nothing is published: %s", seed, r.Message)
				}
				if got := digest(toolset.Render(request)); got != r.Bundle.Digest {
					t.Errorf("seed %d: the same request has two results", seed)
				}
				if next := toolset.Render(asServed(request, r)); digest(next) != r.Bundle.Digest {
					t.Errorf("seed %d: rendered over itself it is something else (-first +second):\n%s", seed, cmp.Diff(said(r), said(next)))
				}
				kept := toolset.Render(asKept(t, request, r))
				if digest(kept) != r.Bundle.Digest {
					t.Errorf("seed %d: copied it is something else (-first +second):\n%s", seed, cmp.Diff(r.Bundle.Files, kept.Bundle.Files))
				}
				if kept.Strict != r.Strict || kept.Tokens != r.Tokens {
					t.Errorf("seed %d: copied it has %d strict tools and %d tokens, want %d and %d", seed, kept.Strict, kept.Tokens, r.Strict, r.Tokens)
				}
				order(t, seed, r)
				changes(t, seed, rng, request, r)
				split(t, seed, request, r)
			}
		})
	}
}

// order: the files hold the tools in the order of the request.
func order(t *testing.T, seed uint64, r *toolset.Result) {
	t.Helper()
	var want []string
	for _, tool := range r.Tools {
		if tool.Included {
			want = append(want, tool.Contract)
		}
	}
	if diff := cmp.Diff(want, contracts(t, r)); diff != "" {
		t.Errorf("seed %d: the order of the files (-want +got):\n%s", seed, diff)
	}
	tools, failed := schema.Parse([]byte(r.Bundle.Files[v1alpha1.FileTools]))
	if failed != nil {
		t.Fatal(failed)
	}
	if got := len(render.Parts(tools)); got != r.Included {
		t.Errorf("seed %d: tools.json has %d tools, want %d", seed, got, r.Included)
	}
}

// changes: tools come and go and change places, and nothing that is served and
// stays in the set is left out.
func changes(t *testing.T, seed uint64, rng *rand.Rand, request toolset.Request, r *toolset.Result) {
	t.Helper()
	served := asServed(request, r)
	all := randomTools(t, rng)
	for i := range all {
		all[i].Contract = "new-" + all[i].Contract
	}
	for _, tool := range served.Tools {
		if rng.IntN(5) > 0 {
			all = append(all, tool)
		}
	}
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	served.Tools = all
	next := toolset.Render(served)
	for i, tool := range next.Tools {
		if all[i].Served && !tool.Included {
			t.Errorf("seed %d: %s is served and left out: %s, %s", seed, tool.Contract, tool.Reason, tool.Message)
		}
	}
}

// split: a proposed split fits.
func split(t *testing.T, seed uint64, request toolset.Request, r *toolset.Result) {
	t.Helper()
	for _, names := range r.Split {
		part := request
		part.Tools = nil
		for _, name := range names {
			i := slices.IndexFunc(request.Tools, func(t toolset.Tool) bool { return "shop/"+t.Contract == name })
			part.Tools = append(part.Tools, request.Tools[i])
		}
		if next := toolset.Render(part); next.Included != len(names) || next.Split != nil {
			t.Errorf("seed %d: the part %v does not fit: %s", seed, names, next.Message)
		}
	}
}

// TestFewDemotions holds the tools that lose their strictness against the fewest
// that could: where two limits are exceeded at once, the order can cost one more.
func TestFewDemotions(t *testing.T) {
	t.Parallel()
	p := profile(t, "anthropic-messages")
	more, tries := 0, 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 3))
		var tools []toolset.Tool
		var sizes [][2]int
		for i := range 6 + rng.IntN(7) {
			size := [2]int{rng.IntN(10), rng.IntN(6)}
			sizes = append(sizes, size)
			tools = append(tools, tool(t, fmt.Sprintf("c%02d", i), fmt.Sprintf("get_%02d", i), options{optional: size[0], unions: size[1]}))
		}
		r := toolset.Render(toolset.Request{Set: "s", Profile: p, Tools: tools})
		fewest := len(sizes)
		for keep := range 1 << len(sizes) {
			optional, unions := 0, 0
			for i, size := range sizes {
				if keep>>i&1 == 1 {
					optional, unions = optional+size[0], unions+size[1]
				}
			}
			if optional <= 24 && unions <= 16 {
				fewest = min(fewest, len(sizes)-bits.OnesCount(uint(keep)))
			}
		}
		demoted := len(sizes) - r.Strict
		if demoted > fewest+1 {
			t.Errorf("seed %d: %d tools lose their strictness, and %d would do: %v", seed, demoted, fewest, sizes)
		}
		tries++
		if demoted > fewest {
			more++
		}
	}
	t.Logf("in %d of %d sets one tool more than needed loses its strictness", more, tries)
	if more*25 > tries {
		t.Errorf("in %d of %d sets one tool more than needed loses its strictness", more, tries)
	}
}
