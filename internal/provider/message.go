// SPDX-License-Identifier: Apache-2.0

package provider

import (
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
	f := finding.Finding{
		Rule:     o.rule,
		Severity: o.severity,
		Pointer:  about.pointer,
		Keyword:  about.keyword,
	}
	if c.cautious && o.Verdict == Unknown {
		f.Severity = finding.Error
	}
	if c.gives(&f) || c.wanted != nil && c.wanted.Rule == f.Rule && c.wanted.Pointer == f.Pointer && c.wanted.Keyword == f.Keyword {
		f.Message, f.Fix = c.message(o, &about), about.fix(o)
		if o.repair != nil {
			f.Patch = o.repair(c, &about)
		}
	}
	c.findings = append(c.findings, f)
}

// message says what the API does, in its own words where they are known.
func (c *checker) message(o *outcome, about *subject) string {
	if o.Warning != "" {
		return o.warning.fill(about)
	}
	where := "the " + c.profile.Title
	if c.mode == Strict && c.profile.Strict.Place != Implied {
		where = "in strict mode " + where
	}
	what := about.what()
	if o.rule == RuleRootKeyword {
		what += " at the root"
	}
	switch {
	case o.Verdict == Rejected:
		return where + " refuses " + what + said(o.apiError.fill(about))
	case o.Verdict == Unknown && c.mode == Strict:
		return "it is not known whether " + where + " takes " + what + ", so it counts as refused"
	case o.Verdict == Unknown:
		return "it is not known whether " + where + " takes " + what + "; it may refuse the request"
	case o.Verdict == Dropped:
		return where + " drops " + what + " without a word, so the constraint is lost"
	default:
		return where + " takes " + what + " but does not enforce it"
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
	case EmptyObject:
		return "an object that declares no property"
	case NoRequiredProperty:
		return "an object that requires none of its properties"
	case RequiredWithoutProperties:
		return "required without properties"
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
		return o.fix.fill(s)
	}
	return "let the host validate the arguments, and say the rule in the description too"
}
