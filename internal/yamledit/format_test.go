// SPDX-License-Identifier: Apache-2.0

package yamledit

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/finding"
)

// letters orders the root by a, b, c.
func letters(path []string) []string {
	if len(path) == 0 || strings.Join(path, "/") == "l/*" {
		return []string{"a", "b", "c"}
	}
	return nil
}

func TestFormat(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"indentation of two": {
			"a:\n    b: 1\n    c:\n          - x\n          -   y: 1\n              z: 2\n", "a:\n  b: 1\n  c:\n    - x\n    - y: 1\n      z: 2\n",
		},
		"a list stays at the column of its key": {"a:\n    b:\n    - x\n    -\n      k: 1\n", "a:\n  b:\n  - x\n  -\n    k: 1\n"},
		"comments move with what they are about": {
			"# head\na:\n    # about b\n    b: 1   # one\n    # end\n# c\nc: 2\n", "# head\na:\n  # about b\n  b: 1   # one\n  # end\n# c\nc: 2\n",
		},
		"members in order with their comments": {
			"# about c\nc: 1\n\n# about a\na:\n  x: 1\n  # in a\n\nd: 0\nb: 2 # two\n", "# about a\na:\n  x: 1\n  # in a\n\nb: 2 # two\n# about c\nc: 1\n\nd: 0\n",
		},
		"members of an item in order": {"l:\n- c: 1\n  a: 2\n", "l:\n- a: 2\n  c: 1\n"},
		"texts in lines keep their lines": {
			"a:\n    t: |\n        one  \n          two\n\n        three\n    u: >-\n     x\n     y\nb: \"p\n   q\"\n",
			"a:\n  t: |\n    one  \n      two\n\n    three\n  u: >-\n    x\n    y\nb: \"p\n   q\"\n",
		},
		"space at line ends goes":     {"a: 1  \nb:   \n  c: 2\t\n\n\n", "a: 1\nb:\n  c: 2\n"},
		"line ends stay":              {"b: 1\r\na:\r\n    x: 1\r\n", "a:\r\n  x: 1\r\nb: 1\r\n"},
		"a last line end":             {"b: 1\na: 2", "a: 2\nb: 1\n"},
		"a text keeps its line ends":  {"b: 1\na: |+\n  x\n\n\n", "a: |+\n  x\n\n\nb: 1\n"},
		"flow and JSON stay in shape": {"a: {c: 1,\n   b: 2}\n", "a: {c: 1,\n   b: 2}\n"},
		"JSON":                        {"{\"b\":1,\n    \"a\":2}", "{\"b\":1,\n    \"a\":2}"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Format([]byte(c.text), letters)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.SplitAfter(c.want, "\n"), strings.SplitAfter(string(got), "\n")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestFormatTwice formats random documents: the value and the comments stay, and a
// second time changes nothing.
func TestFormatTwice(t *testing.T) {
	t.Parallel()
	formatted, refused := 0, 0
	for seed := range uint64(300) {
		g := author{Rand: rand.New(rand.NewPCG(seed, 2)), eol: "\n"}
		g.members(0, 3)
		text := g.b.String()
		d, err := parse(text)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		order := func([]string) []string { return []string{"$d", "b", "a"} }
		once, err := Format([]byte(text), order)
		if err != nil {
			refused++
			if testing.Verbose() && refused < 8 {
				t.Logf("%v\n%s", err, text)
			}
			continue
		}
		formatted++
		after, err := parse(string(once))
		if err != nil || !after.value.Equal(d.value) || strings.Count(text, "# comment") != strings.Count(string(once), "# comment") {
			t.Fatalf("seed %d: %v\n%s\nbecame\n%s", seed, err, text, once)
		}
		twice, err := Format(once, order)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, once)
		}
		if diff := cmp.Diff(string(once), string(twice)); diff != "" {
			t.Fatalf("seed %d: %s\nof\n%s", seed, diff, text)
		}
	}
	t.Logf("%d formatted, %d refused", formatted, refused)
	if refused*10 > formatted {
		t.Errorf("%d formatted, %d refused", formatted, refused)
	}
}

// TestKeysThatAreOne: of two keys that are one in JSON none is touched, since it is
// open whose value counts.
func TestKeysThatAreOne(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"a: 1\na: 2\n", "0: 1\n\"0\": 2\n", "b:\n- {00: 1, \"0\": 2}\n"} {
		if _, err := Format([]byte(text), func([]string) []string { return nil }); err == nil || !strings.Contains(err.Error(), "same key") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := Edits([]byte("00:\n"), Place{}, []finding.Operation{{Op: "add", Path: "/0", Value: []byte(`"x"`)}}); err == nil {
		t.Error("the key 00, which is 0, is there twice")
	}
}
