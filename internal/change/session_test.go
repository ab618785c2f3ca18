// SPDX-License-Identifier: Apache-2.0

package change

import (
	"cmp"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/schema"
)

func sorted(list []said) []said {
	slices.SortFunc(list, func(a, b said) int { return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Pointer, b.Pointer)) })
	return list
}

func TestSessionParameters(t *testing.T) {
	t.Parallel()
	tenant := contract.SessionParameter{Name: "tenant", Source: "session.tenant", Schema: schemaOf(t, `{"type":"string"}`)}
	user := contract.SessionParameter{Name: "user", Source: "session.user", Optional: true}
	with := func(p contract.SessionParameter, change func(*contract.SessionParameter)) contract.SessionParameter {
		change(&p)
		return p
	}
	schemaIs := func(text string) contract.SessionParameter {
		return with(tenant, func(p *contract.SessionParameter) { p.Schema = schemaOf(t, text) })
	}
	type list = []contract.SessionParameter
	const at = "/spec/input/sessionParameters"
	fills := `{"type":"object","properties":{"tenant":{"type":"string"}},"additionalProperties":false}`
	empty := `{"type":"object","properties":{},"additionalProperties":false}`
	open := `{"type":"object","properties":{"a":{"type":"string"}}}`
	closed := `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`
	matching := `{"type":"object","patternProperties":{"^ten":{"type":"string"}},"additionalProperties":false}`
	other := `{"type":"object","patternProperties":{"^x-":{"type":"string"}},"additionalProperties":false}`
	named := `{"type":"object","propertyNames":{"maxLength":3}}`
	evaluated := `{"type":"object","allOf":[{"$ref":"#/$defs/b"}],"unevaluatedProperties":false,"$defs":{"b":{"properties":{"b":{}}}}}`
	oneOpen := `{"type":"object","anyOf":[{"properties":{"a":{}},"additionalProperties":false},{"properties":{"b":{}},"required":["b"]}]}`
	bothClosed := `{"type":"object","anyOf":[{"properties":{"a":{}},"additionalProperties":false},{"properties":{"b":{}},"additionalProperties":false}]}`
	forbidden := `{"type":"object","properties":{"tenant":{"allOf":[false]}}}`
	// No rule proves that there is no such text, and none is found.
	unsure := `{"type":"object","properties":{"tenant":{"type":"string","format":"date-time","minLength":900}},"additionalProperties":false}`
	mayBe := with(tenant, func(p *contract.SessionParameter) { p.Optional = true })
	renamed := func(p contract.SessionParameter) contract.SessionParameter {
		return with(p, func(p *contract.SessionParameter) { p.Name = "tenantId" })
	}
	// What the rules say of a name, by the place of the parameter.
	says := func(rule string, bump contract.Bump, proof Proof) said {
		return said{"session-parameter-" + rule, at + "/0", bump, proof}
	}
	added, required := says("added", minor, Declared), says("added", major, Declared)
	injected, unproved := says("injected", major, Refuted), says("injected", major, Unknown)
	removed, exposed := says("removed", minor, Declared), says("exposed", major, Declared)
	type row struct {
		name                 string
		old, new             list
		oldSchema, newSchema string
		want                 []said
	}
	rows := []row{
		{"a required one more, closed", nil, list{tenant}, closed, closed, []said{required}},
		{"a required one more, open", nil, list{tenant}, open, open, []said{required, injected}},
		{"a required one more, any input", nil, list{tenant}, "", "", []said{required, injected}},
		{"beside another one", list{tenant}, list{tenant, user}, closed, closed, []said{{"session-parameter-added", at + "/1", minor, Declared}}},
		{"one of two less", list{tenant, user}, list{tenant}, closed, closed, []said{{"session-parameter-removed", at + "/1", minor, Declared}}},
		{"renamed, closed", list{tenant}, list{renamed(tenant)}, closed, closed, []said{required, removed}},
		{"renamed, open", list{tenant}, list{renamed(tenant)}, open, open, []said{required, injected, exposed}},
		{"an optional one renamed, closed", list{mayBe}, list{renamed(mayBe)}, closed, closed, []said{added, removed}},
		{"an optional one renamed, open", list{mayBe}, list{renamed(mayBe)}, open, open, []said{injected, exposed}},
		{"an optional one, closed at once", nil, list{mayBe}, open, closed, []said{injected, {"input-additional-properties", "", major, Refuted}}},
		{"one less, opened at once", list{mayBe}, nil, closed, open, []said{exposed, {"input-widened", "", minor, Proven}}},
	}
	// The same question for a name that comes and for one that goes.
	for _, c := range []struct {
		name, schema string
		comes, goes  said
	}{
		{"any input", "", injected, exposed},
		{"open", open, injected, exposed},
		{"closed", closed, added, removed},
		{"without any property", empty, added, removed},
		{"a pattern that matches", matching, injected, exposed},
		{"a pattern that does not", other, added, removed},
		{"too long a name", named, added, removed},
		{"unevaluated", evaluated, added, removed},
		{"one alternative open", oneOpen, injected, exposed},
		{"all alternatives closed", bothClosed, added, removed},
		{"a property that can never be there", forbidden, added, removed},
		{"a property", fills, injected, exposed},
		{"not known", unsure, unproved, exposed},
	} {
		rows = append(rows, row{"comes, " + c.name, nil, list{mayBe}, c.schema, c.schema, []said{c.comes}},
			row{"goes, " + c.name, list{mayBe}, nil, c.schema, c.schema, []said{c.goes}})
	}
	rows = append(rows, []row{
		{"required now", list{user}, list{with(user, func(p *contract.SessionParameter) { p.Optional = false })}, "", "", []said{{"session-parameter-optional", at + "/0/optional", major, Declared}}},
		{"optional now", list{tenant}, list{with(tenant, func(p *contract.SessionParameter) { p.Optional = true })}, "", "", []said{{"session-parameter-optional", at + "/0/optional", minor, Declared}}},
		{"from another source", list{tenant}, list{with(tenant, func(p *contract.SessionParameter) { p.Source = "session.user" })}, "", "", []said{{"session-parameter-source", at + "/0/source", major, Declared}}},
		{"filled in by the model", list{tenant}, nil, empty, fills, []said{
			exposed, {"input-widened", "/properties/tenant", minor, Proven},
		}},
		{"no longer filled in by the model", nil, list{tenant}, fills, empty, []said{
			required, injected, {"input-property-removed", "/properties/tenant", major, Refuted},
		}},
		{"another order", list{tenant, user}, list{user, tenant}, "", "", []said{{"session-parameter-order", at, patch, Declared}}},
		{"a tighter schema", list{tenant}, list{schemaIs(`{"type":"string","maxLength":9}`)}, "", "", []said{{"session-parameter-length", at + "/0/schema", major, Refuted}}},
		{"a wider schema", list{tenant}, list{schemaIs(`{"type":["string","null"]}`)}, "", "", []said{{"session-parameter-widened", at + "/0/schema", minor, Proven}}},
		{"a schema at all", list{user}, list{with(user, func(p *contract.SessionParameter) { p.Schema = tenant.Schema })}, "", "", []said{{"session-parameter-type", at + "/0/schema", major, Refuted}}},
		{"no schema any more", list{tenant}, list{with(tenant, func(p *contract.SessionParameter) { p.Schema = nil })}, "", "", []said{{"session-parameter-widened", at + "/0/schema", minor, Proven}}},
		{"no schema, spelled out", list{user}, list{with(user, func(p *contract.SessionParameter) { p.Schema = schemaOf(t, `true`) })}, "", "", []said{{"session-parameter-order", at, patch, Declared}}},
		{"another unit", list{schemaIs(`{"type":"string","x-unit":"s"}`)}, list{schemaIs(`{"type":"string","x-unit":"ms"}`)}, "", "", []said{{"session-parameter-unit", at + "/0/schema", major, Declared}}},
	}...)
	for _, c := range rows {
		r := compareEdited(t,
			func(x *contract.Content) { x.Input.SessionParameters, x.Input.Schema = c.old, optional(t, c.oldSchema) },
			func(x *contract.Content) { x.Input.SessionParameters, x.Input.Schema = c.new, optional(t, c.newSchema) })
		if diff := gocmp.Diff(sorted(c.want), sorted(allSaid(r))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// Where the host refuses what is not declared, no call could carry the name.
func TestASessionParameterBesideADeclaredWriter(t *testing.T) {
	t.Parallel()
	const open = `{"type":"object","properties":{"a":{"type":"string"}}}`
	const free, matching = `{"type":"object"}`, `{"type":"object","patternProperties":{"^ten":{}}}`
	parameters := []contract.SessionParameter{{Name: "tenant", Source: "s", Optional: true}}
	for _, c := range []struct {
		schema, was, is string
		comes, goes     contract.Bump
	}{
		{open, "", "", contract.Major, contract.Major},
		{open, contract.WriterDeclared, contract.WriterDeclared, contract.Minor, contract.Minor},
		{open, contract.WriterDeclared, "", contract.Minor, contract.Major},
		{open, "", contract.WriterDeclared, contract.Major, contract.Minor},
		{free, contract.WriterDeclared, contract.WriterDeclared, contract.Major, contract.Major},
		{matching, contract.WriterDeclared, contract.WriterDeclared, contract.Major, contract.Major},
	} {
		with := func(writer string, list []contract.SessionParameter) edit {
			return func(x *contract.Content) {
				x.Input.Schema, x.Input.Writer, x.Input.SessionParameters = schemaOf(t, c.schema), writer, list
			}
		}
		for name, r := range map[string]Report{
			"comes": compareEdited(t, with(c.was, nil), with(c.is, parameters)),
			"goes":  compareEdited(t, with(c.was, parameters), with(c.is, nil)),
		} {
			want := map[string]contract.Bump{"comes": c.comes, "goes": c.goes}[name]
			for _, f := range r.Findings {
				if f.Rule != "input-writer" && f.Bump != want {
					t.Errorf("%s, writer %q → %q, %s: %s", c.schema, c.was, c.is, name, f.Message)
				}
			}
		}
	}
}

func TestANewSessionParameterSaysWhichCallItBreaks(t *testing.T) {
	t.Parallel()
	const open = `{"type":"object","properties":{"a":{"type":"string"}}}`
	change := func(class string) Finding {
		return one(t, compareEdited(t,
			func(c *contract.Content) { c.Input.Schema, c.Execution.DataClassification = schemaOf(t, open), class },
			func(c *contract.Content) {
				c.Input.Schema, c.Execution.DataClassification = schemaOf(t, open), class
				c.Input.SessionParameters = []contract.SessionParameter{{Name: "tenant", Source: "s", Optional: true}}
			}))
	}
	public, hidden := change("Public"), change("Confidential")
	const what = `new session parameter "tenant" where calls could carry this name needs major: the host refuses calls that carry it. `
	want := []string{
		what + `Example accepted by 1.4.2, rejected now: {"tenant":0}. Declared bump: minor (1.5.0)`,
		"set version 2.0.0, or leave the session parameter out; to add session parameters in a minor version, " +
			"close the object (additionalProperties: false) in the new line, or set input.writer to Declared where the host refuses what is not declared",
		what + `The example is left out because of the data classification. Declared bump: minor (1.5.0)`,
	}
	if diff := gocmp.Diff(want, []string{public.Message, public.Fix, hidden.Message}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if public.Witness == nil || hidden.Witness != nil {
		t.Errorf("examples %v and %v", public.Witness, hidden.Witness)
	}
}

func TestASessionParameterThatMovedIsNamedInBothContracts(t *testing.T) {
	t.Parallel()
	tenant := func(schema string) contract.SessionParameter {
		return contract.SessionParameter{Name: "tenant", Source: "s", Schema: schemaOf(t, schema)}
	}
	user := contract.SessionParameter{Name: "user", Source: "u", Optional: true}
	r := compareEdited(t,
		func(c *contract.Content) {
			c.Input.SessionParameters = []contract.SessionParameter{tenant(`{"type":"string"}`), user}
		},
		func(c *contract.Content) {
			c.Input.SessionParameters = []contract.SessionParameter{user, tenant(`{"type":"string","minLength":1}`)}
		})
	f := one(t, r)
	want := []string{"/spec/input/sessionParameters/1/schema", "/spec/input/sessionParameters/0/schema"}
	if diff := gocmp.Diff(want, []string{f.Pointer, f.OldPointer}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func optional(t *testing.T, text string) *schema.Schema {
	t.Helper()
	if text == "" {
		return nil
	}
	return schemaOf(t, text)
}
