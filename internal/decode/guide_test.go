// SPDX-License-Identifier: Apache-2.0

package decode_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/decode"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

const guides = "../../docs/guides"

// vector is one line of the published vectors.
type vector struct {
	Name             string
	Rule, Value      json.RawMessage
	Decoded          json.RawMessage
	Problem, Pointer string
}

func vectors(t *testing.T) []vector {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(guides, "decode-vectors.json"))
	if err != nil {
		t.Fatal(err)
	}
	var out []vector
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	if len(out) < 30 {
		t.Fatalf("only %d vectors", len(out))
	}
	return out
}

func TestThePublishedVectors(t *testing.T) {
	t.Parallel()
	for _, v := range vectors(t) {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			in := schematest.Value(t, string(v.Value))
			got, err := rule(t, string(v.Rule)).Apply(in)
			var failed *decode.Error
			switch {
			case v.Problem != "":
				if !errors.As(err, &failed) {
					t.Fatalf("got %v, %v", got, err)
				}
				if diff := cmp.Diff(&decode.Error{Problem: decode.Problem(v.Problem), Pointer: v.Pointer}, failed); diff != "" {
					t.Error(diff)
				}
				if text := err.Error(); got != nil || !strings.Contains(text, v.Pointer) || !strings.Contains(text, "key") {
					t.Errorf("got %v, and the message is no help: %s", got, text)
				}
			case err != nil:
				t.Error(err)
			default:
				if want := schematest.Value(t, string(v.Decoded)); !got.Equal(want) {
					t.Errorf("got %s, want %s", got.JSON(), want.JSON())
				}
				if got.Equal(in) && got != in {
					t.Error("nothing changed and the value was copied")
				}
			}
		})
	}
}

// leaveOut names interpreters, separated by spaces, whose code of the guide is
// not to be run. Without it a missing interpreter is a failure: a test that
// silently runs nothing proves nothing.
const leaveOut = "TOOLCONTRACT_LEAVE_OUT"

// TestTheCodeOfTheGuide runs the code of the guide, as readers copy it, over the
// published vectors.
func TestTheCodeOfTheGuide(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		interpreter, file string
		write             func(code string) string
	}{
		"python":     {"python3", "decode.py", func(code string) string { return code + pythonRunner }},
		"typescript": {"node", "decode.mjs", func(code string) string { return withoutTypes(code) + nodeRunner }},
	}
	for language, c := range cases {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			if slices.Contains(strings.Fields(os.Getenv(leaveOut)), c.interpreter) {
				t.Skipf("%s names %s: the code of the guide for it is not run", leaveOut, c.interpreter)
			}
			interpreter, err := exec.LookPath(c.interpreter)
			if err != nil {
				t.Fatalf("%s is not installed, so the code of the guide for it cannot be run; install it, or set %s=%s to leave it out",
					c.interpreter, leaveOut, c.interpreter)
			}
			path := filepath.Join(t.TempDir(), c.file)
			if err := os.WriteFile(path, []byte(c.write(codeOf(t, language))), 0o600); err != nil {
				t.Fatal(err)
			}
			input, err := filepath.Abs(filepath.Join(guides, "decode-vectors.json"))
			if err != nil {
				t.Fatal(err)
			}
			output, err := exec.CommandContext(t.Context(), interpreter, path, input).CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, output)
			}
			checkGuide(t, output)
		})
	}
}

// checkGuide compares what the code of the guide printed: one JSON line for each
// vector, null where it raised an error.
func checkGuide(t *testing.T, output []byte) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(string(output)), "\n")
	all := vectors(t)
	if len(lines) != len(all) {
		t.Fatalf("%d lines for %d vectors: %s", len(lines), len(all), output)
	}
	for i, v := range all {
		want := "null"
		if v.Problem == "" {
			want = `{"decoded":` + string(v.Decoded) + `}`
		}
		if got := schematest.Value(t, lines[i]); !got.Equal(schematest.Value(t, want)) {
			t.Errorf("%s: got %s, want %s", v.Name, lines[i], want)
		}
	}
}

// codeOf returns the block of the guide in a language.
func codeOf(t *testing.T, language string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(guides, "decode.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "```"+language+"\n")
	code, _, ends := strings.Cut(rest, "```\n")
	if !found || !ends {
		t.Fatalf("the guide has no block in %s", language)
	}
	return code
}

var (
	typeDeclaration = regexp.MustCompile(`(?m)^type .*;\n`)
	typeAnnotation  = regexp.MustCompile(`: (Rules?|any)\b`)
)

// withoutTypes makes JavaScript of the guide's TypeScript, whose types stand
// only where they can be cut out. Node.js before version 22 cannot do it.
func withoutTypes(code string) string {
	return typeAnnotation.ReplaceAllString(typeDeclaration.ReplaceAllString(code, ""), "")
}

const pythonRunner = `
import json, sys
for vector in json.load(open(sys.argv[1], encoding="utf-8")):
    try:
        print(json.dumps({"decoded": decode(vector["rule"], vector["value"])}))
    except (ValueError, TypeError, KeyError):
        print("null")
`

const nodeRunner = `
import { readFileSync } from "node:fs";
for (const vector of JSON.parse(readFileSync(process.argv[2], "utf8"))) {
  try {
    console.log(JSON.stringify({ decoded: decode(vector.rule, vector.value) }));
  } catch (error) {
    if (!(error instanceof Error) || error instanceof ReferenceError) throw error;
    console.log("null");
  }
}
`

// The members of a rule in the guide are those that Read knows.
func TestTheGuideNamesEveryMember(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(guides, "decode.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-zA-Z]+)` \\|").FindAllStringSubmatch(string(text), -1) {
		member := map[string]string{"dropNull": "[]", "properties": "{}", "ref": `"A"`, "definitions": `{"A":{}}`}[row[1]]
		if member == "" {
			member = "{}"
		}
		members := []schema.Member{{Name: row[1], Value: schematest.Value(t, member)}}
		if row[1] == "ref" {
			members = append(members, schema.Member{Name: "definitions", Value: schematest.Value(t, `{"A":{}}`)})
		}
		if _, err := decode.Read(schema.NewObject(members...)); err != nil {
			t.Errorf("the guide has a member %s: %v", row[1], err)
		}
	}
	for _, member := range []string{"dropNull", "properties", "values", "items", "pairs", "ref", "definitions"} {
		if !strings.Contains(string(text), "\n| `"+member+"` |") {
			t.Errorf("the guide does not explain %s", member)
		}
	}
}
