// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/finding"
)

// said is a finding as every output of check shows it.
type said struct{ Object, Severity, Rule, Place string }

func sortedSet(all []said) []said {
	slices.SortFunc(all, func(a, b said) int {
		return strings.Compare(a.Object+"\x00"+a.Place+"\x00"+a.Rule+"\x00"+a.Severity, b.Object+"\x00"+b.Place+"\x00"+b.Rule+"\x00"+b.Severity)
	})
	return slices.Compact(all)
}

var (
	headlineLine = regexp.MustCompile(`^\S+:\d+: (set )?(a (?:contract|set) without a name|\S+)`)
	findingLine  = regexp.MustCompile(`^    \S+:\d+:\d+: (Error|Warning|Info) ((?:(?:input|output) schema )?(?:\(root\)|/[^ ]*)): (.*) \[([a-z0-9-]+)\]$`)
	githubLine   = regexp.MustCompile(`^::(error|warning|notice) file=[^,]+,line=\d+,endLine=\d+,col=\d+,endColumn=\d+,title=([a-z0-9-]+)[^:]*::(Tool(?:Contract|Set) (?:a (?:contract|set) without a name|\S+)) ((?:(?:input|output) schema )?(?:\(root\)|/[^ ]*)): `)
)

func saidInText(text string) []said {
	var out []said
	object := ""
	beside := false
	for line := range strings.SplitSeq(text, "\n") {
		if m := headlineLine.FindStringSubmatch(line); m != nil {
			object = "ToolContract " + m[2]
			if m[1] != "" {
				object = "ToolSet " + m[2]
			}
		}
		beside = beside || line == "Contracts beside each other:"
		if m := findingLine.FindStringSubmatch(line); m != nil {
			if beside {
				name, _, _ := strings.Cut(m[3], ": ")
				object = "ToolContract " + name
			}
			out = append(out, said{object, m[1], m[4], m[2]})
		}
	}
	return sortedSet(out)
}

func saidInJSON(t *testing.T, text string) []said {
	t.Helper()
	var out []said
	add := func(object string, all []findingView) {
		for _, f := range all {
			if f.Line < 1 || f.Column < 1 {
				t.Errorf("%+v has no place", f)
			}
			out = append(out, said{object, string(f.Severity), f.Rule, finding.Finding{Side: f.Side, Pointer: f.Pointer}.Place()})
		}
	}
	name := func(kind, namespace, name, none string) string {
		if name == "" {
			name = none
		}
		return kind + " " + strings.TrimPrefix(namespace+"/"+name, "/")
	}
	list := resultsWith(t, text)
	for _, r := range list.Results {
		object := name("ToolContract", r.Namespace, r.Name, "a contract without a name")
		add(object, r.Findings)
		add(object, r.Lint)
	}
	for _, s := range list.Sets {
		object := name("ToolSet", s.Namespace, s.Name, "a set without a name")
		add(object, s.Findings)
		add(object, s.Lint)
	}
	for _, f := range list.Similar {
		contract, _, _ := strings.Cut(f.Message, ": ")
		add("ToolContract "+contract, []findingView{f})
	}
	return sortedSet(out)
}

func saidInSARIF(t *testing.T, text string) []said {
	t.Helper()
	var log sarifLog
	if err := json.Unmarshal([]byte(text), &log); err != nil {
		t.Fatal(err)
	}
	var out []said
	prints := map[string]bool{}
	for _, r := range log.Runs[0].Results {
		p := r.Properties
		out = append(out, said{p.Object, string(p.Severity), r.RuleID, finding.Finding{Side: p.Side, Pointer: p.Pointer}.Place()})
		if rules := log.Runs[0].Tool.Driver.Rules; rules[r.RuleIndex].ID != r.RuleID || rules[r.RuleIndex].HelpURI == "" {
			t.Errorf("the rule of %s is %+v", r.RuleID, rules[r.RuleIndex])
		}
		if digest := r.Fingerprints[sarifFingerprint]; digest == "" || prints[digest] {
			t.Errorf("two results have the fingerprint %q", digest)
		} else {
			prints[digest] = true
		}
	}
	return sortedSet(out)
}

func saidToGitHub(text string) []said {
	severities := map[string]string{"error": "Error", "warning": "Warning", "notice": "Info"}
	var out []said
	for line := range strings.SplitSeq(text, "\n") {
		if m := githubLine.FindStringSubmatch(line); m != nil {
			out = append(out, said{m[3], severities[m[1]], m[2], m[4]})
		}
	}
	return sortedSet(out)
}

// TestAllOutputsSayTheSame: the findings do not depend on the form in which they
// are asked for.
func TestAllOutputsSayTheSame(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		inputs []string
		fewest int
	}{
		"samples":   {[]string{"../../config/samples"}, 15},
		"refused":   {[]string{"../../config/samples/refused"}, 8},
		"catalogue": {[]string{"../../test/catalogue"}, 8},
		"testdata":  {[]string{"testdata/contracts.yaml", "testdata/sets.yaml"}, 30},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ask := func(form string) outcome { return run("", append([]string{"check", "-o", form}, test.inputs...)...) }
			asJSON := ask("json")
			want := saidInJSON(t, asJSON.out)
			if len(want) < test.fewest {
				t.Errorf("there are %d findings only: %v", len(want), want)
			}
			text, sarif, github := ask("text"), ask("sarif"), ask("github")
			for form, got := range map[string][]said{"text": saidInText(text.out), "sarif": saidInSARIF(t, sarif.out), "github": saidToGitHub(github.out)} {
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s (-json +%s):\n%s", form, form, diff)
				}
			}
			if text.code != asJSON.code || sarif.code != asJSON.code || github.code != asJSON.code {
				t.Errorf("the exit codes are %d, %d, %d and %d", asJSON.code, text.code, sarif.code, github.code)
			}
		})
	}
}

// TestFingerprintsStayWhenLinesMove: a code host knows a finding again.
func TestFingerprintsStayWhenLinesMove(t *testing.T) {
	t.Parallel()
	text := contractYAML("a", identityLine...)
	prints := func(text string) []string {
		var log sarifLog
		if err := json.Unmarshal([]byte(run(text, "check", "-", "-o", "sarif").out), &log); err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, r := range log.Runs[0].Results {
			out = append(out, r.Fingerprints[sarifFingerprint])
		}
		return out
	}
	if diff := cmp.Diff(prints(text), prints("# a comment\n\n"+text)); diff != "" || len(prints(text)) == 0 {
		t.Error(diff)
	}
}

func TestSARIF(t *testing.T) {
	t.Parallel()
	var log sarifLog
	got := run("", "check", "-o", "sarif", "testdata/contracts.yaml")
	if err := json.Unmarshal([]byte(got.out), &log); err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(log.Runs[0].Results, func(r sarifResult) bool { return r.RuleID == "unknown-field" })
	want := sarifPhysical{sarifArtifact{"testdata/contracts.yaml", sarifRoot}, sarifRegion{StartLine: 63, StartColumn: 3, EndColumn: 9}}
	if diff := cmp.Diff(want, log.Runs[0].Results[at].Locations[0].Physical); diff != "" {
		t.Error(diff)
	}
	rules := log.Runs[0].Tool.Driver.Rules
	at = slices.IndexFunc(rules, func(r sarifRule) bool { return r.ID == "output-missing" })
	if rules[at].HelpURI != helpPages+"lint/README.md#output-missing" || rules[at].Default.Level != "warning" || rules[at].FullDescription == nil {
		t.Errorf("got %+v", rules[at])
	}
	accepted := strings.Replace(contractYAML("a", identityLine...), "spec:\n", "spec:\n  acknowledge:\n  - {rule: identity-parameter, path: /properties/tenant_id, reason: for support staff}\n", 1)
	log = sarifLog{}
	if err := json.Unmarshal([]byte(run(accepted, "check", "-", "-o", "sarif").out), &log); err != nil {
		t.Fatal(err)
	}
	for _, r := range log.Runs[0].Results {
		if (r.RuleID == "identity-parameter") != (len(r.Suppressions) == 1) {
			t.Errorf("%s has the suppressions %v", r.RuleID, r.Suppressions)
		}
	}
}

func TestPathsInSARIF(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]sarifArtifact{
		"./a/b c.yaml":     {"a/b%20c.yaml", sarifRoot},
		"../%41.yaml":      {"../%2541.yaml", sarifRoot},
		"a:b.yaml":         {"./a:b.yaml", sarifRoot},
		"/srv/订单/a#b.yaml": {"file:///srv/%E8%AE%A2%E5%8D%95/a%23b.yaml", ""},
		"-":                {"-", sarifRoot},
	} {
		if got := sarifFile(path); got != want {
			t.Errorf("%s: got %+v, want %+v", path, got, want)
		}
	}
}

func TestAnnotationsAreEscaped(t *testing.T) {
	t.Parallel()
	l := located{file: "a,b:c%.yaml", object: "ToolContract x", profile: "p", Finding: finding.Finding{
		Rule: "r", Severity: finding.Error, Pointer: "/a\n::error::b", Message: "100% wrong\r\nreally\x1b[31m", Fix: strings.Repeat("长", 3000),
	}}
	got := annotation(l)
	if want := "::error file=a%2Cb%3Ac%25.yaml,line=0,endLine=0,col=0,endColumn=0,title=r (p)::ToolContract x /a\\n::error::b: 100%25 wrong\\r\\nreally\\x1b[31m. Fix: 长"; !strings.HasPrefix(got, want) {
		t.Errorf("got  %.200s\nwant %s", got, want)
	}
	if len(got) > maxAnnotation+200 || strings.ContainsAny(got, "\n\r\x1b") {
		t.Errorf("it has %d bytes", len(got))
	}
}

// TestErrorsAreAnnotatedFirst: GitHub shows the first few of a step.
func TestErrorsAreAnnotatedFirst(t *testing.T) {
	t.Parallel()
	got := run("", "check", "-o", "github", "testdata/contracts.yaml")
	lines := strings.Split(strings.TrimSpace(got.out), "\n")
	var order []string
	for _, line := range lines[:len(lines)-1] {
		order = append(order, strings.TrimPrefix(strings.Fields(line)[0], "::"))
	}
	if want := slices.Sorted(slices.Values(order)); !slices.Equal(want[:4], order[:4]) || order[3] != "error" || !slices.Equal(slices.Compact(order), []string{"error", "warning", "notice"}) {
		t.Errorf("got %v", order)
	}
	if last := lines[len(lines)-1]; last != "3 contracts: 4 errors, 17 warnings, 1 notice" {
		t.Errorf("got %s", last)
	}
}

// TestColours: only who looks at a terminal sees them, and NO_COLOR, TERM=dumb and
// --color decide.
func TestColours(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		terminal  bool
		env       map[string]string
		arguments []string
		want      bool
	}{
		"no terminal":             {false, nil, nil, false},
		"a terminal":              {true, nil, nil, true},
		"NO_COLOR":                {true, map[string]string{"NO_COLOR": "1"}, nil, false},
		"a dumb terminal":         {true, map[string]string{"TERM": "dumb"}, nil, false},
		"never":                   {true, nil, []string{"--color", "never"}, false},
		"always":                  {false, map[string]string{"NO_COLOR": "1"}, []string{"--color=always"}, true},
		"never in JSON":           {true, nil, []string{"-o", "json"}, false},
		"never in annotations":    {true, nil, []string{"-o", "github", "--color=always"}, false},
		"not in what authors say": {false, nil, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			p := Program{
				In: strings.NewReader(contractYAML(`"\e[31mred"`)), Out: &out, Err: io.Discard,
				Terminal: func(io.Writer) bool { return test.terminal },
				Getenv: func(name string) string {
					if value, set := test.env[name]; set || name != "TERM" {
						return value
					}
					return "xterm"
				},
			}
			p.Run(append([]string{"check", "-"}, test.arguments...))
			if got := strings.Contains(out.String(), "\x1b["); got != test.want {
				t.Errorf("got colours: %t, want %t: %q", got, test.want, out.String())
			}
			if strings.Contains(out.String(), "\x1b[31mred") {
				t.Error("the text of the author is painted")
			}
		})
	}
	if got := run("", "check", "-", "--color", "red"); got.code != 2 || !strings.Contains(got.err, `--color "red": write auto, always or never`) {
		t.Errorf("got %+v", got)
	}
}

// TestFixesInSARIF: a program that applies the fix of a result gets a contract
// without the finding, and everything else as it was.
func TestFixesInSARIF(t *testing.T) {
	t.Parallel()
	object := contractYAML("a", append(asObject("{type: object, properties: {订单: {type: string}}, required: [订单]} # 订单"), "mcp-2025-11-25", "openai-responses\n    strict: Required\n    adaptation: Keep")...)
	block := contractYAML("a", append(asText("{\"type\": \"object\", \"properties\": {\"b\": {\"type\": [\"string\", \"null\"]}}, \"required\": []}"), "mcp-2025-11-25", "openai-responses\n    strict: Required\n    adaptation: Keep")...)
	for name, test := range map[string]struct{ text, rule string }{
		"an object":               {object, "object-not-closed"},
		"a text":                  {block, "object-not-closed"},
		"another rule":            {block, "property-not-required"},
		"a set":                   {setYAML("desk", "  tools: # 订单", "  - {contract: get-order, chanel: \"1\"}", "  profiles: [{profile: mcp-2025-11-25}]"), "unknown-field"},
		"in a second document":    {contractYAML("first") + object, "object-not-closed"},
		"behind a byte order":     {"\ufeff" + object, "object-not-closed"},
		"with Windows' line ends": {strings.ReplaceAll(object, "\n", "\r\n"), "object-not-closed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result := resultOf(t, test.text, test.rule)
			if result == nil || len(result.Fixes) != 1 {
				t.Fatalf("got %+v", result)
			}
			fixed := test.text
			for _, r := range slices.Backward(result.Fixes[0].Changes[0].Replacements) {
				fixed = fixed[:byteAt(fixed, r.Deleted.StartLine, r.Deleted.StartColumn)] + r.Inserted.Text + fixed[byteAt(fixed, r.Deleted.EndLine, r.Deleted.EndColumn):]
			}
			if again := resultOf(t, fixed, test.rule); again != nil || fixed == test.text {
				t.Errorf("the finding is still there: %+v\n%s", again, fixed)
			}
			if got := run(fixed, "check", "-"); strings.Contains(got.out, "Invalid") || strings.Count(fixed, "# 订单") != strings.Count(test.text, "# 订单") {
				t.Errorf("the fix breaks the contract: %s\n%s", fixed, got.out)
			}
		})
	}
}

func resultOf(t *testing.T, text, rule string) *sarifResult {
	t.Helper()
	var log sarifLog
	if err := json.Unmarshal([]byte(run(text, "check", "-", "-o", "sarif").out), &log); err != nil {
		t.Fatal(err)
	}
	for _, r := range log.Runs[0].Results {
		if r.RuleID == rule {
			return &r
		}
	}
	return nil
}

// byteAt is where a line and a column of characters are in a text; a mark of the
// byte order is no character.
func byteAt(text string, line, column int) int {
	at := 0
	if strings.HasPrefix(text, "\ufeff") {
		at = len("\ufeff")
	}
	for ; line > 1; line-- {
		at += strings.IndexByte(text[at:], '\n') + 1
	}
	for _, r := range text[at:] {
		if column--; column == 0 {
			break
		}
		at += len(string(r))
	}
	return at
}
