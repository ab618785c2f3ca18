// SPDX-License-Identifier: Apache-2.0

package catalogue

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/card"
	"github.com/toolcontract/operator/internal/change"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/testkit/contracts"
	"github.com/toolcontract/operator/internal/toolset"
)

// shown makes what a catalogue shows of a contract.
func shown(t testing.TB, namespace string, c *v1alpha1.ToolContract) *Contract {
	t.Helper()
	content, findings := evaluate.Read(&c.Spec.ToolContent)
	out := &Contract{Name: Name{namespace, c.Name}, Origin: c.Name + ".yaml:1", ToolName: c.Spec.ToolName, Content: content, Findings: findings}
	for _, target := range c.Spec.Targets {
		out.Wanted = append(out.Wanted, target.Profile)
	}
	if content != nil {
		out.Targets = evaluate.Targets(c.Name, content, c.Spec.Targets, provider.Builtin())
		out.Lint = evaluate.Lint(content, c.Spec.Acknowledge)
		out.Revisions = []Revision{{Content: content, Origin: out.Origin}}
	}
	return out
}

// modelOf is a catalogue of contracts and sets.
func modelOf(list []*Contract, sets ...*Set) *Model {
	slices.SortFunc(list, func(a, b *Contract) int { return a.Compare(b.Name) })
	return &Model{Title: "Tools", Source: "Made for a test", Contracts: slices.Values(list), Sets: sets, Profiles: provider.Builtin()}
}

// setOf is a set of contracts for one profile.
func setOf(name, profile string, list ...*Contract) *Set {
	facts, _ := provider.Builtin().Lookup(profile)
	r := toolset.Request{Set: name, Profile: facts}
	for _, c := range list {
		tool := toolset.Tool{Namespace: c.Namespace, Contract: c.Name.Name, Content: c.Content, Digest: c.Content.Digest()}
		for _, target := range c.Targets {
			if target.Spec.Profile == profile {
				tool.Target = &target.Spec
			}
		}
		r.Tools = append(r.Tools, tool)
	}
	return &Set{Name: Name{"shop", name}, Origin: "set.yaml:1", Profiles: []SetProfile{{Profile: profile, Result: toolset.Render(r), TokenBudget: 5000, Digest: "sha256:x"}}}
}

// TestProject has all contracts of the project, one of each kind among them, an
// invalid one, a refused version, and a set.
func TestProject(t *testing.T) {
	t.Parallel()
	invalid := 0
	model := func() *Model {
		invalid = 0
		var list []*Contract
		for i, c := range contracts.All(t) {
			shownOne := shown(t, []string{"shop", "stock"}[i%2], c)
			shownOne.Name.Name = fmt.Sprintf("%s-%d", c.Name, i)
			list = append(list, shownOne)
		}
		refund := shown(t, "shop", contracts.Read(t, "config/samples/create-refund-draft.yaml"))
		next := *refund.Content
		next.Version = refund.Content.Version.Next(contract.Patch)
		next.Execution.Risk = "Critical"
		refund.Revisions = append(refund.Revisions, Revision{
			Content: &next, Origin: "next.yaml:1", Before: refund.Content, Change: change.Compare(refund.Content, &next, next.Version.Next(contract.Major)),
		})
		refund.Conditions = []Condition{{"Ready", "False", "MajorBumpRequired", "a <b>message</b>"}}
		refund.Channels = []Channel{{"1", "create-refund-draft-v1.0.0", "create-refund-draft-v1", "sha256:0"}}
		refund.Broken = []Broken{{"broken.yaml:3", "9", []finding.Finding{{Rule: "field-missing", Severity: finding.Error, Pointer: "/spec", Message: "it is not there", Fix: "add it"}}}}
		broken := contracts.Read(t, "config/samples/get-inventory.yaml")
		broken.Name, broken.Spec.Version = "broken", "1"
		list = append(list, refund, shown(t, "shop", broken))
		for _, c := range list {
			if c.Content == nil {
				invalid++
			}
		}
		return modelOf(list, setOf("assistant", "openai-responses", refund))
	}
	files, sum := built(t, model)
	checkPages(t, files)
	if invalid < 2 || sum.Invalid != invalid || sum.Refused != 1 || sum.Sets != 1 || sum.Files != len(files) {
		t.Errorf("got %+v", sum)
	}
	page := files["contracts/shop_create-refund-draft.html"]
	for _, want := range []string{
		"refused, and what was served stays", "Sets that hold it", "../sets/shop_assistant.html", "MajorBumpRequired",
		"a &lt;b&gt;message&lt;/b&gt;", "The exact bytes of", "broken.yaml:3", "<del>", "../rules/", "never shown",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
	listed, ok := ReadMarker([]byte(files[Marker]))
	if want := slices.DeleteFunc(slices.Sorted(maps.Keys(files)), func(n string) bool { return n == Marker }); !ok || !slices.Equal(listed, want) {
		t.Errorf("the marker lists %v", listed)
	}
}

// TestHostile has texts that would like to be more than texts, in every place that
// an author writes into.
func TestHostile(t *testing.T) {
	t.Parallel()
	const (
		tag   = `</script></pre><script>alert(1)</script><img src=x onerror=alert(1)>`
		quote = `" onmouseover="alert(1)' style='x`
		bidi  = "abc\u202egpj.exe\u2066\u200b\ufeff"
		ansi  = "\x1b[2J\x07\x00\u009b31m"
		marks = "e\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301"
		url   = `javascript:alert(1) {{.}} <style>*{display:none}</style> ]]> <!--`
	)
	evil := tag + quote + bidi + ansi + marks + url
	hostile := func() *Model {
		c := shown(t, evil, contracts.Read(t, "config/samples/create-refund-draft.yaml"))
		c.Name.Name, c.Origin, c.ToolName = evil, evil, evil
		content := *c.Content
		content.ToolName, content.Title, content.Description = evil, evil, contract.Description{Summary: evil}
		content.Output.Errors = []contract.OutputError{{Code: evil, Category: evil, Recovery: evil, SafeMessage: evil}}
		content.Execution.Credentials, content.Execution.IdempotencyKey, content.Execution.IdempotencyMode = evil, evil, "Key"
		content.Input.SessionParameters = []contract.SessionParameter{{Name: evil, Source: evil}}
		next := content
		next.Version, next.Title = content.Version.Next(contract.Major), "other "+evil
		c.Content = &content
		bad := finding.Finding{Rule: evil, Severity: finding.Error, Pointer: "/" + evil, Message: evil, Fix: evil}
		c.Findings = []finding.Finding{bad}
		c.Targets[0].Findings = append(c.Targets[0].Findings, bad)
		c.Targets[1].Bytes = []byte(evil)
		c.Targets[2].Spec.Models = []string{evil}
		c.Targets = append(c.Targets, evaluate.Target{Spec: v1alpha1.Target{Profile: evil}, Findings: []finding.Finding{bad}})
		c.Revisions = []Revision{{Content: &content, Origin: evil}, {Content: &next, Origin: evil, Before: &content, Change: change.Compare(&content, &next, next.Version)}}
		c.Broken = []Broken{{evil, evil, []finding.Finding{bad}}}
		c.Conditions, c.Channels = []Condition{{evil, evil, evil, evil}}, []Channel{{evil, evil, evil, evil}}
		lost := &Contract{Name: Name{"", ""}, ToolName: evil, Wanted: []string{evil}, Findings: []finding.Finding{bad}}
		set := setOf("x", "openai-responses", c)
		set.Name, set.Origin, set.Findings = Name{evil, evil}, evil, []finding.Finding{bad}
		set.Profiles = append(set.Profiles, SetProfile{Profile: evil, Findings: []finding.Finding{bad}, Models: []string{evil}})
		m := modelOf([]*Contract{c, lost}, set)
		m.Title, m.Source, m.Notes = evil, evil, []string{evil}
		return m
	}
	files, _ := built(t, hostile)
	checkPages(t, files)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if strings.ContainsFunc(name, func(r rune) bool { return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789-_./", r) }) || strings.Contains(name, "..") {
			t.Errorf("the name %q", name)
		}
		for i, r := range files[name] {
			if r != '\n' && card.Hidden(r) && name != Marker {
				t.Fatalf("%s: the character %U is in it: %q", name, r, files[name][max(0, i-30):i])
			}
		}
	}
	if page := files["index.html"]; !strings.Contains(page, `\u202e`) || !strings.Contains(page, `\x1b`) {
		t.Error("the hidden characters are not said")
	}
}

// TestLong has texts as long as a contract can hold; no page grows out of bounds.
func TestLong(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 18<<10)
	files, _ := built(t, func() *Model {
		api := contracts.Read(t, "config/samples/create-refund-draft.yaml")
		api.Spec.Description.Summary = long
		return modelOf([]*Contract{shown(t, "shop", api)})
	})
	checkPages(t, files)
	for name, text := range files {
		if limit := 24 * len(long); len(text) > limit {
			t.Errorf("%s has %d bytes, more than %d", name, len(text), limit)
		}
	}
}

// TestEmpty has no contract.
func TestEmpty(t *testing.T) {
	t.Parallel()
	files, sum := built(t, func() *Model { return modelOf(nil) })
	checkPages(t, files)
	if diff := cmp.Diff([]string{"catalogue.json", "contracts.html", "findings.html", "icon.svg", "index.html", "profiles.html", "style.css"}, slices.Sorted(maps.Keys(files))); diff != "" {
		t.Error(diff)
	}
	if sum.Contracts != 0 {
		t.Errorf("got %+v", sum)
	}
}

// TestMany has more contracts than the overview shows one by one.
func TestMany(t *testing.T) {
	t.Parallel()
	model := func() *Model { return many(t, 330, 1) }
	files, sum := built(t, model)
	if sum.Contracts != 330 {
		t.Errorf("got %+v", sum)
	}
	checkPages(t, files)
	for _, name := range []string{"namespaces/team-0.html", "namespaces/team-0__2.html"} {
		if files[name] == "" {
			t.Errorf("there is no %s", name)
		}
	}
	if page := files["rules/keyword-not-enforced.html"]; strings.Count(page, "<li class=\"warning\">") > maxShown || !strings.Contains(page, "Also in") {
		t.Errorf("the page of a rule shows everything")
	}
}

// many are contracts that differ in their names only.
func many(t testing.TB, n, namespaces int) *Model {
	all := contracts.All(t)
	var list []*Name
	for i := range n {
		list = append(list, &Name{fmt.Sprintf("team-%d", i%namespaces), fmt.Sprintf("tool-%04d", i)})
	}
	slices.SortFunc(list, func(a, b *Name) int { return a.Compare(*b) })
	return &Model{Title: "Tools", Source: "Made for a test", Profiles: provider.Builtin(), Contracts: func(yield func(*Contract) bool) {
		for i, name := range list {
			c := shown(t, name.Namespace, all[i%len(all)])
			c.Name = *name
			if !yield(c) {
				return
			}
		}
	}}
}

// TestStops ends with the first file that cannot be written.
func TestStops(t *testing.T) {
	t.Parallel()
	full := errors.New("the disk is full")
	written := 0
	_, err := Build(many(t, 30, 3), func(string, []byte) error {
		if written++; written == 10 {
			return full
		}
		return nil
	})
	if !errors.Is(err, full) || written != 10 {
		t.Errorf("after %d files: %v", written, err)
	}
}

// BenchmarkBuild makes the pages of 1,000 contracts, rendering included.
func BenchmarkBuild(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		sum, err := Build(many(b, 1000, 12), func(string, []byte) error { return nil })
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(sum.Bytes)/float64(sum.Contracts), "bytes/contract")
	}
}
