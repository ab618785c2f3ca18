// SPDX-License-Identifier: Apache-2.0

package card

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// schemaVersion names the form of a card as JSON. Members are only added.
const schemaVersion = "toolcontract.dev/card/v1"

// Card is what a reviewer sees of one tool.
type Card struct {
	Namespace     string `json:"namespace,omitempty"`
	Contract      string `json:"contract"`
	ToolName      string `json:"toolName"`
	Version       string `json:"version"`
	ContentDigest string `json:"contentDigest"`
	Type          string `json:"type"`
	// Profile is the profile whose rendering Model shows; nil for a card of the
	// contract as such.
	Profile *Profile `json:"profile,omitempty"`
	Model   Model    `json:"model"`
	// Targets are what the providers get: of all, or of the profile alone.
	Targets []Target `json:"targets"`
	Host    Host     `json:"host"`
}

// Profile names a profile and the API that it describes.
type Profile struct {
	Name       string `json:"name"`
	Title      string `json:"title"`
	Provider   string `json:"provider"`
	API        string `json:"api"`
	WireFormat string `json:"wireFormat"`
}

// Model is what a model sees before it calls.
type Model struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description"`
	// Kind says in words what the model writes in a call.
	Kind string `json:"kind"`
	// Parameters are what it can write: the arguments object first, then all
	// places in it. There are none where the provider knows them.
	Parameters []Field           `json:"parameters,omitempty"`
	Examples   []json.RawMessage `json:"examples,omitempty"`
	// Answer is the schema of the answer, where the API takes one.
	Answer []Field `json:"answer,omitempty"`
	// Members are all else that is sent, or what only this type of tool has.
	Members []Member `json:"members,omitempty"`
}

// Target is what one provider gets.
type Target struct {
	Profile    string `json:"profile"`
	Title      string `json:"title"`
	Compatible bool   `json:"compatible"`
	// Asked is the strict policy, Given whether the rendering is strict, and
	// Strict what holds because of it, in words.
	Asked  string `json:"asked"`
	Given  bool   `json:"given"`
	Strict string `json:"strict"`
	// Sent names what of the contract reaches the API beside name, description
	// and parameters.
	Sent     []string  `json:"sent,omitempty"`
	Changes  []Change  `json:"changes,omitempty"`
	Findings []Finding `json:"findings,omitempty"`
}

// Change is one rewrite of the schema.
type Change struct {
	Effect string `json:"effect"`
	// Meaning says the effect in words.
	Meaning string `json:"meaning"`
	Pointer string `json:"pointer"`
	Message string `json:"message"`
	Rule    string `json:"rule"`
}

// Finding is what the profile says of the contract.
type Finding struct {
	Severity finding.Severity `json:"severity"`
	Side     finding.Side     `json:"side,omitempty"`
	Pointer  string           `json:"pointer"`
	Message  string           `json:"message"`
	Rule     string           `json:"rule"`

	line string
}

// Source is what a card is made of.
type Source struct {
	Namespace, Contract string
	Content             *contract.Content
	// Targets are the results of the targets.
	Targets []evaluate.Target
	// Rendered has the model's side read from the bytes of the one target, which
	// must be compatible. Without it the contract itself is read.
	Rendered bool
}

// Of makes the card.
func Of(s Source) *Card {
	c := &Card{
		Namespace: s.Namespace, Contract: s.Contract, ToolName: s.Content.ToolName, Version: s.Content.Version.String(), ContentDigest: s.Content.Digest(), Type: s.Content.Type,
		Targets: []Target{}, Host: hostOf(s.Content),
	}
	for _, t := range s.Targets {
		c.Targets = append(c.Targets, targetOf(t, s.Content))
	}
	if !s.Rendered {
		c.Model = written(s.Content)
		return c
	}
	p := s.Targets[0].Profile
	c.Profile = &Profile{Name: p.Name, Title: p.Title, Provider: p.Provider, API: p.API, WireFormat: p.WireFormat}
	c.Model = sent(s.Targets[0].Bytes).model(s.Content)
	return c
}

func targetOf(t evaluate.Target, content *contract.Content) Target {
	out := Target{Profile: t.Spec.Profile, Compatible: t.Compatible(), Asked: string(t.Asked()), Given: t.Given}
	if t.Profile != nil {
		out.Title = t.Profile.Title
	}
	for _, r := range t.Rewrites {
		out.Changes = append(out.Changes, Change{r.Effect.String(), effects[r.Effect.String()], r.Pointer, r.Message, r.Rule})
	}
	for _, f := range t.Findings {
		out.Findings = append(out.Findings, Finding{f.Severity, f.Side, f.Pointer, f.Message, f.Rule, f.String()})
	}
	if !t.Compatible() {
		out.Strict = "nothing is sent: the API cannot take the tool"
		return out
	}
	e := sent(t.Bytes)
	out.Strict = strictness(t, content, e)
	out.Sent = e.reaches()
	return out
}

// strictness says what holds a model to its parameters.
func strictness(t evaluate.Target, content *contract.Content, e element) string {
	switch {
	case e.schema == nil && content.FreeForm != nil && content.FreeForm.Definition != "":
		return "the API holds the text to the grammar"
	case e.schema == nil && content.FreeForm != nil:
		return "nothing holds the text to a form; the host checks every call"
	case e.schema == nil:
		return "does not apply: the arguments are not those of a schema that is sent"
	case t.Given && t.Profile.Strict.RequestSwitch != "":
		return "the API holds every call to the parameters as they are sent, if the request does this: " + t.Profile.Strict.RequestSwitch
	case t.Given:
		return "the API holds every call to the parameters as they are sent"
	}
	return "the API holds no call to the parameters; the host checks every call"
}

// written is the model's side as the contract says it.
func written(c *contract.Content) Model {
	m := Model{Name: c.ToolName, Title: c.Title, Description: c.Description.Text(), Kind: kinds[c.Type], Examples: raws(c.Input.Examples)}
	if c.FreeForm != nil {
		m.Examples = nil
		for _, text := range c.FreeForm.Examples {
			m.Examples = append(m.Examples, raw(schema.NewString(text)))
		}
	} else if c.Input.Schema != nil {
		m.Parameters = fieldsOf(c.Input.Schema.Root())
	}
	switch _, v := c.TypeValue(); {
	case c.MCP != nil: // how the server is reached, no model sees
		m.Members = membersOf(v.Get("server"), "description")
	case v != nil:
		m.Members = membersOf(v.Without("examples"))
	}
	return m
}

// membersOf are the members of an object: all, or those of certain names.
func membersOf(v *schema.Value, only ...string) []Member {
	var out []Member
	for _, m := range v.Members() {
		if len(only) == 0 || slices.Contains(only, m.Name) {
			out = append(out, Member{m.Name, raw(m.Value)})
		}
	}
	return out
}

// JSON writes cards as one object.
func JSON(cards []*Card) []byte {
	list := struct {
		SchemaVersion string  `json:"schemaVersion"`
		Cards         []*Card `json:"cards"`
	}{schemaVersion, append([]*Card{}, cards...)}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(list) //nolint:errchkjson // texts, and JSON that was written before; into memory
	return escapeJSON(out.Bytes())
}
