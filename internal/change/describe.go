// SPDX-License-Identifier: Apache-2.0

package change

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// words returns the lexicon of this comparison.
func (c *comparison) words() *lexicon {
	if c.lexicon == nil {
		c.lexicon = newLexicon(c.old, c.new)
	}
	return c.lexicon
}

const descriptionPointer = "/spec/description"

// description judges the text for the model. A changed sentence cannot be told
// from a changed meaning, so a text alone is a Patch, and a Minor with a
// Warning where a word was edited that carries meaning.
func (c *comparison) description() {
	if c.old.Description == c.new.Description {
		return
	}
	was, is := c.old.Description, c.new.Description
	patch, words := false, false
	for _, part := range []struct{ name, was, is string }{
		{"summary", was.Summary, is.Summary},
		{"useWhen", was.UseWhen, is.UseWhen},
		{"doNotUseWhen", was.DoNotUseWhen, is.DoNotUseWhen},
		{"returns", was.Returns, is.Returns},
		{"sideEffects", was.SideEffects, is.SideEffects},
		{"failures", was.Failures, is.Failures},
	} {
		if part.was == part.is {
			continue
		}
		r := c.words().compare(part.was, part.is)
		if len(r.edited) == 0 {
			patch, words = true, words || r.words
			continue
		}
		pointer := finding.Pointer(descriptionPointer, part.name)
		c.say(c.reworded(r, statement{rule: "description-meaning", side: finding.Contract, pointer: pointer, oldPointer: pointer}))
	}
	switch {
	case words:
		c.declared(contract.Patch, "description", descriptionPointer, "change of the description", "")
	case patch:
		c.declared(contract.Patch, "description", descriptionPointer, "change of white space, case or punctuation in the description", "")
	}
}

// reworded completes a statement about a text in which meaning words were edited.
func (c *comparison) reworded(r rewording, n statement) statement {
	n.keyword = "description"
	n.bump, n.proof = contract.Minor, Declared
	n.what = "edit of words that carry meaning"
	n.why = "the text may promise something else"
	n.check = "read both sentences; if the meaning moved, declare what moved (a bound, a unit, a default, a side effect)"
	if c.hidden {
		return n
	}
	n.what += fmt.Sprintf(" (%s), %s → %s", shownWords(r.edited), sentenceOrNone(r.was), sentenceOrNone(r.is))
	return n
}

func sentenceOrNone(s string) string {
	if s == "" {
		return "no sentence"
	}
	// Clipped already, and shorter than what Quote would cut.
	return "“" + finding.Printable(s) + "”"
}

func shownWords(list []string) string {
	const shown = 5
	text := finding.Clip(finding.Printable(strings.Join(list[:min(shown, len(list))], ", ")), maxShown)
	if rest := len(list) - shown; rest > 0 {
		text += fmt.Sprintf(" and %d more", rest)
	}
	return text
}

// placeTexts groups the changes of texts inside a schema: a generator that
// rewords everything makes one finding, and each text that may mean something
// else one of its own, up to a bound.
type placeTexts struct {
	schemaChange
	plain    []statement
	keywords []string
	meaning  int
	seen     map[textPlace]bool
}

type textPlace struct{ pointer, oldPointer, keyword string }

// add compares the descriptions of one place.
func (t *placeTexts) add(was, is carried) {
	at := statement{pointer: is.pointer, oldPointer: was.pointer, keyword: "description"}
	if t.lookedAt(at) {
		return
	}
	gone := slices.DeleteFunc(slices.Clone(was.values), func(v *schema.Value) bool { return slices.ContainsFunc(is.values, v.Equal) })
	came := slices.DeleteFunc(slices.Clone(is.values), func(v *schema.Value) bool { return slices.ContainsFunc(was.values, v.Equal) })
	var found rewording
	for i := range max(len(gone), len(came)) {
		r := t.words().compare(textAt(gone, i), textAt(came, i))
		if len(r.edited) > 0 {
			found = r
			break
		}
	}
	if len(found.edited) == 0 {
		t.note(at)
		return
	}
	if t.meaning++; t.meaning <= maxMeaning {
		at.rule = t.prefix + "text-meaning"
		t.schemaChange.say(t.reworded(found, at))
		return
	}
	if t.meaning == maxMeaning+1 {
		t.note(at)
	}
}

func textAt(list []*schema.Value, i int) string {
	if i >= len(list) {
		return ""
	}
	return list[i].Text()
}

// maxMeaning bounds the findings about single texts of one schema.
const maxMeaning = 8

// other notes another keyword that is only read.
func (t *placeTexts) other(keyword string, was, is carried) {
	at := statement{pointer: is.pointer, oldPointer: was.pointer, keyword: keyword}
	if !t.lookedAt(at) {
		t.note(at)
	}
}

// lookedAt reports whether a text of the document was looked at before, from
// another place that refers to it.
func (t *placeTexts) lookedAt(at statement) bool {
	key := textPlace{at.pointer, at.oldPointer, at.keyword}
	if t.seen[key] {
		return true
	}
	if t.seen == nil {
		t.seen = map[textPlace]bool{}
	}
	t.seen[key] = true
	return false
}

func (t *placeTexts) note(at statement) {
	t.plain = append(t.plain, at)
	if !slices.Contains(t.keywords, at.keyword) {
		t.keywords = append(t.keywords, at.keyword)
	}
}

// say reports what is left as one finding.
func (t *placeTexts) say() {
	if len(t.plain) == 0 {
		return
	}
	slices.Sort(t.keywords)
	n := t.plain[0]
	n.rule, n.bump, n.proof = t.prefix+"text", contract.Patch, Declared
	n.what = fmt.Sprintf("change of %s at %s", strings.Join(t.keywords, " and "), places(len(t.plain)))
	if more := t.meaning - maxMeaning; more > 0 {
		n.bump = contract.Minor
		n.what += fmt.Sprintf(", with edits of words that carry meaning at %s more", places(more))
		n.check = "read the texts; if the meaning moved, declare what moved"
	}
	t.schemaChange.say(n)
}
