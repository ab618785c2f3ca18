// SPDX-License-Identifier: Apache-2.0

package finding

import (
	"encoding/json"
	"testing"
)

func TestOperationsAreWrittenAsJSONPatch(t *testing.T) {
	t.Parallel()
	patch := []Operation{
		{Op: "add", Path: "/required", Value: json.RawMessage(`[]`)},
		{Op: "remove", Path: ""},
		{Op: "move", From: "/definitions", Path: "/$defs"},
		{Op: "replace", Path: "/a", Value: json.RawMessage(`null`)},
	}
	got, err := json.Marshal(patch)
	if err != nil {
		t.Fatal(err)
	}
	const want = `[{"op":"add","path":"/required","value":[]},{"op":"remove","path":""},` +
		`{"op":"move","from":"/definitions","path":"/$defs"},{"op":"replace","path":"/a","value":null}]`
	if string(got) != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
