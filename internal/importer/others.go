// SPDX-License-Identifier: Apache-2.0

package importer

import (
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
)

// waysOut says what to do about members that a contract has no place for.
// Most belong to the request in which a tool is sent, and not to the tool.
var waysOut = map[string]string{
	"cache_control":         "set the cache breakpoint where the request is built",
	"defer_loading":         "defer tools where the request is built, beside a search tool",
	"allowed_callers":       "set it where the request is built",
	"eager_input_streaming": "set it where the request is built",
	"behavior":              "set it where the session is built",
	"icons":                 "keep it where the server lists its tools",
	"_meta":                 "keep it where the server lists its tools",
	"execution":             "keep it where the server lists its tools",
	"annotations":           "the hints of MCP say execution.sideEffect, reach and idempotency of a contract: write these",
	"title":                 "write spec.title",
	"strict":                "write targets[].strict",
}

// noPlace is the way out for all other members.
const noPlace = "a contract has no place for it, so keep it where the tool is sent, or remove it if it is a mistake"

// ownMeta begins the keys of _meta that a rendering of a contract has. They
// say where the tool came from and are written anew.
const ownMeta = "toolcontract.dev/"

// others reports the members of a tool that are not carried over.
func (t *tool) others() {
	for _, m := range t.members {
		kind := m.value.Kind()
		switch {
		case kind == 'n', m.name == "defer_loading" && kind == 'f': // what an API assumes anyway
		case m.name == "_meta" && kind == '{':
			t.meta()
		case !t.isCarried(m.name):
			t.lost(m.name)
		case (m.name == "title" || m.name == "description") && kind != '"',
			m.name == "annotations" && kind != '{',
			m.name == t.form.examples && kind != '[':
			t.note("%s: it has another type than the API gives it and is not carried over; correct it and import again", t.pointer(m.name))
		case m.name == t.input.member && t.input.below != "":
			t.beyond(t.input)
		}
	}
}

// lost reports one member.
func (t *tool) lost(name string) {
	way, known := waysOut[name]
	if !known {
		way = noPlace
	}
	t.note("%s: it is not carried over; %s", t.pointer(name), way)
}

// meta reports the keys of _meta that are not our own.
func (t *tool) meta() {
	members, _ := membersOf(t.members.get("_meta"))
	for _, m := range members {
		if !strings.HasPrefix(m.name, ownMeta) {
			t.note("%s: it is not carried over; %s", t.pointer("_meta", m.name), waysOut["_meta"])
		}
	}
}

// beyond reports what else is in a member that holds a schema.
func (t *tool) beyond(place schemaPlace) {
	members, _ := membersOf(t.members.get(place.member))
	for _, m := range members {
		if m.name != place.below {
			t.note("%s: it is not carried over; %s", t.pointer(place.member, m.name), noPlace)
		}
	}
}

// beside reports what stands beside the member that holds the tool.
func (t *tool) beside(members memberList) {
	inner, _ := membersOf(members.get(t.form.holder))
	if name := inner.word("name"); name != "" {
		t.label = name
	}
	for _, m := range members {
		isSilent := slices.Contains([]string{t.form.holder, "type"}, m.name) || m.value.Kind() == 'n'
		if !isSilent {
			t.note("%s: it is not carried over; %s", finding.Clip(finding.Pointer("", m.name), 160), wayOut(m.name))
		}
	}
}

func wayOut(name string) string {
	if way, known := waysOut[name]; known {
		return way
	}
	return noPlace
}
