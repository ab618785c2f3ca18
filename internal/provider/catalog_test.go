// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

func TestBuiltinProfiles(t *testing.T) {
	t.Parallel()
	if err := loadEmbedded(); err != nil {
		t.Fatalf("the embedded profiles do not load: %v", err)
	}
	names := Builtin().Names()
	for _, name := range []string{"anthropic-messages", "gemini-json-schema", "mcp-2025-11-25", "openai-chat-completions", "openai-responses"} {
		if !slices.Contains(names, name) {
			t.Errorf("there is no profile %s", name)
		}
	}
	if _, ok := Builtin().Lookup("nobody"); ok {
		t.Error("a profile that does not exist was found")
	}
}

// TestEveryKeywordAndShapeHasASourcedVerdictInBothModes is the promise of the
// profiles. It reads the tables that verdicts are answered from, not the files.
func TestEveryKeywordAndShapeHasASourcedVerdictInBothModes(t *testing.T) {
	t.Parallel()
	for _, name := range Builtin().Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, _ := Builtin().Lookup(name)
			sources := map[string]Source{}
			for _, s := range p.Sources {
				sources[s.Key] = s
			}
			var tally coverage
			for _, mode := range modes {
				table := p.table(mode)
				for _, k := range schema.Keywords() {
					tally.check(t, sources, fmt.Sprintf("%s in %s", k.Name, mode), table.keywords[keywordIndex[k.Name]])
				}
				tally.check(t, sources, fmt.Sprintf("unknown keywords in %s", mode), table.keywords[unknownKeyword])
				for i, s := range shapeRules {
					tally.check(t, sources, fmt.Sprintf("%s in %s", s.shape, mode), table.shapes[i])
				}
			}
			t.Logf("%s: %s", name, tally)
		})
	}
}

// coverage counts the cells of a profile.
type coverage struct{ cells, high, medium, low, unknown int }

func (c coverage) String() string {
	return fmt.Sprintf("%d cells, %d High or Medium (%d High), %d Low; %d of them Unknown",
		c.cells, c.high+c.medium, c.high, c.low, c.unknown)
}

func (c *coverage) check(t *testing.T, sources map[string]Source, where string, e entry) {
	t.Helper()
	if len(e.outcomes) == 0 {
		t.Errorf("%s: no verdict", where)
		return
	}
	for i, o := range e.outcomes {
		c.cells++
		switch o.Confidence {
		case High:
			c.high++
		case Medium:
			c.medium++
		case Low:
			c.low++
		default:
			t.Errorf("%s: confidence %q", where, o.Confidence)
		}
		if o.Verdict == Unknown {
			c.unknown++
		}
		if len(o.Sources) == 0 {
			t.Errorf("%s: no source", where)
		}
		for _, key := range o.Sources {
			if s := sources[key]; !dateForm.MatchString(s.Date) || !strings.HasPrefix(s.URL, "https://") || s.Title == "" {
				t.Errorf("%s: source %q has no title, url or date", where, key)
			}
		}
		if isLast := i == len(e.outcomes)-1; (o.When == nil) != isLast {
			t.Errorf("%s: case %d cannot be reached, or nothing is left when no condition holds", where, i)
		}
	}
}

// A source that nothing cites is a fact that got lost.
func TestEverySourceIsCited(t *testing.T) {
	t.Parallel()
	files, err := embedded.ReadDir("profiles")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		raw, err := embedded.ReadFile("profiles/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(f.Name(), ".yaml")
		facts, found := readFacts(name, raw)
		if len(found) > 0 {
			t.Fatal(found)
		}
		// What a file inherits may cite a source that it dates anew.
		said := profile(t, name).Facts
		said.Sources = nil
		body, err := json.Marshal(said)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range facts.Sources {
			if !strings.Contains(string(body), s.Key) {
				t.Errorf("%s: nothing cites source %q", f.Name(), s.Key)
			}
		}
	}
}

// The same verdicts must come out of the public lookup.
func TestJudgeAnswersForEveryKeyword(t *testing.T) {
	t.Parallel()
	s := schematest.Schema(t, `{"type": "object", "properties": {"a": {"type": "string"}}}`)
	for _, name := range Builtin().Names() {
		p, _ := Builtin().Lookup(name)
		for _, mode := range modes {
			for _, k := range append(schema.Keywords(), schema.Keyword{Name: "x-anything"}) {
				if c := p.Judge(s, 1, k.Name, mode); c.Verdict == "" || len(c.Sources) == 0 {
					t.Errorf("%s, %s, %s: no verdict", name, mode, k.Name)
				}
			}
		}
	}
}

func TestChatCompletionsInheritsTheVerdictsOfResponses(t *testing.T) {
	t.Parallel()
	chat, _ := Builtin().Lookup("openai-chat-completions")
	responses, _ := Builtin().Lookup("openai-responses")
	if diff := cmp.Diff(responses.Keywords, chat.Keywords, cmp.AllowUnexported(JSON{}, schema.Value{})); diff != "" {
		t.Errorf("keywords (-responses +chat):\n%s", diff)
	}
	isToolLimit := func(l Limit) bool { return l.Measure == "Tools" && l.Max == 128 && l.Per == LimitPerRequest }
	if !slices.ContainsFunc(chat.Limits, isToolLimit) || slices.ContainsFunc(responses.Limits, isToolLimit) {
		t.Error("only Chat Completions has the limit of 128 tools")
	}
}

func TestEveryProfileHasADayOfReview(t *testing.T) {
	t.Parallel()
	for _, name := range Builtin().Names() {
		p := profile(t, name)
		if got := p.ReviewedOn(); got.Format(time.DateOnly) != p.Reviewed || got.Location() != time.UTC {
			t.Errorf("%s: %s, want %s", name, got, p.Reviewed)
		}
	}
}

func TestFactsThatRenderersRead(t *testing.T) {
	t.Parallel()
	type facts struct {
		WireFormat     string
		Place          StrictPlace
		NonStrict      NonStrictSpelling
		Examples       string
		Output         string
		Properties     bool
		Closed         [2]bool
		Required       [2]bool
		HasRequestText bool
	}
	want := map[string]facts{
		"anthropic-messages":      {"anthropic-messages", PerTool, Omit, "input_examples", "", false, [2]bool{true, false}, [2]bool{}, false},
		"gemini-json-schema":      {"gemini-function-declaration", PerRequest, Omit, "", "responseJsonSchema", false, [2]bool{}, [2]bool{}, true},
		"mcp-2025-11-25":          {"mcp-tool", NoStrict, Omit, "", "outputSchema", false, [2]bool{}, [2]bool{}, false},
		"openai-chat-completions": {"openai-chat-completions", PerTool, EmitFalse, "", "", true, [2]bool{true, false}, [2]bool{true, false}, false},
		"openai-responses":        {"openai-responses", PerTool, EmitFalse, "", "output_schema", true, [2]bool{true, false}, [2]bool{true, false}, false},
	}
	for name := range want {
		p := profile(t, name)
		got := facts{
			p.WireFormat, p.Strict.Place, p.Strict.NonStrict, p.Examples.Field, p.OutputSchema.Field, p.NeedsProperties(),
			[2]bool{p.NeedsClosed(Strict), p.NeedsClosed(Standard)},
			[2]bool{p.NeedsRequired(Strict), p.NeedsRequired(Standard)},
			p.Strict.RequestSwitch != "",
		}
		if diff := cmp.Diff(want[name], got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func profile(t testing.TB, name string) *Profile {
	t.Helper()
	p, ok := Builtin().Lookup(name)
	if !ok {
		t.Fatalf("there is no profile %s", name)
	}
	return p
}
