// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"fmt"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// subject is what a finding is about.
type subject struct {
	place   // its keyword may be empty for a shape
	pointer string
	shape   Shape // empty for a keyword
	// property is the name that the shape is about, with its schema if declared.
	property       string
	propertySchema *schema.Value
	count, max     int
}

func (c *checker) report(o *outcome, about subject) {
	c.findings = append(c.findings, finding.Finding{
		Rule:     o.rule,
		Severity: o.severity,
		Pointer:  about.pointer,
		Keyword:  about.keyword,
		Message:  c.message(o, &about),
		Fix:      about.fix(o),
	})
}

// message says what the API does, in its own words where they are known.
func (c *checker) message(o *outcome, about *subject) string {
	if o.Warning != "" {
		return about.expand(o.Warning)
	}
	where := "the " + c.profile.Title
	if c.mode == Strict {
		where = "in strict mode " + where
	}
	what := about.what()
	if o.rule == RuleRootKeyword {
		what += " at the root"
	}
	switch {
	case o.Verdict == Rejected:
		return fmt.Sprintf("%s refuses %s%s", where, what, said(about.expand(o.Error)))
	case o.Verdict == Unknown && c.mode == Strict:
		return fmt.Sprintf("it is not known whether %s takes %s, so it counts as refused", where, what)
	case o.Verdict == Unknown:
		return fmt.Sprintf("it is not known whether %s takes %s; it may refuse the request", where, what)
	case o.Verdict == Dropped:
		return fmt.Sprintf("%s drops %s without a word, so the constraint is lost", where, what)
	default:
		return fmt.Sprintf("%s takes %s but does not enforce it", where, what)
	}
}

// said appends the API's own words to a message.
func said(text string) string {
	if text == "" {
		return ""
	}
	return ": " + strings.TrimSuffix(text, ".")
}

// what names the subject: a keyword, or a shape in words.
func (s *subject) what() string {
	switch s.shape {
	case "":
		return s.keywordName()
	case NonObjectRoot:
		return "a root that is not of type object"
	case OpenObject:
		return "an object that admits undeclared members"
	case OptionalProperty:
		return "the optional property " + finding.Quote(s.property)
	case UndeclaredRequired:
		return finding.Quote(s.property) + " in required without a declaration in properties"
	case MissingRequired:
		return "an object without required"
	case ObjectWithoutProperties:
		return "an object without properties"
	case ArrayWithoutItems:
		return "an array without items"
	case UntypedSchema:
		return "a schema without type"
	case BooleanSchema:
		return "the boolean " + s.value.JSON() + " as a schema"
	default: // Recursion
		return "a recursive reference"
	}
}

// keywordName adds the value where it is the value that is at fault.
func (s *subject) keywordName() string {
	switch s.keyword {
	case "format", "pattern":
		return s.keyword + " " + finding.Clip(s.value.JSON(), maxValue)
	default:
		return inner(s.keyword)
	}
}

// fix is the way out. What is refused has one of its own in the profile; what
// is only not enforced is the host's work.
func (s *subject) fix(o *outcome) string {
	if o.Fix != "" {
		return s.expand(o.Fix)
	}
	return "let the host validate the arguments, and say the rule in the description too"
}
