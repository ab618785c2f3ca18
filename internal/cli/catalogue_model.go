// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/catalogue"
	"github.com/toolcontract/operator/internal/change"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/lint"
	"github.com/toolcontract/operator/internal/manifest"
)

// catalogueBuilder collects what a catalogue shows. Contracts are rendered when
// their pages are written, one at a time.
type catalogueBuilder struct {
	p         *Program
	model     catalogue.Model
	contracts map[catalogue.Name]*catalogueEntry
	sets      []*manifest.Document
}

// catalogueEntry is a contract with all that was read of it.
type catalogueEntry struct {
	versions []catalogueVersion
	broken   []brokenContract
	// conditions and channels are those of a contract of a cluster.
	conditions []catalogue.Condition
	channels   []catalogue.Channel
	// revisions are the versions that are not refused, with what each is compared
	// with; current is the one that is shown.
	revisions []catalogue.Revision
	current   int
	similar   []finding.Finding
}

// catalogueVersion is one version of a contract.
type catalogueVersion struct {
	contract         *v1alpha1.ToolContract // for what is no content
	content          *contract.Content
	origin           string
	findings         []finding.Finding
	acknowledgements []v1alpha1.Acknowledgement
}

// brokenContract is a manifest that is not valid.
type brokenContract struct {
	catalogue.Broken
	toolName string
	wanted   []string
}

func (p *Program) newCatalogue() *catalogueBuilder {
	return &catalogueBuilder{p: p, contracts: map[catalogue.Name]*catalogueEntry{}}
}

// catalogueOfFiles reads manifests. What cannot be read was said, and gives a
// code that is no success.
func (p *Program) catalogueOfFiles(arguments []string) (b *catalogueBuilder, code int) {
	b = p.newCatalogue()
	b.model.Source = "Made from " + finding.Clip(strings.Join(arguments, ", "), 200)
	passed := passedOver{p: p}
	for source, err := range manifest.Open(arguments, p.In) {
		if err != nil {
			p.complain("%v", err)
			return nil, exitUsage
		}
		for d := range source.Documents() {
			if d.Skipped != "" {
				passed.note(d)
				continue
			}
			if d.IsSet {
				b.sets = append(b.sets, d)
				continue
			}
			b.add(d, origin(d))
		}
	}
	passed.end()
	if len(b.contracts)+len(b.sets) == 0 {
		p.complain("there is no ToolContract in %s", strings.Join(arguments, ", "))
		return nil, exitUsage
	}
	return b, exitOK
}

func origin(d *manifest.Document) string { return fmt.Sprintf("%s:%d", d.File, d.Line) }

func (b *catalogueBuilder) entry(name catalogue.Name) *catalogueEntry {
	e := b.contracts[name]
	if e == nil {
		e = &catalogueEntry{}
		b.contracts[name] = e
	}
	return e
}

// add takes a contract.
func (b *catalogueBuilder) add(d *manifest.Document, origin string) {
	e := b.entry(catalogue.Name{Namespace: b.p.namespaceOf(d), Name: d.Name})
	content, findings := contentOf(d)
	if content == nil {
		broken := brokenContract{Broken: catalogue.Broken{Origin: origin, Findings: findings}, toolName: d.ToolName}
		if d.Contract != nil {
			broken.Version = finding.Clip(d.Contract.Spec.Version, 64)
		}
		for _, t := range d.Targets {
			broken.wanted = append(broken.wanted, t.Profile)
		}
		e.broken = append(e.broken, broken)
		return
	}
	e.add(catalogueVersion{d.Contract, content, origin, findings, d.Contract.Spec.Acknowledge})
}

// add takes a version, unless it is there with the same content.
func (e *catalogueEntry) add(v catalogueVersion) {
	for i := range e.versions {
		if o := &e.versions[i]; o.content.Version.Compare(v.content.Version) == 0 && o.content.Digest() == v.content.Digest() {
			if v.origin != "" && o.origin != v.origin {
				o.origin += ", " + v.origin
			}
			return
		}
	}
	e.versions = append(e.versions, v)
}

// settle compares each version with the highest before it, as the operator would
// if they were applied in their order.
func (e *catalogueEntry) settle() {
	slices.SortStableFunc(e.versions, func(a, b catalogueVersion) int { return a.content.Version.Compare(b.content.Version) })
	var accepted diffTool
	for i, v := range e.versions {
		r := catalogue.Revision{Content: v.content, Origin: v.origin}
		if len(accepted.versions) > 0 {
			r.Before = accepted.before(v.content.Version)
			r.Change, _ = change.Compare(r.Before, v.content, newLine(r.Before.Version, v.content.Version)).
				Acknowledge(v.content.Version, changeAcknowledgements(v.acknowledgements))
		}
		e.revisions = append(e.revisions, r)
		if r.Refused() {
			continue
		}
		accepted.versions = append(accepted.versions, diffVersion{content: v.content})
		if !v.content.Version.IsPrerelease() || e.versions[e.current].content.Version.IsPrerelease() {
			e.current = i
		}
	}
}

func changeAcknowledgements(acks []v1alpha1.Acknowledgement) []change.Acknowledgement {
	out := make([]change.Acknowledgement, len(acks))
	for i, a := range acks {
		out[i] = change.Acknowledgement{Version: a.Version, Rule: a.Rule, Path: a.Path, Reason: a.Reason}
	}
	return out
}

// finish compares versions, judges contracts beside each other, and renders sets.
func (b *catalogueBuilder) finish() *catalogue.Model {
	b.model.Profiles = b.p.profiles
	names := slices.SortedFunc(maps.Keys(b.contracts), catalogue.Name.Compare)
	var all inputs
	tools := map[string][]lint.Tool{}
	for _, name := range names {
		e := b.contracts[name]
		e.settle()
		for i, v := range e.versions {
			if !e.revisions[i].Refused() {
				all.add(contractKey{name.Namespace, name.Name}, candidate{v.contract, v.content})
			}
		}
		if len(e.versions) > 0 {
			v := e.versions[e.current]
			tools[name.Namespace] = append(tools[name.Namespace], lint.Tool{
				Namespace: name.Namespace, Contract: name.Name, Content: v.content, Acknowledged: evaluate.LintAcknowledgements(v.contract.Spec.Acknowledge),
			})
		}
	}
	for _, beside := range tools { // each finding goes to its own contract
		b.addSimilar(lint.Similar(beside))
	}
	b.finishSets(&all)
	b.model.Contracts = func(yield func(*catalogue.Contract) bool) {
		for i, name := range names {
			if i > 0 && i%progressStep == 0 {
				b.p.complain("%d of %d contracts", i, len(names))
			}
			if !yield(b.contract(name)) {
				return
			}
		}
	}
	return &b.model
}

// addSimilar gives findings about several contracts to the one that each is about:
// its name is at the beginning of the message.
func (b *catalogueBuilder) addSimilar(findings []finding.Finding) {
	for _, f := range findings {
		about, _, _ := strings.Cut(f.Message, ": ")
		namespace, name, _ := strings.Cut(about, "/")
		if e := b.contracts[catalogue.Name{Namespace: namespace, Name: name}]; e != nil {
			e.similar = append(e.similar, f)
		}
	}
}

// progressStep is after how many contracts a line says how far the work is.
const progressStep = 250

// contract renders the version that is shown.
func (b *catalogueBuilder) contract(name catalogue.Name) *catalogue.Contract {
	e := b.contracts[name]
	c := &catalogue.Contract{Name: name, Revisions: e.revisions, Conditions: e.conditions, Channels: e.channels, Similar: e.similar}
	broken := e.broken
	if len(e.versions) == 0 && len(broken) > 0 {
		first := broken[0]
		c.Origin, c.ToolName, c.Findings, c.Wanted, broken = first.Origin, first.toolName, first.Findings, first.wanted, broken[1:]
	}
	for _, o := range broken {
		c.Broken = append(c.Broken, o.Broken)
	}
	if len(e.versions) == 0 {
		return c
	}
	v := e.versions[e.current]
	c.Origin, c.ToolName, c.Content, c.Findings = v.origin, v.content.ToolName, v.content, v.findings
	for _, t := range v.contract.Spec.Targets {
		c.Wanted = append(c.Wanted, t.Profile)
	}
	c.Targets = evaluate.Targets(name.Name, v.content, v.contract.Spec.Targets, b.p.profiles)
	c.Lint = evaluate.Lint(v.content, v.contract.Spec.Acknowledge)
	bundle, overflow := evaluate.Pack(name.Name, v.content, c.Targets)
	blocked := slices.ContainsFunc(c.Targets, func(t evaluate.Target) bool { return !t.Compatible() && t.Blocks() })
	switch {
	case overflow != nil:
		c.Findings = finding.Sort(append(slices.Clone(c.Findings), tooLarge(overflow)))
	case bundle != nil && !blocked:
		c.Digest = bundle.Digest
	}
	return c
}

// finishSets renders the sets, in their order. Of several manifests of one name
// the first is shown.
func (b *catalogueBuilder) finishSets(all *inputs) {
	slices.SortStableFunc(b.sets, func(x, y *manifest.Document) int { return b.setName(x).Compare(b.setName(y)) })
	for _, d := range b.sets {
		name := b.setName(d)
		if n := len(b.model.Sets); n > 0 && b.model.Sets[n-1].Name == name {
			b.model.Notes = append(b.model.Notes, fmt.Sprintf("the ToolSet %s of %s: another manifest has its name", name, origin(d)))
			continue
		}
		js := b.p.judgeSet(d, all)
		set := &catalogue.Set{Name: name, Findings: js.findings, Lint: js.lint}
		if d.File != "" {
			set.Origin = origin(d)
		}
		for _, jp := range js.profiles {
			sp := catalogue.SetProfile{Profile: jp.spec.Profile, Models: jp.spec.Models, Findings: jp.findings, Result: jp.result}
			if jp.spec.TokenBudget != nil {
				sp.TokenBudget = int(*jp.spec.TokenBudget)
			}
			if jp.result != nil {
				if jp.result.Bundle != nil {
					sp.Digest = jp.result.Bundle.Digest
				}
				jp.result.Bundle = nil
				for i := range jp.result.Tools {
					jp.result.Tools[i].Findings = nil
				}
			}
			set.Profiles = append(set.Profiles, sp)
		}
		b.model.Sets = append(b.model.Sets, set)
	}
	b.sets = nil
}

func (b *catalogueBuilder) setName(d *manifest.Document) catalogue.Name {
	return catalogue.Name{Namespace: b.p.namespaceOf(d), Name: d.Name}
}
