// SPDX-License-Identifier: Apache-2.0

package dialect

import (
	"fmt"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// Rules of this package. They are part of the machine-readable output.
const (
	// RuleConverted is one step of a conversion. Info.
	RuleConverted = "dialect-converted"
	// RuleInteger says that integers are judged by value. Info.
	RuleInteger = "dialect-integer"
	// RuleInexact is what 2020-12 has no exact words for. Error.
	RuleInexact = "dialect-inexact"
)

// draft is a dialect of JSON Schema, by the number or year in its name.
type draft int

const (
	draft4    draft = 4
	draft6    draft = 6
	draft7    draft = 7
	draft2019 draft = 2019
	draft2020 draft = 2020
)

// names are the dialects in order.
var names = []struct {
	draft draft
	name  string
	// uri is $schema without scheme and fragment.
	uri string
}{
	{draft4, "draft-04", "json-schema.org/draft-04/schema"},
	{draft6, "draft-06", "json-schema.org/draft-06/schema"},
	{draft7, "draft-07", "json-schema.org/draft-07/schema"},
	{draft2019, "2019-09", "json-schema.org/draft/2019-09/schema"},
	{draft2020, "2020-12", "json-schema.org/draft/2020-12/schema"},
}

// String is the name of the dialect.
func (d draft) String() string {
	for _, n := range names {
		if n.draft == d {
			return n.name
		}
	}
	return ""
}

// Names are the dialects that [Convert] takes, oldest first.
func Names() []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = n.name
	}
	return out
}

// lookup finds a dialect by its name, or by what $schema says.
func lookup(text string) (d draft, known bool) {
	bare := strings.TrimPrefix(strings.TrimPrefix(strings.TrimSuffix(text, "#"), "http://"), "https://")
	for _, n := range names {
		if text == n.name || bare == n.uri {
			return n.draft, true
		}
	}
	return 0, false
}

// Known reports whether [Convert] takes a dialect under this name: one of
// [Names], or the URI of its meta-schema.
func Known(dialect string) bool {
	_, known := lookup(dialect)
	return known
}

// Of is what a document says of its dialect: the name of a known one, else what
// $schema says. Without a $schema it is 2020-12.
func Of(v *schema.Value) string {
	declared := v.Get("$schema")
	if declared == nil || declared.Kind() != schema.String {
		return draft2020.String()
	}
	if d, known := lookup(declared.Text()); known {
		return d.String()
	}
	return declared.Text()
}

// Convert returns the schema in 2020-12. dialect is one of [Names] or the URI of
// a meta-schema; if it is empty the $schema of the document decides, and without
// one it is 2020-12. Info findings say what was done, with pointers into the
// document as it was. With an Error among the findings the value is nil: the
// schema cannot be converted exactly. A schema that has no words of its dialect
// is returned as it is.
func Convert(v *schema.Value, dialect string) (*schema.Value, []finding.Finding) {
	if dialect == "" {
		dialect = Of(v)
	}
	from, known := lookup(dialect)
	if !known {
		return nil, []finding.Finding{{
			Rule: schema.RuleDialect, Severity: finding.Error, Pointer: "/$schema", Keyword: "$schema",
			Message: fmt.Sprintf("the dialect %s is unknown", finding.Quote(dialect)),
			Fix:     "write the schema in one of " + strings.Join(Names(), ", "),
		}}
	}
	if from == draft2020 {
		if declared := v.Get("$schema"); declared != nil && declared.Text() != schema.Dialect && declared.Text() != schema.Dialect+"#" {
			return v.Without("$schema"), nil
		}
		return v, nil
	}
	c := conversion{
		from: from, document: v, moved: map[string]string{}, base: map[string]*base{},
		resources: map[string]string{}, names: map[string]string{}, ambiguous: map[string]bool{},
	}
	if from == draft4 && v.Kind() == schema.Bool {
		c.noBoolean("")
	}
	c.index(v, "", "", &base{})
	if !finding.HasErrors(c.findings) {
		c.check()
		v = c.node(v, "")
	}
	findings := finding.Sort(c.findings)
	if finding.HasErrors(findings) {
		return nil, finding.Errors(findings)
	}
	return v, findings
}

// conversion rewrites one document.
type conversion struct {
	from     draft
	document *schema.Value
	// moved maps pointers of schemas in the old document to those in the new one.
	moved map[string]string
	// base is what references of a schema are relative to, by old pointer.
	base map[string]*base
	// resources maps the URIs of documents and embedded documents, and names
	// their anchors, to old pointers; ambiguous are those that two places claim.
	resources, names map[string]string
	ambiguous        map[string]bool
	pointers         int // bytes of all pointers
	findings         []finding.Finding
}

// did records a step of the conversion.
func (c *conversion) did(at, keyword, format string, arguments ...any) {
	c.findings = append(c.findings, finding.Finding{
		Rule: RuleConverted, Severity: finding.Info, Pointer: at, Keyword: keyword, Message: fmt.Sprintf(format, arguments...),
	})
}

// refuse records what cannot be converted.
func (c *conversion) refuse(at, keyword, message, fix string) {
	if keyword != "" {
		at = finding.Pointer(at, keyword)
	}
	c.findings = append(c.findings, finding.Finding{
		Rule: RuleInexact, Severity: finding.Error, Pointer: finding.Clip(at, maxPointer), Keyword: keyword, Message: message, Fix: fix,
	})
}

// maxPointer bounds pointers that hostile input could make as long as the text.
const maxPointer = 1024
