// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"slices"
	"strconv"
	"strings"

	"github.com/toolcontract/operator/internal/pattern"
	"github.com/toolcontract/operator/internal/schema"
)

func (p *prover) texts(a, b *node) bool {
	if !p.lists(a, b, a.text.values, b.text.values) {
		return false
	}
	if a.text.values != nil {
		demanded := b.text.beyond(&a.text)
		return p.values(a, b, a.text.values, func(v *schema.Value) answer { return demanded.admits(v.Text()) },
			func(v *schema.Value) string { return b.lengthKeyword(demanded.failedKeyword(v.Text())) })
	}
	return p.all(a, b, p.shortest, p.longest, p.patterns, p.formats)
}

// lengthKeyword is the keyword that says a length: it may be a pattern.
func (n *node) lengthKeyword(keyword string) string {
	if keyword == "minLength" || keyword == "maxLength" {
		return n.keyword(keyword, "pattern")
	}
	return keyword
}

// beyond is what t demands and u does not say in the same words.
func (t *texts) beyond(u *texts) *texts {
	return &texts{
		min: t.min, max: t.max,
		patterns: slices.DeleteFunc(slices.Clone(t.patterns), u.hasPattern),
		formats:  slices.DeleteFunc(slices.Clone(t.formats), u.hasFormat),
	}
}

func (t *texts) hasPattern(p *pattern.Pattern) bool {
	return slices.ContainsFunc(t.patterns, func(q *pattern.Pattern) bool { return samePattern(p, q) })
}

func (t *texts) hasFormat(format string) bool { return slices.Contains(t.formats, format) }

// shortest and longest demand the length of b. What a says of it may lie in
// its patterns and formats.
func (p *prover) shortest(a, b *node) bool {
	if b.text.min <= a.text.shortest() {
		return true
	}
	tooShort := a.text.language()
	tooShort.Most = count32(b.text.min - 1)
	found, text := p.find(tooShort)
	if found == pattern.No {
		return true
	}
	g := gap{
		a: a, b: b, pointer: b.pointer, keyword: b.lengthKeyword("minLength"),
		inA: atLeastText(a.text.shortest()), inB: atLeastText(b.text.min), leaves: a.text.leaves(b, found, text),
	}
	p.gap(g.spelledAsPattern())
	return false
}

func (p *prover) longest(a, b *node) bool {
	if within(a.text.longest(), b.text.max) {
		return true
	}
	tooLong := a.text.language()
	tooLong.Least = max(tooLong.Least, count32(b.text.max+1))
	found, text := p.find(tooLong)
	if found == pattern.No {
		return true
	}
	g := gap{
		a: a, b: b, pointer: b.pointer, keyword: b.lengthKeyword("maxLength"),
		inA: atMostText(a.text.longest()), inB: atMostText(b.text.max), leaves: a.text.leaves(b, found, text),
	}
	p.gap(g.spelledAsPattern())
	return false
}

// leaves proposes examples of the formats of t, or else a text that was found.
func (t *texts) leaves(b *node, found pattern.Answer, text string) func() []*schema.Value {
	return func() []*schema.Value {
		list := t.ordinary(func(text string) bool { return b.text.admits(text) == no })
		if len(list) == 0 && (found == pattern.Yes || text != "") {
			list = append(list, schema.NewString(text))
		}
		return list
	}
}

// patterns demands that every text of a matches each pattern of b.
func (p *prover) patterns(a, b *node) bool {
	ok := true
	for _, demanded := range b.text.beyond(&a.text).patterns {
		fails := a.text.language()
		fails.None = []*pattern.Pattern{demanded}
		found, text := p.find(fails)
		if found == pattern.No {
			continue
		}
		ok = false
		// A text of the right length shows the pattern alone.
		fails.Least, fails.Most = max(fails.Least, count32(b.text.min)), int(atMost(int64(fails.Most), int64(count32(b.text.max))))
		if only, ofLength := p.find(fails); only == pattern.Yes {
			text = ofLength
		}
		g := gap{
			a: a, b: b, pointer: b.pointer, keyword: "pattern",
			inA: a.spelled("pattern", ""), inB: b.spelled("pattern", quote(demanded.String())),
			leaves: a.text.leaves(b, found, text),
		}
		if found == pattern.Undecided {
			g.detail = "the patterns cannot be compared"
		}
		p.gap(g)
	}
	return ok
}

// formats demands each format of b. A format lies inside another by name, or
// because its patterns do.
func (p *prover) formats(a, b *node) bool {
	ok := true
	for _, demanded := range b.text.beyond(&a.text).formats {
		has, lacks := p.hasEveryFormat(&a.text, demanded)
		if has {
			continue
		}
		ok = false
		p.gap(gap{
			a: a, b: b, pointer: b.pointer, keyword: "format",
			inA: a.spelled("format", ""), inB: b.spelled("format", quote(demanded)),
			detail: "no rule shows that each of its texts has the format", leaves: func() []*schema.Value { return lacks },
		})
	}
	return ok
}

// hasEveryFormat proves that every text of t has a format, or proposes texts
// that may lack it.
func (p *prover) hasEveryFormat(t *texts, name string) (proven bool, lacks []*schema.Value) {
	demanded := formats[name]
	lacks = t.ordinary(func(text string) bool { return hasFormat(text, name) == no })
	likely := len(lacks) == 0
	if demanded.exact {
		proven = true
		for _, q := range compiledFormats(slices.Concat(demanded.matches, demanded.also)) {
			found, text := p.findOutside(t, q)
			if found != pattern.No {
				proven = false
			}
			if found != pattern.No && likely {
				lacks = append(lacks, schema.NewString(text))
			}
		}
		if proven {
			return true, nil
		}
	}
	for _, q := range compiledFormats(demanded.sure) {
		if found, _ := p.findOutside(t, q); found == pattern.No {
			return true, nil
		}
	}
	for _, own := range t.formats {
		for _, i := range formats[own].inside {
			if found, _ := p.findOutside(t, formatPatterns()[i.given]); i.format == name && found == pattern.No {
				return true, nil
			}
		}
	}
	if likely {
		for _, text := range slices.Concat([]string{"", "x"}, demanded.lacks, p.spoiled(t)) {
			lacks = append(lacks, schema.NewString(text))
		}
	}
	return false, lacks
}

// spoiled are texts of t with an end that most formats refuse.
func (p *prover) spoiled(t *texts) []string {
	found, text := p.find(t.language())
	if found == pattern.No {
		return nil
	}
	var list []string
	for _, end := range []string{" ", "%", "[", "-", ".", ":", "é", "\n"} {
		if t.admits(text+end) != no {
			list = append(list, text+end)
		}
	}
	return list
}

// ordinary are texts of t by the examples of its formats which b refuses: they
// read better than the shortest text that its patterns allow.
func (t *texts) ordinary(refused func(text string) bool) []*schema.Value {
	var list []*schema.Value
	for _, name := range t.formats {
		for _, text := range formats[name].has {
			if t.admits(text) == yes && refused(text) {
				list = append(list, schema.NewString(text))
			}
		}
	}
	return list
}

// findOutside looks for a text that fails a pattern.
func (p *prover) findOutside(t *texts, q *pattern.Pattern) (pattern.Answer, string) {
	fails := t.language()
	fails.None = []*pattern.Pattern{q}
	return p.find(fails)
}

// language is the set of texts, or a larger one where a format is not regular.
func (t *texts) language() pattern.Texts {
	set := pattern.Texts{All: slices.Clone(t.patterns), Least: count32(t.min), Most: count32(t.max)}
	for _, name := range t.formats {
		f := formats[name]
		set.All = append(set.All, compiledFormats(f.matches)...)
		if f.most > 0 {
			set.Most = int(atMost(int64(set.Most), int64(f.most)))
		}
	}
	return set
}

// count32 makes a length one that a walk can count; no walk gets that far.
func count32(n int64) int { return int(min(n, 1<<30)) }

// noText proves that there is no text of t beside its listed values.
func (p *prover) noText(t *texts) bool {
	if t.values != nil || len(t.patterns)+len(t.formats) == 0 {
		return false
	}
	if len(t.patterns)+len(t.formats) == 1 && t.min == 0 && t.max < 0 {
		return len(t.patterns) == 1 && t.patterns[0].String() == "[]"
	}
	found, _ := p.find(t.language())
	return found == pattern.No
}

// maxCompared bounds the work on patterns for one question.
const maxCompared = 8 * pattern.MaxWithin

// patternPair is a question about patterns by their text: those that match,
// with the lengths, and those that do not.
type patternPair struct{ a, b string }

// patternResult is what is known of one.
type patternResult struct {
	answer pattern.Answer
	text   string
}

// find looks for a text of a set, once for each set.
func (p *prover) find(set pattern.Texts) (found pattern.Answer, text string) {
	key := patternPair{strconv.Itoa(set.Least) + "-" + strconv.Itoa(set.Most) + sources(set.All), sources(set.None)}
	if known, ok := p.compared[key]; ok {
		return known.answer, known.text
	}
	found, text = set.Find(&p.comparing)
	p.compared[key] = patternResult{found, text}
	return found, text
}

func sources(list []*pattern.Pattern) string {
	var b strings.Builder
	for _, p := range list {
		b.WriteByte(0)
		b.WriteString(p.String())
	}
	return b.String()
}
