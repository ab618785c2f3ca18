// SPDX-License-Identifier: Apache-2.0

package change

import (
	"fmt"
	"strings"

	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// aspects name the rules after what changed; several keywords that say one
// thing share a name.
var aspects = map[string]string{
	"": "schema", "type": "type", "enum": "enum", "const": "enum",
	"minimum": "range", "maximum": "range", "exclusiveMinimum": "range", "exclusiveMaximum": "range",
	"multipleOf": "multiple-of", "minLength": "length", "maxLength": "length", "pattern": "pattern", "format": "format",
	"required": "required", "additionalProperties": "additional-properties", "patternProperties": "pattern-properties",
	"propertyNames": "property-names", "minProperties": "property-count", "maxProperties": "property-count",
	"dependentRequired": "dependencies", "dependentSchemas": "dependencies",
	"items": "items", "prefixItems": "items", "minItems": "item-count", "maxItems": "item-count",
	"uniqueItems": "unique-items", "contains": "contains", "minContains": "contains", "maxContains": "contains",
	"anyOf": "alternatives", "oneOf": "alternatives", "not": "negation", "if": "condition", "then": "condition", "else": "condition",
	"unevaluatedProperties": "unevaluated", "unevaluatedItems": "unevaluated",
}

// added reports whether a property that one side declares came with the new
// schema. newIsFirst says that A of the question was the new schema.
func added(r contain.Result, newIsFirst bool) bool { return (r.OnlyIn == contain.InA) == newIsFirst }

// aspect names the rule of a result, without the side.
func aspect(r contain.Result, newIsFirst bool) string {
	switch {
	case r.OnlyIn != "" && added(r, newIsFirst):
		return "property-added"
	case r.OnlyIn != "":
		return "property-removed"
	}
	if name, ok := aspects[r.Keyword]; ok {
		return name
	}
	return "schema"
}

// phrase says what changed, from old to new. newIsFirst says that A of the
// question was the new schema.
func (s schemaChange) phrase(r contain.Result, newIsFirst bool) string {
	was, is := oldToNew(r, newIsFirst)
	switch {
	case r.OnlyIn != "":
		return propertyPhrase(r, newIsFirst)
	case r.Keyword == "required" && newIsFirst:
		return "no longer requiring " + finding.Quote(r.Name)
	case r.Keyword == "required":
		return "requiring " + finding.Quote(r.Name)
	case aspects[r.Keyword] == "enum":
		return s.enumPhrase(r, newIsFirst)
	case len(r.Values) > 0:
		return fmt.Sprintf("%s %s for %s", r.Keyword, arrow(was, is), s.list(r.Values))
	case was == "" && is == "":
		return s.written(r, newIsFirst)
	default:
		return orSchema(r.Keyword) + " " + arrow(was, is)
	}
}

// written says how a keyword is written in both schemas, where a result only
// names it.
func (s schemaChange) written(r contain.Result, newIsFirst bool) string {
	change := strings.TrimSpace("change of " + orSchema(r.Keyword) + " " + quoted(r.Name))
	at := s.survey.placeAt(inNew(r, newIsFirst), r.Pointer)
	if at < 0 || r.Keyword == "" {
		return change
	}
	p := s.survey.places[at]
	was, is := s.survey.walker.old.carried(p.old, r.Keyword), s.survey.walker.new.carried(p.new, r.Keyword)
	if r.Name != "" {
		inOld, inNew := was.has(r.Name), is.has(r.Name)
		switch {
		case inOld && !inNew:
			return "removal of " + r.Keyword + " " + quoted(r.Name)
		case inNew && !inOld:
			return "new " + r.Keyword + " " + quoted(r.Name)
		}
		return change
	}
	if s.hidden || was.equal(is) {
		return change
	}
	return r.Keyword + " " + was.text(is)
}

// shown is a result without what the data classification hides: everything
// that a schema says about values, except their types.
func (s schemaChange) shown(r contain.Result) contain.Result {
	if s.hidden {
		r.Detail = ""
		if r.Keyword != "type" {
			r.InA, r.InB = "", ""
		}
	}
	return r
}

func oldToNew(r contain.Result, newIsFirst bool) (was, is string) {
	if newIsFirst {
		return r.InB, r.InA
	}
	return r.InA, r.InB
}

func propertyPhrase(r contain.Result, newIsFirst bool) string {
	switch {
	case !added(r, newIsFirst):
		return "removal of property " + finding.Quote(r.Name)
	case r.OnlyIn == contain.InB:
		return "new property " + finding.Quote(r.Name) + " in an open object"
	default:
		return "new property " + finding.Quote(r.Name) + " in a closed object"
	}
}

// enumPhrase names listed values, unless the classification hides them.
func (s schemaChange) enumPhrase(r contain.Result, newIsFirst bool) string {
	switch {
	case len(r.Values) > 0 && newIsFirst:
		return "new " + r.Keyword + " value " + s.list(r.Values)
	case len(r.Values) > 0:
		return "removal of " + r.Keyword + " value " + s.list(r.Values)
	case newIsFirst:
		return "values beyond the list of " + r.Keyword
	default:
		return "restriction to the list of " + r.Keyword
	}
}

func (s schemaChange) list(values []*schema.Value) string {
	if s.hidden {
		return fmt.Sprintf("%d listed values", len(values))
	}
	const shown = 3
	words := make([]string, 0, shown)
	for _, v := range values[:min(shown, len(values))] {
		words = append(words, finding.Clip(v.JSON(), maxShown))
	}
	text := strings.Join(words, ", ")
	if rest := len(values) - len(words); rest > 0 {
		text += fmt.Sprintf(" and %d more", rest)
	}
	return text
}

// maxShown bounds one value inside a message, in bytes.
const maxShown = 60

// keep is the way out that changes the schema instead of the version.
func (s schemaChange) keep(r contain.Result, newIsFirst bool) string {
	name := finding.Quote(r.Name)
	was, is := oldToNew(r, newIsFirst)
	switch {
	case r.OnlyIn != "" && !added(r, newIsFirst):
		return fmt.Sprintf("keep %s and mark it deprecated", name)
	case r.OnlyIn != "":
		return fmt.Sprintf("leave %s out", name)
	case r.Keyword == "required" && newIsFirst:
		return fmt.Sprintf("keep %s required", name)
	case r.Keyword == "required":
		return fmt.Sprintf("leave %s optional", name)
	case len(r.Values) > 0 && newIsFirst:
		return "leave out " + s.list(r.Values)
	case len(r.Values) > 0:
		return "keep " + s.list(r.Values)
	case was == "" && is != "", was == anyType:
		return "leave " + r.Keyword + " out"
	case was != "":
		return "keep " + r.Keyword + " " + was
	default:
		return "keep " + orSchema(r.Keyword) + " as it was"
	}
}

// anyType is what a result says of a schema without type.
const anyType = "any type"

func orSchema(keyword string) string {
	if keyword == "" {
		return "the schema"
	}
	return keyword
}

func quoted(name string) string {
	if name == "" {
		return ""
	}
	return finding.Quote(name)
}
