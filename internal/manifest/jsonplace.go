// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"bytes"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// jsonPlace is where a value is in a JSON text. What is below it is read when it
// is asked for: most findings are about few places.
type jsonPlace struct {
	span
	name string // of a member
	// mark is what stands for the value: the name of a member, or itself.
	mark   span
	below  []*jsonPlace          // of a list
	byName map[string]*jsonPlace // of an object; of members of one name the first
	isOpen bool
}

// wholeText is the place of the value that a text is.
func wholeText(text []byte) *jsonPlace { return &jsonPlace{span: span{0, len(text)}, mark: span{0, 1}} }

// find follows tokens as far as they lead, and as far as the text is JSON.
func (p *jsonPlace) find(text []byte, tokens []string) *jsonPlace {
	for _, token := range tokens {
		next := p.child(text, token)
		if next == nil {
			break
		}
		p = next
	}
	return p
}

func (p *jsonPlace) child(text []byte, token string) *jsonPlace {
	if !p.isOpen {
		p.open(text)
	}
	if p.byName != nil {
		return p.byName[token]
	}
	if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < len(p.below) {
		return p.below[i]
	}
	return nil
}

// open finds what is directly below. A value that is broken goes on to the end.
func (p *jsonPlace) open(text []byte) {
	p.isOpen = true
	part := text[p.start:p.end]
	decoder := jsontext.NewDecoder(bytes.NewBuffer(part), jsontext.AllowDuplicateNames(true))
	first, err := decoder.ReadToken()
	if err != nil || first.Kind() != '{' && first.Kind() != '[' {
		return
	}
	if first.Kind() == '{' {
		p.byName = map[string]*jsonPlace{}
	}
	next := func() int { // where the next token starts
		at := int(decoder.InputOffset())
		return p.start + at + len(part[at:]) - len(bytes.TrimLeft(part[at:], " \t\r\n,:"))
	}
	for kind := decoder.PeekKind(); kind != ']' && kind != '}' && kind != 0; kind = decoder.PeekKind() {
		b := &jsonPlace{}
		if p.byName != nil {
			start := next()
			name, err := decoder.ReadToken()
			if err != nil {
				return
			}
			b.name, b.mark = name.String(), span{start, p.start + int(decoder.InputOffset())}
		}
		b.start, b.end = next(), p.end
		_, err := decoder.ReadValue()
		if err == nil {
			b.end = p.start + int(decoder.InputOffset())
		}
		if p.byName == nil {
			b.mark = span{b.start, b.end}
			if text[min(b.start, len(text)-1)] == '{' || text[min(b.start, len(text)-1)] == '[' {
				b.mark.end = b.start + 1
			}
		}
		if p.byName == nil {
			p.below = append(p.below, b)
		} else if p.byName[b.name] == nil {
			p.byName[b.name] = b
		}
		if err != nil {
			return
		}
	}
}
