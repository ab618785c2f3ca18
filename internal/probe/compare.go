// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
)

// Kind is how a line of evidence stands to a profile.
type Kind string

// The kinds.
const (
	// Agrees: the API did what the profile says.
	Agrees Kind = "Agrees"
	// Contradicts: it did something else, so the profile, or what is sent, has to
	// change.
	Contradicts Kind = "Contradicts"
	// Settles: the profile did not know, and now something is known.
	Settles Kind = "Settles"
	// Stale: the line is about other bytes or another profile and says nothing now.
	Stale Kind = "Stale"
	// Silent: the API was not asked.
	Silent Kind = "Silent"
)

// Comparison is a line of evidence beside what the profile says.
type Comparison struct {
	Kind Kind
	// Cells are the facts to correct, as pointers into the profile; empty if they
	// cannot be told.
	Cells   []string
	Message string
	Fix     string
}

const (
	// fixProfile is the way out of a contradiction.
	fixProfile = "correct the fact in a profile of your own (--profile-dir, with extends) that names this answer as its source, and report it"
	// fixRendering is the way out where what is published is refused.
	fixRendering = "until the profile says so, use strict: Disabled or another schema, and " + fixProfile
)

// Compare holds the line against what the profile expects. sent is the tool as
// it was sent.
func (e Evidence) Compare(p *provider.Profile, x Expectation, sent *schema.Value) Comparison {
	mode := provider.Standard
	if e.StrictSent {
		mode = provider.Strict
	}
	switch {
	case e.Outcome == NotAsked:
		return Comparison{Kind: Silent, Message: "the API was not asked: " + e.Error, Fix: "run probe again"}
	case e.Outcome == Refused && x.Word == Takes:
		return Comparison{
			Kind: Contradicts, Cells: cellsIn(e.Error, p, sent, mode), Fix: fixRendering,
			Message: fmt.Sprintf("the API refuses what the profile takes in %s mode: %s", mode, e.said()),
		}
	case e.Outcome == Taken && x.Word == Refuses:
		return Comparison{
			Kind: Contradicts, Cells: x.Cells, Fix: fixProfile,
			Message: fmt.Sprintf("the API takes what the profile refuses in %s mode: %s", mode, x.Reason),
		}
	case e.Outcome == Taken && e.StrictReturned != nil && *e.StrictReturned != e.StrictSent:
		return Comparison{
			Kind: Contradicts, Cells: []string{"/strict"}, Fix: fixProfile,
			Message: fmt.Sprintf("strict: %t was sent and the API says that the tool has strict: %t", e.StrictSent, *e.StrictReturned),
		}
	case x.Word == Unsure && e.Outcome == Taken:
		return Comparison{
			Kind: Settles, Cells: x.Cells, Fix: fixProfile,
			Message: fmt.Sprintf("the API takes in %s mode what the profile does not know: %s", mode, x.Reason),
		}
	case x.Word == Unsure:
		return Comparison{
			Kind: Settles, Cells: x.Cells, Fix: fixProfile,
			Message: fmt.Sprintf("the API refuses in %s mode what the profile does not know: %s", mode, e.said()),
		}
	default:
		return Comparison{Kind: Agrees, Message: "the API did what the profile says"}
	}
}

// said is the error with its code, clipped and printable whatever file it comes
// from.
func (e Evidence) said() string {
	text := Scrub(e.Error, "")
	if e.ErrorCode != "" {
		text += " (" + Scrub(e.ErrorCode, "") + ")"
	}
	return text
}

// keywordText finds words in an error that can be keywords: quoted ones, and
// unquoted ones that no sentence has by accident.
var keywordText = regexp.MustCompile(`['"\x60]([$A-Za-z][A-Za-z0-9_-]*)['"\x60]|[$A-Za-z][A-Za-z0-9]*`)

// contextText is the path that OpenAI writes into its errors; property names in
// it are not keywords.
var contextText = regexp.MustCompile(`context=\([^)]*\)`)

// plainWords are keywords that are words of sentences too: only quoted ones are
// taken for keywords.
var plainWords = []string{
	"type", "items", "properties", "required", "not", "if", "then", "else", "enum", "const", "format", "pattern",
	"description", "title", "default", "examples", "contains", "minimum", "maximum", "deprecated",
}

// listed are the unquoted keywords in errors of the form "For 'integer' type,
// properties maximum, minimum are not supported".
var listed = regexp.MustCompile(`propert(?:y|ies) ([a-zA-Z]+(?:, [a-zA-Z]+)*) (?:is|are) not`)

// cellsIn tells the facts that an error is about: the keywords that it names
// and that the tool uses.
func cellsIn(text string, p *provider.Profile, sent *schema.Value, mode provider.Mode) []string {
	root := inputOf(sent)
	if root == nil {
		return nil
	}
	text = contextText.ReplaceAllString(text, "")
	var names []string
	for _, m := range keywordText.FindAllStringSubmatch(text, -1) {
		if m[1] != "" {
			names = append(names, m[1])
		} else if !slices.Contains(plainWords, m[0]) {
			names = append(names, m[0])
		}
	}
	for _, m := range listed.FindAllStringSubmatch(text, -1) {
		names = append(names, strings.Split(m[1], ", ")...)
	}
	var out []string
	field := strings.ToLower(string(mode))
	for _, name := range names {
		_, known := schema.LookupKeyword(name)
		if !known || !uses(root, name) {
			continue
		}
		section := provider.InKeywords
		if root.Has(name) && hasRootEntry(p, name) {
			section = provider.InRootKeywords
		}
		if cell := finding.Pointer("", string(section), name, field); !slices.Contains(out, cell) {
			out = append(out, cell)
		}
	}
	return out
}

func hasRootEntry(p *provider.Profile, keyword string) bool {
	return slices.ContainsFunc(p.RootKeywords, func(v provider.Verdicts) bool { return slices.Contains(v.Names, keyword) })
}

// uses reports whether a keyword stands anywhere in a schema.
func uses(n *schema.Value, keyword string) bool {
	return n.Has(keyword) || slices.ContainsFunc(schema.Children(n), func(c schema.Child) bool { return uses(c.Value, keyword) })
}

// inputOf finds the input schema in a tool of any of the wire formats.
func inputOf(tool *schema.Value) *schema.Value {
	if tool == nil {
		return nil
	}
	if function := tool.Get("function"); function != nil {
		tool = function
	}
	for _, name := range []string{"parameters", "input_schema", "parametersJsonSchema"} {
		if v := tool.Get(name); v != nil && v.Kind() == schema.Object {
			return v
		}
	}
	return nil
}
