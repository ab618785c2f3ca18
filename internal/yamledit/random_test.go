// SPDX-License-Identifier: Apache-2.0

package yamledit

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// author writes random documents in the forms that people use, with comments.
type author struct {
	*rand.Rand
	b   strings.Builder
	eol string
	n   int
}

func (g *author) pick(list ...string) string { return list[g.IntN(len(list))] }

func (g *author) comment() string {
	if g.IntN(4) > 0 {
		return ""
	}
	g.n++
	return fmt.Sprintf(" # comment %d: it's \"x\"", g.n)
}

func (g *author) line(text string) { g.b.WriteString(text + g.eol) }

func (g *author) scalar() string {
	return g.pick("1", "a", "true", "null", "it's", `"q # no"`, `'s # no'`, "a b", "~", `"\u00e9\n"`, "é", "1.0.0", `''`, "a#b", "!!str 1", "&k x")
}

func (g *author) flow(depth int) string {
	switch g.IntN(4 + depth) {
	case 4:
		return "{" + g.pick("b: ", "'b': ", "\"b\": ") + g.flow(depth-1) + g.pick("", ", ") + "}"
	case 5:
		return "[" + g.flow(depth-1) + g.pick("", " ", ",") + g.pick(" ", "") + "]"
	case 6:
		return "{c: " + g.flow(depth-1) + ", d: " + g.flow(depth-1) + "}"
	default:
		return strings.TrimPrefix(strings.ReplaceAll(g.scalar(), "&k ", ""), "!!str ")
	}
}

// value writes what stands behind a colon or a hyphen at a column.
func (g *author) value(column, depth int) {
	indent := strings.Repeat(" ", column+2)
	switch g.IntN(5 + 2*depth) {
	case 0:
		g.line(" " + g.pick("|", ">", "|-", "|+", "|2") + g.comment())
		g.line(indent + "# text")
		if g.IntN(2) == 0 {
			g.line("")
		}
		g.line(indent + "  more")
	case 1:
		g.line(" " + g.flow(2) + g.comment())
	case 2:
		g.line(" a plain text")
		g.line(indent + "goes on")
	case 3, 4:
		g.line(" " + g.scalar() + g.comment())
	default:
		g.line(g.comment())
		if g.IntN(3) == 0 {
			if g.IntN(2) == 0 {
				column -= 2
			}
			g.list(max(0, column+2), depth-1)
			return
		}
		g.members(column+2, depth-1)
	}
}

func (g *author) members(column, depth int) {
	indent := strings.Repeat(" ", column)
	for i, name := range []string{"a", `"b"`, "'c'", "$d", "e f"} {
		if i > 0 && g.IntN(2) == 0 {
			continue
		}
		if c := g.comment(); c != "" {
			g.line(indent + c[1:])
		}
		g.b.WriteString(indent + name + ":")
		g.value(column, depth)
	}
}

func (g *author) list(column, depth int) {
	indent := strings.Repeat(" ", column)
	for range 1 + g.IntN(3) {
		g.b.WriteString(indent + "-")
		if depth > 0 && g.IntN(2) == 0 {
			g.b.WriteString(" x: " + g.scalar() + g.comment() + g.eol)
			if g.IntN(2) == 0 {
				g.line(indent + "  y0: " + g.flow(1))
			}
			continue
		}
		g.value(column, depth-1)
	}
}

// patch draws an operation on a value.
func (g *author) patch(v *schema.Value) finding.Operation {
	at := ""
	for {
		var below []string
		for _, m := range v.Members() {
			below = append(below, m.Name)
		}
		for i := range v.Items() {
			below = append(below, strconv.Itoa(i))
		}
		if len(below) == 0 || at != "" && g.IntN(4) == 0 {
			break
		}
		name := below[g.IntN(len(below))]
		at, v = finding.Pointer(at, name), v.At([]string{name})
	}
	value := []byte(g.pick(`1`, `"x: y"`, `{"x":{"z":1}}`, `[{"a":1}]`, `"a\nb\n"`, `{}`, `null`, `["a","b"]`, `"b\n\n"`))
	switch k := v.Kind(); {
	case k == schema.Object && g.IntN(2) == 0:
		return finding.Operation{Op: "add", Path: at + "/new", Value: value}
	case k == schema.Array && g.IntN(2) == 0:
		return finding.Operation{Op: "add", Path: at + g.pick("/-", "/0"), Value: value}
	case g.IntN(2) == 0:
		return finding.Operation{Op: "replace", Path: at, Value: value}
	default:
		return finding.Operation{Op: "remove", Path: at}
	}
}

// TestRandomEdits looks at what is written without the reader of this package,
// and counts how much of it is refused: never wrong, and seldom nothing.
func TestRandomEdits(t *testing.T) {
	t.Parallel()
	edited, refused := 0, 0
	for seed := range uint64(600) {
		g := author{Rand: rand.New(rand.NewPCG(seed, 1)), eol: "\n"}
		if seed%5 == 0 {
			g.eol = "\r\n"
		}
		g.members(0, 3)
		text := g.b.String()
		d, err := parse(text)
		if err != nil {
			if !strings.Contains(err.Error(), "anchor") && !strings.Contains(err.Error(), "yaml") {
				t.Fatalf("seed %d: %v\n%s", seed, err, text)
			}
			continue
		}
		o := g.patch(d.value)
		want, err := Patch(d.value, []finding.Operation{o})
		if err != nil {
			t.Fatal(err)
		}
		edits, err := Edits([]byte(text), Place{}, []finding.Operation{o})
		if err != nil {
			refused++
			if testing.Verbose() && refused < 12 {
				t.Logf("%s %s %s\n%s", o.Op, o.Path, o.Value, text)
			}
			continue
		}
		edited++
		after := string(Apply([]byte(text), edits))
		got, err := parse(after)
		if err != nil || !got.value.Equal(want) {
			t.Fatalf("seed %d: %s %s %s: %v\n%s\nbecame\n%s", seed, o.Op, o.Path, o.Value, err, text, after)
		}
		if strings.Contains(text, "\r\n") != strings.Contains(after, "\r\n") || strings.Count(after, "\r") != strings.Count(after, "\n")*strings.Count(g.eol, "\r") {
			t.Fatalf("seed %d: the line ends have changed\n%q", seed, after)
		}
		if o.Op == "add" && strings.Count(text, "# comment") != strings.Count(after, "# comment") {
			t.Fatalf("seed %d: a comment is lost\n%s", seed, after)
		}
	}
	t.Logf("%d edited, %d refused", edited, refused)
	if edited < 500 || refused*8 > edited {
		t.Errorf("%d edited, %d refused", edited, refused)
	}
}

func FuzzEdits(f *testing.F) {
	f.Add("a:\n  b: 1 # one\nc: [x]\n", "/a/b")
	f.Add("{\"a\":[1,{\"b\":null}]}", "/a/1")
	f.Add("{\"\":[1,{bb\":null}]}", "/a/1") // a brace whose end is not found
	f.Add("00:", "/0")                      // 00 is the key 0
	f.Add("a: &x {b: 1}\nc: {<<: *x}\n", "/c/b")
	f.Fuzz(func(t *testing.T, text, path string) {
		if len(text) > 4<<10 || path != "" && path[0] != '/' {
			return
		}
		d, err := parse(text)
		if err != nil {
			return
		}
		for _, o := range []finding.Operation{
			{Op: "remove", Path: path}, {Op: "replace", Path: path, Value: []byte(`{"a":{"b":1}}`)}, {Op: "add", Path: path, Value: []byte(`"x"`)},
		} {
			edits, err := Edits([]byte(text), Place{}, []finding.Operation{o})
			if err != nil {
				continue
			}
			want, err := Patch(d.value, []finding.Operation{o})
			if err != nil {
				t.Fatal(err)
			}
			after, err := parse(string(Apply([]byte(text), edits)))
			if err != nil || !after.value.Equal(want) {
				t.Fatalf("%s %s: %v", o.Op, o.Path, err)
			}
		}
	})
}
