// SPDX-License-Identifier: Apache-2.0

package yamledit

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxTable bounds the table in which common lines are looked for. Beyond it all
// lines between the first and the last difference count as changed.
const maxTable = 4 << 20

// hunk is a run of lines of one text that is another one in the other text:
// lines [a0, a1) became [b0, b1).
type hunk struct{ a0, a1, b0, b1 int }

// hunks compares two texts by lines, with the fewest lines changed.
func hunks(a, b []string) []hunk {
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < len(a)-start && end < len(b)-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	x, y := a[start:len(a)-end], b[start:len(b)-end]
	if len(x) == 0 && len(y) == 0 {
		return nil
	}
	if (len(x)+1)*(len(y)+1) > maxTable {
		return []hunk{{start, start + len(x), start, start + len(y)}}
	}
	var out []hunk
	common := table(x, y)
	for i, j := 0, 0; i < len(x) || j < len(y); {
		if i < len(x) && j < len(y) && x[i] == y[j] {
			i, j = i+1, j+1
			continue
		}
		h := hunk{start + i, 0, start + j, 0}
		for i < len(x) || j < len(y) {
			if i < len(x) && j < len(y) && x[i] == y[j] {
				break
			}
			if j == len(y) || i < len(x) && common[i+1][j] >= common[i][j+1] {
				i++
			} else {
				j++
			}
		}
		h.a1, h.b1 = start+i, start+j
		out = append(out, h)
	}
	return out
}

// table says how many lines two texts have in common from each pair of lines on.
func table(x, y []string) [][]int32 {
	out := make([][]int32, len(x)+1)
	for i := range out {
		out[i] = make([]int32, len(y)+1)
	}
	for i, v := range slices.Backward(x) {
		for j := len(y) - 1; j >= 0; j-- {
			if v == y[j] {
				out[i][j] = out[i+1][j+1] + 1
			} else {
				out[i][j] = max(out[i+1][j], out[i][j+1])
			}
		}
	}
	return out
}

// linesOf cuts a text behind its line ends.
func linesOf(text string) []string {
	if text == "" {
		return nil
	}
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// difference gives the edits that make one text of another.
func difference(before, after string) []Edit {
	a, b := linesOf(before), linesOf(after)
	var out []Edit
	line, offset := 0, 0
	for _, h := range hunks(a, b) {
		for ; line < h.a0; line++ {
			offset += len(a[line])
		}
		was, is := strings.Join(a[h.a0:h.a1], ""), strings.Join(b[h.b0:h.b1], "")
		start := commonStart(was, is)
		end := commonEnd(was[start:], is[start:])
		out = append(out, Edit{Offset: offset + start, Length: len(was) - start - end, Text: is[start : len(is)-end]})
	}
	return out
}

// commonStart is how many bytes two texts begin with alike, in whole characters.
func commonStart(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && (n < len(a) && !utf8.RuneStart(a[n]) || n < len(b) && !utf8.RuneStart(b[n])) {
		n--
	}
	return n
}

func commonEnd(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	for n > 0 && !utf8.RuneStart(a[len(a)-n]) {
		n--
	}
	return n
}

// around is how many unchanged lines are shown before and after a change.
const around = 3

// Unified is the difference of two texts in the unified format, empty if there
// is none. Name stands for the file.
func Unified(name string, before, after []byte) string {
	a, b := linesOf(string(before)), linesOf(string(after))
	list := hunks(a, b)
	if len(list) == 0 {
		return ""
	}
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", name, name)
	for i := 0; i < len(list); {
		end := i + 1
		for end < len(list) && list[end].a0-list[end-1].a1 <= 2*around {
			end++
		}
		writeHunks(&out, a, b, list[i:end])
		i = end
	}
	return out.String()
}

func writeHunks(out *strings.Builder, a, b []string, list []hunk) {
	first, last := list[0], list[len(list)-1]
	before, after := min(around, first.a0), min(around, len(a)-last.a1)
	fmt.Fprintf(out, "@@ -%s +%s @@\n", extent(first.a0-before, last.a1+after), extent(first.b0-before, last.b1+after))
	at := first.a0 - before
	for _, h := range list {
		writeLines(out, ' ', a[at:h.a0])
		writeLines(out, '-', a[h.a0:h.a1])
		writeLines(out, '+', b[h.b0:h.b1])
		at = h.a1
	}
	writeLines(out, ' ', a[at:last.a1+after])
}

// extent is a range of lines as the format writes it.
func extent(start, end int) string {
	switch end - start {
	case 0:
		return fmt.Sprintf("%d,0", start)
	case 1:
		return fmt.Sprint(start + 1)
	default:
		return fmt.Sprintf("%d,%d", start+1, end-start)
	}
}

func writeLines(out *strings.Builder, sign byte, lines []string) {
	for _, line := range lines {
		out.WriteByte(sign)
		out.WriteString(line)
		if !strings.HasSuffix(line, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}
