// SPDX-License-Identifier: Apache-2.0

package card

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/schema"
)

// FuzzSchema takes any JSON for a schema, and for what an API gets: nothing
// panics, no line drives a terminal or is longer than the page, and what is
// written as JSON is JSON.
func FuzzSchema(f *testing.F) {
	for _, seed := range []string{
		`{"type":"object","properties":{"a":{"type":["string","null"],"enum":["x",null]}},"required":["a","b"],"additionalProperties":false}`,
		`{"anyOf":[{"$ref":"#/$defs/a"},true,false],"$defs":{"a":{"items":{"prefixItems":[{}]}}}}`,
		`{"minLength":3,"maxLength":2,"minimum":1e3,"x":"\u202e\u001b[2J","description":"a\nb","title":5,"examples":{}}`,
		`{"function":{"name":"n","description":"d","parameters":{"type":"object"},"strict":true},"type":"function"}`,
		`{"toolSpec":{"inputSchema":{"json":{}}},"input_examples":3,"outputSchema":[]}`, `[]`, `"x"`, `null`, `{"":{"":{}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		value, failed := schema.Parse(text)
		if failed != nil {
			return
		}
		fields := fieldsOf(value)
		e := sent(text)
		if e.schema != nil {
			fields = append(fields, fieldsOf(e.schema)...)
		}
		var p page
		p.schema("Value", fields)
		p.members("Also sent", e.rest)
		p.quoted(4, e.description)
		for line := range strings.Lines(p.String()) {
			line = strings.TrimSuffix(line, "\n")
			if strings.ContainsFunc(line, Hidden) || columnsOf(line) > pageWidth {
				t.Fatalf("%q has %d columns, or holds what nobody sees", line, columnsOf(line))
			}
		}
		encoded, err := json.Marshal(fields)
		if err != nil || !json.Valid(escapeJSON(encoded)) {
			t.Fatalf("%s: %v", encoded, err)
		}
	})
}
