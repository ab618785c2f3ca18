// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/toolcontract/operator/internal/finding"
)

// Rules about the form of an object. An API server refuses what they report.
const (
	RuleUnknownField  = "unknown-field"
	RuleFieldMissing  = "field-missing"
	RuleFieldType     = "field-type"
	RuleFieldValue    = "field-value"
	RuleFieldConflict = "field-conflict"
	RuleListDuplicate = "list-duplicate"
)

// checker judges a value against a structural schema.
type checker struct{ findings []finding.Finding }

func (c *checker) fail(rule, pointer, message, fix string) {
	c.findings = append(c.findings, *failure(rule, pointer, message, fix))
}

// pruneNulls removes null-valued fields, as the API server does before it
// judges an object: a null says no more than an absent field. In embedded JSON
// null is a value and stays.
func pruneNulls(s *structural, v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, field := range s.Properties {
			if value, ok := v[name]; ok && value == nil {
				delete(v, name)
			} else {
				pruneNulls(field, value)
			}
		}
		for name, value := range v {
			if s.Additional != nil && s.Properties[name] == nil {
				pruneNulls(s.Additional, value)
			}
		}
	case []any:
		for _, item := range v {
			if s.Items != nil {
				pruneNulls(s.Items, item)
			}
		}
	}
}

func (c *checker) value(s *structural, v any, pointer string) {
	if !s.hasType(v) {
		c.fail(RuleFieldType, pointer, fmt.Sprintf("the value is %s, not %s", typeOf(v), article(s.Type)), typeFix(s, v))
		return
	}
	switch v := v.(type) {
	case map[string]any:
		c.object(s, v, pointer)
	case []any:
		c.list(s, v, pointer)
	case string:
		c.text(s, v, pointer)
	case int64:
		c.number(s, v, pointer)
	case float64:
		c.number(s, int64(v), pointer)
	}
	for _, validation := range s.Validations {
		if r := rules[validation.Rule]; r.holds != nil && !r.holds(v) {
			c.fail(RuleFieldConflict, pointer, validation.Message, r.fix)
		}
	}
}

func (c *checker) object(s *structural, v map[string]any, pointer string) {
	for _, name := range s.Required {
		if _, ok := v[name]; !ok {
			c.fail(RuleFieldMissing, finding.Pointer(pointer, name), "the required field is missing", missingFix(s, name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		at := finding.Pointer(pointer, name)
		known, ok := s.Properties[name]
		switch {
		case ok:
			c.value(known, v[name], at)
		case s.Additional != nil:
			c.value(s.Additional, v[name], at)
		case !s.PreserveUnknown:
			c.fail(RuleUnknownField, at, "there is no such field; kubectl refuses the object", unknownFix(s, name))
			if known := s.near(name); known != "" && v[known] == nil {
				c.repair(finding.Operation{Op: "move", From: at, Path: finding.Pointer(pointer, known)})
			}
		}
	}
}

func (c *checker) list(s *structural, v []any, pointer string) {
	if s.MinItems != nil && len(v) < *s.MinItems {
		c.fail(RuleFieldValue, pointer, fmt.Sprintf("the list has %d entries and needs at least %d", len(v), *s.MinItems), "add entries")
	}
	if s.MaxItems != nil && len(v) > *s.MaxItems {
		c.fail(RuleFieldValue, pointer, fmt.Sprintf("the list has %d entries, more than the limit of %d", len(v), *s.MaxItems), "remove entries")
		return
	}
	seen := map[string]bool{}
	for i, item := range v {
		at := finding.Pointer(pointer, strconv.Itoa(i))
		c.value(s.Items, item, at)
		identity, ok := s.identity(item)
		if ok && seen[identity] {
			c.fail(RuleListDuplicate, at, fmt.Sprintf("the list already has an entry %s", finding.Quote(identity)), "remove one of them")
		}
		seen[identity] = true
	}
}

// identity is what must be unique in a list that is a set or a map. All such
// keys of our definitions are strings.
func (s *structural) identity(item any) (string, bool) {
	switch s.ListType {
	case "set":
		text, ok := item.(string)
		return text, ok
	case "map":
		keys := make([]string, len(s.ListMapKeys))
		for i, name := range s.ListMapKeys {
			text, ok := member(item, name).(string)
			if !ok {
				return "", false
			}
			keys[i] = text
		}
		return strings.Join(keys, ","), true
	}
	return "", false
}

func (c *checker) text(s *structural, v, pointer string) {
	length := utf8.RuneCountInString(v)
	switch {
	case s.pattern != nil && length > 0 && (s.MaxLength == nil || length <= *s.MaxLength) && !s.pattern.MatchString(v):
		c.fail(RuleFieldValue, pointer, fmt.Sprintf("%s has characters or a form that is not allowed", finding.Quote(v)), patternFix(s))
	case s.MinLength != nil && length < *s.MinLength:
		c.fail(RuleFieldValue, pointer, fmt.Sprintf("the text has %d characters and needs at least %d", length, *s.MinLength), "write a longer text")
	case s.MaxLength != nil && length > *s.MaxLength:
		c.fail(RuleFieldValue, pointer, fmt.Sprintf("the text has %d characters, more than the limit of %d", length, *s.MaxLength), "shorten it")
	case s.Enum != nil && !slices.Contains(s.Enum, v):
		c.fail(RuleFieldValue, pointer, fmt.Sprintf("%s is not one of the values", finding.Quote(v)), "use one of "+strings.Join(s.Enum, ", "))
		if i := slices.IndexFunc(s.Enum, func(known string) bool { return strings.EqualFold(known, v) }); i >= 0 {
			c.repair(finding.Operation{Op: "replace", Path: pointer, Value: quoted(s.Enum[i])})
		}
	}
}

func (c *checker) number(s *structural, v int64, pointer string) {
	if s.Minimum != nil && v < *s.Minimum {
		c.fail(RuleFieldValue, pointer, fmt.Sprintf("%d is less than the minimum %d", v, *s.Minimum), "write a larger number")
	}
	if s.Maximum != nil && v > *s.Maximum {
		c.fail(RuleFieldValue, pointer, fmt.Sprintf("%d is more than the maximum %d", v, *s.Maximum), "write a smaller number")
	}
}

// hasType compares types as the API server does: a float without a fraction is
// an integer, and a null in a list is of no type.
func (s *structural) hasType(v any) bool {
	if f, ok := v.(float64); ok && s.Type == "integer" {
		return f == float64(int64(f))
	}
	return typeOf(v) == article(s.Type)
}

func typeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case string:
		return "a string"
	case int64:
		return "an integer"
	case float64:
		return "a number"
	case []any:
		return "a list"
	default:
		return "an object"
	}
}

func article(typeName string) string {
	switch typeName {
	case "array":
		return "a list"
	case "object", "integer":
		return "an " + typeName
	default:
		return "a " + typeName
	}
}

func typeFix(s *structural, v any) string {
	switch {
	case v == nil:
		return "remove the entry"
	case s.Type == "string" && isNested(v):
		return "write one text"
	case s.Type == "string":
		return "quote the value; YAML reads unquoted numbers, y, yes, on, n, no and off as something else than text"
	}
	return "write " + article(s.Type)
}

// isNested reports whether a value is a list or an object.
func isNested(v any) bool {
	switch v.(type) {
	case []any, map[string]any:
		return true
	}
	return false
}

func patternFix(s *structural) string {
	if fix, ok := patternFixes[s.Pattern]; ok {
		return fix
	}
	return "write a text that matches " + s.Pattern
}

// missingFix repeats what the field is for, from the definition.
func missingFix(s *structural, name string) string {
	return fmt.Sprintf("set %s: %s", name, firstSentence(s.Properties[name].Description))
}

func firstSentence(description string) string {
	text := strings.Join(strings.Fields(description), " ")
	sentence, _, _ := strings.Cut(text, ". ")
	return strings.TrimSuffix(sentence, ".")
}

// unknownFix names the field that was probably meant, else all there are.
func unknownFix(s *structural, name string) string {
	if known := s.near(name); known != "" {
		return fmt.Sprintf("write %s, or remove the field", known)
	}
	return "remove the field; the fields here are " + strings.Join(slices.Sorted(maps.Keys(s.Properties)), ", ")
}

// near is the field that was probably meant, or nothing.
func (s *structural) near(name string) string {
	for _, known := range slices.Sorted(maps.Keys(s.Properties)) {
		if isNear(name, known) {
			return known
		}
	}
	return ""
}

// repair gives the last finding what does its fix.
func (c *checker) repair(o finding.Operation) {
	c.findings[len(c.findings)-1].Patch = []finding.Operation{o}
}

// quoted is a word of a definition as JSON.
func quoted(word string) []byte { return []byte(strconv.Quote(word)) }

// isNear reports whether one name is the other with a different case, or with
// one character more, less or changed.
func isNear(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) == len(b) {
		return i == len(a) || a[i+1:] == b[i+1:]
	}
	return a[i:] == b[i+1:]
}
