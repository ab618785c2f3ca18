// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"fmt"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/golden"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// TestMessages keeps the texts that authors read, over all rule cases.
func TestMessages(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, c := range ruleCases {
		fmt.Fprintf(&b, "# %s: %s, %s\n", c.name, c.profile, c.mode)
		for _, f := range profile(t, c.profile).CheckSchema(schematest.Schema(t, c.bad), c.mode) {
			fmt.Fprintln(&b, f)
		}
		fmt.Fprintln(&b)
	}
	golden.Check(t, "messages.golden", b.String())
}

func TestFixesOfStringLengthsAreOnePattern(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ schema, keyword, want string }{
		"a least length":               {`{"type":"string","minLength":1}`, "minLength", `replace minLength 1 by "pattern": "^[\\s\\S]{1,}$"`},
		"a greatest length":            {`{"type":"string","maxLength":20}`, "maxLength", `replace maxLength 20 by "pattern": "^[\\s\\S]{0,20}$"`},
		"both give one pattern":        {`{"type":"string","minLength":2,"maxLength":20}`, "minLength", `replace minLength 2 by "pattern": "^[\\s\\S]{2,20}$"`},
		"a pattern that stands beside": {`{"type":"string","minLength":2,"pattern":"^a"}`, "minLength", "remove minLength 2 and put the length into the pattern beside it"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := schematest.Schema(t, strictObject(`"a":`+c.schema, "a"))
			for _, f := range profile(t, "openai-responses").CheckSchema(s, Strict) {
				if f.Keyword == c.keyword && f.Fix != c.want {
					t.Errorf("fix %q, want %q", f.Fix, c.want)
				}
			}
		})
	}
}

func TestNullableSpellings(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"type":"string"}`:                             `let it be null: "type": ["string", "null"]`,
		`{"type":["string","integer"]}`:                 `let it be null: "type": ["string", "integer", "null"]`,
		`{"type":["string","null"]}`:                    `keep its schema, which admits null already`,
		`{"type":"string","enum":["a"]}`:                `let it be null: "type": ["string", "null"], with null added to enum`,
		`{"type":["string","null"],"enum":["a"]}`:       `add null to its enum: its type admits it already`,
		`{"type":"string","const":"a"}`:                 `wrap its schema: "anyOf": [{"type":"string","const":"a"}, {"type": "null"}]`,
		`{"$ref":"#/$defs/A"}`:                          `wrap its schema: "anyOf": [{"$ref":"#/$defs/A"}, {"type": "null"}]`,
		`{"anyOf":[{"type":"string"}]}`:                 `add {"type": "null"} to its anyOf`,
		`{"anyOf":[{"type":"string"},{"type":"null"}]}`: `keep its schema, which admits null already`,
		`{}`:   `let it be null`,
		`true`: `let it be null`,
	} {
		v, failed := schema.Parse([]byte(text))
		if failed != nil {
			t.Fatal(failed)
		}
		if got := nullable(v); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
