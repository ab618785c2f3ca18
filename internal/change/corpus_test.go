// SPDX-License-Identifier: Apache-2.0

package change

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/corpus"
)

// historyStep is one step in the history of a real tool; a tool that came or
// went has one side only.
type historyStep struct {
	Source, Tool, Version string
	Old, New              *corpus.Tool
}

// historyPair is one change of a real tool.
type historyPair struct {
	historyStep
	name     string
	old, new *contract.Content
}

// histories are all pairs, with the numbers of tools that came, went or were
// not admitted.
type histories struct {
	pairs               []historyPair
	came, went, refused int
}

func history(t testing.TB) histories {
	t.Helper()
	var h histories
	for _, file := range corpus.Files(t, "history/*.jsonl") {
		for step := range corpus.Lines[historyStep](t, file) {
			switch {
			case step.Old == nil:
				h.came++
				continue
			case step.New == nil:
				h.went++
				continue
			}
			old, okOld := wrap(*step.Old, "1.4.2")
			next, okNew := wrap(*step.New, "1.5.0")
			if !okOld || !okNew {
				h.refused++
				continue
			}
			h.pairs = append(h.pairs, historyPair{step, step.Source + " " + step.Version + " " + step.Tool, old, next})
		}
	}
	return h
}

// wrap makes a content of an MCP tool. Tools of the corpus often name draft-07;
// what they use of it means the same in 2020-12.
func wrap(t corpus.Tool, version string) (*contract.Content, bool) {
	v, err := contract.ParseVersion(version)
	if err != nil {
		return nil, false
	}
	c := &contract.Content{Version: v, ToolName: t.Name, Title: t.Title}
	c.Description.Summary = t.Description
	var ok bool
	if c.Input.Schema, ok = read(t.InputSchema); !ok {
		return nil, false
	}
	if c.Output.Schema, ok = read(t.OutputSchema); !ok {
		return nil, false
	}
	return c, true
}

func read(text json.RawMessage) (*schema.Schema, bool) {
	if len(text) == 0 || string(text) == "null" {
		return nil, true
	}
	v, failed := schema.Parse(text)
	if failed != nil {
		return nil, false
	}
	if v.Get("$schema") != nil && v.Get("$schema").Text() != schema.Dialect {
		v = v.Without("$schema")
	}
	s, findings := schema.Admit(v)
	if finding.HasErrors(findings) {
		return nil, false
	}
	if _, findings := s.Compile(); len(findings) > 0 {
		return nil, false
	}
	return s, true
}

// kindOf names what decided about a pair: the rules with the highest bump,
// without the side.
func kindOf(r Report) string {
	if len(r.Findings) == 0 {
		return "nothing that a contract holds"
	}
	var words []string
	for _, f := range r.Findings {
		if f.Bump == r.Required {
			words = append(words, kindWords(f))
		}
	}
	slices.Sort(words)
	words = slices.Compact(words)
	if len(words) > 1 {
		return "several of these"
	}
	return words[0]
}

func kindWords(f Finding) string {
	rule := f.Rule
	for _, prefix := range []string{inputRules, outputRules} {
		if rest, ok := strings.CutPrefix(rule, prefix); ok {
			return rest + ", " + strings.TrimSuffix(prefix, "-")
		}
	}
	return rule
}

// tally counts pairs by kind and bump.
type tally map[string]*[4]int

func (n tally) add(kind string, b contract.Bump) {
	if n[kind] == nil {
		n[kind] = &[4]int{}
	}
	n[kind][b]++
}

func (n tally) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-44s %6s %6s %6s %6s\n", "", "None", "Patch", "Minor", "Major")
	for _, kind := range slices.Sorted(maps.Keys(n)) {
		row := n[kind]
		fmt.Fprintf(&b, "%-44s %6d %6d %6d %6d\n", kind, row[contract.None], row[contract.Patch], row[contract.Minor], row[contract.Major])
	}
	return b.String()
}

func TestHistoriesOfRealToolsAreClassified(t *testing.T) {
	t.Parallel()
	h := history(t)
	if len(h.pairs) < 1000 || h.refused > 0 {
		t.Fatalf("%d pairs, %d not admitted", len(h.pairs), h.refused)
	}
	kinds, sources, rules := tally{}, tally{}, tally{}
	unknown, spelled := 0, 0
	for _, p := range h.pairs {
		r := remembering(p.old, p.new)
		kinds.add(kindOf(r), r.Required)
		sources.add(p.Source, r.Required)
		seen := map[string]bool{}
		hasUnknown := false
		for _, f := range r.Findings {
			hasUnknown = hasUnknown || f.Proof == Unknown
			if !seen[f.Rule] {
				seen[f.Rule] = true
				rules.add(f.Rule, f.Bump)
			}
			if IsDefect(f) {
				t.Errorf("%s: %s", p.name, f.Message)
			}
		}
		if hasUnknown {
			unknown++
			t.Logf("not decided: %s %v", p.name, allSaid(r))
		}
		if r.Required == contract.None != p.old.SameMeaning(p.new) {
			t.Errorf("%s: None must mean equal", p.name)
		}
		if onlyReadDifferently(t, p.historyStep) {
			spelled++
			if hasUnknown || r.Required > contract.Minor {
				t.Errorf("%s differs in annotations, order or $schema only: %s %v", p.name, r.Required, allSaid(r))
			}
		}
	}
	t.Logf("%d pairs, %d tools came, %d went; an Unknown finding in %d; %d pairs differ in annotations, order or $schema only\n\n%s\n%s\n%s",
		len(h.pairs), h.came, h.went, unknown, spelled, sources, kinds, rules)
	if 100*unknown >= 3*len(h.pairs) {
		t.Errorf("%d of %d pairs have an Unknown finding", unknown, len(h.pairs))
	}
	if spelled < 100 {
		t.Errorf("only %d pairs differ in annotations: the normaliser finds nothing", spelled)
	}
}

// How often is a change Major for the sole reason that an object is open: with
// a host that refuses undeclared members, it would not be.
func TestWhatTheOpenObjectsOfRealToolsCost(t *testing.T) {
	t.Parallel()
	majors, open, added := 0, 0, 0
	for _, p := range history(t).pairs {
		r := remembering(p.old, p.new)
		if r.Required != contract.Major {
			continue
		}
		majors++
		old, next := *p.old, *p.new
		old.Input.Writer, next.Input.Writer = contract.WriterDeclared, contract.WriterDeclared
		closed := remembering(&old, &next)
		if closed.Required < contract.Major {
			open++
			if slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Rule == "input-property-added" }) {
				added++
			}
		}
		// To write less can break nobody more.
		if closed.Required > r.Required {
			t.Errorf("%s: a Declared writer makes %s of %s", p.name, closed.Required, r.Required)
		}
	}
	t.Logf("%d of %d Majors come from open input objects alone, %d of them from an added property", open, majors, added)
	if open == 0 || open == majors {
		t.Error("the writer makes no difference, or all of it")
	}
}

// A release of the MongoDB server changed the generator of all 46 schemas. In
// every tool that is one finding, and what really broke stands before it.
func TestARealBreakIsSeenInAReleaseFullOfNoise(t *testing.T) {
	t.Parallel()
	tools, broken, extra := 0, 0, 0
	for _, p := range history(t).pairs {
		if p.Source != "npm:mongodb-mcp-server" || p.Version != "3.0.3" {
			continue
		}
		tools++
		r := remembering(p.old, p.new)
		noise := slices.IndexFunc(r.Findings, func(f Finding) bool { return f.Rule == "noise" })
		if noise >= 0 && r.Findings[noise].Bump != contract.Patch {
			t.Errorf("%s: noise needs %s", p.name, r.Findings[noise].Bump)
		}
		if n := len(slices.DeleteFunc(slices.Clone(r.Findings), func(f Finding) bool { return f.Rule != "noise" })); n > 1 {
			t.Errorf("%s: %d findings about noise", p.name, n)
		}
		if r.Required == contract.Major {
			broken++
			if f := r.Findings[0]; f.Bump != contract.Major || f.Rule == "noise" {
				t.Errorf("%s: the break is not the first finding: %s", p.name, f.Message)
			}
		}
		// The same release, with a break hidden in it that the release did not have.
		next := *p.new
		next.Input.Schema = withRequired(t, p.new.Input.Schema, "hidden_break")
		hidden := remembering(p.old, &next)
		if !slices.ContainsFunc(hidden.Findings, func(f Finding) bool {
			return f.Rule == "input-required" && strings.Contains(f.Message, "hidden_break") && f.Bump == contract.Major
		}) {
			extra++
			t.Errorf("%s: the hidden break is not seen: %v", p.name, allSaid(hidden))
		}
	}
	t.Logf("%d tools changed in one release, %d really broke", tools, broken)
	if tools != 46 {
		t.Errorf("%d tools", tools)
	}
}

// withRequired is a schema that asks for one more name.
func withRequired(t testing.TB, s *schema.Schema, name string) *schema.Schema {
	t.Helper()
	required := []*schema.Value{schema.NewString(name)}
	if list := s.Root().Get("required"); list != nil {
		required = append(required, list.Items()...)
	}
	root := s.Root().With("required", schema.NewArray(required...))
	properties := schema.Fields{{Name: name, Value: schema.NewBool(true)}}
	for _, m := range root.Get("properties").Members() {
		properties = append(properties, m)
	}
	out, findings := schema.Admit(root.With("properties", properties.Object()))
	if finding.HasErrors(findings) {
		t.Fatal(findings)
	}
	return out
}
