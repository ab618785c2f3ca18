// SPDX-License-Identifier: Apache-2.0

// Package lark finds features of Lark grammars that not every engine has. It
// reads the words of a grammar and no more: whether the grammar is a good one, an
// engine has to say.
package lark

import (
	"slices"
	"strings"
)

// The features.
const (
	// Lookaround: (?=…), (?!…), (?<=…) or (?<!…) in an expression.
	Lookaround = "Lookaround"
	// Lazy: a quantifier followed by ? in an expression.
	Lazy = "Lazy"
	// BackReference: \1 or \k<name> in an expression.
	BackReference = "BackReference"
	// Priority: a terminal with a number, as NAME.2: …
	Priority = "Priority"
	// Template: a rule with parameters, as list{item}: …, or its use.
	Template = "Template"
	// Import: an import of anything but %import common.
	Import = "Import"
)

var words = []struct{ name, words string }{
	{Lookaround, "look-around"},
	{Lazy, "a lazy quantifier"},
	{BackReference, "a back-reference"},
	{Priority, "a priority of a terminal"},
	{Template, "a template"},
	{Import, "an import that is not %import common"},
}

// Names are the features.
func Names() []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w.name
	}
	return out
}

// Words are a feature in words that follow "has".
func Words(name string) string {
	for _, w := range words {
		if w.name == name {
			return w.words
		}
	}
	return name
}

// Feature is the first use of a feature.
type Feature struct {
	Name string
	// Line counts from 1.
	Line int
}

// Features are those that a grammar uses, in the order of their first use.
func Features(grammar string) []Feature {
	s := scanner{text: grammar, line: 1, atStart: true}
	for s.at < len(s.text) {
		s.next()
	}
	return s.found
}

// InExpression are the features of a regular expression, in the order of
// [Names].
func InExpression(expression string) []string {
	has := map[string]bool{}
	inClass, quantified := false, false
	for i := 0; i < len(expression); i++ {
		rest, c := expression[i:], expression[i]
		isQuantifier := false
		switch {
		case c == '\\' && len(rest) > 1:
			if !inClass && (rest[1] >= '1' && rest[1] <= '9' || strings.HasPrefix(rest, `\k<`)) {
				has[BackReference] = true
			}
			i++
		case inClass:
			inClass = c != ']'
		case c == '[':
			inClass = true
		case startsWith(rest, "(?=", "(?!", "(?<=", "(?<!"):
			has[Lookaround] = true
			i++ // the ? is no quantifier
		case c == '(' && strings.HasPrefix(rest, "(?"):
			i++
		case c == '?' && quantified:
			has[Lazy] = true
		case c == '*' || c == '+' || c == '?':
			isQuantifier = true
		case c == '{':
			if end := repetition(rest); end > 0 {
				i += end
				isQuantifier = true
			}
		}
		quantified = isQuantifier
	}
	var out []string
	for _, name := range Names() {
		if has[name] {
			out = append(out, name)
		}
	}
	return out
}

// maxRepetition is the longest text of a repetition that is looked at.
const maxRepetition = 64

func startsWith(text string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(text, p) })
}

// repetition returns where {2}, {2,} or {,3} ends, 0 for anything else.
func repetition(text string) int {
	end := strings.IndexByte(text[:min(len(text), maxRepetition)], '}')
	if end < 2 || strings.Trim(text[1:end], "0123456789, ") != "" {
		return 0
	}
	return end
}

// scanner walks over a grammar word by word.
type scanner struct {
	text string
	at   int
	line int
	// atStart: the next word may be the name of a rule.
	atStart bool
	found   []Feature
}

func (s *scanner) report(name string) {
	if !slices.ContainsFunc(s.found, func(f Feature) bool { return f.Name == name }) {
		s.found = append(s.found, Feature{Name: name, Line: s.line})
	}
}

func (s *scanner) next() {
	rest, c := s.text[s.at:], s.text[s.at]
	atStart := s.atStart
	s.atStart = atStart && strings.IndexByte(" \t\r?!", c) >= 0
	switch {
	case c == '\n':
		s.skip(1)
		s.atStart = true
	case strings.HasPrefix(rest, "//") || c == '#':
		s.skip(until(rest, "\n"))
	case c == '"':
		s.skip(quoted(rest, '"'))
	case c == '/':
		expression := rest[:quoted(rest, '/')]
		for _, name := range InExpression(strings.Trim(expression, "/")) {
			s.report(name)
		}
		s.skip(len(expression))
	case c == '%':
		s.directive(rest)
	case isNameStart(c):
		s.name(rest, atStart)
	default:
		s.skip(1)
	}
}

// skip goes on, counting lines.
func (s *scanner) skip(n int) {
	s.line += strings.Count(s.text[s.at:s.at+n], "\n")
	s.at += n
}

// until is where a text ends before a mark, or its length.
func until(text, mark string) int {
	if i := strings.Index(text, mark); i >= 0 {
		return i
	}
	return len(text)
}

// quoted is the length of a text in quotes, with both of them.
func quoted(text string, quote byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		}
	}
	return len(text)
}

// directive reads what begins with %: an import, or JSON that is no grammar.
func (s *scanner) directive(rest string) {
	word := "%" + rest[1:1+nameLength(rest[1:])]
	if word == "%import" {
		from := strings.TrimLeft(rest[len(word):], " \t")
		if from[:nameLength(from)] != "common" {
			s.report(Import)
		}
		s.skip(until(rest, "\n"))
		return
	}
	s.skip(len(word))
	if after := strings.TrimLeft(rest[len(word):], " \t\r\n"); strings.HasPrefix(after, "{") {
		s.skip(len(rest) - len(word) - len(after) + braces(after))
	}
}

// braces is the length of a text in braces, which may hold others and quotes.
func braces(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i += quoted(text[i:], '"') - 1
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// name reads the name of a rule or terminal, and what stands at it.
func (s *scanner) name(rest string, atStart bool) {
	n := nameLength(rest)
	name, after := rest[:n], rest[n:]
	switch {
	case strings.HasPrefix(after, "{") && repetition(after) == 0:
		s.report(Template)
	case atStart && strings.HasPrefix(after, ".") && name == strings.ToUpper(name):
		number := strings.TrimPrefix(after[1:], "-")
		digits := len(number) - len(strings.TrimLeft(number, "0123456789"))
		if digits > 0 && strings.HasPrefix(strings.TrimLeft(number[digits:], " \t"), ":") {
			s.report(Priority)
		}
	}
	s.skip(n)
}

func isNameStart(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func nameLength(text string) int {
	n := 0
	for n < len(text) && (isNameStart(text[n]) || n > 0 && (text[n] >= '0' && text[n] <= '9' || text[n] == '-')) {
		n++
	}
	return n
}
