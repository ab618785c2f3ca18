// SPDX-License-Identifier: Apache-2.0

package change

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// What protected data looks like in the examples of [everyPair]: a text and a
// number that nothing else contains.
const (
	secret       = "canary"
	secretNumber = "424242"
)

// everySchemaPair are two schemas for each rule about schemas.
var everySchemaPair = map[string][2]string{
	"schema":                {`false`, `{"type":"string","const":"canary"}`},
	"type":                  {`{"type":"string"}`, `{"type":["string","integer"],"enum":["canary",424242]}`},
	"enum":                  {`{"enum":["canary-1"]}`, `{"enum":["canary-1","canary-2"]}`},
	"constant":              {`{"const":"canary-1"}`, `{"const":"canary-2"}`},
	"range":                 {`{"type":"integer","maximum":424242}`, `{"type":"integer","maximum":4242421}`},
	"multiple-of":           {`{"type":"integer","multipleOf":424242}`, `{"type":"integer"}`},
	"length":                {`{"type":"string","maxLength":424242}`, `{"type":"string"}`},
	"pattern":               {`{"type":"string","pattern":"^canary"}`, `{"type":"string"}`},
	"format":                {`{"type":"string","format":"date"}`, `{"type":"string"}`},
	"required":              {`{"type":"object","properties":{"a":{"const":"canary"}},"required":["a"]}`, `{"type":"object","properties":{"a":{"const":"canary"}}}`},
	"additional-properties": {`{"type":"object","additionalProperties":false}`, `{"type":"object","additionalProperties":{"const":"canary"}}`},
	"pattern-properties":    {`{"type":"object","patternProperties":{"^x-":{"const":"canary"}}}`, `{"type":"object"}`},
	"property-names":        {`{"type":"object","propertyNames":{"enum":["canary"]}}`, `{"type":"object"}`},
	"property-count":        {`{"type":"object","maxProperties":1}`, `{"type":"object"}`},
	"dependencies":          {`{"type":"object","dependentRequired":{"a":["b"]}}`, `{"type":"object"}`},
	"items":                 {`{"type":"array","prefixItems":[{"const":"canary"}],"items":false}`, `{"type":"array","prefixItems":[{"const":"canary"},{"const":"canary"}],"items":false}`},
	"item-count":            {`{"type":"array","items":{"const":"canary"},"maxItems":1}`, `{"type":"array","items":{"const":"canary"}}`},
	"unique-items":          {`{"type":"array","items":{"const":"canary"},"uniqueItems":true}`, `{"type":"array","items":{"const":"canary"}}`},
	"contains":              {`{"type":"array","items":{"enum":["canary","x"]},"contains":{"const":"x"}}`, `{"type":"array","items":{"enum":["canary","x"]}}`},
	"alternatives":          {`{"type":"string","anyOf":[{"minLength":3},{"pattern":"^canary"}]}`, `{"type":"string","anyOf":[{"minLength":3},{"pattern":"^canary"},{"pattern":"^b"}]}`},
	"negation":              {`{"type":"string","not":{"minLength":3}}`, `{"type":"string","not":{"minLength":5}}`},
	"condition":             {`{"type":"object","if":{"required":["a"]},"then":{"required":["b"]}}`, `{"type":"object"}`},
	"unevaluated":           {`{"type":"object","allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false}`, `{"type":"object","allOf":[{"properties":{"a":true}}]}`},
	"unproved":              {`{"type":"string","pattern":"^(a|b)*a(a|b){14}canary$"}`, `{"type":"string","pattern":"^(b|a)*a(b|a){14}canary$"}`},

	"property-added, open":   {`{"type":"object"}`, `{"type":"object","properties":{"b":{"const":"canary"}}}`},
	"property-added, closed": {`{"type":"object","additionalProperties":false}`, `{"type":"object","properties":{"b":{"const":"canary"}},"additionalProperties":false}`},
	"property-declared":      {`{"type":"object"}`, `{"type":"object","properties":{"b":{"default":"canary"}}}`},
	"property-renamed":       {`{"type":"object","properties":{"order_id":{"const":"canary"}}}`, `{"type":"object","properties":{"orderId":{"const":"canary"}}}`},
	"value-renamed":          {`{"enum":["canary_one","x"]}`, `{"enum":["canaryOne","x"]}`},

	"default":         {`{"type":"string","default":"canary-1"}`, `{"type":"string","default":"canary-2"}`},
	"default-added":   {`{"type":"string"}`, `{"type":"string","default":"canary"}`},
	"content":         {`{"type":"string"}`, `{"type":"string","contentMediaType":"text/canary"}`},
	"access":          {`{"type":"string"}`, `{"type":"string","readOnly":true}`},
	"deprecated":      {`{"type":"string"}`, `{"type":"string","deprecated":true}`},
	"unit":            {`{"type":"integer","x-unit":"canary-1"}`, `{"type":"integer","x-unit":"canary-2"}`},
	"unit-added":      {`{"type":"integer"}`, `{"type":"integer","x-currency":"canary"}`},
	"unknown-keyword": {`{"type":"string"}`, `{"type":"string","x-note":"canary"}`},
	"text":            {`{"type":"string","description":"A canary."}`, `{"type":"string","description":"One canary."}`},
	"text-meaning":    {`{"type":"string","description":"5 canaries."}`, `{"type":"string","description":"424242 canaries."}`},
	"examples":        {`{"type":"string"}`, `{"type":"string","examples":["canary"]}`},
	"noise":           {`{"type":"string"}`, `{"type":"string","title":"canary","$comment":"canary"}`},
}

// contentPair are two contents that differ.
type contentPair struct {
	name     string
	old, new *contract.Content
}

// everyPair are contents that differ in everything that a rule judges.
func everyPair(t *testing.T) []contentPair {
	t.Helper()
	var out []contentPair
	add := func(name string, old, next edit) {
		p := contentPair{name, content(t, "1.4.2"), content(t, "1.5.0")}
		if old != nil {
			old(p.old)
		}
		next(p.new)
		out = append(out, p)
	}
	places := map[string]func(*schema.Schema) edit{
		inputRules:  func(s *schema.Schema) edit { return func(c *contract.Content) { c.Input.Schema = s } },
		outputRules: func(s *schema.Schema) edit { return func(c *contract.Content) { c.Output.Schema = s } },
		sessionRules: func(s *schema.Schema) edit {
			return func(c *contract.Content) {
				c.Input.SessionParameters = []contract.SessionParameter{{Name: "p", Source: "s", Schema: s}}
			}
		},
	}
	many := func(bound string) *schema.Schema {
		var b strings.Builder
		for i := range 70 {
			fmt.Fprintf(&b, `,"p%02d":{"type":"string"%s}`, i, bound)
		}
		return schemaOf(t, `{"type":"object","properties":{`+b.String()[1:]+`}}`)
	}
	for _, prefix := range []string{inputRules, outputRules, sessionRules} {
		for name, texts := range everySchemaPair {
			add(prefix+name, places[prefix](schemaOf(t, texts[0])), places[prefix](schemaOf(t, texts[1])))
		}
		add(prefix+"many", places[prefix](many("")), places[prefix](many(`,"minLength":1`)))
		add(prefix+"at all", nil, places[prefix](schemaOf(t, `{"const":"canary"}`)))
	}
	slices.SortFunc(out, func(a, b contentPair) int { return strings.Compare(a.name, b.name) })

	add("toolName", nil, func(c *contract.Content) { c.ToolName = "other" })
	add("type", nil, func(c *contract.Content) { c.Type = "Agent" })
	add("title", nil, func(c *contract.Content) { c.Title = secret })
	add("description", nil, func(c *contract.Content) { c.Description.Returns = secret })
	add("meaning", nil, func(c *contract.Content) { c.Description.Returns = "At most " + secretNumber + " of " + secret })
	add("examples", nil, func(c *contract.Content) { c.Input.Examples = []*schema.Value{schema.NewString(secret)} })
	open := schemaOf(t, openA)
	add("writer", places[inputRules](open), func(c *contract.Content) { c.Input.Schema, c.Input.Writer = open, contract.WriterDeclared })
	add("reader", nil, func(c *contract.Content) { c.Output.Reader = contract.ReaderIgnoreUnknown })

	session := func(list ...contract.SessionParameter) edit {
		return func(c *contract.Content) { c.Input.SessionParameters = list }
	}
	tenant := contract.SessionParameter{Name: "a", Source: "tenant"}
	user := contract.SessionParameter{Name: "user", Source: "user", Optional: true}
	optionalTenant, otherSource := tenant, tenant
	optionalTenant.Optional, otherSource.Source = true, "user"
	add("session parameter", session(user), session(user, tenant))
	closedInput := func(e edit) edit {
		return func(c *contract.Content) {
			e(c)
			places[inputRules](schemaOf(t, closedAB))(c)
		}
	}
	add("session parameter, closed", closedInput(session(user)), closedInput(session(user, contract.SessionParameter{Name: "c", Source: "c", Optional: true})))
	add("session parameters in order", session(user, tenant), session(tenant, user))
	add("session parameter optional", session(tenant), session(optionalTenant))
	add("session parameter source", session(tenant), session(otherSource))
	add("session parameter exposed", session(tenant), places[inputRules](open))

	add("errors", errors(contract.OutputError{Code: "GONE", Category: "NotFound", SafeMessage: secret}), errors())
	add("errors in order",
		errors(contract.OutputError{Code: "A", Category: "NotFound"}, contract.OutputError{Code: "B", Category: "NotFound"}),
		errors(contract.OutputError{Code: "B", Category: "NotFound"}, contract.OutputError{Code: "A", Category: "NotFound"}))
	add("error", errors(contract.OutputError{Code: "A", Category: "NotFound", SafeMessage: secret}),
		errors(contract.OutputError{Code: "A", Category: "Internal", Recovery: "RetryLater", SafeMessage: secret + "s"}))

	add("execution", nil, execution(contract.Execution{
		Location: "Client", Credentials: "user", Authorization: "policy", SideEffect: "Draft", Reach: "Open", Risk: "High",
		TimeoutSeconds: new(int32(9)), Retry: &contract.Retry{MaxAttempts: 3}, Approval: "Required", IdempotencyMode: "Key", IdempotencyKey: "k",
		DataClassification: "Internal",
	}))
	add("error wait", errors(contract.OutputError{Code: "A", Category: "Timeout", Recovery: "RetryLater"}),
		errors(contract.OutputError{Code: "A", Category: "Timeout", Recovery: "RetryLater", RetryAfterMs: new(int32(9))}))
	output := func(o contract.Output) edit { return func(c *contract.Content) { c.Output = o } }
	add("promises", output(contract.Output{}), output(contract.Output{
		Limits: contract.OutputLimits{MaxBytes: new(int32(9))}, Truncation: "Marked",
		Pagination: &contract.Pagination{Mode: "Cursor", Input: "/a", Output: "/b"},
		Freshness:  &contract.Freshness{MaxAgeSeconds: new(int32(9)), Cache: "Shared"},
		Provenance: &contract.Provenance{Source: "a", ProducerRevision: "b", Trust: "TrustedControl"},
		Bindings:   []contract.OutputBinding{{Output: "/a", Input: "/a"}},
	}))
	freeForm := func(f contract.FreeForm) edit {
		return func(c *contract.Content) { c.Type, c.FreeForm = contract.TypeFreeForm, &f }
	}
	add("free form", freeForm(contract.FreeForm{Parameter: "input", Syntax: "Text"}), freeForm(contract.FreeForm{Parameter: "input", Syntax: "Lark", Definition: "start: /a/", Fallback: true}))
	builtIn := func(b contract.BuiltIn) edit {
		return func(c *contract.Content) { c.Type, c.BuiltIn, c.Input = contract.TypeBuiltIn, &b, contract.Input{} }
	}
	add("built in", builtIn(contract.BuiltIn{Type: "web_search"}), builtIn(contract.BuiltIn{Type: "web_search_2025_08_26", Settings: members("a")}))
	mcp := func(m contract.MCP) edit { return func(c *contract.Content) { c.Type, c.MCP = contract.TypeMCP, &m } }
	add("mcp", mcp(contract.MCP{Label: "a", URL: "https://a.example", Tool: "a"}), mcp(contract.MCP{
		Label: "b", URL: "https://b.example", Tool: "b", Authorization: "a.b", Description: "b", Headers: []contract.MCPHeader{{Name: "a", Source: "a.b"}},
	}))
	add("order", func(c *contract.Content) { c.Input.Examples = []*schema.Value{members("a", "b")} },
		func(c *contract.Content) { c.Input.Examples = []*schema.Value{members("b", "a")} })
	return out
}

func members(names ...string) *schema.Value {
	var o schema.Fields
	for _, n := range names {
		o.Add(n, schema.NewString(secret))
	}
	return o.Object()
}

// Rules that nobody can fire with a content: they stand for what is not there.
func firedByHand(t *testing.T, fired map[string]bool) {
	t.Helper()
	old, next := onSide(t, finding.Input, `{}`, `{"title":"a"}`)
	for _, prefix := range []string{inputRules, outputRules, sessionRules} {
		c := comparison{old: old, new: next, ledger: &ledger{old: schema.NewInt(1), new: schema.NewInt(2)}}
		s := inputChange(&c, old.Input, next.Input)
		s.prefix, s.survey = prefix, newSurvey(s.old, s.new)
		s.breaks(contain.Result{Defect: true, Witness: schema.NewInt(1)}, nil)
		s.survey.complete = false
		s.annotations()
		c.unjudged()
		for _, f := range c.findings {
			fired[f.Rule] = true
		}
	}
	r, _ := Report{}.Acknowledge(next.Version, []Acknowledgement{{next.Version.String(), "input-default", "", "r"}})
	fired[one(t, r).Rule] = true
}

func TestEveryRuleFiresInBothDirections(t *testing.T) {
	t.Parallel()
	fired := map[string]bool{}
	for _, p := range everyPair(t) {
		for _, r := range bothWays(p) {
			if len(r.Findings) == 0 || r.Required == contract.None {
				t.Errorf("%s: a change without a finding", p.name)
			}
			for _, f := range r.Findings {
				fired[f.Rule] = true
			}
		}
	}
	firedByHand(t, fired)
	var list []string
	for rule := range fired {
		list = append(list, rule)
	}
	slices.Sort(list)
	if diff := cmp.Diff(Rules(), list); diff != "" {
		t.Errorf("rules that exist and rules that fired differ (-exist +fired):\n%s", diff)
	}
}

// bothWays are the reports of a change and of its opposite.
func bothWays(p contentPair) [2]Report {
	old, next := *p.new, *p.old
	old.Version, next.Version = p.old.Version, p.new.Version
	return [2]Report{remembering(p.old, p.new), remembering(&old, &next)}
}

func TestEveryFindingIsComplete(t *testing.T) {
	t.Parallel()
	for _, p := range everyPair(t) {
		for _, r := range bothWays(p) {
			for _, f := range r.Findings {
				switch {
				case f.Rule == "" || f.Side == "" || f.Proof == "" || f.Bump == contract.None || f.Severity == "":
					t.Errorf("%s: %+v", p.name, f)
				case !strings.Contains(f.Message, word(f.Bump)) || !strings.HasSuffix(f.Message, ". Declared bump: minor (1.5.0)"):
					t.Errorf("%s: %s", p.name, f.Message)
				case f.Bump == contract.Major && (f.Severity != finding.Error || !strings.HasPrefix(f.Fix, "set version 2.0.0")):
					t.Errorf("%s: %s, fix %s", p.name, f.Severity, f.Fix)
				case f.Bump < contract.Major && f.Severity == finding.Error:
					t.Errorf("%s: %s is an error: %s", p.name, f.Bump, f.Message)
				case f.Proof == Refuted && f.Witness != nil && !strings.Contains(f.Message, f.Witness.JSON()):
					t.Errorf("%s: the example is not in the message: %s", p.name, f.Message)
				case (f.Proof == Refuted) != (strings.Contains(f.Message, ". Example ") || strings.Contains(f.Message, "example found")):
					t.Errorf("%s: %s: %s", p.name, f.Proof, f.Message)
				}
			}
		}
	}
}

func TestProtectedDataIsNeverShown(t *testing.T) {
	t.Parallel()
	shown := 0
	for _, class := range []string{"Public", "Confidential", "Restricted"} {
		for _, p := range everyPair(t) {
			// One of the two sides is enough.
			p.old.Execution.DataClassification = class
			for _, r := range bothWays(p) {
				r, _ = r.Acknowledge(p.new.Version, []Acknowledgement{{p.new.Version.String(), "input-default", "", "known"}})
				for _, f := range r.Findings {
					text := fmt.Sprint(f.Finding, f.OldPointer)
					if f.Witness != nil {
						text += f.Witness.JSON()
					}
					leaks := strings.Contains(text, secret) || strings.Contains(text, secretNumber)
					switch {
					case class == "Public" && leaks:
						shown++
					case class != "Public" && (leaks || f.Witness != nil):
						t.Errorf("%s, %s: %s", p.name, class, text)
					}
				}
			}
		}
	}
	if shown < 50 {
		t.Errorf("only %d findings of public data show a value: the test looks for nothing", shown)
	}
}
