// SPDX-License-Identifier: Apache-2.0

package importer

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// execution translates the behaviour annotations. A hint that is absent, or
// that says what the protocol assumes anyway, leaves its field out. Hints are
// defined in the MCP schema 2025-11-25: destructiveHint and idempotentHint mean
// something only where readOnlyHint is not true.
func (t *tool) execution() *v1alpha1.Execution {
	hints, repeated := membersOf(t.members.get("annotations"))
	if repeated != "" {
		t.note("%s: the member appears twice and the first one counts; keep one", t.pointer("annotations", repeated))
	}
	var e v1alpha1.Execution
	readOnly, destructive := t.hint(hints, "readOnlyHint"), t.hint(hints, "destructiveHint")
	switch {
	case readOnly == isTrue:
		e.SideEffect = "None"
		if destructive == isTrue {
			t.note("/annotations/destructiveHint: it contradicts readOnlyHint and is not carried over; correct one of them")
		}
	case destructive == isTrue:
		e.SideEffect = "Irreversible"
	case destructive == isFalse:
		e.SideEffect = "Reversible"
	}
	switch t.hint(hints, "openWorldHint") {
	case isTrue:
		e.Reach = "Open"
	case isFalse:
		e.Reach = "Closed"
	case isAbsent:
	}
	if t.hint(hints, "idempotentHint") == isTrue {
		e.Idempotency = &v1alpha1.Idempotency{Mode: "Idempotent"}
	}
	for _, m := range hints {
		if !knownHints[m.name] {
			t.note("%s: it is not carried over; %s", t.pointer("annotations", m.name), noPlace)
		}
	}
	if e == (v1alpha1.Execution{}) {
		return nil
	}
	return &e
}

var knownHints = map[string]bool{
	"title": true, "readOnlyHint": true, "destructiveHint": true, "idempotentHint": true, "openWorldHint": true,
}

// hint is a boolean annotation.
type hint uint8

const (
	isAbsent hint = iota
	isFalse
	isTrue
)

func (t *tool) hint(hints memberList, name string) hint {
	switch value := hints.get(name); value.Kind() {
	case 't':
		return isTrue
	case 'f':
		return isFalse
	case jsontext.KindInvalid, 'n':
		return isAbsent
	default:
		t.note("%s: it is not a boolean and is not carried over; write true or false and import again", t.pointer("annotations", name))
		return isAbsent
	}
}
