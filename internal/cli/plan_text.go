// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/plan"
)

// writePlan writes a plan for people: a block for everything that would change or
// is refused, and a summary at the end.
func (p *Program) writePlan(made *plan.Plan) {
	line := func(format string, arguments ...any) {
		fmt.Fprintln(p.out, finding.Printable(fmt.Sprintf(format, arguments...)))
	}
	for i := range made.Contracts {
		if c := &made.Contracts[i]; c.Change != plan.Unchanged || len(c.Lines) > 0 {
			line("%s", contractTitle(c))
			for _, l := range contractLines(c) {
				line("  %s", l)
			}
		}
	}
	for i := range made.Sets {
		if s := &made.Sets[i]; s.Change != plan.Unchanged || len(s.Unresolved) > 0 {
			line("%s", setTitle(s))
			for _, l := range setLines(s) {
				line("  %s", l)
			}
		}
	}
	for _, denied := range made.NotRead {
		line("not read: %s", denied)
	}
	line("%s", planSummary(made))
}

// planSummary is the plan in one line.
func planSummary(made *plan.Plan) string {
	counts := func(word string, c plan.Counts) string {
		var parts []string
		for _, part := range []struct {
			n    int
			word string
		}{{c.New, "new"}, {c.Changed, "changed"}, {c.Removed, "removed"}, {c.Refused, "refused"}, {c.Unchanged, "unchanged"}} {
			if part.n > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", part.n, part.word))
			}
		}
		total := c.New + c.Changed + c.Removed + c.Refused + c.Unchanged
		if total == 0 {
			return "no " + word + "s"
		}
		return fmt.Sprintf("%s (%s)", plural(total, word), strings.Join(parts, ", "))
	}
	against := map[string]string{"Nothing": "", "Git": " against " + made.Against.Ref[:min(12, len(made.Against.Ref))], "Cluster": " against the cluster"}[made.Against.Kind]
	return fmt.Sprintf("plan%s: %s, %s; %s; impact %s", against, counts("contract", made.Summary.Contracts), counts("set", made.Summary.Sets),
		plural(made.Summary.NewRevisions, "new revision"), made.Summary.Impact)
}

func contractTitle(c *plan.Contract) string {
	versions := c.Version
	switch {
	case c.Change == plan.Removed:
		versions = cmp.Or(c.Serving, "nothing served")
	case c.Serving != "" && c.Serving != c.Version:
		versions = c.Serving + " → " + c.Version
	}
	return title(c.Change, c.Namespace+"/"+cmp.Or(c.Name, "(no name)"), versions, c.File, c.Line)
}

func setTitle(s *plan.Set) string {
	return title(s.Change, "set "+s.Namespace+"/"+cmp.Or(s.Name, "(no name)"), "", s.File, s.Line)
}

func title(change plan.Change, name, more, file string, at int) string {
	text := fmt.Sprintf("%-9s %s", change, name)
	if more != "" {
		text += " " + more
	}
	if file != "" {
		text += fmt.Sprintf("  (%s:%d)", file, at)
	}
	return text
}

// maxDifferences is how many differences of a contract people are shown; the JSON
// has all.
const maxDifferences = 20

// contractLines say what would happen to a contract, one thing a line.
func contractLines(c *plan.Contract) []string {
	var out []string
	add := func(format string, arguments ...any) { out = append(out, fmt.Sprintf(format, arguments...)) }
	for _, r := range c.Refusals {
		add("%s: %s", r.Reason, r.Message)
	}
	if c.Revision != nil && c.Revision.New {
		add("new revision %s, content %s", c.Revision.Name, shortDigest(c.Revision.Digest))
	}
	if b := c.Bump; b != nil {
		add("over %s the change needs %s, declared is %s", b.From, b.Required, b.Declared)
		for i, d := range b.Findings {
			if i == maxDifferences {
				add("  and %d more", len(b.Findings)-i)
				break
			}
			add("  %s", differenceLine(d))
		}
	}
	for _, l := range c.Lines {
		out = append(out, lineOfPlan(l))
	}
	for _, t := range c.Targets {
		if text := targetLine(t); text != "" {
			out = append(out, text)
		}
		for _, n := range t.Findings {
			if isNews(c, n) {
				add("  %s", noteLine(n))
			}
		}
	}
	if len(c.Sets) > 0 && c.Change != plan.Unchanged {
		add("in sets: %s", strings.Join(c.Sets, ", "))
	}
	if len(c.Workloads) > 0 {
		add("mounted by: %s", strings.Join(c.Workloads, ", "))
	}
	return out
}

// isNews reports whether a finding of a target is about this change: what check
// says of every contract is left to it, and a refusal has been told.
func isNews(c *plan.Contract, n plan.Note) bool {
	return n.Rule == evaluate.RuleStrictLost || n.Severity == finding.Error && c.Change != plan.Refused
}

func differenceLine(d plan.Difference) string {
	text := fmt.Sprintf("%s %s: %s", d.Bump, placeOf(d.Side, d.Pointer), d.Message)
	if d.Fix != "" {
		text += ". Fix: " + d.Fix
	}
	return text + " [" + d.Rule + "]"
}

func noteLine(n plan.Note) string {
	return finding.Finding{Rule: n.Rule, Severity: n.Severity, Side: n.Side, Pointer: n.Pointer, Message: n.Message, Fix: n.Fix}.String()
}

func placeOf(side finding.Side, pointer string) string {
	return finding.Finding{Side: side, Pointer: pointer}.Place()
}

func lineOfPlan(l plan.Line) string {
	switch l.Change {
	case plan.New:
		return fmt.Sprintf("new line %s serves %s: ConfigMap %s, pinned %s", l.Line, l.To, l.ConfigMap, l.Rendering)
	case plan.Removed:
		if l.Message != "" {
			return fmt.Sprintf("line %s goes (%s): ConfigMap %s is deleted", l.Line, l.Message, l.ConfigMap)
		}
		return fmt.Sprintf("line %s goes with %s: ConfigMap %s is deleted", l.Line, l.From, l.ConfigMap)
	case plan.Refused:
		return fmt.Sprintf("line %s: %s", l.Line, l.Message)
	case plan.Changed, plan.Unchanged:
	}
	moves := fmt.Sprintf("line %s: %s → %s", l.Line, l.From, l.To)
	if l.From == l.To {
		moves = fmt.Sprintf("line %s: other bytes of %s", l.Line, l.To)
	}
	if l.Message != "" {
		moves += " (" + l.Message + ")"
	}
	return fmt.Sprintf("%s: ConfigMap %s, pinned %s", moves, l.ConfigMap, l.Rendering)
}

// targetLine is empty for a target that nothing happens to.
func targetLine(t plan.Target) string {
	form := func(s *plan.ServedTarget) string {
		schema := "schema as written"
		if s.Adaptation != v1alpha1.EffectKeep {
			schema = "schema adapted by " + string(s.Adaptation)
		}
		return fmt.Sprintf("%s, %s, %s", map[bool]string{true: "strict", false: "not strict"}[s.Strict], schema, plural(s.Tokens, "token"))
	}
	switch t.Change {
	case plan.New:
		return t.Profile + " gained: " + form(t.After)
	case plan.Removed:
		return t.Profile + " lost: was " + form(t.Before)
	case plan.Refused:
		return t.Profile + " refuses it"
	case plan.Changed:
		before, after := *t.Before, *t.After
		if before.Digest = after.Digest; before == after {
			return t.Profile + " gets other bytes: " + form(t.After)
		}
		before.Tokens, before.Digest = after.Tokens, after.Digest
		if before == after {
			return fmt.Sprintf("%s: %d → %d tokens", t.Profile, t.Before.Tokens, t.After.Tokens)
		}
		return fmt.Sprintf("%s: %s → %s", t.Profile, form(t.Before), form(t.After))
	case plan.Unchanged:
	}
	return ""
}

// setLines say what would happen to a set, one thing a line.
func setLines(s *plan.Set) []string {
	var out []string
	add := func(format string, arguments ...any) { out = append(out, fmt.Sprintf(format, arguments...)) }
	for _, r := range s.Refusals {
		add("%s: %s", r.Reason, r.Message)
	}
	for _, sp := range s.Profiles {
		add("%s", setProfileLine(sp))
		for _, group := range []struct {
			word  string
			names []string
		}{{"gains", sp.Added}, {"loses", sp.Dropped}, {"mounted by:", sp.Workloads}} {
			if len(group.names) > 0 {
				add("  %s %s", group.word, strings.Join(group.names, ", "))
			}
		}
		for _, x := range sp.Excluded {
			add("  without %s (%s): %s", x.Contract, x.Reason, x.Message)
		}
		for _, n := range sp.Findings {
			add("  %s", noteLine(n))
		}
	}
	for _, u := range s.Unresolved {
		if slices.ContainsFunc(s.Refusals, func(r plan.Refusal) bool { return r.Message == u.Pointer+": "+u.Message }) && !u.Kept {
			continue // it has been told
		}
		kept := ""
		if u.Kept {
			kept = " (what is published of it stays)"
		}
		add("%s %s%s: %s", u.Pointer, u.Reason, kept, u.Message)
	}
	return out
}

func setProfileLine(s plan.SetProfile) string {
	if s.Change == plan.Refused || s.Change == plan.Removed {
		return fmt.Sprintf("%s: %s, ConfigMap %s", s.Profile, strings.ToLower(string(s.Change)), s.ConfigMap)
	}
	text := fmt.Sprintf("%s: %s, %s", s.Profile, countText(s.Tools, "tool"), countText(s.Tokens, "token"))
	if s.TokenBudget > 0 {
		text += fmt.Sprintf(" of %d allowed", s.TokenBudget)
	}
	text += "; " + prefixText(s)
	if s.Rendering != "" {
		text += fmt.Sprintf("; ConfigMap %s, pinned %s", s.ConfigMap, s.Rendering)
	}
	if s.Message != "" && s.Digest != "" {
		text += "; " + s.Message
	}
	return text
}

func countText(c plan.Count, word string) string {
	if c.Before == c.After {
		return plural(c.After, word)
	}
	return fmt.Sprintf("%d → %s", c.Before, plural(c.After, word))
}

// prefixText says what a cache of prompts can use again.
func prefixText(s plan.SetProfile) string {
	switch {
	case s.Digest == "":
		return "nothing is published"
	case s.Prefix == nil && s.Change == plan.Unchanged, s.Prefix != nil && s.Prefix.Same:
		return "cached prompts stay good"
	case s.Prefix == nil:
		return "no cached prompts yet"
	case s.Prefix.Tools == 0:
		return "cached prompts are lost from the first tool on"
	case s.Prefix.Tools == 1:
		return "cached prompts stay good for the first tool"
	default:
		return fmt.Sprintf("cached prompts stay good for the first %d tools", s.Prefix.Tools)
	}
}

// shortDigest is the digest as names of ConfigMaps have it.
func shortDigest(digest string) string {
	return strings.TrimPrefix(digest, "sha256:")[:min(12, len(strings.TrimPrefix(digest, "sha256:")))]
}
