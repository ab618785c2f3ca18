// SPDX-License-Identifier: Apache-2.0

package catalogue

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/toolcontract/operator/internal/card"
)

// seen is the card of a contract as a page shows it.
type seen struct {
	Card            *card.Card
	DescriptionNote string
	Form            []member
	Parameters      fieldTable
	Examples        []string
	InputJSON       string
	Execution       []statement
	Session         []sessionView
	MadeBy          string
	Answer          fieldTable
	Promises        []statement
	OutputJSON      string
	Errors          []card.Error
	ErrorTable      errorTable
	PlatformErrors  []card.Error
	PlatformTable   errorTable
	Reached         reached
}

// reached says which profiles get a part in a place of its own.
type reached struct{ Title, Examples, Answer string }

type member struct{ Name, Text string }

type errorTable struct {
	ID, Caption string
	Errors      []card.Error
}

type sessionView struct {
	Name, Source string
	Optional     bool
	Table        fieldTable
}

type statement struct {
	card.Statement
	// Shown says that the value is not in the meaning already.
	Shown bool
}

func seenOf(c *Contract, whole *card.Card) *seen {
	v := &seen{
		Card: whole, Execution: statements(whole.Host.Execution), Promises: statements(whole.Host.Output),
		Parameters: fieldTable{ID: "parameters-table", Caption: "What a model may write, place by place", Fields: fieldsOf(whole.Model.Parameters)},
		Answer:     fieldTable{ID: "answer-table", Caption: "The data of an answer", Fields: fieldsOf(whole.Host.Answer)},
		Reached:    reached{sentTo(whole, "title"), sentTo(whole, "examples"), sentTo(whole, "answer")},
	}
	if c.Content.BuiltIn != nil || c.Content.MCP != nil {
		v.DescriptionNote = "As the contract says it; most APIs show the model their own."
	}
	for _, m := range whole.Model.Members {
		v.Form = append(v.Form, member{m.Name, indented(m.Value)})
	}
	for _, e := range whole.Model.Examples {
		v.Examples = append(v.Examples, indented(e))
	}
	if s := c.Content.Input.Schema; s != nil && c.Content.FreeForm == nil {
		v.InputJSON = pretty(s.Root())
	}
	if s := c.Content.Output.Schema; s != nil {
		v.OutputJSON = pretty(s.Root())
	}
	for i, p := range whole.Host.SessionParameters {
		v.Session = append(v.Session, sessionView{p.Name, p.Source, p.Optional, fieldTable{
			ID: "session-" + strconv.Itoa(i+1), Caption: "The value of " + p.Name, Fields: fieldsOf(p.Schema),
		}})
	}
	v.MadeBy = "The provider or its server makes it: no host can hold it to anything."
	if whole.Host.Answers {
		v.MadeBy = "The host makes it, and holds it to what follows. A model sees it after a call."
	}
	for _, e := range whole.Host.Errors {
		if e.Platform {
			v.PlatformErrors = append(v.PlatformErrors, e)
		} else {
			v.Errors = append(v.Errors, e)
		}
	}
	v.ErrorTable = errorTable{"errors-table", "What the tool says", v.Errors}
	v.PlatformTable = errorTable{"platform-table", "What the host says", v.PlatformErrors}
	return v
}

// sentTo says which profiles get a part in a place of its own.
func sentTo(c *card.Card, part string) string {
	var names []string
	for _, t := range c.Targets {
		if slices.Contains(t.Sent, part) {
			names = append(names, t.Profile)
		}
	}
	if len(names) == 0 {
		return "No target of this contract has a place for it."
	}
	return "Sent in a place of its own to " + strings.Join(names, ", ") + "."
}

func statements(list []card.Statement) []statement {
	out := make([]statement, len(list))
	for i, s := range list {
		out[i] = statement{s, s.Value != "" && !strings.Contains(s.Meaning, s.Value)}
	}
	return out
}

// fieldTable is a table of the places of a schema.
type fieldTable struct {
	ID, Caption string
	Fields      []field
}

// field is a row of it.
type field struct {
	Path, Presence, Type, Title, Description string
	Rules                                    []fieldRule
	Examples                                 []string
}

// fieldRule is what holds at a place.
type fieldRule struct {
	Label, Text string
	Code        bool
}

func fieldsOf(fields []card.Field) []field {
	out := make([]field, len(fields))
	for i, f := range fields {
		v := field{Path: f.Path, Presence: f.Presence, Type: f.Type, Title: f.Title, Description: f.Description, Examples: texts(f.Examples)}
		if len(f.Values) > 0 {
			label := "one of"
			if len(f.Values) == 1 {
				label = "always"
			}
			v.Rules = append(v.Rules, fieldRule{label, strings.Join(texts(f.Values), ", "), true})
		}
		for _, b := range f.Bounds {
			v.Rules = append(v.Rules, fieldRule{Text: b})
		}
		if f.Default != nil {
			v.Rules = append(v.Rules, fieldRule{"if left out", string(f.Default), true})
		}
		for _, k := range f.Keywords {
			v.Rules = append(v.Rules, fieldRule{k.Name, string(k.Value), true})
		}
		out[i] = v
	}
	return out
}

func sameFields(a, b []field) bool { return reflect.DeepEqual(a, b) }

func texts(list []json.RawMessage) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return out
}

// indented is JSON over several lines, if it is longer than one.
func indented(raw json.RawMessage) string {
	if len(raw) < 72 {
		return string(raw)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, raw, "", "  "); err != nil { // it is our own JSON
		return string(raw)
	}
	return out.String()
}

// digestOf is the digest of a file as its index says it.
func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}
