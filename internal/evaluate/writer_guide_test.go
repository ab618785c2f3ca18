// SPDX-License-Identifier: Apache-2.0

package evaluate_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/pkg/host"
)

// writerGuide has one contract, two tables of what a host does with it, and the
// arguments that its tool gets.
const writerGuide = "../../docs/guides/writers-readers-and-session-parameters.md"

// TestTheGuideToWritersAndReadersHolds: the host does what every row of its tables
// says, with the contract as it is in the guide.
func TestTheGuideToWritersAndReadersHolds(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile(writerGuide)
	if err != nil {
		t.Fatal(err)
	}
	guide := string(content)
	block := func(language string) string {
		found := regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(guide, -1)
		if len(found) != 1 {
			t.Fatalf("the guide has %d blocks of %s", len(found), language)
		}
		return found[0][1]
	}
	load := func(manifest string) *host.Tool {
		var c v1alpha1.ToolContract
		if err := yaml.UnmarshalStrict([]byte(manifest), &c); err != nil {
			t.Fatal(err)
		}
		e := evaluate.Contract(c.Name, &c.Spec, evaluate.History{}, provider.Builtin())
		if !e.Publishable() {
			t.Fatalf("the contract is not published: %v %v", e.Findings, e.Blocking())
		}
		folder := fstest.MapFS{}
		for name, text := range e.Bundle.Files {
			folder[name] = &fstest.MapFile{Data: []byte(text)}
		}
		tool, err := host.Load(folder)
		if err != nil {
			t.Fatal(err)
		}
		return tool
	}
	manifest := block("yaml")
	promising := load(manifest)
	literal := load(strings.NewReplacer("writer: Declared", "writer: AsDeclared", "reader: IgnoreUnknown", "reader: AsDeclared").Replace(manifest))

	call := func(tool *host.Tool, text string) string {
		if tool.ValidateCall([]byte(text)) != nil {
			return "refused"
		}
		return "valid"
	}
	answer := func(tool *host.Tool, text string) string {
		seen, err := tool.Result([]byte(text))
		switch {
		case err != nil:
			return "refused"
		case tool == literal:
			return "valid"
		case string(seen) == text:
			return "handed on as it is"
		default:
			return "handed on as `" + string(seen) + "`"
		}
	}
	calls, answers := 0, 0
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\{.*?\\})` \\| (.*?) \\| (.*?) \\|$").FindAllStringSubmatch(guide, -1) {
		does := answer
		if strings.Contains(row[1], "status") {
			does = call
			calls++
		} else {
			answers++
		}
		for tool, want := range map[*host.Tool]string{literal: row[2], promising: row[3]} {
			if got := does(tool, row[1]); got != want && !strings.HasPrefix(want, got+":") {
				t.Errorf("%s: %s, and the guide says %s", row[1], got, want)
			}
		}
	}
	if calls != 2 || answers != 3 {
		t.Errorf("the guide has %d calls and %d answers", calls, answers)
	}
	got, err := promising.Inject([]byte(`{"status": "open"}`), map[string]any{"session.customer": "cus_42"})
	if want := strings.TrimSpace(block("json")); err != nil || string(got) != want {
		t.Errorf("the tool gets %s, %v, and the guide says %s", got, err, want)
	}
}
