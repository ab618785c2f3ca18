// SPDX-License-Identifier: Apache-2.0

package evaluate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/adapt"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/decode"
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
	// Element is the rendering, and Bytes the file that holds it; nil if the target
	// is not compatible.
	Element *schema.Value
	Bytes   []byte
	// Counts is what the rendering adds to the limits of a request.
	Counts []Count
	// headers are those that a request with the tool needs.
	headers []string
	// decode turns arguments as rendered into those of the author's schema.
	decode *decode.Rule
}

// Count is a size that adds up over the tools of a request, by the name that
// the profile's limits have for it.
type Count struct {
	Measure string
	N       int
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

// Targets evaluates the content of the named contract for each target, in the
// order of the spec.
func Targets(name string, content *contract.Content, specs []v1alpha1.Target, profiles *provider.Catalog) []Target {
	return targetsOf(name, content, content.Digest(), specs, profiles)
}

func targetsOf(name string, content *contract.Content, digest string, specs []v1alpha1.Target, profiles *provider.Catalog) []Target {
	out := make([]Target, len(specs))
	origin := &render.Origin{Contract: name, Version: content.Version.String(), Digest: digest}
	for i, spec := range specs {
		profile, ok := profiles.Lookup(spec.Profile)
		if !ok {
			out[i] = Target{Spec: spec, Findings: []finding.Finding{unknownProfile(i, spec.Profile, profiles)}}
			continue
		}
		out[i] = target(origin, content, spec, profile, Placement{})
		out[i].place(i)
	}
	return out
}

// Placement says where a rendering goes.
type Placement struct {
	// DeferLoading has the model find the tool by a search, where the API has that.
	DeferLoading bool
}

// ForProfile evaluates the content of the named contract for one profile, where
// a set places it.
func ForProfile(name string, content *contract.Content, digest string, spec v1alpha1.Target, profile *provider.Profile, place Placement) Target {
	return target(&render.Origin{Contract: name, Version: content.Version.String(), Digest: digest}, content, spec, profile, place)
}

// place makes pointers to the target lead to where it stands in the spec.
func (t *Target) place(at int) {
	by := finding.Pointer("/spec/targets", t.Spec.Profile)
	for i := range t.Findings {
		if rest, ok := strings.CutPrefix(t.Findings[i].Pointer, by); ok && t.Findings[i].Side == finding.Contract {
			t.Findings[i].Pointer = finding.Pointer("/spec/targets", strconv.Itoa(at)) + rest
		}
	}
}

func target(origin *render.Origin, content *contract.Content, spec v1alpha1.Target, profile *provider.Profile, place Placement) Target {
	t := Target{Spec: spec, Profile: profile}
	place.DeferLoading = place.DeferLoading && profile.Request.DeferLoading
	if isFunction(content, profile) {
		t.function(origin, content, place)
	} else {
		t.special(content, place)
	}
	t.Findings = finding.Sort(t.Findings)
	return t
}

// function adapts the schema and renders the tool as a function.
func (t *Target) function(origin *render.Origin, content *contract.Content, place Placement) {
	spec, profile := t.Spec, t.Profile
	adapted := adapt.ForTarget(content.Input.Schema, profile, strictness(t.Asked()), spec.Models, effect(spec.Adaptation))
	t.Rewrites, t.decode = adapted.Rewrites, adapted.Decode
	name, description := functionName(content), content.Description.Text()
	if content.FreeForm != nil {
		description = t.fallback(content.FreeForm, description)
	}
	var examples []*schema.Value
	if adapted.Schema != nil {
		examples = t.examples(content.Input.Examples, adapted)
	}
	if spec.Examples == v1alpha1.ExamplesDescription {
		description, examples = withExamples(description, examples), nil
	}
	for _, f := range finding.On(finding.Input, adapted.Findings) {
		if content.FreeForm != nil {
			f = inFreeForm(f, content.FreeForm.Parameter)
		}
		t.Findings = append(t.Findings, f)
	}
	t.Findings = append(t.Findings, profile.CheckTool(name, description)...)
	for i := range t.Findings {
		switch f := &t.Findings[i]; {
		case f.Rule == provider.RuleNoStrictMode || f.Rule == provider.RuleModelWithoutStrict:
			f.Side, f.Pointer = finding.Contract, finding.Pointer("/spec/targets", spec.Profile, "strict")
		case f.Pointer == "/spec/toolName" && name != content.ToolName:
			f.Pointer = "/spec/mcp/tool"
		}
	}
	if finding.HasErrors(t.Findings) || adapted.Schema == nil {
		return
	}
	t.Given = adapted.Given
	t.render(render.Tool{
		Name: name, Title: content.Title, Description: description,
		Input: adapted.Schema.Root(), Output: t.output(content.Output.Schema), Examples: examples,
		Strict: t.spelling(), Hints: hints(content.Execution), Origin: origin, DeferLoading: place.DeferLoading,
	})
	t.Counts = requestCounts(profile, adapted.Schema, t.Given)
}

func unknownProfile(at int, name string, profiles *provider.Catalog) finding.Finding {
	return finding.Finding{
		Rule: RuleUnknownProfile, Severity: finding.Error, Side: finding.Contract,
		Pointer: finding.Pointer("/spec/targets", strconv.Itoa(at), "profile"),
		Message: fmt.Sprintf("there is no profile %s", finding.Quote(name)),
		Fix:     "use one of " + strings.Join(profiles.Names(), ", "),
	}
}

// render writes the bytes.
func (t *Target) render(tool render.Tool) {
	element, err := render.Element(t.Profile.WireFormat, tool)
	if err != nil { // a ProviderProfile may give an API tools that its wire format cannot write
		t.refuse(provider.RuleTypeUnsupported, "/spec/type", err.Error(), "use another profile")
		return
	}
	t.Element, t.Bytes = element, render.Line(element)
}

// requestCounts measures what the limits of a request are about.
func requestCounts(p *provider.Profile, s *schema.Schema, strict bool) []Count {
	mode := provider.Standard
	if strict {
		mode = provider.Strict
	}
	var out []Count
	counts := provider.Measure(s)
	for _, l := range p.Limits {
		if l.Per == provider.LimitPerRequest && (l.Mode == "" || l.Mode == mode) {
			out = append(out, Count{Measure: l.Measure, N: counts.Of(l.Measure)})
		}
	}
	slices.SortFunc(out, func(a, b Count) int { return strings.Compare(a.Measure, b.Measure) })
	return slices.Compact(out)
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

// examples returns the examples in the form of the rendering, if they go
// anywhere. One that is not valid against the schema as rendered is left out
// with a finding: an API that takes examples refuses the request otherwise.
func (t *Target) examples(examples []*schema.Value, adapted adapt.Target) []*schema.Value {
	wanted := t.Spec.Examples == v1alpha1.ExamplesDescription || t.Spec.Examples != v1alpha1.ExamplesOmit && t.Profile.Examples.Field != ""
	if len(examples) == 0 || !wanted {
		return nil
	}
	validator, invalid := adapted.Schema.Compile()
	var out []*schema.Value
	for i, example := range examples {
		why := "it cannot be written in the form of that schema"
		if encoded, ok := adapted.Encode(example); ok {
			findings := invalid
			if validator != nil {
				findings = validator.Validate(encoded)
			}
			if len(findings) == 0 {
				out = append(out, encoded)
				continue
			}
			why = findings[0].Message
		}
		t.Findings = append(t.Findings, finding.Finding{
			Rule: RuleExampleLeftOut, Severity: finding.Warning, Side: finding.Contract,
			Pointer: finding.Pointer("/spec/input/examples", strconv.Itoa(i)),
			Message: fmt.Sprintf("the example is not valid against the schema as %s gets it and is left out: %s", t.Profile.Name, why),
			Fix:     "change the example so that it fits the adapted schema",
		})
	}
	return out
}

// withExamples says the examples at the end of the description, one a line.
func withExamples(description string, examples []*schema.Value) string {
	if len(examples) == 0 {
		return description
	}
	var text strings.Builder
	text.WriteString(strings.TrimRightFunc(description, unicode.IsSpace) + "\nExamples:")
	for _, example := range examples {
		text.WriteString("\n" + example.JSON())
	}
	return text.String()
}

// output returns the output schema if the API takes it. It is documentation
// there, so what the API has against it leaves it out and never makes the tool
// incompatible: contract.json carries it.
func (t *Target) output(output *schema.Schema) *schema.Value {
	if output == nil || t.Profile.OutputSchema.Field == "" {
		return nil
	}
	refused := finding.Errors(t.Profile.CheckOutput(output))
	if len(refused) == 0 {
		return adapt.SayUnits(output)
	}
	first := refused[0]
	t.Findings = append(t.Findings, finding.Finding{
		Rule: RuleOutputLeftOut, Severity: finding.Warning, Side: finding.Output, Pointer: first.Pointer, Keyword: first.Keyword,
		Message: fmt.Sprintf("%s does not get the output schema: %s", t.Profile.Name, first.Message),
		Fix:     first.Fix,
	})
	return nil
}

// hints derives the behaviour annotations. What the contract does not say has
// the protocol's default, which is the pessimistic one.
func hints(e contract.Execution) *render.Hints {
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
	switch e {
	case v1alpha1.EffectKeep:
		return adapt.Keep
	case v1alpha1.EffectReshape:
		return adapt.Reshape
	case v1alpha1.EffectWiden:
		return adapt.Widen
	default:
		return adapt.Narrow
	}
}

// View is what contract.json says of the target.
func (t Target) View() publish.TargetView {
	v := publish.TargetView{
		Profile: t.Profile.Name, Provider: t.Profile.Provider, API: t.Profile.API, WireFormat: t.Profile.WireFormat,
		Models: t.Spec.Models, Asked: string(t.Asked()), Given: t.Given, RequestSwitch: t.Profile.Strict.RequestSwitch,
		Adaptation: string(t.Spec.Adaptation), Examples: string(t.Spec.Examples), RequestHeaders: t.headers,
	}
	for _, c := range t.Counts {
		v.Counts = append(v.Counts, publish.CountView(c))
	}
	if t.decode != nil {
		v.Decode = t.decode.Value()
	}
	for _, r := range t.Rewrites {
		v.Rewrites = append(v.Rewrites, publish.RewriteView{
			Rule: r.Rule, Effect: r.Effect.String(), Pointer: r.Pointer, Message: r.Message,
		})
	}
	return v
}
