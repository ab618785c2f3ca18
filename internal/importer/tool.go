// SPDX-License-Identifier: Apache-2.0

package importer

import (
	"fmt"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/manifest"
)

// Options say what every contract gets that no tool says.
type Options struct {
	Targets   []v1alpha1.Target
	Namespace string // empty: none
	Version   string
	// CloseObjects forbids undeclared members of objects that declare some and
	// do not say whether there may be others.
	CloseObjects bool
}

// Import makes contracts of the tools in an input, in its order. found is
// false if the input has neither a tool nor a list of tools.
func Import(data []byte, o Options) (contracts []*v1alpha1.ToolContract, report *Report, found bool) {
	report = &Report{}
	s := source{data: data, report: report}
	s.read()
	names := namer{}
	for i, raw := range s.tools {
		t := tool{options: o, report: report, label: fmt.Sprintf("tool %d", i+1)}
		if contract := t.contract(raw, &names); contract != nil {
			contracts = append(contracts, contract)
		}
	}
	return contracts, report, s.list || len(s.tools) > 0
}

// maxTitle is the most characters of a title in the API.
const maxTitle = 256

// tool is one tool on its way into a contract.
type tool struct {
	options Options
	report  *Report
	label   string // how the report names it
	members memberList
}

func (t *tool) note(format string, arguments ...any) {
	t.report.note(t.label, fmt.Sprintf(format, arguments...))
}

// skip reports why there is no contract, and returns none.
func (t *tool) skip(format string, arguments ...any) *v1alpha1.ToolContract {
	t.report.skip(t.label, fmt.Sprintf(format, arguments...))
	return nil
}

func (t *tool) contract(raw jsontext.Value, names *namer) *v1alpha1.ToolContract {
	if raw.Kind() != '{' {
		return t.skip("it is not a JSON object")
	}
	members, repeated := membersOf(raw)
	t.members = members
	name, ok := members.text("name")
	if ok && name != "" {
		t.label = name
	}
	switch {
	case repeated != "":
		return t.skip("the member %s appears twice", finding.Quote(repeated))
	case !ok || name == "":
		return t.skip("it has no name; only tools of MCP are read, with name and inputSchema")
	case members.get("inputSchema") == nil && (members.get("parameters") != nil || members.get("input_schema") != nil):
		return t.skip("it is a tool of another API; only tools of MCP are read, with name and inputSchema")
	}
	input, err := t.inputSchema()
	if err != nil {
		return t.skip("inputSchema: %v", err)
	}
	c := &v1alpha1.ToolContract{
		TypeMeta:   metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: "ToolContract"},
		ObjectMeta: metav1.ObjectMeta{Namespace: t.options.Namespace, Name: "pending"},
		Spec: v1alpha1.ToolContractSpec{
			ToolContent: v1alpha1.ToolContent{
				Version: t.options.Version, ToolName: name, Input: v1alpha1.Input{SchemaText: input},
			},
			Targets: t.options.Targets,
		},
	}
	t.texts(&c.Spec.ToolContent)
	if output := members.get("outputSchema"); output != nil && output.Kind() != 'n' {
		text, err := t.schemaText("outputSchema", output)
		if err != nil {
			return t.skip("outputSchema: %v", err)
		}
		c.Spec.Output = &v1alpha1.Output{SchemaText: text}
	}
	c.Spec.Execution = t.execution()
	t.others()
	for _, f := range manifest.Check(c) {
		if f.Severity == finding.Error {
			return t.skip("%s: %s; %s", f.Place(), f.Message, f.Fix)
		}
	}
	c.Name = names.name(name) // last, so that a skipped tool takes no name
	return c
}

// texts fills in the title and the description. A contract cannot do without a
// description: every provider wants one, and the model chooses by it.
func (t *tool) texts(c *v1alpha1.ToolContent) {
	annotations, _ := membersOf(t.members.get("annotations"))
	title, _ := t.members.text("title")
	if other, ok := annotations.text("title"); ok && title == "" {
		title = other
	} else if ok && other != title {
		t.note("annotations.title differs from title and is not carried over")
	}
	if length := utf8.RuneCountInString(title); length > maxTitle {
		t.note("the title has %d characters, more than the %d of a contract, and is not carried over", length, maxTitle)
	} else {
		c.Title = title
	}
	c.Description.Summary, _ = t.members.text("description")
	switch {
	case c.Description.Summary != "":
	case c.Title != "":
		c.Description.Summary = c.Title
		t.note("it has no description; the title stands in for it: write what the tool does and when to use it")
	default:
		c.Description.Summary = c.ToolName
		t.note("it has no description; the tool name stands in for it: write what the tool does and when to use it")
	}
}

// carried are the members of a tool that a contract has a place for.
var carried = map[string]bool{
	"name": true, "title": true, "description": true, "inputSchema": true, "outputSchema": true, "annotations": true,
}

// others reports members that are not carried over.
func (t *tool) others() {
	for _, m := range t.members {
		switch {
		case !carried[m.name]:
			t.note("the member %s is not carried over", finding.Quote(m.name))
		case m.value.Kind() == 'n':
		case m.name == "annotations" && m.value.Kind() != '{',
			(m.name == "title" || m.name == "description") && m.value.Kind() != '"':
			t.note("the member %s has another type than MCP gives it and is not carried over", m.name)
		}
	}
}
