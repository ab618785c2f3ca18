// SPDX-License-Identifier: Apache-2.0

package importer

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/toolcontract/operator/internal/finding"
)

// source reads a stream of JSON values and collects the tools in it.
type source struct {
	data   []byte
	tools  []item
	report *Report
	// seen counts what may be a tool, also what is skipped: a number in a message
	// stands for one place in the input.
	seen int
	// list is set when a list of tools was found, even one without tools.
	list bool
	// at is the line where the value that is being read starts.
	at int
}

// item is one tool as it was found.
type item struct {
	raw jsontext.Value
	// number is its place among all of them, from 1.
	number int
	// form is known where the list says it; nil where the tool must.
	form *form
	// request is the strictness that the request around the tool asks for.
	request *strictFlag
	// depth counts the lists and envelopes around it.
	depth int
}

// read walks over the values of the stream. Behind a broken value it goes on
// at the next line that starts one, so that in JSON Lines a bad line hides no
// other one.
func (s *source) read() {
	for offset := 0; offset < len(s.data); {
		decoder := newDecoder(s.data[offset:])
		value, err := decoder.ReadValue()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			start := offset + len(s.data[offset:]) - len(bytes.TrimLeft(s.data[offset:], " \t\r\n"))
			s.report.skip(fmt.Sprintf("line %d", s.line(start)), "the text is not JSON: "+s.reason(offset, err))
			offset = nextStart(s.data, start)
			continue
		}
		s.at = s.line(offset + len(s.data[offset:]) - len(bytes.TrimLeft(s.data[offset:], " \t\r\n")))
		offset += int(decoder.InputOffset())
		s.value(value.Clone())
	}
}

func (s *source) line(offset int) int { return 1 + bytes.Count(s.data[:offset], []byte("\n")) }

// reason explains why the value that starts at an offset is no JSON, with the
// line where reading stopped.
func (s *source) reason(offset int, err error) string {
	place := ""
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok && syntax.Err != nil {
		place = fmt.Sprintf("line %d: ", s.line(min(offset+int(syntax.ByteOffset), len(s.data))))
		err = syntax.Err
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return place + "it ends too early"
	}
	return place + finding.Clip(err.Error(), 160)
}

// newDecoder lets repeated names pass: they are judged tool by tool.
func newDecoder(data []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true))
}

// nextStart is the offset of the next line that starts with a bracket.
func nextStart(data []byte, from int) int {
	for at := from; ; {
		i := bytes.IndexByte(data[at:], '\n')
		if i < 0 || at+i+1 >= len(data) {
			return len(data)
		}
		at += i + 1
		if data[at] == '{' || data[at] == '[' {
			return at
		}
	}
}

// elements splits an array that is known to be well formed.
func elements(array jsontext.Value) []jsontext.Value {
	var out []jsontext.Value
	decoder := newDecoder(array)
	if _, err := decoder.ReadToken(); err != nil {
		return nil
	}
	for decoder.PeekKind() != ']' {
		item, err := decoder.ReadValue()
		if err != nil {
			return out
		}
		out = append(out, item.Clone())
	}
	return out
}

// memberList is a JSON object whose values are still text.
type memberList []struct {
	name  string
	value jsontext.Value
}

// get returns a member's value, nil if there is none; the kind of nil is
// invalid. Of a repeated name it is the first one.
func (m memberList) get(name string) jsontext.Value {
	for _, entry := range m {
		if entry.name == name {
			return entry.value
		}
	}
	return nil
}

// either returns the first of several members that is there and not null, else
// nil.
func (m memberList) either(names ...string) jsontext.Value {
	for _, name := range names {
		if value := m.get(name); value != nil && value.Kind() != 'n' {
			return value
		}
	}
	return nil
}

// word returns the text of a member, empty for any other type and for none.
func (m memberList) word(name string) string {
	text, _ := m.text(name)
	return text
}

// membersOf splits an object that is known to be well formed; repeated is a
// name that occurs twice.
func membersOf(object jsontext.Value) (members memberList, repeated string) {
	decoder := newDecoder(object)
	if _, err := decoder.ReadToken(); err != nil {
		return nil, ""
	}
	seen := map[string]bool{}
	for decoder.PeekKind() != '}' {
		token, err := decoder.ReadToken()
		if err != nil {
			return members, repeated
		}
		name := token.String()
		value, err := decoder.ReadValue()
		if err != nil {
			return members, repeated
		}
		if seen[name] {
			repeated = name
		}
		seen[name] = true
		members = append(members, struct {
			name  string
			value jsontext.Value
		}{name, value.Clone()})
	}
	return members, repeated
}

// text reads a string member; ok is false for any other type and for none.
func (m memberList) text(name string) (text string, ok bool) {
	value := m.get(name)
	if value.Kind() != '"' {
		return "", false
	}
	unquoted, err := jsontext.AppendUnquote(nil, value)
	return string(unquoted), err == nil
}
