// SPDX-License-Identifier: Apache-2.0

package publish

import (
	"strings"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/render"
	"github.com/toolcontract/operator/internal/schema"
)

// hostViewVersion names the form of contract.json. Members are only added
// under the same name.
const hostViewVersion = "toolcontract.dev/contract/v1"

// TargetView is what contract.json says of one target.
type TargetView struct {
	Profile, Provider, API, WireFormat string
	Models                             []string
	// Asked is the strict policy; Given whether the rendering is strict.
	Asked string
	Given bool
	// Adaptation and Examples are what the contract says of them; empty is the
	// default.
	Adaptation, Examples string
	// RequestSwitch says what the request must set for strictness to hold, where
	// it is not set on the tool.
	RequestSwitch string
	// RequestHeaders are those of a request that switch on what the tool needs, as
	// "name: value".
	RequestHeaders []string
	// Counts are what the tool adds to the limits of a request.
	Counts []CountView
	// Decode is the rule that turns arguments as the model writes them into those
	// of the author's schema; nil if they are the same.
	Decode   *schema.Value
	Rewrites []RewriteView
}

// CountView is one size that adds up over the tools of a request.
type CountView struct {
	Measure string
	N       int
}

// RewriteView is one rewrite of the schema for a target.
type RewriteView struct{ Rule, Effect, Pointer, Message string }

// HostView writes contract.json: everything that the contract says, for the
// host that runs the tool. What no provider has a place for is in it. The
// digest is that of the content.
func HostView(contractName string, content *contract.Content, digest string, targets []TargetView) []byte {
	return render.Line(hostView("", contractName, content, digest, targets))
}

// SetEntry is the entry of one tool in manifest.json of a set: what [HostView]
// says of it, with the namespace of the contract and the one target of the set.
func SetEntry(namespace, contractName string, content *contract.Content, digest string, target TargetView) *schema.Value {
	return hostView(namespace, contractName, content, digest, []TargetView{target})
}

func hostView(namespace, contractName string, content *contract.Content, digest string, targets []TargetView) *schema.Value {
	m := schema.Fields{
		{Name: "schemaVersion", Value: schema.NewString(hostViewVersion)},
		{Name: "contract", Value: schema.NewString(contractName)},
	}
	m.Text("namespace", namespace)
	m = append(m, schema.Fields{
		{Name: "version", Value: schema.NewString(content.Version.String())},
		{Name: "contentDigest", Value: schema.NewString(digest)},
		{Name: "toolName", Value: schema.NewString(content.ToolName)},
	}...)
	m.Text("type", content.Type)
	m.Text("title", content.Title)
	m.Text("description", content.Description.Text())
	m.Add("descriptionParts", content.DescriptionValue())
	m.NonEmpty("input", input(content))
	if name, v := content.TypeValue(); name != "" {
		m.NonEmpty(name, v)
	}
	m.NonEmpty("output", content.OutputValue())
	m.NonEmpty("execution", content.ExecutionValue())
	views := make([]*schema.Value, len(targets))
	for i, t := range targets {
		views[i] = t.value()
	}
	m.Add("targets", schema.NewArray(views...))
	return m.Object()
}

// input is what the contract says of the input, and beside it, if the host adds
// something to the arguments, the schema of what the tool gets.
func input(content *contract.Content) *schema.Value {
	v := content.InputValue()
	if len(content.Input.SessionParameters) == 0 {
		return v
	}
	handler, _ := content.Input.HandlerSchema()
	if handler == nil { // a content for which there is none was refused
		return v
	}
	return v.With("handlerSchema", handler.Root())
}

func (t TargetView) value() *schema.Value {
	var m schema.Fields
	m.Text("profile", t.Profile)
	m.Text("provider", t.Provider)
	m.Text("api", t.API)
	m.Text("wireFormat", t.WireFormat)
	if len(t.Models) > 0 {
		models := make([]*schema.Value, len(t.Models))
		for i, name := range t.Models {
			models[i] = schema.NewString(name)
		}
		m.Add("models", schema.NewArray(models...))
	}
	var strict schema.Fields
	strict.Text("asked", t.Asked)
	strict.Add("given", schema.NewBool(t.Given))
	if t.Given {
		strict.Text("requestSwitch", t.RequestSwitch)
	}
	m.Add("strict", strict.Object())
	m.Text("adaptation", t.Adaptation)
	m.Text("examples", t.Examples)
	if len(t.RequestHeaders) > 0 {
		headers := make([]*schema.Value, len(t.RequestHeaders))
		for i, h := range t.RequestHeaders {
			headers[i] = schema.NewString(h)
		}
		m.Add("requestHeaders", schema.NewArray(headers...))
	}
	if len(t.Counts) > 0 {
		var counts schema.Fields
		for _, c := range t.Counts {
			counts.Add(lowerFirst(c.Measure), schema.NewInt(int64(c.N)))
		}
		m.Add("requestCounts", counts.Object())
	}
	if t.Decode != nil {
		m.Add("decode", t.Decode)
	}
	if len(t.Rewrites) > 0 {
		rewrites := make([]*schema.Value, len(t.Rewrites))
		for i, r := range t.Rewrites {
			var entry schema.Fields
			entry.Text("rule", r.Rule)
			entry.Text("effect", r.Effect)
			entry.Add("pointer", schema.NewString(r.Pointer))
			entry.Text("message", r.Message)
			rewrites[i] = entry.Object()
		}
		m.Add("rewrites", schema.NewArray(rewrites...))
	}
	return m.Object()
}

// lowerFirst spells a measure as a JSON member: OptionalProperties becomes
// optionalProperties.
func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }
