// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/finding"
)

// TestHostileText has inputs that are cheap to write and expensive to read.
// Each must end in a finding; that they end at all is the other half.
func TestHostileText(t *testing.T) {
	t.Parallel()
	const deep = 10_000
	schema := func(text string) string { return contractText("a", "{type: object}", text) }
	tests := []struct {
		name, text string
		want       []string
	}{
		{"flow sequences nested 10,000 deep", schema(strings.Repeat("[", deep-1) + strings.Repeat("]", deep-1)), []string{"line 1: /a", "Error nesting-too-deep /spec/input/schema"}},
		{"flow mappings nested 10,000 deep", schema(strings.Repeat("{a: ", deep-1) + "1" + strings.Repeat("}", deep-1)), []string{"line 1: /a", "Error nesting-too-deep /spec/input/schema"}},
		{"deeper than the library goes", schema(strings.Repeat("[", 4*deep)), []string{"line 1: /", "Error nesting-too-deep "}},
		{"block sequences nested 9,000 deep", strings.Repeat("- ", 9000) + "a", []string{"line 1: /", "Error nesting-too-deep "}},
		{"JSON nested 10,000 deep", strings.Repeat(`{"a":`, deep) + "1" + strings.Repeat("}", deep), []string{"line 1: skipped, no Kubernetes object: it has no kind"}},
		{"JSON nested 100,000 deep", strings.Repeat(`{"a":`, 10*deep) + "1" + strings.Repeat("}", 10*deep), []string{"line 1: /", "Error nesting-too-deep "}},
		{
			"JSON of ours nested 10,000 deep", `{"apiVersion":"toolcontract.dev/v1alpha1","kind":"ToolContract","spec":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + "}",
			[]string{"line 1: /", "Error field-missing /metadata/name", "Error field-type /spec", "Error nesting-too-deep /spec"},
		},
		{"billion laughs of aliases", laughs(12, "a"), []string{"line 1: /", "Error yaml-alias-expansion "}},
		{"few aliases of a long text", "a: &a " + strings.Repeat("x", 1<<20) + "\nb: [*a, *a, *a, *a]\n", []string{"line 1: /", "Error yaml-alias-expansion "}},
		{"an alias inside of itself", "a: &a [*a]\n", []string{"line 1: /", "Error yaml-alias-expansion "}},
		{"an unknown alias", "a: *b\n", []string{"line 1: /", "Error yaml-syntax "}},
		{"a document over the limit", "a: " + strings.Repeat("x", MaxDocument), []string{"line 1: /", "Error document-too-large "}},
		{"keys that are the same boolean", schema("{properties: {y: {type: string}, on: {type: number}}}"), []string{"line 1: /a", "Error duplicate-key /spec/input/schema/properties/true"}},
		{"a boolean key beside its text", schema(`{y: 1, "true": 2}`), []string{"line 1: /a", "Error duplicate-key /spec/input/schema/true"}},
		{"keys that are the same number", schema("{0x10: 1, 16: 2}"), []string{"line 1: /a", "Error duplicate-key /spec/input/schema/16"}},
		{"a null key", schema("{~: 1}"), []string{"line 1: /a", "Error yaml-key /spec/input/schema"}},
		{"a key that is a list", schema("{? [1] : 2}"), []string{"line 1: /a", "Error yaml-key /spec/input/schema"}},
		{"not a number", schema("{a: .nan, b: -.inf}"), []string{"line 1: /a", "Error number-range /spec/input/schema/a", "Error number-range /spec/input/schema/b"}},
		{"an integer that the server rounds", schema("{a: 12345678901234567890123}"), []string{"line 1: /a", "Warning number-precision /spec/input/schema/a"}},
		{"a fraction that the server rounds", schema("{a: 0.12345678901234567890}"), []string{"line 1: /a", "Warning number-precision /spec/input/schema/a"}},
		{"a duplicate key in JSON", `{"apiVersion":"toolcontract.dev/v1alpha1","kind":"ToolContract","kind":"ToolContract"}`, []string{
			"line 1: /", "Error duplicate-key /kind", "Error field-missing /metadata/name", "Error field-missing /spec",
		}},
		{"a huge exponent in JSON", `{"apiVersion":"toolcontract.dev/v1alpha1","kind":"ToolContract","spec":{"a":1e1000000000}}`, []string{"line 1: /", "Error number-range /spec/a"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := outlines(test.text)
			for i := range got {
				got[i] = cutRepetition(got[i])
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(finding.Clip(diff, 2000))
			}
		})
	}
}

// cutRepetition cuts a line at the first token of a pointer that is repeated.
func cutRepetition(line string) string {
	tokens := strings.Split(line, "/")
	for i := 2; i < len(tokens); i++ {
		if tokens[i] == tokens[i-1] && tokens[i] != "" {
			return strings.Join(tokens[:i-1], "/")
		}
	}
	return line
}

// laughs is a chain of lists, each with ten aliases of the one before.
func laughs(levels int, seed string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "l0: &l0 %s\n", seed)
	for i := 1; i <= levels; i++ {
		fmt.Fprintf(&b, "l%d: &l%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*l%d, ", i-1), 10), ", "))
	}
	return b.String()
}

func TestFindingsOfOneDocumentAreBounded(t *testing.T) {
	t.Parallel()
	text := "a: &a {~: 1}\nb: [" + strings.Repeat("*a, ", 5000) + "]\n"
	for d := range (Source{Data: []byte(text)}).Documents() {
		if len(d.Findings) != maxReported {
			t.Errorf("got %d findings, want %d", len(d.Findings), maxReported)
		}
	}
}

func FuzzDocuments(f *testing.F) {
	f.Add([]byte(contractText("a")))
	f.Add([]byte(laughs(3, "a")))
	f.Add([]byte(`{"kind":"List","items":[{"kind":"ToolContract","apiVersion":"toolcontract.dev/v1alpha1"}]}{"a":`))
	f.Add([]byte("%YAML 1.1\n---\n? [a]\n: {<<: [*b], y: .inf}\n...\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for d := range (Source{Name: "fuzz", Data: data}).Documents() {
			if d.Skipped == "" && d.Contract == nil && !finding.HasErrors(d.Findings) {
				t.Error("a document is neither skipped nor read nor refused")
			}
			for _, found := range d.Findings {
				p := d.PositionOf(found.Pointer)
				before, _, after, _ := d.Around(p)
				if p.Line < 1 || p.Column < 1 || p.Width < 1 || p.Line > 1+bytes.Count(data, newline) || strings.Contains(before+after, "\n") {
					t.Errorf("%+v of %s", p, found)
				}
			}
		}
	})
}
