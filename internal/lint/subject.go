// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// maxPerRule bounds the findings of one rule. It is more than a contract can
// acknowledge, so that no word about the listed places covers the others.
const maxPerRule = 40

// Content judges one contract.
func Content(c *contract.Content) []finding.Finding {
	s := newSubject(c)
	for i := range rules {
		if s.rule = &rules[i]; s.rule.check != nil {
			s.rule.check(s)
			s.close()
		}
	}
	return finding.Sort(s.findings)
}

// Text is a text outside a contract that a model reads, such as the description
// of a group of tools, at a pointer into its manifest.
type Text struct{ Pointer, Value string }

// Texts judges texts by the rules about hostile text and secrets.
func Texts(texts []Text) []finding.Finding {
	s := &subject{Content: &contract.Content{}}
	c := &collector{s: s, side: finding.Contract}
	for _, t := range texts {
		c.base = t.Pointer
		c.text(t.Value, "", false)
	}
	for _, family := range [][]Rule{hostileRules, secretRules} {
		for i := range family {
			s.rule = &family[i]
			s.rule.check(s)
			s.close()
		}
	}
	return finding.Sort(s.findings)
}

// subject is a contract under judgement by one rule after the other.
type subject struct {
	*contract.Content
	rule *Rule
	// said are the findings of the rule, and more counts those beyond the bound.
	said     []finding.Finding
	more     int
	findings []finding.Finding

	name []string // words of the tool name
	// text is the description as a model reads it, in lower case.
	text string
	// input and output are the declared properties, at every level.
	input, output []property
	// suspect are the texts that a rule about hostile text or secrets looks into.
	suspect []text
}

func newSubject(c *contract.Content) *subject {
	s := &subject{Content: c, name: words(c.ToolName), text: strings.ToLower(c.Description.Text())}
	s.input, s.output = properties(c.Input.Schema), properties(c.Output.Schema)
	s.collect()
	return s
}

// say adds a finding of the rule. Pointer leads into side.
func (s *subject) say(side finding.Side, pointer, keyword, format string, arguments ...any) {
	if len(s.said) == maxPerRule {
		s.more++
		return
	}
	if s.FreeForm != nil && side == finding.Input { // its schema is ours and not the author's
		side, pointer, keyword = finding.Contract, "/spec/freeForm", ""
	}
	s.said = append(s.said, finding.Finding{
		Rule: s.rule.ID, Severity: s.rule.Severity, Side: side, Pointer: pointer, Keyword: keyword,
		Message: fmt.Sprintf(format, arguments...), Fix: s.rule.Fix,
	})
}

// repair gives the finding that was said last what does its fix, if it is the one
// about this place in a schema.
func (s *subject) repair(pointer string, patch []finding.Operation) {
	if n := len(s.said) - 1; n >= 0 && s.said[n].Pointer == pointer && s.said[n].Side != finding.Contract {
		s.said[n].Patch = patch
	}
}

// spec is [subject.say] for a place in the manifest.
func (s *subject) spec(pointer, format string, arguments ...any) {
	s.say(finding.Contract, "/spec"+pointer, "", format, arguments...)
}

// about is [subject.say] for a parameter.
func (s *subject) about(p *property, what string) {
	s.say(finding.Input, p.pointer, "", "the parameter %s %s", finding.Quote(p.name), what)
}

// close takes over what the rule has said.
func (s *subject) close() {
	if s.more > 0 {
		s.said[len(s.said)-1].Message += fmt.Sprintf("; and so do %d more places", s.more)
	}
	s.findings = append(s.findings, s.said...)
	s.said, s.more = s.said[:0], 0
}

// writes reports whether a call changes something, as far as the contract says.
func (s *subject) writes() bool {
	return s.Execution.SideEffect != "" && s.Execution.SideEffect != "None"
}

// ours reports whether the words that a model reads are the author's: those of a
// tool that the provider brings along are not.
func (s *subject) ours() bool { return s.BuiltIn == nil }

// hosted reports whether a host gets the answer of the tool before a model does.
func (s *subject) hosted() bool { return s.BuiltIn == nil && s.MCP == nil }

// property is one declared member of an object.
type property struct {
	name    string
	words   []string
	pointer string
	parent  int
	// views are the schemas that say what the value is: its own, what it refers to,
	// and an only alternative beside null.
	views []*schema.Value
	// several says that it has alternatives, so that no view says everything.
	several bool
	// text is its title and description, in lower case.
	text string
	// types are its types but null.
	types []string
}

// properties are those of a schema, at every level.
func properties(s *schema.Schema) []property {
	if s == nil {
		return nil
	}
	var out []property
	for i := range s.Nodes() {
		n := &s.Nodes()[i]
		if n.In != "properties" || n.Value.Kind() != schema.Object {
			continue
		}
		p := property{name: n.Token, words: words(n.Token), pointer: n.Pointer, parent: n.Parent}
		p.look(s, i)
		var b strings.Builder
		for _, v := range p.views {
			for _, k := range []string{"title", "description"} {
				if t := v.Get(k).Text(); t != "" {
					b.WriteString(strings.ToLower(t))
					b.WriteByte('\n')
				}
			}
			if len(p.types) == 0 {
				p.types = slices.DeleteFunc(slices.Clone(schema.Types(v)), func(t string) bool { return t == "null" })
			}
		}
		p.text = b.String()
		out = append(out, p)
	}
	return out
}

// maxViews bounds how many schemas are looked at for one property.
const maxViews = 6

// look collects the views.
func (p *property) look(s *schema.Schema, i int) {
	if len(p.views) == maxViews {
		return
	}
	n := &s.Nodes()[i]
	if n.Value.Kind() != schema.Object {
		return
	}
	p.views = append(p.views, n.Value)
	if n.Ref >= 0 {
		p.look(s, n.Ref)
	}
	for _, k := range []string{"anyOf", "oneOf", "allOf"} {
		var only *schema.Value
		for _, item := range n.Value.Get(k).Items() {
			if item.Get("type").Text() == "null" {
				continue
			}
			if only != nil {
				p.several = true
			}
			only = item
		}
		if only != nil && !p.several {
			p.look(s, s.Index(only))
		}
	}
}

// is reports whether the value, null aside, can only be of one of these types.
func (p *property) is(types ...string) bool {
	for _, t := range p.types {
		if !slices.Contains(types, t) {
			return false
		}
	}
	return len(p.types) > 0
}

// get is the value of a keyword in the first view that has it.
func (p *property) get(keyword string) *schema.Value {
	for _, v := range p.views {
		if m := v.Get(keyword); m != nil {
			return m
		}
	}
	return nil
}

// has reports whether one of the keywords is there.
func (p *property) has(keywords ...string) bool {
	return slices.ContainsFunc(keywords, func(k string) bool { return p.get(k) != nil })
}

// listed reports whether the values are listed, or alternatives say more.
func (p *property) listed() bool { return p.several || p.has("enum", "const") }

// last is the last word of the name.
func (p *property) last() string {
	if len(p.words) == 0 {
		return ""
	}
	return p.words[len(p.words)-1]
}

// snake is the name in lower case with underscores.
func (p *property) snake() string { return strings.Join(p.words, "_") }

// top reports whether it is a member of the arguments, or the answer, themselves.
func (p *property) top() bool { return p.parent == 0 }

// isKey reports whether it identifies the call and no thing of the world.
func (s *subject) isKey(p *property) bool {
	return p.top() && p.name == s.Execution.IdempotencyKey || callKeys[p.snake()]
}

var callKeys = setOf("idempotency_key request_id client_token client_request_id correlation_id trace_id request_token")

// identifies reports whether it holds the identifier of something.
func (p *property) identifies() bool { return idWords[p.last()] && p.is("string", "integer", "array") }

var idWords = setOf("id ids uuid guid ref refs iid 编号 单号")
