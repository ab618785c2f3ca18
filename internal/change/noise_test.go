// SPDX-License-Identifier: Apache-2.0

package change

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
)

var sprintf = fmt.Sprintf

func TestSortsOfNoise(t *testing.T) {
	t.Parallel()
	const object = `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"array","items":{"type":"string"}}},"required":["a","b"]}`
	edited := func(from, to string) string {
		text := strings.Replace(object, from, to, 1)
		if text == object {
			t.Fatalf("%s is not there", from)
		}
		return text
	}
	for _, c := range []struct{ name, new, want string }{
		{"$schema", edited(`{`, `{"$schema":"https://json-schema.org/draft/2020-12/schema",`), "$schema at 1 place"},
		{"titles", edited(`"a":{`, `"a":{"title":"A",`), "title at 1 place"},
		{"comments", edited(`"a":{`, `"a":{"$comment":"A",`), "$comment at 1 place"},
		{"the order of required names", edited(`["a","b"]`, `["b","a"]`), "another order in lists at 1 place"},
		{"a list of one type", edited(`"items":{"type":"string"}`, `"items":{"type":["string"]}`), "another order in lists at 1 place"},
		{"the order of properties", `{"type":"object","properties":{"b":{"type":"array","items":{"type":"string"}},"a":{"type":"string"}},"required":["a","b"]}`, "another order of properties at 1 place"},
		{"open, spelled out", edited(`"required"`, `"additionalProperties":true,"required"`), "defaults spelled out or left out at 1 place"},
		{"counts of zero", edited(`"type":"array"`, `"type":"array","minItems":0,"uniqueItems":false`), "defaults spelled out or left out at 1 place"},
		{"a definition", `{"type":"object","properties":{"a":{"$ref":"#/$defs/s"},"b":{"type":"array","items":{"$ref":"#/$defs/s"}}},"required":["a","b"],"$defs":{"s":{"type":"string"}}}`, "$ref inlined, factored out or renamed at 2 places"},
		{"an unused definition", edited(`"required"`, `"$defs":{"s":{"type":"string"}},"required"`), "unused $defs at 1 place"},
		{"hints for generators", edited(`"a":{`, `"a":{"x-go-name":"A",`), "hints for generators at 1 place"},
		{"another spelling", edited(`{"type":"string"}`, `{"anyOf":[{"type":"string"}]}`), "another spelling at 1 place"},
		{
			"all at once", `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","title":"T","properties":{"a":{"title":"A","type":"string","minLength":0},"b":{"title":"B","type":"array","items":{"type":"string"}}},"required":["b","a"],"additionalProperties":true}`,
			"$schema at 1 place, title at 3 places, another order in lists at 1 place, defaults spelled out or left out at 2 places",
		},
	} {
		for _, side := range []finding.Side{finding.Input, finding.Output} {
			for _, way := range [][2]string{{object, c.new}, {c.new, object}} {
				f := one(t, compare(onSide(t, side, way[0], way[1])))
				want := "what no caller notices: " + c.want + " needs patch. Declared bump: minor (1.5.0)"
				if f.Rule != "noise" || f.Bump != contract.Patch || f.Side != side || f.Message != want {
					t.Errorf("%s: %s %s %s", c.name, f.Rule, f.Bump, cmp.Diff(want, f.Message))
				}
			}
		}
	}
}

func TestNoiseOfBothSchemasIsOneFinding(t *testing.T) {
	t.Parallel()
	old, next := content(t, "1.4.2"), content(t, "1.5.0")
	old.Input.Schema, next.Input.Schema = schemaOf(t, openA), schemaOf(t, strings.Replace(openA, `{`, `{"title":"A",`, 1))
	old.Output.Schema, next.Output.Schema = old.Input.Schema, next.Input.Schema
	f := one(t, compare(old, next))
	if f.Side != finding.Contract || f.Pointer != "/spec" || !strings.Contains(f.Message, "title at 2 places") {
		t.Errorf("%s", f.Finding)
	}
}

func TestARealBreakIsSeenBesideNoise(t *testing.T) {
	t.Parallel()
	r := compare(onSide(t, finding.Input,
		`{"type":"object","properties":{"a":{"type":"string"},"limit":{"type":"integer","maximum":1000}},"required":["a","limit"]}`,
		`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"a":{"title":"A","$ref":"#/$defs/s"},"limit":{"title":"L","type":"integer","maximum":100}},"required":["limit","a"],"additionalProperties":true,"$defs":{"s":{"type":"string"}}}`))
	want := []said{{"input-range", "/properties/limit", major, Refuted}, {"noise", "", patch, Proven}}
	if diff := cmp.Diff(want, allSaid(r)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Values that look like absence in one keyword mean something in another.
func TestWhatIsNoNoise(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ old, new string }{
		{`{"type":"array"}`, `{"type":"array","maxItems":0}`},
		{`{"type":"array","contains":{"type":"string"}}`, `{"type":"array","contains":{"type":"string"},"minContains":0}`},
		{`{"type":"object"}`, `{"type":"object","additionalProperties":false}`},
		{`{"type":"object"}`, `{"type":"object","unevaluatedProperties":{"type":"string"}}`},
		{`{"type":"string"}`, `{"type":"string","x-format":"date"}`},
		{`{"enum":["a","b"]}`, `{"enum":["a","b","c"]}`},
	} {
		for _, way := range [][2]string{{c.old, c.new}, {c.new, c.old}} {
			if r := compare(onSide(t, finding.Input, way[0], way[1])); r.Required < contract.Minor {
				t.Errorf("%s → %s needs %s", way[0], way[1], r.Required)
			}
		}
	}
}
