// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	inferred "github.com/google/jsonschema-go/jsonschema"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/card"
	"github.com/toolcontract/operator/internal/change"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/plan"
	"github.com/toolcontract/operator/internal/probe"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/testkit/golden"
)

// outputSchema is the published schema of what a command writes with -o json. It is
// made of the Go types that are written, so that the two cannot part.
type outputSchema struct {
	verb, description string
	// forms are values of the types that are written: one of them at a time.
	forms []any
	// runs are command lines whose output is held to the schema.
	runs [][]string
	// stdin is what they read.
	stdin string
	// nulls says that an absent list can be null.
	nulls bool
}

const refundSample = "../../config/samples/create-refund-draft.yaml"

func outputSchemas() []outputSchema {
	return []outputSchema{
		{
			verb: "check", description: "What check found: one result per contract and profile, and one per set and profile.",
			forms: []any{resultList{}},
			runs: [][]string{
				{"check", "-o", "json", "testdata/contracts.yaml", "testdata/sets.yaml"},
				{"check", "-o", "json", "../../config/samples"},
				{"check", "-o", "json", "../../config/samples/refused"},
				{"check", "-o", "json", "../../test/catalogue"},
			},
		},
		{
			verb: "contains", description: "Whether the second schema contains the first, and if not, an instance that shows it.",
			forms: []any{containment{}},
			runs:  [][]string{{"contains", "-o", "json", "testdata/wide.json", "testdata/narrow.json"}, {"contains", "-o", "json", "testdata/narrow.json", "testdata/wide.json"}},
		},
		{
			verb: "diff", description: "Which version bump the change of a contract needs, or that of each tool of two lists.",
			forms: []any{diffReport{}, diffList{}},
			runs: [][]string{
				{"diff", "-o", "json", "testdata/diff-old.yaml", "testdata/diff-new.yaml"},
				{"diff", "-o", "json", "testdata/diff-old-tools.json", "testdata/diff-new-tools.json"},
			},
		},
		{
			verb: "fix", description: "The fixes of findings, by file: which were made, and why the others were not.",
			forms: []any{fixList{}},
			runs:  [][]string{{"fix", "--dry-run", "-o", "json", "../../test/catalogue"}, {"fix", "--dry-run", "--unsafe", "-o", "json", "../../config/samples/refused"}},
		},
		{
			verb: "fmt", description: "The files that change when they are laid out, or that have something that is not.",
			forms: []any{fmtList{}},
			runs:  [][]string{{"fmt", "--check", "-o", "json", "../../config/samples", "testdata"}},
		},
		{
			verb: "plan", description: "What the operator would do if manifests were applied.",
			forms: []any{plan.Plan{}},
			runs: [][]string{
				{"plan", "-o", "json", "testdata/plan/new"},
				{"plan", "-o", "json", "../../config/samples"},
				{"plan", "-o", "json", "../../config/samples/refused"},
				{"plan", "-o", "json", "../../test/catalogue"},
				{"plan", "-o", "json", "testdata/contracts.yaml", "testdata/sets.yaml"}, // and see TestPlan
			},
		},
		{
			verb: "status", description: "The contracts, sets and profiles of a cluster.",
			forms: []any{statusView{}},
			runs:  nil, // see TestStatus: its output needs a cluster
		},
		{
			verb: "profiles", description: "The provider profiles, or all facts about one.",
			forms: []any{profileList{}, explanation{}}, nulls: true,
			runs: [][]string{{"profiles", "-o", "json"}, {"profiles", "openai-responses", "-o", "json"}, {"profiles", "mcp-2026-07-28", "-o", "json"}, {"profiles", "gemini-openapi", "-o", "json"}},
		},
		{
			verb: "show", description: "What a model and a host get of each tool.",
			forms: []any{struct {
				SchemaVersion string      `json:"schemaVersion"`
				Cards         []card.Card `json:"cards"`
			}{}},
			runs: [][]string{{"show", "-o", "json", refundSample}, {"show", "-o", "json", refundSample, "--profile", "openai-responses"}, {"show", "-o", "json", "../../test/catalogue"}},
		},
		{
			verb: "verify-call", description: "Whether the arguments of a call fit a contract. verify-result writes the same about a result.",
			forms: []any{verification{}},
			runs: [][]string{
				{"verify-call", "-o", "json", "../../config/samples/get-order-status.yaml", "-"},
				{"verify-result", "-o", "json", "../../config/samples/get-order-status.yaml", "-"},
			},
			stdin: `{"a": 1}`,
		},
		{
			verb: "verify", description: "How mounted tools differ from a lock, and from what they say of themselves.",
			forms: []any{verified{}},
			runs:  nil, // see TestVerify: its output needs a folder
		},
		{
			verb: "probe", description: "One line of evidence: what a provider API answered to a tool.",
			forms: []any{probe.Evidence{}},
			runs:  nil, // see TestProbe: its output needs an API
		},
	}
}

// words are the values of types that are texts.
var words = map[reflect.Type]*inferred.Schema{
	reflect.TypeFor[json.RawMessage]():     {},
	reflect.TypeFor[provider.JSON]():       {},
	reflect.TypeFor[provider.Expression](): {Types: []string{"null", "string"}},
	reflect.TypeFor[finding.Severity]():    {Type: "string", Enum: []any{"Error", "Warning", "Info"}},
	reflect.TypeFor[finding.Side]():        {Type: "string", Enum: []any{"Contract", "Input", "Output"}},
	reflect.TypeFor[plan.Change]():         {Type: "string", Enum: []any{"New", "Changed", "Unchanged", "Removed", "Refused"}},
	reflect.TypeFor[plan.Impact]():         {Type: "string", Enum: []any{"None", "Patch", "Minor", "Major", "Refused"}},
	reflect.TypeFor[change.Proof]():        {Type: "string", Enum: []any{"Proven", "Refuted", "Unknown", "Declared"}},
	reflect.TypeFor[v1alpha1.Effect]():     {Type: "string", Enum: []any{"Keep", "Narrow", "Reshape", "Widen"}},
}

func (o outputSchema) schema(t *testing.T) []byte {
	t.Helper()
	root := &inferred.Schema{}
	for _, form := range o.forms {
		s, err := inferred.ForType(reflect.TypeOf(form), &inferred.ForOptions{TypeSchemas: words})
		if err != nil {
			t.Fatal(err)
		}
		tidy(s, o.nulls)
		root.AnyOf = append(root.AnyOf, s)
	}
	if len(root.AnyOf) == 1 {
		root = root.AnyOf[0]
	}
	text, err := json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	head, err := json.Marshal(inferred.Schema{
		Schema: "https://json-schema.org/draft/2020-12/schema", ID: "https://toolcontract.dev/schemas/output/" + o.verb + ".schema.json",
		Title: "toolcontract " + o.verb + " -o json", Description: o.description,
	})
	if err != nil {
		t.Fatal(err)
	}
	text = slices.Concat(bytes.TrimSuffix(head, []byte("}")), []byte(","), text[1:])
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", "  "); err != nil {
		t.Fatal(err)
	}
	return append(out.Bytes(), '\n')
}

// tidy takes the null away that a list, a table or a pointer to an object could be
// in Go, since most commands write none, and the type of a pointer to what can be
// any JSON.
func tidy(s *inferred.Schema, nulls bool) {
	if s == nil {
		return
	}
	switch {
	case s.Type == "null" || slices.Equal(s.Types, []string{"null"}) || slices.Equal(s.Types, []string{"null", ""}):
		s.Type, s.Types = "", nil
	case !nulls && (slices.Equal(s.Types, []string{"null", "array"}) || slices.Equal(s.Types, []string{"null", "object"})):
		s.Type, s.Types = s.Types[1], nil
	}
	for _, p := range s.Properties {
		tidy(p, nulls)
	}
	tidy(s.Items, nulls)
	if s.AdditionalProperties != nil && s.AdditionalProperties.Not == nil {
		tidy(s.AdditionalProperties, nulls)
	}
}

// TestOutputsFitTheirPublishedSchemas: the files below docs/schemas are those of the
// types, and what the commands write fits them.
func TestOutputsFitTheirPublishedSchemas(t *testing.T) {
	t.Parallel()
	for _, o := range outputSchemas() {
		t.Run(o.verb, func(t *testing.T) {
			t.Parallel()
			golden.Check(t, "../../../docs/schemas/"+o.verb+".schema.json", o.schema(t))
			published := outputSchemaOf(t, o.verb)
			for _, arguments := range o.runs {
				got := run(o.stdin, arguments...)
				if got.code == exitUsage {
					t.Fatalf("%v: %s", arguments, got.err)
				}
				fits(t, published, got.out)
			}
		})
	}
}

// outputSchemaOf is a published schema. Only it is read: it refers to nothing.
func outputSchemaOf(t *testing.T, verb string) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../docs/schemas", verb+".schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(jsonschema.SchemeURLLoader{})
	if err := c.AddResource("output.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("output.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func fits(t *testing.T, published *jsonschema.Schema, text string) {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v: %q", err, text)
	}
	if err := published.Validate(v); err != nil {
		t.Errorf("%v", err)
	}
}
