// SPDX-License-Identifier: Apache-2.0

package importer

import (
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/manifest"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
)

// Options say what every contract gets that no tool says.
type Options struct {
	Targets   []v1alpha1.Target
	Namespace string // empty: none
	Version   string
	// CloseObjects forbids undeclared members of objects that declare some and
	// do not say whether there may be others.
	CloseObjects bool
	// Family is one of [Families]: tools in another form are skipped. Empty
	// takes all.
	Family string
	// Profiles say for which targets a strict flag is meant; nil for none.
	Profiles *provider.Catalog
}

// Import makes contracts of the tools in an input, in its order. found is
// false if the input has neither a tool nor a list of tools.
func Import(data []byte, o Options) (contracts []*v1alpha1.ToolContract, report *Report, found bool) {
	report = &Report{}
	s := source{data: data, report: report}
	s.read()
	names := namer{}
	for _, found := range s.tools {
		t := tool{options: o, report: report, label: fmt.Sprintf("tool %d", found.number)}
		if contract := t.contract(found, &names); contract != nil {
			contracts = append(contracts, contract)
		}
	}
	return contracts, report, s.list || len(s.tools) > 0
}

const (
	// maxTitle is the most characters of a title in the API, maxExamples the
	// most examples.
	maxTitle    = 256
	maxExamples = 16
)

// tool is one tool on its way into a contract.
type tool struct {
	options Options
	report  *Report
	label   string // how the report names it
	form    *form
	members memberList
	// at is the pointer of the object that members are of.
	at string
	// input and output are where the schemas were found, if anywhere.
	input, output schemaPlace
}

func (t *tool) note(format string, arguments ...any) {
	t.report.note(t.label, fmt.Sprintf(format, arguments...))
}

// skip reports why there is no contract, and returns none.
func (t *tool) skip(format string, arguments ...any) *v1alpha1.ToolContract {
	t.report.skip(t.label, fmt.Sprintf(format, arguments...))
	return nil
}

// pointer leads to a member of the tool, clipped for a message.
func (t *tool) pointer(names ...string) string {
	return finding.Clip(finding.Pointer(t.at, names...), 160)
}

// contract makes the contract of a tool, or reports why there is none.
func (t *tool) contract(found item, names *namer) *v1alpha1.ToolContract {
	members, repeated := membersOf(found.raw)
	t.members, t.form = members, found.form
	if t.form == nil {
		t.form = recognise(members, t.options.Family)
	}
	if t.form.holder != "" {
		t.beside(members)
		t.at = finding.Pointer("", t.form.holder)
		t.members, repeated = membersOf(members.get(t.form.holder))
	}
	name, ok := t.members.text("name")
	if ok && name != "" {
		t.label = name
	}
	why := foreign(members)
	switch {
	case repeated != "":
		return t.skip("%s: the member appears twice; keep one", t.pointer(repeated))
	case why != "":
		return t.skip("%s", why)
	case !ok || name == "":
		return t.skip("%s: it has no name; a tool has a name, and a schema in inputSchema (MCP), parameters (OpenAI, Gemini), parametersJsonSchema (Gemini), "+
			"input_schema (Anthropic) or toolSpec.inputSchema.json (Bedrock)", t.pointer("name"))
	case t.options.Family != "" && t.options.Family != t.form.family:
		return t.skip("it has the form of %s; leave --format out to read it", t.form.title)
	}
	c := &v1alpha1.ToolContract{
		TypeMeta:   metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: "ToolContract"},
		ObjectMeta: metav1.ObjectMeta{Namespace: t.options.Namespace, Name: "pending"},
		Spec: v1alpha1.ToolContractSpec{
			ToolContent: v1alpha1.ToolContent{Version: t.options.Version, ToolName: name},
			Targets:     t.options.Targets,
		},
	}
	if err := t.schemas(&c.Spec.ToolContent); err != nil {
		return t.skip("%v", err)
	}
	t.texts(&c.Spec.ToolContent)
	c.Spec.Input.Examples = t.examples(c.Spec.Input.SchemaText)
	if t.form == &mcp {
		c.Spec.Execution = t.execution()
	}
	c.Spec.Targets = t.targets(found.request)
	t.others()
	for _, f := range manifest.Check(c) {
		if f.Severity == finding.Error {
			return t.skip("%s: %s; %s", f.Place(), f.Message, f.Fix)
		}
	}
	c.Name = names.name(name) // last, so that a skipped tool takes no name
	return c
}

// schemas fills in the schemas of input and output.
func (t *tool) schemas(c *v1alpha1.ToolContent) error {
	text, err := t.inputSchema()
	if err != nil {
		return err
	}
	c.Input.SchemaText = text
	place, raw := t.find(t.form.output)
	t.output = place
	if raw == nil {
		return nil
	}
	text, err = t.schemaText(t.pointer(place.tokens()...), raw, place, false)
	if err != nil {
		return err
	}
	c.Output = &v1alpha1.Output{SchemaText: text}
	return nil
}

// find returns the first of several places where there is a value that is not null.
func (t *tool) find(places []schemaPlace) (schemaPlace, jsontext.Value) {
	for _, place := range places {
		raw := t.members.either(place.member)
		if raw != nil && place.below != "" {
			below, _ := membersOf(raw)
			raw = below.either(place.below)
		}
		if raw != nil {
			return place, raw
		}
	}
	return schemaPlace{}, nil
}

// texts fills in the title and the description. A contract cannot do without a
// description: every provider wants one, and the model chooses by it.
func (t *tool) texts(c *v1alpha1.ToolContent) {
	if t.form == &mcp {
		c.Title = t.title()
	}
	c.Description.Summary = t.members.word("description")
	switch {
	case c.Description.Summary != "":
	case c.Title != "":
		c.Description.Summary = c.Title
		t.note("%s: it has no description; the title stands in for it: write what the tool does and when to use it", t.pointer("description"))
	default:
		c.Description.Summary = c.ToolName
		t.note("%s: it has no description; the tool name stands in for it: write what the tool does and when to use it", t.pointer("description"))
	}
}

// title is the display name, which MCP has in two places.
func (t *tool) title() string {
	annotations, _ := membersOf(t.members.get("annotations"))
	title := t.members.word("title")
	if other, ok := annotations.text("title"); ok && title == "" {
		title = other
	} else if ok && other != title {
		t.note("/annotations/title: it differs from title and is not carried over; put what matters into title")
	}
	if length := utf8.RuneCountInString(title); length > maxTitle {
		t.note("/title: it has %d characters, more than the %d of a contract, and is not carried over; shorten it", length, maxTitle)
		return ""
	}
	return title
}

// examples are the complete arguments that the API shows to models, as far as
// they are valid against the schema of the contract: one that is not would make
// the whole contract invalid.
func (t *tool) examples(schemaText string) []v1alpha1.Example {
	raw := t.members.either(t.form.examples)
	if raw.Kind() != '[' {
		return nil // another type is reported with the other members
	}
	var out []v1alpha1.Example
	validator := compile(schemaText)
	for i, example := range elements(raw) {
		at := t.pointer(t.form.examples, strconv.Itoa(i))
		if len(out) == maxExamples {
			t.note("%s: it and what follows are not carried over; a contract has at most %d examples", at, maxExamples)
			return out
		}
		value, failed := schema.Parse(example)
		if failed != nil {
			t.note("%s: it is not carried over: %s: %s; %s", at, failed.Place(), failed.Message, failed.Fix)
			continue
		}
		if validator != nil {
			if invalid := validator.Validate(value); len(invalid) > 0 {
				t.note("%s: it is not carried over, because it is not valid against the schema: %s: %s; correct the example or the schema and import again",
					at, invalid[0].Place(), invalid[0].Message)
				continue
			}
		}
		out = append(out, v1alpha1.Example{ValueText: escapeForBlock(string(layOut(example))) + "\n"})
	}
	return out
}

// compile makes the validator of a schema; nil if check has something to say of
// the schema itself.
func compile(text string) *schema.Validator {
	root, failed := schema.Parse([]byte(text))
	if failed != nil {
		return nil
	}
	admitted, _ := schema.Admit(root)
	if admitted == nil {
		return nil
	}
	validator, invalid := admitted.Compile()
	if len(invalid) > 0 {
		return nil
	}
	return validator
}

// isCarried reports whether a member is in the contract, or says what a
// contract need not say.
func (t *tool) isCarried(name string) bool {
	switch name {
	case "name", "description", t.input.member, t.output.member, t.form.examples:
		return name != ""
	case "strict":
		return t.form.strict
	}
	return slices.Contains(t.form.silent, name)
}
