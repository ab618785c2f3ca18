// SPDX-License-Identifier: Apache-2.0

package change

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// rewording is what an edit did to a text.
type rewording struct {
	// words says that more than white space, case and punctuation changed.
	words bool
	// was and is are the first changed sentence in which a meaning word was edited,
	// shortened around the edit; empty where there was none.
	was, is string
	// edited are the meaning words of all changed sentences, each once.
	edited []string
}

// lexicon knows the meaning words of one comparison: those of the language and
// the names that the two contracts declare.
type lexicon struct{ names map[string]bool }

// newLexicon collects the declared names that a reader cannot take for a usual
// word: of properties, listed values, error codes and the tool.
func newLexicon(contents ...*contract.Content) *lexicon {
	l := &lexicon{names: map[string]bool{}}
	for _, c := range contents {
		l.learn(c.ToolName)
		for _, e := range c.Output.Errors {
			l.learn(e.Code)
		}
		schemas := []*schema.Schema{c.Input.Schema, c.Output.Schema}
		for _, p := range c.Input.SessionParameters {
			l.learn(p.Name)
			schemas = append(schemas, p.Schema)
		}
		for _, s := range schemas {
			if s != nil {
				l.learnSchema(s)
			}
		}
	}
	return l
}

func (l *lexicon) learnSchema(s *schema.Schema) {
	for _, n := range s.Nodes() {
		if n.In == "properties" {
			l.learn(n.Token)
		}
		if c := n.Value.Get("const"); c != nil {
			l.learn(c.Text())
		}
		if list := n.Value.Get("enum"); list != nil {
			for _, v := range list.Items() {
				l.learn(v.Text())
			}
		}
	}
}

func (l *lexicon) learn(name string) {
	if name != "" && len(name) <= maxName {
		l.names[name] = true
	}
}

// maxName bounds a name that texts are searched for, in bytes.
const maxName = 128

// compare says what an edit did to a text.
func (l *lexicon) compare(was, is string) rewording {
	before, after := sentences(was), sentences(is)
	r := rewording{words: !slices.EqualFunc(before, after, func(a, b sentence) bool { return a.key == b.key })}
	if !r.words {
		return r
	}
	gone, came := changed(before, after)
	for _, p := range paired(gone, came) {
		changedA, changedB := differing(p[0].tokens, p[1].tokens)
		a, b := l.edited(p[0].tokens, changedA), l.edited(p[1].tokens, changedB)
		a, b = withoutOtherForms(p[0].tokens, a, p[1].tokens, b)
		if len(a)+len(b) == 0 {
			continue
		}
		// A sentence that has another one beside it shows best what was edited.
		both := len(p[0].tokens) > 0 && len(p[1].tokens) > 0
		if len(r.edited) == 0 || both && (r.was == "" || r.is == "") {
			r.was, r.is = p[0].around(a, changedA), p[1].around(b, changedB)
		}
		for _, i := range a {
			r.edited = append(r.edited, p[0].tokens[i].raw)
		}
		for _, i := range b {
			r.edited = append(r.edited, p[1].tokens[i].raw)
		}
	}
	slices.Sort(r.edited)
	r.edited = slices.Compact(r.edited)
	return r
}

// token is one word, one number, one sign or one Chinese character.
type token struct {
	text, raw  string // text is in lower case
	start, end int    // in the sentence, in bytes
	// quoted is a word in quotes by itself; inExample one of several.
	quoted, inExample bool
}

// sentence is a part of a text that ends like a sentence or a line.
type sentence struct {
	text   string
	tokens []token
	key    string // its words, for comparison
}

// sentences splits a text; parts without a word are left out.
func sentences(text string) []sentence {
	var out []sentence
	start := 0
	flush := func(end int) {
		s := sentence{text: strings.TrimSpace(text[start:end])}
		start = end
		s.tokens = tokens(s.text)
		if len(s.tokens) == 0 || s.isListMark() {
			return
		}
		words := make([]string, len(s.tokens))
		for i, t := range s.tokens {
			words[i] = t.text
		}
		s.key = strings.Join(words, " ")
		out = append(out, s)
	}
	for i, r := range text {
		end := i + utf8.RuneLen(r)
		next, _ := utf8.DecodeRuneInString(text[min(end, len(text)):])
		switch {
		case r == utf8.RuneError:
		case r == '\n', strings.ContainsRune("。！？；", r):
			flush(end)
		case strings.ContainsRune(".!?;", r) && (end >= len(text) || unicode.IsSpace(next)):
			flush(end)
		}
	}
	flush(len(text))
	return out
}

// isListMark reports whether a part is only the number of what follows: "2.".
func (s sentence) isListMark() bool {
	return len(s.tokens) == 1 && strings.HasSuffix(s.text, ".") && strings.Trim(s.text, "0123456789.") == ""
}

func tokens(text string) []token {
	var out []token
	runes := []rune(text)
	offset := 0
	offsets := make([]int, len(runes)+1)
	for i, r := range runes {
		offsets[i] = offset
		offset += len(string(r))
	}
	offsets[len(runes)] = offset
	for i := 0; i < len(runes); {
		j := i + 1
		switch r := runes[i]; {
		case unicode.Is(unicode.Han, r), strings.ContainsRune(meaningSymbols, r), unseen(r), compares(runes, i):
		case wordRune(r), negative(runes, i):
			for j < len(runes) && (wordRune(runes[j]) || joins(runes, j)) {
				j++
			}
		default:
			i = j
			continue
		}
		raw := string(runes[i:j])
		out = append(out, token{
			text: lower(raw), raw: raw, start: offsets[i], end: offsets[j],
			quoted: i > 0 && j < len(runes) && strings.ContainsRune("`'\"“‘「", runes[i-1]) && strings.ContainsRune("`'\"”’」", runes[j]),
		})
		i = j
	}
	markExamples(text, out)
	return out
}

// markExamples marks the words that stand in quotes together with others: what
// somebody may write, and not what the tool does.
func markExamples(text string, list []token) {
	for _, quote := range []string{"\"", "`"} {
		parts := strings.Split(text, quote)
		offset, next := 0, 0
		for n, part := range parts {
			end := offset + len(part)
			for next < len(list) && list[next].start < offset {
				next++
			}
			last := next
			for last < len(list) && list[last].end <= end {
				last++
			}
			// Every second part stands between two quotes, but for one that never ends.
			if n%2 == 1 && n+1 < len(parts) && last-next > 1 {
				for k := next; k < last; k++ {
					list[k].inExample = true
				}
			}
			offset, next = end+len(quote), last
		}
	}
}

// unseen reports whether a character says something to a model that a person
// does not see. Joiners inside words and pictures are usual.
func unseen(r rune) bool {
	return unicode.Is(unicode.Cf, r) && !strings.ContainsRune("\u00ad\u200c\u200d\ufeff", r)
}

func wordRune(r rune) bool {
	return r == '_' || !unicode.Is(unicode.Han, r) && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r))
}

// negative reports whether a sign makes the number behind it negative.
func negative(runes []rune, i int) bool {
	return strings.ContainsRune("-−", runes[i]) && i+1 < len(runes) && unicode.IsNumber(runes[i+1]) && (i == 0 || !wordRune(runes[i-1]))
}

// compares reports whether a sign is a bound of the number behind it: "< 5", ">=5".
func compares(runes []rune, i int) bool {
	if runes[i] != '<' && runes[i] != '>' {
		return false
	}
	for j := i + 1; j < len(runes); j++ {
		if runes[j] != '=' && runes[j] != ' ' {
			return unicode.IsNumber(runes[j]) || negative(runes, j)
		}
	}
	return false
}

// joins reports whether a sign stands inside a word: don't, read-only, 1.5.
func joins(runes []rune, i int) bool {
	if i+1 >= len(runes) || !wordRune(runes[i+1]) {
		return false
	}
	switch runes[i] {
	case '\'', '’', '-':
		return true
	case '.', ',', ':':
		return unicode.IsDigit(runes[i-1]) && unicode.IsDigit(runes[i+1])
	default:
		return false
	}
}

// lower is the lower case, with one sort of apostrophe, of minus and of digits.
func lower(word string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '’':
			return '\''
		case r == '−':
			return '-'
		case r >= '０' && r <= '９':
			return r - '０' + '0'
		default:
			return unicode.ToLower(r)
		}
	}, word)
}

// changed leaves out the sentences that both texts have, wherever they stand.
func changed(before, after []sentence) (gone, came []sentence) {
	left := map[string]int{}
	for _, s := range after {
		left[s.key]++
	}
	for _, s := range before {
		if left[s.key] > 0 {
			left[s.key]--
		} else {
			gone = append(gone, s)
		}
	}
	for _, s := range slices.Backward(after) {
		if left[s.key] > 0 {
			left[s.key]--
			came = append(came, s)
		}
	}
	slices.Reverse(came)
	return gone, came
}

// paired puts each sentence that is gone beside the one that came and shares
// the most words with it; one that shares too few has an empty sentence beside it.
func paired(gone, came []sentence) [][2]sentence {
	var out [][2]sentence
	taken := make([]bool, len(came))
	for i, g := range gone {
		best, shared := -1, 0
		words := map[string]bool{}
		for _, t := range g.tokens {
			words[t.text] = true
		}
		// Two long lists are compared near the diagonal only.
		for j := max(0, i-maxWindow); j < min(len(came), i+maxWindow+1); j++ {
			if taken[j] {
				continue
			}
			n := 0
			for _, t := range came[j].tokens {
				if words[t.text] {
					n++
				}
			}
			if n > shared && 3*n >= min(len(g.tokens), len(came[j].tokens)) {
				best, shared = j, n
			}
		}
		p := [2]sentence{g, {}}
		if best >= 0 {
			p[1], taken[best] = came[best], true
		}
		out = append(out, p)
	}
	for j, c := range came {
		if !taken[j] {
			out = append(out, [2]sentence{{}, c})
		}
	}
	return out
}

// maxWindow bounds how far apart two sentences are looked at as one.
const maxWindow = 32

// differing marks the tokens that are not in the longest common run of words
// of two sentences.
func differing(a, b []token) (inA, inB []bool) {
	inA, inB = make([]bool, len(a)), make([]bool, len(b))
	from := 0
	for from < len(a) && from < len(b) && a[from].text == b[from].text {
		from++
	}
	endA, endB := len(a), len(b)
	for endA > from && endB > from && a[endA-1].text == b[endB-1].text {
		endA, endB = endA-1, endB-1
	}
	x, y := a[from:endA], b[from:endB]
	if len(x)*len(y) > maxTable {
		mark(inA[from:endA])
		mark(inB[from:endB])
		return inA, inB
	}
	// common[i][j] is the longest common run of x[i:] and y[j:].
	width := len(y) + 1
	common := make([]int, (len(x)+1)*width)
	for i, p := range slices.Backward(x) {
		for j, q := range slices.Backward(y) {
			if p.text == q.text {
				common[i*width+j] = common[(i+1)*width+j+1] + 1
			} else {
				common[i*width+j] = max(common[(i+1)*width+j], common[i*width+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(x) && j < len(y) {
		switch {
		case x[i].text == y[j].text:
			i, j = i+1, j+1
		case common[(i+1)*width+j] >= common[i*width+j+1]:
			inA[from+i] = true
			i++
		default:
			inB[from+j] = true
			j++
		}
	}
	mark(inA[from+i : endA])
	mark(inB[from+j : endB])
	return inA, inB
}

func mark(list []bool) {
	for i := range list {
		list[i] = true
	}
}

// withoutOtherForms leaves out the pairs of edited verbs that are forms of one:
// "stops" and "stop" say the same. Each verb has one partner at most, and the
// same form on both sides is a verb that moved to another object.
func withoutOtherForms(was []token, a []int, is []token, b []int) (left, right []int) {
	right = slices.Clone(b)
	for _, i := range a {
		verb, ok := verbOf[was[i].text]
		partner := slices.IndexFunc(right, func(j int) bool { return ok && verbOf[is[j].text] == verb && is[j].text != was[i].text })
		if partner < 0 {
			left = append(left, i)
		} else {
			right = slices.Delete(right, partner, partner+1)
		}
	}
	return left, right
}

// maxTable bounds the table of two sentences; longer ones count as edited
// throughout.
const maxTable = 1 << 18

// edited are the indexes of the edited tokens that carry meaning.
func (l *lexicon) edited(list []token, changed []bool) []int {
	var out []int
	for i, t := range list {
		switch {
		case changed[i] && l.meaning(t):
			out = append(out, i)
		default:
			if at := phraseAt(list, changed, i); at >= 0 && !slices.Contains(out, at) {
				out = append(out, at)
			}
		}
	}
	return out
}

// meaning reports whether a word carries meaning by itself.
func (l *lexicon) meaning(t token) bool {
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(t.text, "-−"))
	switch {
	case t.inExample && !unseen(first):
		return l.names[t.raw] && identifier(t.raw)
	case unicode.IsNumber(first), unseen(first), strings.ContainsRune(meaningSymbols+"<>", first), meaningWords[t.text]:
		return true
	default:
		return l.names[t.raw] && (t.quoted || identifier(t.raw))
	}
}

// identifier reports whether a word is written as no usual word is.
func identifier(word string) bool {
	return strings.IndexFunc(word[1:], func(r rune) bool { return r == '_' || unicode.IsUpper(r) || unicode.IsDigit(r) }) >= 0
}

// phraseAt is the first edited token of a phrase that begins at an index, -1
// if no phrase begins there or none of it was edited.
func phraseAt(list []token, changed []bool, start int) int {
	for _, phrase := range meaningPhrases[list[start].text] {
		if len(list)-start < len(phrase) {
			continue
		}
		edited := -1
		whole := true
		for k, character := range phrase {
			whole = whole && list[start+k].text == character
			if edited < 0 && changed[start+k] {
				edited = start + k
			}
		}
		if whole && edited >= 0 {
			return edited
		}
	}
	return -1
}

// around is the sentence, shortened to what stands around the first edit.
func (s sentence) around(meaning []int, changed []bool) string {
	at := slices.Index(changed, true)
	if len(meaning) > 0 {
		at = meaning[0]
	}
	from := 0
	for i := 0; len(s.text) > maxQuote && i <= at && from < s.tokens[at].start-maxQuote/3; i++ {
		from = s.tokens[i].start
	}
	text := s.text[from:]
	if from > 0 {
		text = "…" + text
	}
	return finding.Clip(text, maxQuote)
}

// maxQuote bounds a sentence in a message, in bytes.
const maxQuote = 160
