// SPDX-License-Identifier: Apache-2.0

package evaluate_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// hosted is a tool whose host injects a value, with these fields of its input and
// output.
func hosted(t *testing.T, input, output string) v1alpha1.ToolContractSpec {
	t.Helper()
	spec := v1alpha1.ToolContractSpec{ToolContent: v1alpha1.ToolContent{
		Version: "1.0.0", ToolName: "list_orders", Description: v1alpha1.Description{Summary: "Lists orders."},
	}}
	if err := yaml.UnmarshalStrict([]byte(input), &spec.Input); err != nil {
		t.Fatalf("%v\n%s", err, input)
	}
	if output != "" {
		spec.Output = &v1alpha1.Output{}
		if err := yaml.UnmarshalStrict([]byte(output), spec.Output); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
	}
	return spec
}

const (
	page   = `schemaText: '{"type":"object","properties":{"page":{"type":"integer"}},"additionalProperties":false}'`
	tenant = `
sessionParameters:
- {name: tenant_id, source: session.tenant, schema: {type: string}}`
)

func TestReadingWhatTheHostPromises(t *testing.T) {
	t.Parallel()
	read := func(input, output string) *contract.Content {
		spec := hosted(t, input, output)
		content, findings := evaluate.Read(&spec.ToolContent)
		if content == nil {
			t.Fatal(findings)
		}
		return content
	}
	content := read(page+"\nwriter: Declared"+tenant+"\n"+`- {name: locale, source: session.user.locale, optional: true, schemaText: '{"type":"string"}'}`,
		"reader: IgnoreUnknown\nschema: {type: object}")
	if got := content.Input; got.Writer != contract.WriterDeclared || content.Output.Reader != contract.ReaderIgnoreUnknown || len(got.SessionParameters) != 2 {
		t.Fatalf("got %+v", got)
	}
	if p := content.Input.SessionParameters[1]; p.Name != "locale" || p.Source != "session.user.locale" || !p.Optional || p.Schema.Root().JSON() != `{"type":"string"}` {
		t.Errorf("got %+v", p)
	}
	plain, spelled := read(page, "schema: {type: object}"), read(page+"\nwriter: AsDeclared", "reader: AsDeclared\nschema: {type: object}")
	if plain.Digest() != spelled.Digest() {
		t.Error("what absence stands for is another content when it is spelled out")
	}
	if plain.Digest() == read(page+"\nwriter: Declared", "schema: {type: object}").Digest() {
		t.Error("a promise is no content")
	}
}

func TestPromisesThatCannotHoldAreRefused(t *testing.T) {
	t.Parallel()
	input := func(schema string) string { return "schemaText: '" + schema + "'" }
	exposed := func(schema string) string { return input(schema) + tenant }
	cases := map[string]struct{ input, output, rule, pointer, reason string }{
		"a property":              {exposed(`{"properties":{"tenant_id":{}}}`), "", evaluate.RuleSessionExposed, "/spec/input/sessionParameters/0/name", v1alpha1.ReasonSessionParameterExposed},
		"a property of a branch":  {exposed(`{"allOf":[{"properties":{"tenant_id":{}}}]}`), "", evaluate.RuleSessionExposed, "/spec/input/sessionParameters/0/name", v1alpha1.ReasonSessionParameterExposed},
		"of an alternative":       {exposed(`{"anyOf":[{},{"oneOf":[{"properties":{"tenant_id":{}}}]}]}`), "", evaluate.RuleSessionExposed, "/spec/input/sessionParameters/0/name", v1alpha1.ReasonSessionParameterExposed},
		"behind a reference":      {exposed(`{"$ref":"#/$defs/d","$defs":{"d":{"properties":{"tenant_id":{}}}}}`), "", evaluate.RuleSessionExposed, "/spec/input/sessionParameters/0/name", v1alpha1.ReasonSessionParameterExposed},
		"under a condition":       {exposed(`{"if":{"properties":{"tenant_id":{"const":"a"}}},"then":{}}`), "", evaluate.RuleSessionExposed, "/spec/input/sessionParameters/0/name", v1alpha1.ReasonSessionParameterExposed},
		"a pattern":               {exposed(`{"patternProperties":{"_id$":{}}}`), "", evaluate.RuleSessionExposed, "/spec/input/sessionParameters/0/name", v1alpha1.ReasonSessionParameterExposed},
		"only required":           {exposed(`{"required":["tenant_id"]}`), "", evaluate.RuleSessionExposed, "/spec/input/sessionParameters/0/name", v1alpha1.ReasonSessionParameterExposed},
		"required with another":   {exposed(`{"dependentRequired":{"page":["tenant_id"]}}`), "", evaluate.RuleSessionExposed, "/spec/input/sessionParameters/0/name", v1alpha1.ReasonSessionParameterExposed},
		"a default":               {exposed(`{"default":{"tenant_id":"t"}}`), "", evaluate.RuleSessionExposed, "/spec/input/sessionParameters/0/name", v1alpha1.ReasonSessionParameterExposed},
		"an example of a keyword": {exposed(`{"examples":[{},{"tenant_id":"t"}]}`), "", evaluate.RuleSessionExposed, "/spec/input/sessionParameters/0/name", v1alpha1.ReasonSessionParameterExposed},
		"an example": {
			exposed(`{"type":"object"}`) + "\nexamples:\n- value: {tenant_id: t}", "", evaluate.RuleSessionExposed, "/spec/input/sessionParameters/0/name", v1alpha1.ReasonSessionParameterExposed,
		},
		"a name that comes twice": {
			page + tenant + "\n- {name: tenant_id, source: session.other, schema: {type: string}}", "",
			evaluate.RuleDuplicateSession, "/spec/input/sessionParameters/1/name", v1alpha1.ReasonInvalidContract,
		},
		"no schema": {
			page + "\nsessionParameters:\n- {name: a, source: s.a}", "", evaluate.RuleSchemaMissing, "/spec/input/sessionParameters/0", v1alpha1.ReasonInvalidContract,
		},
		"two schemas": {
			page + "\nsessionParameters:\n- {name: a, source: s.a, schema: {}, schemaText: '{}'}", "", evaluate.RuleSchemaTwice, "/spec/input/sessionParameters/0", v1alpha1.ReasonInvalidContract,
		},
		"a schema that is none": {
			page + "\nsessionParameters:\n- {name: a, source: s.a, schema: {type: text}}", "",
			schema.RuleInvalidSchema, "/spec/input/sessionParameters/0/schema/type", v1alpha1.ReasonInvalidSchema,
		},
		"a schema that leads away": {
			page + "\nsessionParameters:\n- {name: a, source: s.a, schemaText: '{\"$ref\":\"https://example.com/a\"}'}", "",
			schema.RuleRefNotLocal, "/spec/input/sessionParameters/0/schemaText/$ref", v1alpha1.ReasonInvalidSchema,
		},
		"a null in the object form": {
			page + "\nsessionParameters:\n- {name: a, source: s.a, schema: {default: null}}", "",
			schema.RuleNullInObject, "/spec/input/sessionParameters/0/schema/default", v1alpha1.ReasonNullInObjectForm,
		},
		"an unquoted y": {
			page + "\nsessionParameters:\n- {name: a, source: s.a, schema: {type: object, properties: {true: {type: string}}}}", "",
			schema.RuleYAMLBoolean, "/spec/input/sessionParameters/0/schema/properties/true", v1alpha1.ReasonInvalidSchema,
		},
		"what cannot be merged": {
			exposed(`{"enum":[{"page":1},{"page":2}]}`), "", contract.RuleHandlerSchema, "/enum", v1alpha1.ReasonInvalidContract,
		},
		"a writer who can write nothing": {
			input(`{"properties":{"a":{}},"required":["b"]}`) + "\nwriter: Declared", "", evaluate.RuleWriterNothing, "/spec/input/writer", v1alpha1.ReasonInvalidContract,
		},
		"a reader of nothing": {page, "reader: IgnoreUnknown", evaluate.RuleReaderNothing, "/spec/output/reader", v1alpha1.ReasonInvalidContract},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			spec := hosted(t, c.input, c.output)
			content, findings := evaluate.Read(&spec.ToolContent)
			errors := finding.Errors(findings)
			if content != nil || len(errors) == 0 {
				t.Fatalf("it was taken: %v", findings)
			}
			if f := errors[0]; f.Rule != c.rule || f.Pointer != c.pointer || f.Message == "" || f.Fix == "" {
				t.Errorf("got %s", f)
			}
			if got := evaluate.Reason(findings); got != c.reason {
				t.Errorf("the reason is %s, want %s", got, c.reason)
			}
		})
	}
}

// A name is the model's only at the root: below, it is another member.
func TestANameBelowTheRootExposesNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"properties":{"filter":{"properties":{"tenant_id":{}}}}}`,
		`{"$defs":{"d":{"properties":{"tenant_id":{}}}},"properties":{"d":{"$ref":"#/$defs/d"}}}`,
		`{"additionalProperties":{"properties":{"tenant_id":{}}}}`,
	} {
		spec := hosted(t, "schemaText: '"+text+"'"+tenant, "")
		if content, findings := evaluate.Read(&spec.ToolContent); content == nil {
			t.Errorf("%s: %v", text, findings)
		}
	}
}

// TestNoModelSeesWhatTheHostInjects, in any form of any API.
func TestNoModelSeesWhatTheHostInjects(t *testing.T) {
	t.Parallel()
	canaries := []string{"canary_name", "canary_source", "canary_keyword", "canary_text"}
	spec := hosted(t, `
schemaText: '{"type":"object","properties":{"page":{"type":"integer","minimum":1},"labels":{"type":"object","additionalProperties":{"type":"string"}}},"required":["page"]}'
examples:
- value: {page: 1}
writer: Declared
sessionParameters:
- {name: canary_name, source: session.canary_source, schema: {type: string, enum: [canary_keyword], description: canary_text}}`,
		"schema: {type: object, properties: {orders: {type: array, items: {type: string}}}}\nreader: IgnoreUnknown")
	rendered := map[string]bool{}
	for _, profile := range provider.Builtin().Names() {
		for _, strict := range []v1alpha1.StrictPolicy{v1alpha1.StrictDisabled, v1alpha1.StrictPreferred} {
			for _, adaptation := range []v1alpha1.Effect{v1alpha1.EffectKeep, v1alpha1.EffectWiden} {
				for _, examples := range []v1alpha1.ExamplesPolicy{v1alpha1.ExamplesDescription, ""} {
					one := spec
					one.Targets = []v1alpha1.Target{{Profile: profile, Strict: strict, Adaptation: adaptation, Examples: examples}}
					e := evaluate.Contract("list-orders", &one, evaluate.History{}, provider.Builtin())
					if e.Bundle == nil {
						continue
					}
					rendered[profile] = true
					for name, text := range e.Bundle.Files {
						for _, canary := range canaries {
							// The audit record, which is never for a model, says which were injected.
							expected := name == v1alpha1.FileContract || name == v1alpha1.FileAuditSchema && canary == "canary_name"
							if has := strings.Contains(text, canary); has != expected {
								t.Errorf("%s: %s holds %s: %t", profile, name, canary, has)
							}
						}
					}
				}
			}
		}
	}
	if want := len(provider.Builtin().Names()); len(rendered) != want {
		t.Errorf("only %d of %d profiles rendered it", len(rendered), want)
	}
}

// TestUnitsAreSaidAndNeverSent: a model reads a unit in the description, and no API
// gets a keyword that it does not know, whatever it makes of such keywords today.
func TestUnitsAreSaidAndNeverSent(t *testing.T) {
	t.Parallel()
	const units = `{"type":"integer","description":"What it costs","x-unit":"cent","x-currency":"EUR","x-timezone":"Europe/Berlin"}`
	spec := hosted(t, `schemaText: '{"type":"object","properties":{"price":`+units+`},"required":["price"],"additionalProperties":false}'`,
		`schemaText: '{"type":"object","properties":{"paid":`+strings.ReplaceAll(units, "costs", "paid")+`},"required":["paid"],"additionalProperties":false}'`)
	formats := map[string]bool{}
	for _, name := range provider.Builtin().Names() {
		profile, _ := provider.Builtin().Lookup(name)
		formats[profile.WireFormat] = true
		for _, strict := range []v1alpha1.StrictPolicy{v1alpha1.StrictDisabled, v1alpha1.StrictPreferred} {
			one := spec
			one.Targets = []v1alpha1.Target{{Profile: profile.Name, Strict: strict}}
			e := evaluate.Contract("list-orders", &one, evaluate.History{}, provider.Builtin())
			if e.Bundle == nil {
				t.Errorf("%s: %v", profile.Name, e.Blocking())
				continue
			}
			text := e.Bundle.Files[profile.Name+".json"]
			if want := "What it costs. Unit: cent. Currency: EUR. Time zone: Europe/Berlin."; !strings.Contains(text, want) {
				t.Errorf("%s does not say %q: %s", profile.Name, want, text)
			}
			if want := "What it paid. Unit: cent. Currency: EUR. Time zone: Europe/Berlin."; profile.OutputSchema.Field != "" && !strings.Contains(text, want) {
				t.Errorf("%s does not say %q: %s", profile.Name, want, text)
			}
			if strings.Contains(text, `"x-`) {
				t.Errorf("%s gets a keyword: %s", profile.Name, text)
			}
			if host := e.Bundle.Files[v1alpha1.FileContract]; strings.Count(host, `"x-currency":"EUR"`) != 2 {
				t.Errorf("the host does not get the keywords: %s", host)
			}
		}
	}
	if len(formats) < 7 {
		t.Errorf("only the wire formats %v", formats)
	}
}

// What is merged for the tool is a schema that any validator reads.
func TestTheHandlerSchemaIsPublished(t *testing.T) {
	t.Parallel()
	spec := hosted(t, page+tenant, "")
	spec.Targets = []v1alpha1.Target{{Profile: "mcp-2025-11-25"}}
	e := evaluate.Contract("list-orders", &spec, evaluate.History{}, provider.Builtin())
	var view struct {
		Input struct {
			HandlerSchema json.RawMessage `json:"handlerSchema"`
		} `json:"input"`
	}
	if err := json.Unmarshal([]byte(e.Bundle.Files[v1alpha1.FileContract]), &view); err != nil {
		t.Fatal(err)
	}
	validator, invalid := schematest.Schema(t, string(view.Input.HandlerSchema)).Compile()
	if len(invalid) > 0 {
		t.Fatal(invalid)
	}
	for text, want := range map[string]bool{
		`{"page":1,"tenant_id":"t"}`: true, `{"page":1}`: false, `{"page":1,"tenant_id":1}`: false, `{"page":1,"tenant_id":"t","x":1}`: false,
	} {
		if got, err := validator.Accepts(schematest.Value(t, text)); got != want || err != nil {
			t.Errorf("%s: %t, %v", text, got, err)
		}
	}
	if !strings.Contains(fmt.Sprint(e.Bundle.Files[v1alpha1.FileContract]), `"sessionParameters":[{"name":"tenant_id","source":"session.tenant","schema":{"type":"string"}}]`) {
		t.Errorf("the session parameters are not in %s", e.Bundle.Files[v1alpha1.FileContract])
	}
}
