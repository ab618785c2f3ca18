// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/toolcontract/operator/internal/finding"
)

// maxExplained bounds how many violations of one value are reported.
const maxExplained = 8

// explainCompile turns a compile error into findings on the document.
func (s *Schema) explainCompile(err error) []finding.Finding {
	var violation *jsonschema.SchemaValidationError
	var cause *jsonschema.ValidationError
	if !errors.As(err, &violation) || !errors.As(violation.Err, &cause) {
		return []finding.Finding{*failure(RuleInvalidSchema, "", finding.Clip(err.Error(), 300), "correct the schema")}
	}
	return explain(cause, s.root, func(leaf *jsonschema.ValidationError, path []string) finding.Finding {
		keyword := keywordAt(s.root, path)
		text, fix := explainKeyword(keyword, s.root.At(path), leaf)
		return finding.Finding{Rule: RuleInvalidSchema, Keyword: keyword, Message: text, Fix: fix}
	})
}

// explainInstance turns a validation error into findings on the instance.
func explainInstance(err *jsonschema.ValidationError, instance *Value) []finding.Finding {
	return explain(err, instance, func(leaf *jsonschema.ValidationError, _ []string) finding.Finding {
		keyword := failedKeyword(leaf.ErrorKind)
		if isUnevaluated(leaf) {
			keyword = unevaluated
		}
		return finding.Finding{
			Rule: RuleInstanceInvalid, Keyword: keyword, Message: describe(leaf), Fix: "correct the value or the schema",
		}
	})
}

// explain makes a finding of each of the first violations of a value.
func explain(
	err *jsonschema.ValidationError, value *Value, word func(*jsonschema.ValidationError, []string) finding.Finding,
) []finding.Finding {
	var out []finding.Finding
	for _, leaf := range leaves(err) {
		path := leaf.InstanceLocation
		if names, ok := leaf.ErrorKind.(*kind.PropertyNames); ok {
			path, _ = findMember(value, names.Property, len(path))
		}
		f := word(leaf, path)
		f.Severity, f.Pointer = finding.Error, finding.Clip(finding.Pointer("", path...), maxPointer)
		if !slices.ContainsFunc(out, func(g finding.Finding) bool { return finding.Compare(f, g) == 0 }) {
			out = append(out, f)
		}
		if len(out) == maxExplained {
			break
		}
	}
	return finding.Sort(out)
}

// leaves are the violations that say something by themselves, in an order
// that does not depend on the library, which walks objects in map order.
// Alternatives count as one: a list of why each branch failed helps nobody.
func leaves(err *jsonschema.ValidationError) []*jsonschema.ValidationError {
	var out []*jsonschema.ValidationError
	var visit func(e *jsonschema.ValidationError)
	visit = func(e *jsonschema.ValidationError) {
		switch e.ErrorKind.(type) {
		case *kind.AnyOf, *kind.OneOf, *kind.Not, *kind.Contains, *kind.MinContains, *kind.PropertyNames:
			out = append(out, e)
			return
		}
		if len(e.Causes) == 0 {
			out = append(out, e)
			return
		}
		for _, cause := range e.Causes {
			visit(cause)
		}
	}
	visit(err)
	slices.SortFunc(out, compareLeaves)
	return out
}

// compareLeaves orders violations by place, keyword and schema, and those of
// propertyNames after all others by the name: the library overwrites their
// place with that of a later sibling.
func compareLeaves(a, b *jsonschema.ValidationError) int {
	aNames, aIs := a.ErrorKind.(*kind.PropertyNames)
	bNames, bIs := b.ErrorKind.(*kind.PropertyNames)
	switch {
	case aIs && bIs:
		return cmp.Or(
			cmp.Compare(len(a.InstanceLocation), len(b.InstanceLocation)),
			cmp.Compare(aNames.Property, bNames.Property), cmp.Compare(a.SchemaURL, b.SchemaURL),
		)
	case aIs:
		return 1
	case bIs:
		return -1
	}
	return cmp.Or(
		slices.Compare(a.InstanceLocation, b.InstanceLocation),
		slices.Compare(a.ErrorKind.KeywordPath(), b.ErrorKind.KeywordPath()),
		cmp.Compare(a.SchemaURL, b.SchemaURL),
	)
}

// findMember leads to the first object at a depth that has a member of this name.
func findMember(v *Value, name string, depth int) (path []string, found bool) {
	if depth == 0 {
		return nil, v.Has(name)
	}
	for _, m := range v.members {
		if rest, found := findMember(m.Value, name, depth-1); found {
			return append([]string{m.Name}, rest...), true
		}
	}
	for i, item := range v.items {
		if rest, found := findMember(item, name, depth-1); found {
			return append([]string{strconv.Itoa(i)}, rest...), true
		}
	}
	return nil, false
}

// failedKeyword names the keyword whose violation the library reports.
func failedKeyword(k jsonschema.ErrorKind) string {
	if _, ok := k.(*kind.Not); ok {
		return "not"
	}
	if path := k.KeywordPath(); len(path) > 0 {
		return path[0] // the rest names the property of dependentRequired
	}
	return ""
}

// isUnevaluated reports whether a member was refused for being one that no schema
// of its object declares.
func isUnevaluated(violation *jsonschema.ValidationError) bool {
	_, is := violation.ErrorKind.(*kind.FalseSchema)
	at, found := strings.CutSuffix(violation.SchemaURL, "/"+unevaluated)
	return is && found && !strings.HasSuffix(at, "/properties")
}

// keywordAt names the keyword that a pointer into a schema leads to or below.
func keywordAt(root *Value, tokens []string) string {
	at, found := root, ""
	for i := 0; i < len(tokens); i++ {
		k, known := LookupKeyword(tokens[i])
		found = tokens[i]
		if at == nil || !known || k.Shape == Plain || k.Shape == Instance || k.Shape == InstanceList {
			return found
		}
		at = at.Get(tokens[i])
		if k.Shape != One && i+1 < len(tokens) && at != nil {
			i++
			at = at.At(tokens[i : i+1])
		}
	}
	return found
}

// explainKeyword says what is wrong with the value of a keyword, with the
// particular fix for the mistakes that real tools make most.
func explainKeyword(keyword string, value *Value, violation *jsonschema.ValidationError) (text, fix string) {
	switch {
	case keyword == "type":
		return fmt.Sprintf("%s is not a JSON Schema type", clipJSON(value)),
			"use null, boolean, object, array, number, integer or string, or a list of them without repetition"
	case keyword == "items" && value != nil && value.kind == Array:
		return "items is an array; in 2020-12 it is one schema for all items", "use prefixItems for a tuple"
	case (keyword == "exclusiveMinimum" || keyword == "exclusiveMaximum") && value != nil && value.kind == Bool:
		return keyword + " is a boolean, as in draft-04; in 2020-12 it is the bound itself",
			fmt.Sprintf("write the number in %s and remove the other bound", keyword)
	case keyword == "required" && value != nil && value.kind == Bool:
		return "required is a boolean, as in draft-03; in 2020-12 the object lists its required names",
			"list the name in required of the enclosing object"
	}
	return describe(violation), "correct the schema"
}

func clipJSON(v *Value) string {
	if v == nil {
		return "the value"
	}
	return finding.Clip(v.JSON(), 60)
}

// describe puts a violation into words. The library's own texts print large
// numbers as rounded floats, so everything with a number is ours.
func describe(violation *jsonschema.ValidationError) string {
	switch k := violation.ErrorKind.(type) {
	case *kind.Type:
		return fmt.Sprintf("it is %s, not %s", wordFor(k.Got), strings.Join(k.Want, " or "))
	case *kind.Required:
		return fmt.Sprintf("the required %s missing", names(k.Missing))
	case *kind.AdditionalProperties:
		return fmt.Sprintf("the undeclared %s not allowed", names(k.Properties))
	case *kind.AnyOf:
		return "it matches none of the alternatives of anyOf"
	case *kind.OneOf:
		if len(k.Subschemas) > 0 {
			return "it matches more than one alternative of oneOf"
		}
		return "it matches none of the alternatives of oneOf"
	case *kind.Not:
		return "it matches the schema under not"
	case *kind.Contains:
		return "no item matches contains"
	case *kind.MinContains:
		return fmt.Sprintf("only %d items match contains, fewer than the %d of minContains", len(k.Got), k.Want)
	case *kind.MaxContains:
		return fmt.Sprintf("%d items match contains, more than the %d of maxContains", len(k.Got), k.Want)
	case *kind.PropertyNames:
		text := fmt.Sprintf("the property name %s is not allowed", finding.Quote(k.Property))
		if len(violation.Causes) > 0 {
			text += ": " + describe(leaves(violation.Causes[0])[0])
		}
		return text
	case *kind.FalseSchema:
		if at := violation.InstanceLocation; isUnevaluated(violation) && len(at) > 0 {
			return fmt.Sprintf("the undeclared %s not allowed", names(at[len(at)-1:]))
		}
		return "nothing is allowed here"
	case *kind.Enum:
		return "it is not one of the values of enum"
	case *kind.Const:
		return "it is not the value of const"
	case *kind.Pattern:
		return fmt.Sprintf("%s does not match the pattern %s", finding.Quote(k.Got), finding.Quote(k.Want))
	case *kind.Minimum:
		return fmt.Sprintf("%s is less than the minimum %s", ratText(k.Got), ratText(k.Want))
	case *kind.Maximum:
		return fmt.Sprintf("%s is more than the maximum %s", ratText(k.Got), ratText(k.Want))
	case *kind.ExclusiveMinimum:
		return fmt.Sprintf("%s is not above the exclusive minimum %s", ratText(k.Got), ratText(k.Want))
	case *kind.ExclusiveMaximum:
		return fmt.Sprintf("%s is not below the exclusive maximum %s", ratText(k.Got), ratText(k.Want))
	case *kind.MultipleOf:
		return fmt.Sprintf("%s is not a multiple of %s", ratText(k.Got), ratText(k.Want))
	}
	return finding.Clip(violation.ErrorKind.LocalizedString(message.NewPrinter(language.English)), 200)
}

func ratText(r *big.Rat) string {
	v, err := NewRat(r)
	if err != nil {
		return clipNumber(r.RatString())
	}
	return clipNumber(v.text)
}

func names(list []string) string {
	sorted := slices.Sorted(slices.Values(list))
	quoted := make([]string, 0, 3)
	for _, n := range sorted[:min(3, len(sorted))] {
		quoted = append(quoted, finding.Quote(n))
	}
	text := strings.Join(quoted, ", ")
	if rest := len(sorted) - len(quoted); rest > 0 {
		text += fmt.Sprintf(" and %d more", rest)
	}
	if len(sorted) == 1 {
		return "property " + text + " is"
	}
	return "properties " + text + " are"
}

func wordFor(typeName string) string {
	switch typeName {
	case "array", "object", "integer":
		return "an " + typeName
	case "null":
		return "null"
	default:
		return "a " + typeName
	}
}
