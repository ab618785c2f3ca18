// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"fmt"
	"testing"

	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// textSchema writes a schema about strings only.
func (g grammar) textSchema(depth int) string {
	members := map[string]string{"type": `"string"`}
	for range 1 + g.IntN(3) {
		switch g.IntN(8) {
		case 0, 1, 2:
			members["pattern"] = fmt.Sprintf("%q", g.Pick("^a", "b$", "^[ab]*$", "^(?=.*b)[ab]+$", "^(?!a)", "a|b", "^a{1,3}$", "^(ab)*$", "(?<!b)$", `^\d+$`, `\w`, `^[0-9-]+$`, "^.*$", `^\w{2,}$`))
		case 3:
			members["minLength"] = g.Length()
		case 4:
			members["maxLength"] = g.Length()
		case 5:
			members["format"] = g.Pick(`"date"`, `"uuid"`, `"ipv4"`, `"hostname"`, `"duration"`, `"json-pointer"`, `"uri-reference"`, `"iri"`, `"idn-email"`)
		case 6:
			members["enum"] = g.Pick(`["a","b","ab"]`, `["","a","2026-01-02"]`, `["1.2.3.4","a.b","P1D"]`)
		default:
			if depth > 0 {
				members[g.Pick("anyOf", "allOf", "oneOf")] = "[" + g.textSchema(depth-1) + "," + g.textSchema(depth-1) + "]"
				if g.IntN(3) == 0 {
					members["not"] = g.textSchema(depth - 1)
				}
			}
		}
	}
	return schematest.Object(members)
}

// someTexts are short texts over the letters of textSchema, and those of formats.
func someTexts() []*schema.Value {
	texts := []string{"", "0", "-", "10", "1-0", "A", "ba1", "é", "\n", "aaaa", "ababab", "a-b"}
	letters := []string{"a", "b", "1", "."}
	for _, x := range letters {
		texts = append(texts, x)
		for _, y := range letters {
			texts = append(texts, x+y)
			for _, z := range letters {
				texts = append(texts, x+y+z)
			}
		}
	}
	list := make([]*schema.Value, 0, len(texts))
	for _, name := range []string{"date", "uuid", "ipv4", "hostname", "duration", "json-pointer", "uri-reference", "uri", "email"} {
		texts = append(texts, formats[name].has...)
		texts = append(texts, formats[name].odd...)
		texts = append(texts, formats[name].lacks...)
	}
	for _, text := range texts {
		list = append(list, schema.NewString(text))
	}
	return list
}

// TestTextsAreDecided asks about pairs of schemas that only speak of strings.
func TestTextsAreDecided(t *testing.T) {
	t.Parallel()
	g, instances := newGrammar(41), someTexts()
	const pairs = 800
	var answers [3]int
	for asked := 0; asked < pairs; {
		textA := g.textSchema(1)
		textB := g.textSchema(1)
		a, okA := admit(textA)
		b, okB := admit(textB)
		if !okA || !okB {
			continue
		}
		asked++
		r := Contains(a, b)
		answers[r.Answer]++
		switch r.Answer {
		case Proven:
			checkProven(t, textA, textB, a, b, instances)
		case Unknown:
			t.Logf("%s\nA %s\nB %s", r.Reason, textA, textB)
			if r.Defect {
				t.Error("defect")
			}
		case Refuted:
		}
	}
	t.Logf("Unknown %d, Proven %d, Refuted %d", answers[Unknown], answers[Proven], answers[Refuted])
	if answers[Unknown]*100 > pairs*2 || answers[Proven] < pairs/20 {
		t.Errorf("too little is decided: %v", answers)
	}
}
