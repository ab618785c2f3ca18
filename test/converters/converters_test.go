// SPDX-License-Identifier: Apache-2.0

package converters

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/toolcontract/operator/internal/adapt"
	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/decode"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/contracts"
	"github.com/toolcontract/operator/internal/testkit/corpus"
)

// theirs names the converters of convert.mjs with the profile that each of them
// converts for.
var theirs = []struct{ converter, profile string }{
	{"openai toStrictJsonSchema", "openai-responses"},
	{"@mastra/schema-compat OpenAI", "openai-responses"},
	{"@samchon/openapi strict", "openai-responses"},
	{"@anthropic-ai/sdk transformJSONSchema", "anthropic-messages"},
	{"@mastra/schema-compat Anthropic", "anthropic-messages"},
	{"@mastra/schema-compat Google", "gemini-json-schema"},
}

// tool is a schema as an author wrote it.
type tool struct {
	id    string
	text  json.RawMessage
	value *schema.Value
	// lenient is the author's schema in which every optional property may also be
	// null: hosts of the other converters take null for absent, so that this alone
	// is not counted against them.
	lenient *schema.Schema
}

// tally is what came of all tools.
type tally struct {
	tools, refused, broken, widened, undecided, required int
	time                                                 time.Duration
}

// BenchmarkConverters reports shares in percent of all tools.
func BenchmarkConverters(b *testing.B) {
	tools := load(b)
	results := run(b, tools)
	for _, c := range theirs {
		b.Run(c.converter, func(b *testing.B) {
			var all tally
			for i, t := range tools {
				r, ok := results[key{c.converter, t.id}]
				if !ok {
					b.Fatalf("convert.mjs has no answer of %s for %s", c.converter, t.id)
				}
				all.time += time.Duration(r.Nanoseconds)
				all.judge(b, c.profile, &tools[i], r.Schema, false)
			}
			all.report(b)
		})
	}
	for _, profile := range []string{"openai-responses", "anthropic-messages", "gemini-json-schema"} {
		for _, most := range []adapt.Effect{adapt.Narrow, adapt.Reshape} {
			b.Run(fmt.Sprintf("toolcontract %s %s", profile, most), func(b *testing.B) {
				p := lookup(b, profile)
				var all tally
				for i, t := range tools {
					var strict *schema.Schema
					decoded, best := false, time.Hour
					for range rounds {
						begin := time.Now()
						author, _ := schema.Admit(t.value)
						if target := adapt.ForTarget(author, p, adapt.Preferred, nil, most); target.Given {
							strict = target.Schema
							decoded = hasPairs(target.Decode)
						}
						best = min(best, time.Since(begin))
					}
					all.time += best
					var out json.RawMessage
					if strict != nil {
						out = json.RawMessage(strict.Root().JSON())
					}
					all.judge(b, profile, &tools[i], out, decoded)
				}
				all.report(b)
			})
		}
	}
}

// rounds is how often each tool is converted; the fastest counts.
const rounds = 5

// load reads the real tools, or the project's own contracts without them.
func load(b *testing.B) []tool {
	b.Helper()
	var out []tool
	add := func(id string, text []byte) {
		value, failed := schema.Parse(text)
		if failed != nil {
			return
		}
		if s, _ := schema.Admit(value); s == nil {
			return
		}
		lenient, findings := schema.Admit(withNulls(value))
		if lenient == nil {
			b.Fatalf("%s: %v", id, findings)
		}
		out = append(out, tool{id: id, text: text, value: value, lenient: lenient})
	}
	if _, ok := corpus.Dir(); !ok {
		b.Logf("%s is not set: comparing on the project's own contracts", corpus.Variable)
		for _, c := range contracts.All(b) {
			if c.Spec.Input.Schema != nil {
				add(c.Name, c.Spec.Input.Schema.Raw)
			}
		}
		return out
	}
	for _, path := range corpus.ToolFiles(b) {
		n := 0
		for t := range corpus.Lines[corpus.Tool](b, path) {
			n++
			add(fmt.Sprintf("%s:%d", path, n), t.InputSchema)
		}
	}
	return out
}

// withNulls lets every optional property be null, at every level.
func withNulls(v *schema.Value) *schema.Value {
	if v.Kind() != schema.Object {
		return v
	}
	required := map[string]bool{}
	for _, name := range v.Get("required").Strings() {
		required[name] = true
	}
	var f schema.Fields
	for _, m := range v.Members() {
		isProperties := m.Name == "properties"
		f = append(f, schema.MapChildren(m, func(c schema.Child) *schema.Value {
			below := withNulls(c.Value)
			if !isProperties || required[c.Token] {
				return below
			}
			return schema.NewObject(schema.Member{Name: "anyOf", Value: schema.NewArray(below,
				schema.NewObject(schema.Member{Name: "type", Value: schema.NewString("null")}))})
		}))
	}
	return f.Object()
}

type key struct{ converter, id string }

type result struct {
	Converter, ID, Error string
	Schema               json.RawMessage
	Nanoseconds          int64
}

// run starts Node.js once over all tools.
func run(b *testing.B, tools []tool) map[key]result {
	b.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		b.Skip("there is no Node.js here, so there is nothing to compare with")
	}
	if _, err := os.Stat("node_modules"); err != nil {
		b.Skip("the converters are not installed: run npm ci in test/converters (make bench does)")
	}
	var in bytes.Buffer
	for _, t := range tools {
		line, err := json.Marshal(map[string]any{"id": t.id, "schema": t.text})
		if err != nil {
			b.Fatal(err)
		}
		in.Write(append(line, '\n'))
	}
	command := exec.CommandContext(b.Context(), node, "convert.mjs")
	command.Stdin = &in
	var out, errors bytes.Buffer
	command.Stdout, command.Stderr = &out, &errors
	if err := command.Run(); err != nil {
		b.Fatalf("%v: %s", err, errors.String())
	}
	results := map[key]result{}
	lines := bufio.NewScanner(&out)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var r result
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			b.Fatalf("%s: %v", lines.Bytes(), err)
		}
		results[key{r.Converter, r.ID}] = r
	}
	return results
}

// judge looks at one result; no schema means that the converter refused.
// Whether a result that is decoded into another form admits more cannot be said
// by comparing schemas; the tests of adaptation decode instances instead.
func (a *tally) judge(b *testing.B, profile string, t *tool, text json.RawMessage, decoded bool) {
	b.Helper()
	a.tools++
	if len(text) == 0 {
		a.refused++
		return
	}
	value, failed := schema.Parse(text)
	if failed != nil {
		a.broken++
		return
	}
	// Both are for the converter's own host and not for the API.
	value = value.Without("$schema").Without("x-optional")
	out, _ := schema.Admit(value)
	if out == nil {
		a.broken++
		return
	}
	if breaksRules(lookup(b, profile), out) {
		a.broken++
	}
	if requiresWithoutNull(t.value, value) {
		a.required++
	}
	if decoded {
		a.undecided++
		return
	}
	switch contain.Contains(out, t.lenient).Answer {
	case contain.Refuted:
		a.widened++
	case contain.Unknown:
		a.undecided++
	case contain.Proven:
	}
}

func lookup(b *testing.B, name string) *provider.Profile {
	b.Helper()
	p, ok := provider.Builtin().Lookup(name)
	if !ok {
		b.Fatalf("there is no profile %s", name)
	}
	return p
}

// breaksRules counts what the API is known to refuse. Neither what nobody knows
// is held against a converter, nor annotations, of which sources disagree.
func breaksRules(p *provider.Profile, s *schema.Schema) bool {
	for _, f := range p.CheckSchema(s, provider.Strict) {
		k, known := schema.LookupKeyword(f.Keyword)
		annotates := f.Keyword != "" && (!known || k.Annotation)
		if f.Severity == finding.Error && f.Rule != provider.RuleKeywordUnknown && !annotates {
			return true
		}
	}
	return false
}

// requiresWithoutNull reports whether a property that was optional became
// required and cannot be null, where both schemas declare it in the same place.
func requiresWithoutNull(author, out *schema.Value) bool {
	was, is := map[string]bool{}, map[string]bool{}
	for _, name := range author.Get("required").Strings() {
		was[name] = true
	}
	for _, name := range out.Get("required").Strings() {
		is[name] = true
	}
	var declared []schema.Member
	if properties := out.Get("properties"); properties != nil {
		declared = properties.Members()
	}
	for _, m := range declared {
		before := author.Get("properties").Get(m.Name)
		if before == nil || before.Kind() != schema.Object || m.Value.Kind() != schema.Object {
			continue
		}
		if is[m.Name] && !was[m.Name] && !admitsNull(m.Value) {
			return true
		}
		if requiresWithoutNull(before, m.Value) {
			return true
		}
	}
	if items := out.Get("items"); items != nil && items.Kind() == schema.Object && author.Get("items") != nil && author.Get("items").Kind() == schema.Object {
		return requiresWithoutNull(author.Get("items"), items)
	}
	return false
}

// admitsNull asks the validator.
func admitsNull(v *schema.Value) bool {
	s, _ := schema.Admit(v)
	if s == nil {
		return true // a reference into the document: not decided here
	}
	validator, _ := s.Compile()
	return validator == nil || len(validator.Validate(schema.NewNull())) == 0
}

// hasPairs reports whether a rule makes a map of an array anywhere.
func hasPairs(r *decode.Rule) bool {
	return r != nil && bytes.Contains([]byte(r.Value().JSON()), []byte(`"pairs"`))
}

// report writes the shares as metrics of the benchmark.
func (a *tally) report(b *testing.B) {
	b.Helper()
	for range b.N { // measured already, per tool
	}
	percent := func(n int) float64 { return 100 * float64(n) / float64(a.tools) }
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(a.time.Microseconds())/float64(a.tools), "µs/tool")
	b.ReportMetric(percent(a.refused), "%refused")
	b.ReportMetric(percent(a.broken), "%broken")
	b.ReportMetric(percent(a.widened), "%widened")
	b.ReportMetric(percent(a.required), "%required-without-null")
	b.ReportMetric(percent(a.undecided), "%undecided")
	b.ReportMetric(float64(a.tools), "tools")
}
