// SPDX-License-Identifier: Apache-2.0

package importer

import (
	"strconv"
	"strings"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/yamledit"
)

// AppendYAML appends a contract made by [Import] as one YAML document, fields
// in the order of the documentation. What YAML 1.1 reads is exactly what the
// contract holds: texts are plain only where no reader can take them for
// anything else.
func AppendYAML(dst []byte, c *v1alpha1.ToolContract) []byte {
	w := yamlWriter{out: append(dst, "---\n"...)}
	w.object(fields(c).Object(), 0)
	return w.out
}

// fields is the contract as an ordered value.
func fields(c *v1alpha1.ToolContract) *schema.Fields {
	var root, meta, spec, description, input schema.Fields
	meta.Text("name", c.Name)
	meta.Text("namespace", c.Namespace)
	spec.Text("version", c.Spec.Version)
	spec.Text("toolName", c.Spec.ToolName)
	spec.Text("title", c.Spec.Title)
	description.Text("summary", c.Spec.Description.Summary)
	spec.Add("description", description.Object())
	input.Text("schemaText", c.Spec.Input.SchemaText)
	if len(c.Spec.Input.Examples) > 0 {
		examples := make([]*schema.Value, len(c.Spec.Input.Examples))
		for i, e := range c.Spec.Input.Examples {
			var example schema.Fields
			example.Text("valueText", e.ValueText)
			examples[i] = example.Object()
		}
		input.Add("examples", schema.NewArray(examples...))
	}
	spec.Add("input", input.Object())
	if c.Spec.Output != nil {
		var output schema.Fields
		output.Text("schemaText", c.Spec.Output.SchemaText)
		spec.Add("output", output.Object())
	}
	if e := c.Spec.Execution; e != nil {
		var execution schema.Fields
		execution.Text("sideEffect", string(e.SideEffect))
		execution.Text("reach", string(e.Reach))
		if e.Idempotency != nil {
			var idempotency schema.Fields
			idempotency.Text("mode", string(e.Idempotency.Mode))
			execution.Add("idempotency", idempotency.Object())
		}
		spec.Add("execution", execution.Object())
	}
	targets := make([]*schema.Value, len(c.Spec.Targets))
	for i, t := range c.Spec.Targets {
		var target schema.Fields
		target.Text("profile", t.Profile)
		target.Text("strict", string(t.Strict))
		target.Text("adaptation", string(t.Adaptation))
		target.Text("onIncompatible", string(t.OnIncompatible))
		targets[i] = target.Object()
	}
	spec.Add("targets", schema.NewArray(targets...))
	root.Text("apiVersion", c.APIVersion)
	root.Text("kind", c.Kind)
	root.Add("metadata", meta.Object())
	root.Add("spec", spec.Object())
	return &root
}

// yamlWriter writes objects, lists of objects and texts, which is all there is
// in an imported contract.
type yamlWriter struct{ out []byte }

func (w *yamlWriter) object(v *schema.Value, indent int) {
	for _, m := range v.Members() {
		w.indent(indent)
		w.member(m, indent)
	}
}

func (w *yamlWriter) indent(n int) { w.out = append(w.out, strings.Repeat(" ", n)...) }

func (w *yamlWriter) member(m schema.Member, indent int) {
	w.out = append(append(w.out, m.Name...), ':')
	switch m.Value.Kind() {
	case schema.Object:
		w.out = append(w.out, '\n')
		w.object(m.Value, indent+2)
	case schema.Array:
		w.out = append(w.out, '\n')
		for _, item := range m.Value.Items() {
			w.item(item, indent)
		}
	default:
		w.out = append(w.out, ' ')
		w.text(m.Value.Text(), indent+2)
	}
}

// item writes an object as a list entry: its first member behind the hyphen.
func (w *yamlWriter) item(v *schema.Value, indent int) {
	for i, m := range v.Members() {
		w.indent(indent)
		if i == 0 {
			w.out = append(w.out, "- "...)
		} else {
			w.out = append(w.out, "  "...)
		}
		w.member(m, indent+2)
	}
}

func (w *yamlWriter) text(s string, indent int) {
	switch {
	case yamledit.IsPlain(s):
		w.out = append(append(w.out, s...), '\n')
	case yamledit.IsBlock(s):
		w.block(s, indent)
	default:
		// Every escape of Go's quoting means the same in YAML's double quotes.
		w.out = append(strconv.AppendQuote(w.out, s), '\n')
	}
}

// block writes a literal block; the indicator says what is at its end: no line
// break, one, or more.
func (w *yamlWriter) block(s string, indent int) {
	body := strings.TrimRight(s, "\n")
	breaks := len(s) - len(body)
	w.out = append(w.out, [...]string{"|-\n", "|\n", "|+\n"}[min(breaks, 2)]...)
	for line := range strings.SplitSeq(body, "\n") {
		if line != "" {
			w.indent(indent)
			w.out = append(w.out, line...)
		}
		w.out = append(w.out, '\n')
	}
	if breaks > 1 {
		w.out = append(w.out, strings.Repeat("\n", breaks-1)...)
	}
}
