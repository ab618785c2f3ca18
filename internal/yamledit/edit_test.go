// SPDX-License-Identifier: Apache-2.0

package yamledit

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/finding"
)

func operations(t testing.TB, text string) []finding.Operation {
	t.Helper()
	var out []finding.Operation
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestEdits has one form of text per case. An empty result is a refusal.
func TestEdits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text  string
		place Place
		patch string
		want  string
	}{
		"a member is added behind the last one": {
			text:  "a:\n  b: 1 # one\n# next\nc: 2\n",
			patch: `[{"op":"add","path":"/a/d","value":false}]`,
			want:  "a:\n  b: 1 # one\n  d: false\n# next\nc: 2\n",
		},
		"a file without a last line end": {
			text: "a:\n  b: 1", patch: `[{"op":"add","path":"/a/d","value":"x y"}]`, want: "a:\n  b: 1\n  d: x y",
		},
		"line ends of Windows stay": {
			text: "a:\r\n  b: 1\r\nc: 2\r\n", patch: `[{"op":"add","path":"/a/d","value":{"x":{"z":[1]}}}]`,
			want: "a:\r\n  b: 1\r\n  d:\r\n    x:\r\n      z: [1]\r\nc: 2\r\n",
		},
		"a text in quotes is replaced, the rest of the line stays": {
			text: "a: \"x\"   # why\nb: 'it''s'\n", patch: `[{"op":"replace","path":"/a","value":"y: z"}]`, want: "a: \"y: z\"   # why\nb: 'it''s'\n",
		},
		"a flow mapping keeps its form": {
			text: "a: {b: 1, 'c': it's}\n", patch: `[{"op":"add","path":"/a/$ref","value":"#/x"},{"op":"remove","path":"/a/b"}]`,
			want: "a: {'c': it's, $ref: \"#/x\"}\n",
		},
		"an empty flow mapping": {text: "a: {}\n", patch: `[{"op":"add","path":"/a/b","value":[]}]`, want: "a: {b: []}\n"},
		"a flow list in lines": {
			text: "a: [\n  x, # first\n  y\n]\n", patch: `[{"op":"add","path":"/a/-","value":"z"}]`, want: "a: [\n  x, # first\n  y,\n  z\n]\n",
		},
		"a comma at the end stays where it is": {text: "a: [x, y, ]\n", patch: `[{"op":"add","path":"/a/-","value":"z"}]`, want: "a: [x, y, z, ]\n"},
		"a list in lines grows at its end": {
			text: "a:\n- x\n- y # last\nb: 1\n", patch: `[{"op":"add","path":"/a/-","value":{"b":{"c":1}}}]`,
			want: "a:\n- x\n- y # last\n- b:\n    c: 1\nb: 1\n",
		},
		"a list in lines grows in the middle": {
			text: "a:\n  - x\n  # about y\n  - y\n", patch: `[{"op":"add","path":"/a/1","value":"z"}]`, want: "a:\n  - x\n  # about y\n  - z\n  - y\n",
		},
		"the first member of an item is removed": {
			text: "a:\n- b: 1\n  c: 2\n", patch: `[{"op":"remove","path":"/a/0/b"}]`, want: "a:\n- c: 2\n",
		},
		"the only member leaves an empty mapping": {
			text: "a:\n  b: 1\nc: 2\n", patch: `[{"op":"remove","path":"/a/b"}]`, want: "a: {}\nc: 2\n",
		},
		"the only item leaves an empty list": {
			text: "a: # kept\n- b\nc: 2\n", patch: `[{"op":"remove","path":"/a/0"}]`, want: "a: [] # kept\nc: 2\n",
		},
		"a removed member takes its lines along": {
			text: "a:\n  x: |\n    one\n\n    # no comment\n  # about y\n  y: 2\n", patch: `[{"op":"remove","path":"/a/x"}]`,
			want: "a:\n  # about y\n  y: 2\n",
		},
		"a block of text is followed by a member": {
			text: "a:\n  x: |\n    one\n\n\nb: 1\n", patch: `[{"op":"add","path":"/a/z","value":2}]`, want: "a:\n  x: |\n    one\n  z: 2\n\n\nb: 1\n",
		},
		"behind a block that keeps its line ends a member comes first": {
			text: "a:\n  x: |+\n    one\n\nb: 1\n", patch: `[{"op":"add","path":"/a/z","value":2}]`, want: "a:\n  z: 2\n  x: |+\n    one\n\nb: 1\n",
		},
		"a member gets another name in its place": {
			text: "definitions: # all\n  a: {}\nb: 1\n", patch: `[{"op":"move","from":"/definitions","path":"/$defs"}]`, want: "$defs: # all\n  a: {}\nb: 1\n",
		},
		"a member moves elsewhere": {
			text: "a:\n  b: 1\n  c: 2\nd: {}\n", patch: `[{"op":"move","from":"/a/b","path":"/d/b"}]`, want: "a:\n  c: 2\nd: {b: 1}\n",
		},
		"a mapping in lines is wrapped with its comments": {
			text:  "p:\n  x:\n    # kind\n    type: object # yes\n    note: |\n      a\n\n      b\n  y: 1\n",
			patch: `[{"op":"replace","path":"/p/x","value":{"anyOf":[{"type":"object","note":"a\n\nb\n"},{"type":"null"}]}}]`,
			want:  "p:\n  x:\n    # kind\n    anyOf:\n    - type: object # yes\n      note: |\n        a\n\n        b\n    - type: \"null\"\n  y: 1\n",
		},
		"a mapping in lines becomes a word": {
			text: "a: # why\n  b: 1\nc: 2\n", patch: `[{"op":"replace","path":"/a","value":false}]`, want: "a: false # why\nc: 2\n",
		},
		"a word becomes a mapping in lines": {
			text: "a: b # why\nc: 2\n", patch: `[{"op":"replace","path":"/a","value":{"b":{"c":1}}}]`, want: "a: # why\n  b:\n    c: 1\nc: 2\n",
		},
		"nothing becomes something":      {text: "a:\nb: 1\n", patch: `[{"op":"replace","path":"/a","value":"x"}]`, want: "a: x\nb: 1\n"},
		"an alias is replaced by itself": {text: "a: &x 1\nb: *x\n", patch: `[{"op":"replace","path":"/b","value":2}]`, want: "a: &x 1\nb: 2\n"},
		"JSON in lines": {
			text: "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n", patch: `[{"op":"add","path":"/a/c","value":{"x":[1,2]}}]`,
			want: "{\n  \"a\": {\n    \"b\": 1,\n    \"c\": {\"x\": [1, 2]}\n  }\n}\n",
		},
		"JSON in one line": {text: `{"a":["\ud83d\ude00"],"b":1}`, patch: `[{"op":"add","path":"/a/-","value":{"c":2}},{"op":"remove","path":"/b"}]`, want: `{"a":["\ud83d\ude00",{"c":2}]}`},
		"JSON in a literal block": {
			text: "s:\n  schemaText: |\n    {\n      \"type\": \"object\"\n    }\n  # next\n  x: 1\n", place: Place{"/s/schemaText", true},
			patch: `[{"op":"add","path":"/additionalProperties","value":false}]`,
			want:  "s:\n  schemaText: |\n    {\n      \"type\": \"object\",\n      \"additionalProperties\": false\n    }\n  # next\n  x: 1\n",
		},
		"JSON in quotes": {
			text: `schemaText: '{"type":"object"}'` + "\n", place: Place{"/schemaText", true},
			patch: `[{"op":"add","path":"/additionalProperties","value":false}]`, want: `schemaText: "{\"type\":\"object\",\"additionalProperties\":false}"` + "\n",
		},
		"what an anchor gives to others stays":       {text: "a: &x {b: 1}\nc: *x\n", patch: `[{"op":"replace","path":"/a/b","value":2}]`},
		"nothing is changed through an alias":        {text: "a: &x {b: 1}\nc: *x\n", patch: `[{"op":"replace","path":"/c/b","value":2}]`},
		"an anchor that is needed is not removed":    {text: "a: &x 1\nb: *x\n", patch: `[{"op":"remove","path":"/a"}]`},
		"comments in what is replaced are not lost":  {text: "a:\n  b: 1 # one\n  c: 2\n", patch: `[{"op":"replace","path":"/a","value":3}]`},
		"what a merge key brings is not removed":     {text: "a: &x {b: 1}\nc: {<<: *x, d: 1}\n", patch: `[{"op":"remove","path":"/c/b"}]`},
		"a key in two lines":                         {text: "? a\n: b\n", patch: `[{"op":"replace","path":"/a","value":2}]`},
		"a pointer that leads nowhere":               {text: "a: 1\n", patch: `[{"op":"remove","path":"/b"}]`},
		"a text that is not YAML":                    {text: "a: [\n", patch: `[]`},
		"a value that is written with its tag stays": {text: "a: !!str 1\nb: 2\n", patch: `[{"op":"replace","path":"/b","value":3}]`, want: "a: !!str 1\nb: 3\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			edits, err := Edits([]byte(c.text), c.place, operations(t, c.patch))
			if c.want == "" {
				if err == nil {
					t.Fatalf("it became\n%s", Apply([]byte(c.text), edits))
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.SplitAfter(c.want, "\n"), strings.SplitAfter(string(Apply([]byte(c.text), edits)), "\n")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestUnified(t *testing.T) {
	t.Parallel()
	before := "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15"
	after := "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\nx\n14\n15"
	want := "--- f\n+++ f\n@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n@@ -10,6 +11,6 @@\n 10\n 11\n 12\n-13\n+x\n 14\n 15\n\\ No newline at end of file\n"
	if diff := cmp.Diff(want, Unified("f", []byte(before), []byte(after))); diff != "" {
		t.Error(diff)
	}
	if text := Unified("f", []byte(before), []byte(before)); text != "" {
		t.Errorf("equal texts differ:\n%s", text)
	}
}
