// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/change"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/publish"
)

func place(object *Manifest) string { return fmt.Sprintf("%s:%d", object.File, object.Line) }

// planContract lets a contract settle and says what came of it.
func (m *maker) planContract(at key, c *Contract) {
	old := m.before.contracts[at]
	if c.Change == Removed {
		m.removedContract(at, c, old)
		return
	}
	if c.Change == Refused { // by the API server, so nothing of it changes
		c.Serving = newestServed(old)
		return
	}
	history := m.history(at, m.after.contracts[at])
	out := m.settleContract(at)
	e, now := out.evaluation, m.after.contracts[at]
	c.ToolName, c.Version = now.Spec.ToolName, now.Spec.Version
	for _, r := range refusals(e) {
		c.refuse(r.Reason, r.Message)
	}
	line := ""
	if e.Content != nil {
		line = e.Content.Version.Line()
		m.bump(at, c, e, old, history)
	}
	c.Serving = newestServed(old)
	if ch := channel(old, line); ch.Line != "" {
		c.Serving = versionText(at.name, ch.Revision)
	}
	if e.Publishable() {
		c.Revision = &Revision{Name: publish.RevisionName(at.name, e.Content.Version), Digest: e.Digest, New: out.issued}
	}
	m.lines(at, c, old, now, out)
	m.targets(at, c, e, old, now)
	m.weigh(c, old)
	m.workloadsOf(at, c)
}

// refusals say why nothing new is published, in the order of the conditions.
func refusals(e *evaluate.Evaluation) []Refusal {
	if e.Content == nil {
		return []Refusal{{e.Reason, finding.Summary(finding.Errors(e.Findings), maxFindings)}}
	}
	var out []Refusal
	if blocking := e.Blocking(); len(blocking) > 0 {
		out = append(out, Refusal{evaluate.BlockingReason(blocking), blockingMessage(e)})
	}
	if !e.Decision.Accepted {
		out = append(out, Refusal{e.Decision.Reason, e.Decision.Message})
	}
	switch {
	case e.TooLarge != nil:
		out = append(out, Refusal{v1alpha1.ReasonTooLarge, e.TooLarge.Error() + ". Fix: remove targets, or shorten the schema"})
	case e.Bundle == nil && len(out) == 0:
		var all []finding.Finding
		for _, t := range e.Excluded() {
			all = append(all, finding.Errors(t.Findings)...)
		}
		out = append(out, Refusal{v1alpha1.ReasonTargetsIncompatible, "no target takes the contract: " + finding.Summary(finding.Sort(all), maxFindings)})
	}
	return out
}

// blockingMessage names each refusing profile with its findings.
func blockingMessage(e *evaluate.Evaluation) string {
	var parts []string
	if len(e.Removed) > 0 {
		parts = append(parts, finding.Summary(e.Removed, maxFindings))
	}
	for _, t := range e.Targets {
		if !t.Compatible() && t.Blocks() {
			parts = append(parts, t.Spec.Profile+": "+finding.Summary(finding.Errors(t.Findings), maxFindings))
		}
	}
	return strings.Join(parts, "; ")
}

// bump says what the change needs. The first version of a line needs nothing; what
// it changes over the newest line below it is worth knowing all the same.
func (m *maker) bump(at key, c *Contract, e *evaluate.Evaluation, old *v1alpha1.ToolContract, history evaluate.History) {
	d := e.Decision
	zero := contract.Version{}
	if d.Over.Compare(zero) != 0 {
		c.Bump = &Bump{From: d.Over.String(), Required: d.Required.String(), Declared: d.Declared.String(), Findings: differences(d.Findings)}
		return
	}
	from := m.comparedWith(at, e, old)
	if from.Compare(zero) == 0 || from.Compare(e.Content.Version) == 0 && d.Accepted {
		return
	}
	before := history.Content(from)
	if before == nil || before.Digest() == e.Digest {
		return
	}
	report := m.checker.Compare(before, e.Content, e.Content.Version.Next(contract.Major))
	c.Bump = &Bump{From: from.String(), Required: report.Required.String(), Declared: report.Declared.String(), Findings: differences(report.Findings)}
}

// comparedWith is the version whose agents would get this one: what its line
// serves, else what the newest line below it does.
func (m *maker) comparedWith(at key, e *evaluate.Evaluation, old *v1alpha1.ToolContract) contract.Version {
	if old == nil || e.Content.Version.IsPrerelease() {
		return contract.Version{}
	}
	line := e.Content.Version.Line()
	for _, ch := range old.Status.Channels { // the newest line first
		if evaluate.CompareLines(ch.Line, line) <= 0 {
			v, _ := versionOf(at.name, ch.Revision)
			return v
		}
	}
	return contract.Version{}
}

func differences(findings []change.Finding) []Difference {
	out := make([]Difference, len(findings))
	for i, f := range findings {
		out[i] = Difference{
			Rule: f.Rule, Side: cmp.Or(f.Side, finding.Contract), Pointer: f.Pointer, Bump: f.Bump.String(), Proof: f.Proof, Message: f.Message, Fix: f.Fix,
		}
		if f.Witness != nil {
			out[i].Witness = json.RawMessage(f.Witness.JSON())
		}
	}
	return out
}

// lines says what happens to each line.
func (m *maker) lines(at key, c *Contract, old, now *v1alpha1.ToolContract, out outcome) {
	names := map[string]bool{}
	for _, side := range []*v1alpha1.ToolContract{old, now} {
		if side != nil {
			for _, ch := range side.Status.Channels {
				names[ch.Line] = true
			}
		}
	}
	sorted := slices.SortedFunc(maps.Keys(names), func(a, b string) int { return -evaluate.CompareLines(a, b) })
	for _, line := range sorted {
		before, after := channel(old, line), channel(now, line)
		l := Line{Line: line, From: versionText(at.name, before.Revision), To: versionText(at.name, after.Revision), ConfigMap: cmp.Or(after.ConfigMap, before.ConfigMap)}
		if after.Line != "" {
			l.Rendering = renderingOf(after)
		}
		refused := slices.IndexFunc(out.kept, func(k keptLine) bool { return k.line == line })
		switch {
		case before.Line == "":
			l.Change = New
		case after.Line == "":
			l.Change, l.Message = Removed, "the line is retired"
		case before.Revision != after.Revision || before.Digest != after.Digest:
			l.Change = Changed
		case after.Retired && !before.Retired:
			l.Change, l.Message = Changed, "the line is retired, and stays while something reads it"
		case refused >= 0:
			k := out.kept[refused]
			l.Change = Refused
			l.Message = fmt.Sprintf("it goes on serving %s, which would not be published now: %s", k.version, finding.Summary(k.evaluation.Blocking(), maxFindings))
		default:
			continue
		}
		c.Lines = append(c.Lines, l)
	}
}

// targets compares what is served for each profile. It is that of the version's
// line; of a new line it is compared with the newest one below it.
func (m *maker) targets(at key, c *Contract, e *evaluate.Evaluation, old, now *v1alpha1.ToolContract) {
	var before, after []ServedTarget
	if e.Content != nil {
		line := e.Content.Version.Line()
		was := channel(old, line)
		if from := m.comparedWith(at, e, old); was.Line == "" && from.Compare(contract.Version{}) != 0 {
			was = channel(old, from.Line())
		}
		if cm := m.before.files(at, was); cm != nil {
			before = ServedTargets(cm.Data)
		}
		is := channel(now, line)
		if e.Content.Version.IsPrerelease() && e.Publishable() {
			is = v1alpha1.Channel{Revision: publish.RevisionName(at.name, e.Content.Version), Digest: e.Bundle.Digest}
		}
		if cm := m.after.files(at, is); cm != nil {
			after = ServedTargets(cm.Data)
		}
	}
	for _, t := range e.Targets {
		view := Target{Profile: t.Spec.Profile, Before: find(before, t.Spec.Profile), After: find(after, t.Spec.Profile)}
		switch {
		case !t.Compatible():
			view.Change = Refused
		case view.After == nil: // another target stands in the way
			view.Change = Unchanged
		case view.Before == nil:
			view.Change = New
		case *view.Before != *view.After:
			view.Change = Changed
		default:
			view.Change = Unchanged
		}
		for _, f := range t.Findings {
			if f.Severity != finding.Info {
				view.Findings = append(view.Findings, note(f))
			}
		}
		c.Targets = append(c.Targets, view)
	}
	for i := range before {
		gone := &before[i]
		if slices.ContainsFunc(c.Targets, func(t Target) bool { return t.Profile == gone.Profile }) {
			continue
		}
		view := Target{Profile: gone.Profile, Change: Removed, Before: gone, After: find(after, gone.Profile)}
		if view.After != nil {
			view.Change = Unchanged // its removal is refused
		}
		c.Targets = append(c.Targets, view)
	}
}

func find(targets []ServedTarget, profile string) *ServedTarget {
	for i := range targets {
		if targets[i].Profile == profile {
			return &targets[i]
		}
	}
	return nil
}

func note(f finding.Finding) Note {
	return Note{f.Rule, f.Severity, cmp.Or(f.Side, finding.Contract), f.Pointer, f.Message, f.Fix}
}

// weigh decides what kind of change it is.
func (m *maker) weigh(c *Contract, old *v1alpha1.ToolContract) {
	if c.Change == Refused {
		return
	}
	switch {
	case old == nil:
		c.Change = New
		c.Impact.raise(ImpactMinor)
	case len(c.Lines) > 0 && slices.ContainsFunc(c.Lines, func(l Line) bool { return l.Change != Refused }),
		c.Revision != nil && c.Revision.New, !sameJSON(old.Spec, m.after.contracts[key{c.Namespace, c.Name}].Spec):
		c.Change = Changed
		c.Impact.raise(ImpactPatch)
	}
	if c.Bump != nil && c.Change != Unchanged {
		c.Impact.raise(Impact(c.Bump.Required))
		c.Impact.raise(Impact(c.Bump.Declared))
	}
	for _, l := range c.Lines {
		if l.Change == Removed {
			c.Impact.raise(ImpactMajor)
		}
	}
	for _, t := range c.Targets {
		if t.Change == Removed {
			c.Impact.raise(ImpactMajor)
		}
		if t.Change == New {
			c.Impact.raise(ImpactMinor)
		}
	}
}

// removedContract says what goes with a contract.
func (m *maker) removedContract(at key, c *Contract, old *v1alpha1.ToolContract) {
	c.Serving = newestServed(old)
	var names []string
	for _, ch := range old.Status.Channels {
		c.Lines = append(c.Lines, Line{Line: ch.Line, Change: Removed, From: versionText(at.name, ch.Revision), ConfigMap: ch.ConfigMap})
	}
	names = append(names, sortedNames(m.before.published[owner{at, false}])...)
	c.Workloads = m.after.consumers(at.namespace, names...)
}

// workloadsOf names what mounts a ConfigMap that changes or goes.
func (m *maker) workloadsOf(at key, c *Contract) {
	var names []string
	for _, l := range c.Lines {
		if l.Change != Refused {
			names = append(names, l.ConfigMap)
		}
	}
	c.Workloads = m.after.consumers(at.namespace, names...)
}

func newestServed(c *v1alpha1.ToolContract) string {
	if c == nil || len(c.Status.Channels) == 0 {
		return ""
	}
	newest := slices.MaxFunc(c.Status.Channels, func(a, b v1alpha1.Channel) int { return evaluate.CompareLines(a.Line, b.Line) })
	return versionText(c.Name, newest.Revision)
}

func versionText(name, revision string) string {
	if v, ok := versionOf(name, revision); ok {
		return v.String()
	}
	return ""
}
