// SPDX-License-Identifier: Apache-2.0

package contract

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// session has one required parameter, and one more that may be optional.
func session(t *testing.T, optional bool) []SessionParameter {
	t.Helper()
	return []SessionParameter{
		{Name: "tenant", Source: "session.tenant", Schema: schematest.Schema(t, `{"$schema":"`+schema.Dialect+`","$ref":"#/$defs/id","$defs":{"id":{"type":"string","minLength":1}}}`)},
		{Name: "user", Source: "session.user", Optional: optional, Schema: schematest.Schema(t, `{"type":"object","properties":{"boss":{"$ref":"#"},"id":{"type":"integer"}},"required":["id"]}`)},
	}
}

func TestTheHandlerSchemaHasBothSides(t *testing.T) {
	t.Parallel()
	const (
		tenant = `"tenant":{"$ref":"#/properties/tenant/$defs/id","$defs":{"id":{"type":"string","minLength":1}}}`
		user   = `"user":{"type":"object","properties":{"boss":{"$ref":"#/properties/user"},"id":{"type":"integer"}},"required":["id"]}`
	)
	cases := map[string]struct{ in, want string }{
		"a closed object": {
			`{"type":"object","properties":{"a":{}},"required":["a"],"additionalProperties":false}`,
			`{"type":"object","properties":{"a":{},` + tenant + `,` + user + `},"required":["a","tenant"],"additionalProperties":false}`,
		},
		"no arguments": {
			`{"type":"object","additionalProperties":false}`,
			`{"type":"object","properties":{` + tenant + `,` + user + `},"required":["tenant"],"additionalProperties":false}`,
		},
		"closed branches let the names pass": {
			`{"$ref":"#/$defs/d","allOf":[{"unevaluatedProperties":false}],"$defs":{"d":{"properties":{"a":{"$ref":"#/$defs/d"}},"additionalProperties":false}}}`,
			`{"$ref":"#/$defs/handler-1","properties":{` + tenant + `,` + user + `},"required":["tenant"],` +
				`"allOf":[{"properties":{"tenant":true,"user":true},"unevaluatedProperties":false}],` +
				`"$defs":{"d":{"properties":{"a":{"$ref":"#/$defs/d"}},"additionalProperties":false},` +
				`"handler-1":{"properties":{"a":{"$ref":"#/$defs/d"},"tenant":true,"user":true},"additionalProperties":false}}}`,
		},
		"recursion means the arguments of the model": {
			`{"properties":{"next":{"$ref":"#"}},"additionalProperties":false}`,
			`{"properties":{"next":{"$ref":"#/$defs/handler-1"},` + tenant + `,` + user + `},"required":["tenant"],"additionalProperties":false,` +
				`"$defs":{"handler-1":{"properties":{"next":{"$ref":"#/$defs/handler-1"}},"additionalProperties":false}}}`,
		},
		"counts and names": {
			`{"minProperties":1,"maxProperties":2,"propertyNames":{"maxLength":3}}`,
			`{"properties":{` + tenant + `,` + user + `},"propertyNames":{"anyOf":[{"enum":["tenant","user"]},{"maxLength":3}]},"required":["tenant"],"minProperties":2,"maxProperties":4}`,
		},
		"everything": {
			`true`, `{"properties":{` + tenant + `,` + user + `},"required":["tenant"]}`,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := Input{Schema: schematest.Schema(t, c.in), SessionParameters: session(t, true)}
			got, findings := in.HandlerSchema()
			if got == nil {
				t.Fatal(findings)
			}
			if diff := cmp.Diff(c.want, got.Root().JSON()); diff != "" {
				t.Error(diff)
			}
			if _, invalid := got.Compile(); len(invalid) > 0 {
				t.Error(invalid)
			}
		})
	}
	plain := Input{Schema: schematest.Schema(t, `{"type":"object"}`)}
	if got, _ := plain.HandlerSchema(); got != plain.Schema {
		t.Error("without session parameters it is not the input schema")
	}
}

func TestWhatCannotBeMergedIsSaid(t *testing.T) {
	t.Parallel()
	for text, pointer := range map[string]string{
		`{"const":{"a":1}}`: "/const",
		`{"anyOf":[{"enum":[{"a":1},"b"]},{"type":"null"}]}`:                 "/anyOf/0/enum",
		`{"not":{"minProperties":2}}`:                                        "/not/minProperties",
		`{"allOf":[{"$ref":"#/$defs/d"}],"$defs":{"d":{"maxProperties":2}}}`: "/$defs/d/maxProperties",
	} {
		in := Input{Schema: schematest.Schema(t, text), SessionParameters: session(t, true)}
		got, findings := in.HandlerSchema()
		if got != nil || len(findings) != 1 || findings[0].Pointer != pointer || findings[0].Severity != finding.Error || findings[0].Fix == "" {
			t.Errorf("%s: %v, %v", text, got, findings)
		}
	}
	large := Input{
		Schema:            schematest.Schema(t, `{"properties":{"a":{"type":"array","prefixItems":[`+strings.TrimSuffix(strings.Repeat(`true,`, 15_000), ",")+`]}}}`),
		SessionParameters: []SessionParameter{{Name: "b", Source: "s.b", Schema: schematest.Schema(t, `{"prefixItems":[`+strings.TrimSuffix(strings.Repeat(`true,`, 15_000), ",")+`]}`)}},
	}
	if got, findings := large.HandlerSchema(); got != nil || len(findings) != 1 || !strings.Contains(findings[0].Message, "beyond the limits") {
		t.Errorf("%v, %v", got, findings)
	}
}

// TestTheHandlerSchemaAdmitsExactlyBoth: arguments that the input schema admits
// together with session values that their schemas admit, and nothing else.
func TestTheHandlerSchemaAdmitsExactlyBoth(t *testing.T) {
	t.Parallel()
	values := map[string][2]*schema.Value{ // a valid and an invalid value
		"tenant": {schema.NewString("t"), schema.NewString("")},
		"user":   {schematest.Value(t, `{"id":1,"boss":{"id":2}}`), schematest.Value(t, `{"id":1,"boss":{}}`)},
	}
	merged, admitted, refused := 0, 0, 0
	for seed := range uint64(400) {
		s, _ := schema.Admit(schematest.Value(t, schematest.Random(seed)))
		if s == nil {
			continue
		}
		validator, invalid := s.Compile()
		if len(invalid) > 0 {
			continue
		}
		in := Input{Schema: s, SessionParameters: session(t, seed%2 == 0)}
		handler, _ := in.HandlerSchema()
		if handler == nil {
			continue
		}
		merged++
		handling, invalid := handler.Compile()
		if len(invalid) > 0 {
			t.Fatalf("%s: %v", handler.Root().JSON(), invalid)
		}
		counts := s.Root().Has("minProperties") || s.Root().Has("maxProperties")
		g := schematest.NewInstances(s, seed)
		for range 15 {
			call := g.Next()
			if call.Kind() != schema.Object {
				continue
			}
			want, err := validator.Accepts(call)
			if err != nil {
				continue
			}
			all, missing, wrong := call, call, call
			for _, p := range in.SessionParameters {
				all = all.With(p.Name, values[p.Name][0])
				if p.Optional {
					wrong = wrong.With(p.Name, values[p.Name][0])
					missing = missing.With(p.Name, values[p.Name][0])
				} else {
					wrong = wrong.With(p.Name, values[p.Name][1])
				}
			}
			if got, err := handling.Accepts(all); err == nil && got != want {
				t.Errorf("%s: %t, want %t\n%s\n%s", all.JSON(), got, want, s.Root().JSON(), handler.Root().JSON())
			}
			for _, bad := range []*schema.Value{missing, wrong} {
				if got, _ := handling.Accepts(bad); got {
					t.Errorf("%s is admitted by\n%s", bad.JSON(), handler.Root().JSON())
				}
			}
			if in.SessionParameters[1].Optional {
				got, err := handling.Accepts(call.With("tenant", values["tenant"][0]))
				if err == nil && got != want && (want || !counts) {
					t.Errorf("%s without the optional one: %t, want %t\n%s", call.JSON(), got, want, handler.Root().JSON())
				}
			}
			if want {
				admitted++
			} else {
				refused++
			}
		}
	}
	if merged < 100 || admitted < 100 || refused < 100 {
		t.Errorf("only %d documents, %d admitted and %d refused calls", merged, admitted, refused)
	}
}
