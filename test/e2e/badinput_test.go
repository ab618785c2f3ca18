// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// contractWith is a small contract with this input schema text.
func contractWith(name, schemaText string) *v1alpha1.ToolContract {
	return &v1alpha1.ToolContract{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: v1alpha1.ToolContractSpec{
			ToolContent: v1alpha1.ToolContent{
				Version: "1.0.0", ToolName: "bad_input", Description: v1alpha1.Description{Summary: "s"},
				Input: v1alpha1.Input{SchemaText: schemaText},
			},
			Targets: []v1alpha1.Target{{Profile: "openai-responses"}},
		},
	}
}

func laughs() string {
	var b strings.Builder
	b.WriteString(`{"type":"object","properties":{"x":{"$ref":"#/$defs/l0"}},"$defs":{`)
	for i := range 40 {
		fmt.Fprintf(&b, `"l%d":{"allOf":[{"$ref":"#/$defs/l%d"},{"$ref":"#/$defs/l%d"}]},`, i, i+1, i+1)
	}
	b.WriteString(`"l40":{"type":"string"}}}`)
	return b.String()
}

// TestBadInputGetsAVerdict: whatever arrives through the API server, the
// contract says what is wrong with a place and a way out, nothing is published
// for it, and the contract beside it is not affected.
func TestBadInputGetsAVerdict(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.startOperator()
	const object = `{"type":"object","properties":{"a":%s},"required":["a"],"additionalProperties":false}`
	property := func(schema string) string { return fmt.Sprintf(object, schema) }
	withExample := func(c *v1alpha1.ToolContract, text string) *v1alpha1.ToolContract {
		c.Spec.Input.Examples = []v1alpha1.Example{{ValueText: text}}
		return c
	}
	inObjectForm := func(name, raw string) *v1alpha1.ToolContract {
		c := contractWith(name, "")
		c.Spec.Input.Schema = &v1alpha1.JSONObject{Raw: []byte(raw)}
		return c
	}
	withProfile := func(c *v1alpha1.ToolContract, profile string) *v1alpha1.ToolContract {
		c.Spec.Targets = []v1alpha1.Target{{Profile: profile}}
		return c
	}

	cases := map[string]struct {
		contract *v1alpha1.ToolContract
		reason   string
		says     []string // place and cause
	}{
		"invalid-schema":        {contractWith("invalid-schema", property(`{"type":"int"}`)), v1alpha1.ReasonInvalidSchema, []string{"/properties/a/type", `"int"`}},
		"not-json":              {contractWith("not-json", `{"type": "object",`), v1alpha1.ReasonInvalidSchema, []string{"not JSON", "line 1"}},
		"not-a-schema":          {contractWith("not-a-schema", `[1,2]`), v1alpha1.ReasonInvalidSchema, []string{"an array"}},
		"other-dialect":         {contractWith("other-dialect", `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}`), v1alpha1.ReasonUnsupportedDialect, []string{"/$schema", "draft-07"}},
		"remote-ref":            {contractWith("remote-ref", property(`{"$ref":"https://example.com/s.json"}`)), v1alpha1.ReasonInvalidSchema, []string{"/properties/a/$ref", "leaves the document"}},
		"file-ref":              {contractWith("file-ref", property(`{"$ref":"file:///etc/passwd"}`)), v1alpha1.ReasonInvalidSchema, []string{"/properties/a/$ref", "leaves the document"}},
		"data-ref":              {contractWith("data-ref", property(`{"$ref":"data:application/json,{}"}`)), v1alpha1.ReasonInvalidSchema, []string{"/properties/a/$ref", "leaves the document"}},
		"ref-cycle":             {contractWith("ref-cycle", `{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/a"},{"type":"null"}]}}}`), v1alpha1.ReasonInvalidSchema, []string{"/$defs/a", "never ends"}},
		"dangling-ref":          {contractWith("dangling-ref", property(`{"$ref":"#/$defs/none"}`)), v1alpha1.ReasonInvalidSchema, []string{"/properties/a/$ref", "leads nowhere"}},
		"laughs":                {contractWith("laughs", laughs()), v1alpha1.ReasonInvalidSchema, []string{"20000 nodes"}},
		"deep":                  {contractWith("deep", strings.Repeat(`{"not":`, 10_000)+"{}"+strings.Repeat("}", 10_000)), v1alpha1.ReasonInvalidSchema, []string{"128 levels"}},
		"duplicate-key":         {contractWith("duplicate-key", property(`{"type":"string","type":"integer"}`)), v1alpha1.ReasonInvalidSchema, []string{"/properties/a/type", "twice"}},
		"comment":               {contractWith("comment", "{\"type\":\"object\" // the root\n}"), v1alpha1.ReasonInvalidSchema, []string{"comment", "line 1"}},
		"huge-exponent":         {contractWith("huge-exponent", property(`{"type":"number","maximum":1e2000000}`)), v1alpha1.ReasonInvalidSchema, []string{"/properties/a/maximum", "exponent"}},
		"huge-count":            {contractWith("huge-count", property(`{"type":"string","minLength":99999999999999999999}`)), v1alpha1.ReasonInvalidSchema, []string{"/properties/a/minLength", "2^53"}},
		"not-a-number":          {contractWith("not-a-number", property(`{"type":"number","maximum":NaN}`)), v1alpha1.ReasonInvalidSchema, []string{"not JSON"}},
		"catastrophic":          {contractWith("catastrophic", property(`{"type":"string","pattern":"^(?=.*(a+)+$)x"}`)), v1alpha1.ReasonInvalidSchema, []string{"/properties/a/pattern", "rewrite the pattern"}},
		"pattern-syntax":        {contractWith("pattern-syntax", property(`{"type":"string","pattern":"(?i)x"}`)), v1alpha1.ReasonInvalidSchema, []string{"/properties/a/pattern", "ECMA-262"}},
		"bad-example":           {withExample(contractWith("bad-example", property(`{"type":"string"}`)), `{"a":1}`), v1alpha1.ReasonInvalidExample, []string{"/spec/input/examples/0/valueText/a"}},
		"example-huge-exponent": {withExample(contractWith("example-huge-exponent", property(`{"type":"number"}`)), `{"a":1e2000000}`), v1alpha1.ReasonInvalidSchema, []string{"/spec/input/examples/0/valueText/a", "exponent"}},
		"example-deep":          {withExample(contractWith("example-deep", `{"type":"object"}`), `{"a":`+strings.Repeat("[", 9_000)+strings.Repeat("]", 9_000)+`}`), v1alpha1.ReasonInvalidSchema, []string{"/spec/input/examples/0/valueText", "128 levels"}},
		"null-in-object":        {inObjectForm("null-in-object", `{"type":"object","properties":{"a":{"default":null}}}`), v1alpha1.ReasonNullInObjectForm, []string{"/properties/a/default", "schemaText"}},
		"yaml-y":                {inObjectForm("yaml-y", `{"type":"object","properties":{"x":{"type":"number"},"true":{"type":"number"}}}`), v1alpha1.ReasonInvalidSchema, []string{"/properties/true", "unquoted"}},
		"yaml-on":               {inObjectForm("yaml-on", `{"type":"object","properties":{"s":{"type":"string","enum":[true,false]}}}`), v1alpha1.ReasonInvalidSchema, []string{"/properties/s/enum/0", "quote"}},
		"unknown-profile":       {withProfile(contractWith("unknown-profile", property(`{"type":"string"}`)), "openai-assistants"), v1alpha1.ReasonUnknownProfile, []string{"/spec/targets/0/profile", "openai-responses"}},
	}
	good := contractWith("good-neighbour", property(`{"type":"string"}`))
	good.Namespace = w.namespace
	if err := admin.Create(t.Context(), good); err != nil {
		t.Fatal(err)
	}
	for name, c := range cases {
		c.contract.Namespace = w.namespace
		if err := admin.Create(t.Context(), c.contract); err != nil {
			t.Errorf("%s: the API server refused it: %v", name, err)
		}
	}
	for name, c := range cases {
		got := w.settled(name)
		ready := meta.FindStatusCondition(got.Status.Conditions, v1alpha1.ConditionReady)
		if ready.Status != metav1.ConditionFalse || ready.Reason != c.reason {
			t.Errorf("%s: want Ready=False/%s, got\n%s", name, c.reason, conditions(got))
			continue
		}
		for _, text := range append(c.says, "Fix: ") {
			if !strings.Contains(ready.Message, text) {
				t.Errorf("%s: the message lacks %q: %s", name, text, ready.Message)
			}
		}
		if len(got.Status.Channels) != 0 || len(got.Status.Issued) != 0 {
			t.Errorf("%s: something was published or used up", name)
		}
	}
	w.wantCondition(w.settled("good-neighbour"), v1alpha1.ConditionReady, metav1.ConditionTrue, v1alpha1.ReasonPublished)
	if n := strings.Count(w.objects(), "\n"); n != 3 {
		t.Errorf("%d objects, want the three of the good contract:\n%s", n, w.objects())
	}

	// What is served survives a change into every kind of bad input.
	served := w.configMap("good-neighbour-v1")
	for name, c := range cases {
		current := w.contract("good-neighbour")
		current.Spec.Input, current.Spec.Targets = c.contract.Spec.Input, c.contract.Spec.Targets
		if err := admin.Update(t.Context(), current); err != nil {
			t.Errorf("%s: the API server refused it: %v", name, err)
		}
		if got := w.settled("good-neighbour"); !meta.IsStatusConditionTrue(got.Status.Conditions, v1alpha1.ConditionStalled) {
			t.Errorf("%s: not stalled:\n%s", name, conditions(got))
		}
	}
	if got := w.configMap("good-neighbour-v1"); got.ResourceVersion != served.ResourceVersion {
		t.Errorf("bad input touched what is served")
	}
}
