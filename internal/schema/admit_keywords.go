// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"errors"
	"fmt"
	"net/url"
	"slices"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/pattern"
)

// refusedKeywords make it impossible to judge a schema by itself: what they
// mean depends on documents or call paths outside it.
var refusedKeywords = map[string]string{
	"$dynamicRef":      "use $ref",
	"$dynamicAnchor":   "use $anchor or a pointer into $defs",
	"$recursiveRef":    "use $ref",
	"$recursiveAnchor": "use $ref with a pointer",
	"$vocabulary":      "remove it; the dialect is always JSON Schema 2020-12",
}

// formerKeywords had a meaning in an older draft and have none in 2020-12,
// where a validator passes over them in silence.
var formerKeywords = map[string]string{
	"dependencies":    "use dependentRequired or dependentSchemas",
	"additionalItems": "use prefixItems with items",
	"id":              "use $id",
	"divisibleBy":     "use multipleOf",
	"extends":         "use allOf",
	"disallow":        "use not",
	"nullable":        "use a type list with \"null\"",
	"example":         "use examples, an array",
}

// countKeywords take a non-negative integer. Beyond 2^53 the validator library
// overflows without a word.
var countKeywords = []string{
	"minLength", "maxLength", "minItems", "maxItems", "minContains", "maxContains", "minProperties", "maxProperties",
}

const maxCount = 1 << 53

func (a *admission) checkKeywords(at int) {
	n := a.nodes[at]
	for _, m := range n.Value.members {
		a.checkKnown(n.Pointer, m.Name)
	}
	a.checkIdentity(at)
	a.checkCounts(n)
	a.checkPatterns(n)
	a.checkEnumTypes(n)
	a.checkSatisfiable(n)
}

func (a *admission) checkKnown(pointer, name string) {
	if fix, refused := refusedKeywords[name]; refused {
		a.report(finding.Error, RuleKeywordRefused, pointer, name,
			fmt.Sprintf("%s makes the schema depend on its surroundings and cannot be judged alone", name), fix)
		return
	}
	if fix, former := formerKeywords[name]; former {
		a.report(finding.Warning, RuleUnknownKeyword, pointer, name,
			fmt.Sprintf("%s has no meaning in JSON Schema 2020-12 and is ignored", name), fix)
	}
}

// checkIdentity judges $schema, $id and $anchor and records anchors.
func (a *admission) checkIdentity(at int) {
	n := a.nodes[at]
	if dialect := n.Value.Get("$schema"); dialect != nil && !isDialect(dialect.Text()) {
		a.report(finding.Error, RuleDialect, n.Pointer, "$schema",
			fmt.Sprintf("the dialect %s is not JSON Schema 2020-12", finding.Quote(dialect.Text())),
			"remove $schema after checking that the schema means the same in 2020-12; toolcontract import does this for draft-07 tools")
	}
	if id := n.Value.Get("$id"); id != nil {
		a.checkID(n, id)
	}
	anchor := n.Value.Get("$anchor")
	if anchor == nil || anchor.kind != String {
		return
	}
	if other, taken := a.anchors[anchor.text]; taken {
		a.report(finding.Error, RuleInvalidSchema, n.Pointer, "$anchor",
			fmt.Sprintf("the anchor %s is already at %s", finding.Quote(anchor.text), a.nodes[other].Pointer), "rename one of them")
		return
	}
	a.anchors[anchor.text] = at
}

func (a *admission) checkID(n Node, id *Value) {
	if n.Parent >= 0 {
		a.report(finding.Error, RuleKeywordRefused, n.Pointer, "$id",
			"an embedded $id makes another document of this subschema", "remove it and refer to the place by pointer")
		return
	}
	if _, err := url.Parse(id.text); err != nil {
		a.report(finding.Error, RuleInvalidSchema, n.Pointer, "$id",
			fmt.Sprintf("%s is not a URI reference", finding.Quote(id.text)), "correct it, or remove it: nothing needs it")
	}
}

func isDialect(uri string) bool { return uri == Dialect || uri == Dialect+"#" }

func (a *admission) checkCounts(n Node) {
	for _, keyword := range countKeywords {
		v := n.Value.Get(keyword)
		if v == nil || !v.IsInteger() {
			continue // the meta-schema reports other types
		}
		if count, ok := v.Int(); !ok || count > maxCount {
			a.report(finding.Error, RuleCountRange, n.Pointer, keyword,
				fmt.Sprintf("%s is %s, beyond what any validator counts exactly", keyword, clipNumber(v.text)),
				"write a number below 2^53, or remove the keyword")
		}
	}
}

func (a *admission) checkPatterns(n Node) {
	if v := n.Value.Get("pattern"); v != nil && v.kind == String {
		a.compilePattern(n.Pointer, "pattern", v.text)
	}
	if v := n.Value.Get("patternProperties"); v != nil {
		for _, m := range v.members {
			a.compilePattern(finding.Pointer(n.Pointer, "patternProperties", m.Name), "", m.Name)
		}
	}
}

// compilePattern compiles each pattern once, as long as all of them together
// are cheap enough.
func (a *admission) compilePattern(pointer, keyword, source string) {
	if a.patterns[source] != nil || a.patternCost > MaxPatternCost {
		return
	}
	var compiled *pattern.Pattern
	var err error
	if a.compiled != nil {
		compiled = a.compiled(source)
	}
	if compiled == nil {
		compiled, err = pattern.Compile(source)
	}
	var cost *pattern.CostError
	switch {
	case err == nil:
		a.patterns[source] = compiled
		a.patternCost += compiled.Cost()
	case errors.As(err, &cost):
		a.patternCost += pattern.MaxInstructions // finding that out was not free either
		a.report(finding.Error, RulePatternCost, pointer, keyword, finding.Clip(err.Error(), 300),
			"rewrite the pattern without nested or overlapping unbounded repetition")
	default:
		a.report(finding.Error, RulePatternSyntax, pointer, keyword, finding.Clip(err.Error(), 300),
			"write an ECMA-262 regular expression, as JavaScript accepts it with the u flag")
	}
	if a.patternCost > MaxPatternCost {
		a.report(finding.Error, RulePatternCost, pointer, keyword,
			fmt.Sprintf("up to here the patterns of the schema need more than %d automaton instructions together", MaxPatternCost),
			"use fewer patterns, or smaller counts in {n,m}; a length is cheaper in minLength and maxLength")
	}
}

// checkSatisfiable finds what makes a node admit nothing by itself: no model
// could ever call such a tool. It is a warning, because the node may be one of
// several alternatives.
func (a *admission) checkSatisfiable(n Node) {
	warn := func(pointer, keyword, message, fix string) {
		a.findings = append(a.findings, finding.Finding{
			Rule: RuleAdmitsNothing, Severity: finding.Warning, Pointer: pointer, Keyword: keyword, Message: message, Fix: fix,
		})
	}
	if enum := n.Value.Get("enum"); enum != nil && enum.kind == Array && len(enum.items) == 0 {
		warn(finding.Pointer(n.Pointer, "enum"), "enum", "enum has no value, so nothing is valid here", "list the values, or remove enum")
	}
	closed := n.Value.Get("additionalProperties") != nil && n.Value.Get("additionalProperties").IsFalse() && !n.Value.Has("patternProperties")
	for i, name := range n.Value.Get("required").Strings() {
		declared := n.Value.Get("properties").Get(name)
		pointer := finding.Pointer(n.Pointer, "required", formatInt(int64(i)))
		switch {
		case declared == nil && closed:
			warn(pointer, "required", fmt.Sprintf("%s is required and never allowed, so no object is valid here", finding.Quote(name)),
				"declare it below properties, or take it out of required")
		case declared != nil && declared.IsFalse():
			warn(pointer, "required", fmt.Sprintf("%s is required and its schema is false, so no object is valid here", finding.Quote(name)),
				"give the property a schema, or take it out of required")
		}
	}
}

// checkEnumTypes finds members of enum and const that the node's own type can
// never admit. A boolean there is nearly always an unquoted yes, no, on or off
// that YAML read as true or false.
func (a *admission) checkEnumTypes(n Node) {
	types := Types(n.Value)
	if types == nil {
		return
	}
	check := func(v *Value, pointer, keyword string) {
		if v == nil || admitsType(types, v) {
			return
		}
		f := finding.Finding{
			Rule: RuleEnumType, Severity: finding.Warning, Pointer: pointer, Keyword: keyword,
			Message: fmt.Sprintf("%s is %s, which the type beside it never admits", finding.Clip(v.JSON(), 60), article(v.kind)),
			Fix:     "remove the member or widen type",
		}
		if v.kind == Bool {
			f.Rule, f.Severity = RuleYAMLBoolean, finding.Error
			f.Fix = "quote the value: YAML reads unquoted y, yes, on, n, no and off as booleans"
		}
		a.findings = append(a.findings, f)
	}
	if enum := n.Value.Get("enum"); enum != nil {
		for i, v := range enum.items {
			check(v, finding.Pointer(n.Pointer, "enum", formatInt(int64(i))), "enum")
		}
	}
	check(n.Value.Get("const"), finding.Pointer(n.Pointer, "const"), "const")
}

// Types returns the type words of a node, from a string or a list; nil
// without type.
func Types(node *Value) []string {
	t := node.Get("type")
	switch {
	case t == nil:
		return nil
	case t.kind == String:
		return []string{t.text}
	case t.kind == Array:
		return t.Strings()
	default:
		return nil
	}
}

// admitsType reports whether a value is of one of the types. A word that is no
// type is the meta-schema's to report; what it meant to admit is unknown.
func admitsType(types []string, v *Value) bool {
	for _, t := range types {
		switch {
		case t == v.kind.String():
			return true
		case t == "integer":
			if v.IsInteger() {
				return true
			}
		case !slices.Contains(kindNames[:], t):
			return true
		}
	}
	return false
}
