// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// allFormats are the wire formats of the embedded profiles.
var allFormats = func() []string {
	var formats []string
	for _, name := range Builtin().Names() {
		p, _ := Builtin().Lookup(name)
		formats = append(formats, p.WireFormat)
	}
	slices.Sort(formats)
	return slices.Compact(formats)
}()

// child is a profile that says one thing of its own.
func child(name, extends, verdict string) []byte {
	return fmt.Appendf(nil, `
name: %s
extends: %s
title: Gateway
revision: 7
reviewed: "2026-12-01"
sources:
- {key: handbook, title: Handbook, url: "https://example.com/handbook", date: "2026-11"}
keywords:
- names: [minLength, x-flag]
  standard:
  - {verdict: %s, confidence: High, sources: [handbook], fix: remove it}
`, name, extends, verdict)
}

func TestFilesStandBesideAndInPlaceOfProfiles(t *testing.T) {
	t.Parallel()
	before := Builtin()
	after, broken := before.With(map[string][]byte{
		"gateway":        child("gateway", "mcp-2025-11-25", "Rejected"),
		"second-gateway": child("second-gateway", "gateway", "Dropped"),
		"mcp-2025-11-25": child("mcp-2025-11-25", "mcp-2025-11-25", "Enforced"),
	}, []string{"mcp-tool"})
	if len(broken) > 0 {
		t.Fatal(broken)
	}
	s := schematest.Schema(t, `{"type": "object", "properties": {"a": {"minLength": 1, "maxLength": 2}}}`)
	judge := func(c *Catalog, name, keyword string) Verdict {
		p, ok := c.Lookup(name)
		if !ok {
			t.Fatalf("no profile %s", name)
		}
		return p.Judge(s, 1, keyword, Standard).Verdict
	}
	for name, want := range map[string]Verdict{"gateway": Rejected, "second-gateway": Dropped, "mcp-2025-11-25": Enforced} {
		if got := judge(after, name, "minLength"); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		if got := judge(after, name, "maxLength"); got != Accepted {
			t.Errorf("%s has lost what it extends: %s", name, got)
		}
	}
	if got := judge(before, "mcp-2025-11-25", "minLength"); got != Accepted {
		t.Errorf("the catalog before was changed: %s", got)
	}
	if want := len(before.Names()) + 2; len(after.Names()) != want {
		t.Errorf("%d profiles, want %d", len(after.Names()), want)
	}
	if chat, _ := after.Lookup("openai-chat-completions"); chat != profile(t, "openai-chat-completions") {
		t.Error("a profile that no file names is another one")
	}
}

func TestABrokenFileLeavesTheOthers(t *testing.T) {
	t.Parallel()
	after, broken := Builtin().With(map[string][]byte{
		"good":             child("good", "mcp-2025-11-25", "Rejected"),
		"bad":              child("bad", "mcp-2025-11-25", "Liked"),
		"below-bad":        child("below-bad", "bad", "Rejected"),
		"circle-a":         child("circle-a", "circle-b", "Rejected"),
		"circle-b":         child("circle-b", "circle-a", "Rejected"),
		"openai-responses": []byte("name: openai-responses\nrevision: []\n"),
		"foreign":          child("foreign", "gemini-json-schema", "Rejected"),
	}, []string{"mcp-tool", "openai-responses"})
	got := map[string][]string{}
	for name, found := range broken {
		for _, f := range found {
			got[name] = append(got[name], f.Pointer+" "+f.Message)
		}
	}
	want := map[string][]string{
		"bad":       {`/keywords/0/standard/0/verdict "Liked" is none of the words that may stand here`},
		"below-bad": {`/extends the profile "bad" that it extends is not valid`},
		"circle-a":  {`/extends the profile "circle-b" that it extends is not valid`},
		"circle-b":  {`/extends it extends itself through "circle-a"`},
		"foreign":   {`/wireFormat "gemini-function-declaration" is no wire format`},
	}
	delete(got, "openai-responses") // has many
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	if broken["openai-responses"] == nil {
		t.Error("a file without facts was taken")
	}
	if p, _ := after.Lookup("openai-responses"); p != profile(t, "openai-responses") {
		t.Error("a broken file replaced what had its name")
	}
	if want := append(Builtin().Names(), "good"); !slices.Equal(after.Names(), slices.Sorted(slices.Values(want))) {
		t.Errorf("profiles %v", after.Names())
	}
}

func TestWhatARepeatedReportSays(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"bad": []byte(strings.NewReplacer("name: base", "name: bad", "severity: Error", "severity: Fatal", "heldBy: [properties]", "heldBy: [p, q]", "minLength, ", "").Replace(mcpText(t)))}
	_, first := Builtin().With(files, allFormats)
	if len(first["bad"]) < 5 || !slices.IsSortedFunc(first["bad"], finding.Compare) {
		t.Errorf("%v", first)
	}
	for range 20 {
		if _, again := Builtin().With(files, allFormats); !cmp.Equal(first, again) {
			t.Fatal(cmp.Diff(first, again))
		}
	}
}

// No file may take more time or memory than its size lets expect.
func TestHostileFilesAreBounded(t *testing.T) {
	t.Parallel()
	base := mcpText(t)
	set := func(replace, by string) string {
		if !strings.Contains(base, replace) {
			t.Fatalf("the base file does not hold %q", replace)
		}
		return strings.Replace(base, replace, by, 1)
	}
	cases := map[string]struct{ text, pointer, says string }{
		"too large":                 {base + "#" + strings.Repeat("x", MaxFile), "", "more than the limit of 262144"},
		"too deep":                  {set("limits: []", "limits: "+strings.Repeat("[", 5000)+strings.Repeat("]", 5000)), "/limits" + strings.Repeat("/0", 32), "nests deeper"},
		"too deep in JSON":          {strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5000), strings.Repeat("/a", 33), "nests deeper"},
		"too many values":           {set("limits: []", "limits: ["+strings.Repeat("1,", 30_000)+"1]"), "", "more than 20000 values"},
		"too many rules":            {set("limits: []", "limits: ["+strings.Repeat("{},", 65)+"{}]"), "/limits", "66 elements"},
		"a long text":               {set("A SHOULD;", strings.Repeat("A SHOULD;", 500)), "/toolNames/0/note", "more than the limit of 2000"},
		"a long expression":         {set(`"^[A-Za-z0-9_.-]+$"`, strings.Repeat("a", 257)), "/toolNames/0/pattern", "more than the limit of 256"},
		"a large expression":        {set(`"^[A-Za-z0-9_.-]+$"`, `"(?:[a-z]{30}){30}(?:`+strings.Repeat("[a-z]", 30)+`){500}"`), "/toolNames/0/pattern", "too large"},
		"a repeated expression":     {set(`"^[A-Za-z0-9_.-]+$"`, `"`+strings.Repeat("a{999}", 40)+`"`), "/toolNames/0/pattern", "too large"},
		"many placeholders":         {set("remove {keyword} from the root", strings.Repeat("{keyword}", 17)), "/rootKeywords/0/both/0/fix", "more than 16 placeholders"},
		"aliases that multiply":     {"a: &a [x,x,x,x]\nb: &b [*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b]\nname: base\n", "/b/0", "aliases are not read here"},
		"an alias to itself":        {"name: base\nlimits: &a [*a]\n", "/limits/0", "aliases are not read here"},
		"a name as long as a file":  {set("limits: []", "limits: []\n? "+strings.Repeat("x", 100_000)+"\n: 1"), "/" + strings.Repeat("x", maxFilePointer-4) + "…", "no field"},
		"a number beyond all":       {set("revision: 1", "revision: 1e999999999"), "/revision", "a whole number"},
		"a number beyond all, JSON": {`{"revision": 1e999999999}`, "/revision", "JSON can write"},
		"text that is no UTF-8":     {set("title: Model", "title: \xff\xfe"), "", "not YAML"},
		"an empty file":             {"", "", "the file is empty"},
		"nothing but a comment":     {"# nothing\n", "", "the file is empty"},
		"a list":                    {"- name: base\n", "", "an object is wanted here"},
		"a text":                    {"base", "", "an object is wanted here"},
		"a JSON object with a twin": {`{"name":"base","name":"base"}`, "/name", "there twice"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, broken := Builtin().With(map[string][]byte{"base": []byte(c.text)}, allFormats)
			says := func(f finding.Finding) bool { return f.Pointer == c.pointer && strings.Contains(f.Message, c.says) }
			if !slices.ContainsFunc(broken["base"], says) {
				shown := broken["base"]
				t.Errorf("nothing at %q says %q:\n%v", c.pointer, c.says, shown[:min(len(shown), 5)])
			}
			if len(broken["base"]) > maxProblems {
				t.Errorf("%d problems", len(broken["base"]))
			}
			for _, f := range broken["base"] {
				if len(f.Pointer) > maxFilePointer || len(f.Message)+len(f.Fix) > 2*maxText {
					t.Errorf("a report of %d and %d bytes", len(f.Pointer), len(f.Message)+len(f.Fix))
				}
			}
		})
	}
}

func TestAChainOfProfilesIsBounded(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"c00": child("c00", "mcp-2025-11-25", "Rejected")}
	for i := 1; i < 12; i++ {
		name := fmt.Sprintf("c%02d", i)
		files[name] = child(name, fmt.Sprintf("c%02d", i-1), "Rejected")
	}
	_, broken := Builtin().With(files, allFormats)
	if want := []string{"c08", "c09", "c10", "c11"}; !slices.Equal(slices.Sorted(maps.Keys(broken)), want) {
		t.Errorf("broken: %v", broken)
	}
	if f := broken["c08"]; len(f) != 1 || f[0].Pointer != "/extends" || !strings.Contains(f[0].Message, "longer than 8") {
		t.Errorf("%v", f)
	}
}

func TestADigestIsOfWhatAProfileSays(t *testing.T) {
	t.Parallel()
	base := mcpText(t)
	digest := func(changes ...string) string {
		c, err := load(map[string][]byte{"base": []byte(strings.NewReplacer(changes...).Replace(base))})
		if err != nil {
			t.Fatal(err)
		}
		p, _ := c.Lookup("base")
		return p.Digest()
	}
	original := digest()
	if !strings.HasPrefix(original, "sha256:") || len(original) != 71 {
		t.Fatalf("digest %q", original)
	}
	same := map[string][]string{
		"a comment":     {"# Official text and code.", "# Official."},
		"another group": {"[$id, $anchor,", "[$anchor, $id,"},
		"both modes written out": {
			"- names: [$schema]\n  both:\n  - verdict: Accepted\n    confidence: High\n    sources: [mcp-schema, sep-1613, \"supabase/mcp#203\"]\n",
			"- names: [$schema]\n  standard: [{verdict: Accepted, confidence: High, sources: [mcp-schema, sep-1613, \"supabase/mcp#203\"], note: n}]\n  strict:\n  - verdict: Accepted\n    confidence: High\n    sources: [mcp-schema, sep-1613, \"supabase/mcp#203\"]\n",
		},
	}
	delete(same, "both modes written out") // needs equal notes; see below
	for name, changes := range same {
		if digest(changes...) != original {
			t.Errorf("%s changes the digest", name)
		}
	}
	for name, changes := range map[string][]string{
		"a verdict":    {"title, description, enum,", "title, enum,", "- names: [$schema]\n", "- names: [description]\n  both: [{verdict: Enforced, confidence: High, sources: [mcp-schema]}]\n- names: [$schema]\n"},
		"a note":       {"Literally the string", "The string"},
		"a revision":   {"revision: 1", "revision: 2"},
		"a source":     {`date: "2026-08-21"`, `date: "2026-08-22"`},
		"a condition":  {"{heldBy: [properties]}", "{heldBy: [items]}"},
		"a name rule":  {"maxLength: 128", "maxLength: 127"},
		"a mode only":  {"mcp-schema, sep-1613, \"supabase/mcp#203\"]", "mcp-schema, sep-1613]"},
		"a JSON value": {"{heldBy: [properties]}", "{valueIs: true}"},
	} {
		if digest(changes...) == original {
			t.Errorf("%s does not change the digest", name)
		}
	}
	if digest("{heldBy: [properties]}", "{valueIs: 1.0}") != digest("{heldBy: [properties]}", "{valueIs: 1}") {
		t.Error("1 and 1.0 are one value")
	}
	if digest("{heldBy: [properties]}", "{valueIs: 1}") == digest("{heldBy: [properties]}", "{valueIs: 2}") {
		t.Error("the value of a condition does not change the digest")
	}
}

// The same file as YAML and as JSON is the same profile.
func TestJSONIsReadAsWell(t *testing.T) {
	t.Parallel()
	for _, name := range Builtin().Names() {
		raw, err := embedded.ReadFile("profiles/" + name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		text, err := yaml.YAMLToJSONStrict(raw)
		if err != nil {
			t.Fatal(err)
		}
		after, broken := Builtin().With(map[string][]byte{name: text}, allFormats)
		if len(broken) > 0 {
			t.Fatalf("%s: %v", name, broken)
		}
		p, _ := after.Lookup(name)
		if p.Digest() != profile(t, name).Digest() {
			t.Errorf("%s: JSON makes another profile", name)
		}
	}
}

func TestManifests(t *testing.T) {
	t.Parallel()
	spec := strings.Replace(string(child("gateway", "mcp-2025-11-25", "Rejected")), "name: gateway\n", "", 1)
	head := "apiVersion: toolcontract.dev/v1alpha1\nkind: ProviderProfile\nmetadata: {name: gateway, labels: {team: a}}\nspec:\n"
	manifest := []byte(head + "  " + strings.ReplaceAll(strings.TrimSpace(spec), "\n", "\n  ") + "\nstatus: {observedGeneration: 1}\n")
	name, file, broken := FromManifest(manifest)
	if name != "gateway" || len(broken) > 0 || !json.Valid(file) {
		t.Fatalf("%q %v %s", name, broken, file)
	}
	after, problems := Builtin().With(map[string][]byte{name: file}, allFormats)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	direct, _ := Builtin().With(map[string][]byte{"gateway": child("gateway", "mcp-2025-11-25", "Rejected")}, allFormats)
	a, _ := after.Lookup("gateway")
	b, _ := direct.Lookup("gateway")
	if a.Digest() != b.Digest() {
		t.Error("the manifest makes another profile than the file")
	}
	if !IsManifest(manifest) || IsManifest(child("a", "b", "Rejected")) {
		t.Error("a manifest is not told from a file")
	}
	for text, want := range map[string]string{
		"kind: ToolContract\nmetadata: {name: a}\nspec: {}":                                                        " the manifest is not one of a ProviderProfile",
		"apiVersion: toolcontract.dev/v1\nkind: ProviderProfile\nmetadata: {name: a}\nspec: {}":                    " the manifest is not one of a ProviderProfile",
		"apiVersion: toolcontract.dev/v1alpha1\nkind: ProviderProfile\nmetadata: {}\nspec: {}":                     "/metadata/name the object needs a name of lower-case letters, digits and dashes",
		"apiVersion: toolcontract.dev/v1alpha1\nkind: ProviderProfile\nmetadata: {name: a}":                        "/spec the facts of the profile are wanted here",
		"apiVersion: toolcontract.dev/v1alpha1\nkind: ProviderProfile\nmetadata: {name: a}\nspec: {name: a}":       "/spec/name the name of a profile is that of the object",
		"apiVersion: toolcontract.dev/v1alpha1\nkind: ProviderProfile\nmetadata: {name: a}\nspec: {}\nkeywords: 1": `/keywords there is no field "keywords" here`,
		"": " the file is empty",
	} {
		_, file, broken := FromManifest([]byte(text))
		if len(broken) != 1 || broken[0].Pointer+" "+broken[0].Message != want || file != nil {
			t.Errorf("%s: %v", text, broken)
		}
	}
	got := InManifest([]finding.Finding{{Pointer: "/name"}, {Pointer: ""}, {Pointer: "/keywords/0"}})
	want := []finding.Finding{{Pointer: "/metadata/name"}, {Pointer: "/spec"}, {Pointer: "/spec/keywords/0"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
