// SPDX-License-Identifier: Apache-2.0

package evaluate

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/adapt"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/publish"
	"github.com/toolcontract/operator/internal/render"
	"github.com/toolcontract/operator/internal/schema"
)

// Rules about targets.
const (
	RuleUnknownProfile = "unknown-profile"
	RuleExampleLeftOut = "example-left-out"
	RuleOutputLeftOut  = "output-schema-left-out"
	RuleStrictLost     = "strict-lost"
	RuleTargetRemoved  = "target-removed"
)

// Target is the result of one target of a contract.
type Target struct {
	Spec v1alpha1.Target
	// Profile is nil if the catalogue has none of this name.
	Profile *provider.Profile
	// Given reports whether the rendering is strict.
	Given bool
	// Findings are about this target only; sorted.
	Findings []finding.Finding
	Rewrites []adapt.Rewrite
	// Bytes is the rendering; nil if the target is not compatible.
	Bytes []byte
}

// Compatible reports whether the provider takes the contract.
func (t Target) Compatible() bool { return t.Bytes != nil }

// Blocks reports whether an incompatible target keeps everything from being
// published.
func (t Target) Blocks() bool { return t.Spec.OnIncompatible != v1alpha1.IncompatibleExclude }

// Asked is the strict policy with its default filled in.
func (t Target) Asked() v1alpha1.StrictPolicy {
	if t.Spec.Strict == "" {
		return v1alpha1.StrictPreferred
	}
	return t.Spec.Strict
}

// Targets evaluates a content for each target, in the order of the spec.
func Targets(content *contract.Content, specs []v1alpha1.Target, profiles *provider.Catalog) []Target {
	out := make([]Target, len(specs))
	for i, spec := range specs {
		out[i] = target(content, i, spec, profiles)
	}
	return out
}

func target(content *contract.Content, at int, spec v1alpha1.Target, profiles *provider.Catalog) Target {
	t := Target{Spec: spec}
	profile, ok := profiles.Lookup(spec.Profile)
	if !ok {
		t.Findings = []finding.Finding{unknownProfile(at, spec.Profile, profiles)}
		return t
	}
	t.Profile = profile
	adapted := adapt.ForTarget(content.Input.Schema, profile, strictness(t.Asked()), spec.Models, effect(spec.Adaptation))
	t.Rewrites = adapted.Rewrites
	t.Findings = append(finding.On(finding.Input, adapted.Findings),
		profile.CheckTool(content.ToolName, content.Description.Text())...)
	for i := range t.Findings {
		if t.Findings[i].Rule == provider.RuleNoStrictMode || t.Findings[i].Rule == provider.RuleModelWithoutStrict {
			t.Findings[i].Side, t.Findings[i].Pointer = finding.Contract, finding.Pointer("/spec/targets", strconv.Itoa(at), "strict")
		}
	}
	if finding.HasErrors(t.Findings) || adapted.Schema == nil {
		t.Findings = finding.Sort(t.Findings)
		return t
	}
	t.Given = adapted.Given
	t.render(content, adapted.Schema)
	t.Findings = finding.Sort(t.Findings)
	return t
}

func unknownProfile(at int, name string, profiles *provider.Catalog) finding.Finding {
	return finding.Finding{
		Rule: RuleUnknownProfile, Severity: finding.Error, Side: finding.Contract,
		Pointer: finding.Pointer("/spec/targets", strconv.Itoa(at), "profile"),
		Message: fmt.Sprintf("there is no profile %s", finding.Quote(name)),
		Fix:     "use one of " + strings.Join(profiles.Names(), ", "),
	}
}

// render writes the bytes, leaving out with a finding what the rendered form
// cannot carry.
func (t *Target) render(content *contract.Content, adapted *schema.Schema) {
	tool := render.Tool{
		Name: content.ToolName, Title: content.Title, Description: content.Description.Text(),
		Input: adapted.Root(), Strict: t.spelling(), Hints: hints(content.Execution),
	}
	if t.Profile.Examples.Field != "" {
		tool.Examples = t.examples(content.Input.Examples, adapted)
	}
	if t.Profile.OutputSchema.Field != "" && content.Output.Schema != nil {
		tool.Output = t.output(content.Output.Schema)
	}
	bytes, err := render.Render(t.Profile.WireFormat, tool)
	if err != nil { // no built-in profile names a wire format that is not there
		t.Findings = append(t.Findings, finding.Finding{
			Rule: RuleUnknownProfile, Severity: finding.Error, Side: finding.Contract, Pointer: "/spec/targets",
			Message: err.Error(), Fix: "use another profile",
		})
		return
	}
	t.Bytes = bytes
}

// spelling says how strictness is written on the tool.
func (t *Target) spelling() render.Strict {
	switch {
	case t.Profile.Strict.Place != provider.PerTool:
		return render.StrictOmitted
	case t.Given:
		return render.StrictTrue
	case t.Profile.Strict.NonStrict == provider.EmitFalse:
		return render.StrictFalse
	default:
		return render.StrictOmitted
	}
}

// examples returns those that are valid against the schema as rendered: an API
// that takes examples refuses the request if one is not.
func (t *Target) examples(examples []*schema.Value, adapted *schema.Schema) []*schema.Value {
	if len(examples) == 0 {
		return nil
	}
	validator, invalid := adapted.Compile()
	var out []*schema.Value
	for i, example := range examples {
		findings := invalid
		if validator != nil {
			findings = validator.Validate(example)
		}
		if len(findings) == 0 {
			out = append(out, example)
			continue
		}
		t.Findings = append(t.Findings, finding.Finding{
			Rule: RuleExampleLeftOut, Severity: finding.Warning, Side: finding.Contract,
			Pointer: finding.Pointer("/spec/input/examples", strconv.Itoa(i)),
			Message: fmt.Sprintf("the example is not valid against the schema as %s gets it and is left out: %s", t.Profile.Name, findings[0].Message),
			Fix:     "change the example so that it fits the adapted schema",
		})
	}
	return out
}

// output returns the output schema if the API takes it. It is documentation
// there, so what the API has against it leaves it out and never makes the tool
// incompatible: contract.json carries it.
func (t *Target) output(output *schema.Schema) *schema.Value {
	refused := finding.Errors(t.Profile.CheckOutput(output))
	if len(refused) == 0 {
		return output.Root()
	}
	first := refused[0]
	t.Findings = append(t.Findings, finding.Finding{
		Rule: RuleOutputLeftOut, Severity: finding.Warning, Side: finding.Output, Pointer: first.Pointer, Keyword: first.Keyword,
		Message: fmt.Sprintf("%s does not get the output schema: %s", t.Profile.Name, first.Message),
		Fix:     first.Fix,
	})
	return nil
}

// hints derives the behaviour annotations; nil if the contract says nothing
// about behaviour. What it does not say has the protocol's default.
func hints(e contract.Execution) *render.Hints {
	if e.SideEffect == "" && e.Reach == "" && e.IdempotencyMode == "" {
		return nil
	}
	return &render.Hints{
		ReadOnly:    e.SideEffect == "None",
		Destructive: e.SideEffect == "" || e.SideEffect == "Irreversible",
		Idempotent:  e.IdempotencyMode == "Idempotent" || e.IdempotencyMode == "Key",
		OpenWorld:   e.Reach != "Closed",
	}
}

func strictness(policy v1alpha1.StrictPolicy) adapt.Strict {
	switch policy {
	case v1alpha1.StrictRequired:
		return adapt.Required
	case v1alpha1.StrictDisabled:
		return adapt.Disabled
	default:
		return adapt.Preferred
	}
}

func effect(e v1alpha1.Effect) adapt.Effect {
	if e == v1alpha1.EffectKeep {
		return adapt.Keep
	}
	return adapt.Narrow
}

// view is what contract.json says of the target.
func (t Target) view() publish.TargetView {
	v := publish.TargetView{
		Profile: t.Profile.Name, Provider: t.Profile.Provider, API: t.Profile.API, WireFormat: t.Profile.WireFormat,
		Models: t.Spec.Models, Asked: string(t.Asked()), Given: t.Given, RequestSwitch: t.Profile.Strict.RequestSwitch,
	}
	for _, r := range t.Rewrites {
		v.Rewrites = append(v.Rewrites, publish.RewriteView{
			Rule: r.Rule, Effect: r.Effect.String(), Pointer: r.Pointer, Message: r.Message,
		})
	}
	return v
}
