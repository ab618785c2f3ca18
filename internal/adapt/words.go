// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"regexp"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/schema"
)

// maxSaid is the longest sentence that stands for a constraint, in bytes. What
// takes more to say is no help to a model.
const maxSaid = 400

// say puts a keyword of a node into words: a sentence that means what it
// means. It is empty for what has no short words, and then the keyword stays.
func say(v *schema.Value, keyword string) string {
	value := v.Get(keyword)
	if value == nil {
		return ""
	}
	if text := phrase(v, keyword, value); text != "" && len(text) <= maxSaid {
		return text + "."
	}
	return ""
}

// phrase is the sentence without its full stop.
func phrase(v *schema.Value, keyword string, value *schema.Value) string {
	switch keyword {
	case "minLength":
		return atLeast(value, "character")
	case "maxLength":
		return atMost(value, "character")
	case "minItems":
		return atLeast(value, "item")
	case "maxItems":
		return atMost(value, "item")
	case "minProperties":
		return atLeast(value, "member")
	case "maxProperties":
		return atMost(value, "member")
	case "minimum":
		return number("At least ", value)
	case "maximum":
		return number("At most ", value)
	case "exclusiveMinimum":
		return number("Greater than ", value)
	case "exclusiveMaximum":
		return number("Less than ", value)
	case "multipleOf":
		return number("Multiple of ", value)
	case "uniqueItems":
		if value.IsTrue() {
			return "Items are unique"
		}
	case "pattern":
		return quoted("Must match the regular expression ", value)
	case "format":
		return plain("Format: ", value)
	case "propertyNames":
		return nameRule(value)
	case "dependentRequired":
		return dependencies(value)
	case "contains":
		if !v.Has("minContains") && !v.Has("maxContains") {
			return containsOne(value)
		}
	case "not":
		return negation(value)
	case "anyOf", "oneOf":
		return groups(keyword, value)
	}
	return ""
}

func atLeast(n *schema.Value, what string) string { return counted("At least ", n, what) }
func atMost(n *schema.Value, what string) string  { return counted("At most ", n, what) }

func counted(words string, n *schema.Value, what string) string {
	if _, ok := n.Int(); !ok {
		return ""
	}
	if n.Text() != "1" {
		what += "s"
	}
	return words + n.Text() + " " + what
}

func number(words string, n *schema.Value) string {
	if n.Kind() != schema.Number {
		return ""
	}
	return words + n.Text()
}

// quoted sets a text off as code, which is how models know patterns.
func quoted(words string, text *schema.Value) string {
	if text.Kind() != schema.String || text.Text() == "" || strings.Contains(text.Text(), "`") {
		return ""
	}
	return words + "`" + text.Text() + "`"
}

// simpleName is a name or word that needs no quotes.
var simpleName = regexp.MustCompile(`^[\pL\pN_][\pL\pN_.-]*$`)

func plain(words string, text *schema.Value) string {
	if text.Kind() != schema.String || !simpleName.MatchString(text.Text()) {
		return ""
	}
	return words + text.Text()
}

// literal writes a scalar as a reader would: words without quotes.
func literal(v *schema.Value) string {
	if v.Kind() == schema.String && simpleName.MatchString(v.Text()) {
		return v.Text()
	}
	return v.JSON()
}

func literals(values []*schema.Value) []string {
	out := make([]string, len(values))
	for i, v := range values {
		if isContainer(v) {
			return nil
		}
		out[i] = literal(v)
	}
	return out
}

// list joins words: "a", "a and b", "a, b and c".
func list(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	head := strings.Join(words[:len(words)-1], ", ")
	return head + " " + last + " " + words[len(words)-1]
}

// only returns the value of the one keyword that constrains a schema, beside a
// type that goes without saying.
func only(v *schema.Value, keyword, impliedType string) *schema.Value {
	for _, m := range v.Members() {
		k, known := schema.LookupKeyword(m.Name)
		isImplied := m.Name == "type" && m.Value.Text() == impliedType
		if m.Name != keyword && known && !k.Annotation && !isImplied {
			return nil
		}
	}
	return v.Get(keyword)
}

// nameRule says what the names of members are held to.
func nameRule(v *schema.Value) string {
	var parts []string
	for _, m := range v.Members() {
		part := ""
		switch m.Name {
		case "pattern":
			part = quoted("matches the regular expression ", m.Value)
		case "enum":
			if words := literals(m.Value.Items()); len(words) > 0 {
				part = "is " + oneOf(words)
			}
		case "minLength":
			part = counted("has at least ", m.Value, "character")
		case "maxLength":
			part = counted("has at most ", m.Value, "character")
		case "format":
			part = plain("has the format ", m.Value)
		default:
			k, known := schema.LookupKeyword(m.Name)
			if isImplied := m.Name == "type" && m.Value.Text() == "string"; isImplied || !known || k.Annotation {
				continue
			}
		}
		if part == "" {
			return ""
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return ""
	}
	return "Every name " + list(parts, "and")
}

func oneOf(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	return "one of " + list(words, "and")
}

func dependencies(v *schema.Value) string {
	parts := make([]string, 0, v.Len())
	for _, m := range v.Members() {
		names := literals(m.Value.Items())
		if len(names) == 0 {
			return ""
		}
		parts = append(parts, literal(schema.NewString(m.Name))+" is given, "+list(names, "and")+" must be given")
	}
	if len(parts) == 0 {
		return ""
	}
	return "If " + strings.Join(parts, "; if ")
}

func containsOne(v *schema.Value) string {
	if constant := only(v, "const", ""); constant != nil && !isContainer(constant) {
		return "At least one item is " + literal(constant)
	}
	if enum := only(v, "enum", ""); enum != nil {
		if words := literals(enum.Items()); len(words) > 0 {
			return "At least one item is " + oneOf(words)
		}
	}
	return ""
}

func negation(v *schema.Value) string {
	if constant := only(v, "const", ""); constant != nil && !isContainer(constant) {
		return "Not " + literal(constant)
	}
	if enum := only(v, "enum", ""); enum != nil {
		if words := literals(enum.Items()); len(words) > 0 {
			return "Not " + list(words, "or")
		}
	}
	if required := only(v, "required", "object"); required != nil {
		switch names := literals(required.Items()); len(names) {
		case 0:
			return ""
		case 1:
			return "Do not give " + names[0]
		default:
			return "Do not give " + list(names, "and") + " together"
		}
	}
	return ""
}

// groups says which members must come together, where that is all that the
// alternatives say.
func groups(keyword string, v *schema.Value) string {
	if v == nil || v.Kind() != schema.Array || v.Len() > maxSaid {
		return "" // each takes a byte at least, and very many are not worth a look
	}
	parts := make([]string, 0, v.Len())
	for _, branch := range v.Items() {
		required := only(branch, "required", "object")
		if required == nil || required.Len() > maxSaid {
			return ""
		}
		names := literals(required.Items())
		if len(names) == 0 {
			return ""
		}
		parts = append(parts, list(names, "and"))
	}
	if len(parts) == 0 {
		return ""
	}
	separator := ", "
	if slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(p, " ") }) {
		separator = "; "
	}
	switch keyword {
	case "anyOf":
		return "Give at least one of: " + strings.Join(parts, separator)
	case "oneOf":
		return "Give exactly one of: " + strings.Join(parts, separator)
	default:
		return ""
	}
}

// sentences joins a text with a sentence.
func sentences(text, sentence string) string {
	text = strings.TrimRight(text, " \t\r\n")
	if text == "" {
		return sentence
	}
	if !strings.ContainsAny(text[len(text)-1:], ".!?:") && !strings.HasSuffix(text, "。") {
		text += "."
	}
	return text + " " + sentence
}
