// SPDX-License-Identifier: Apache-2.0

package catalogue

import (
	"slices"
	"strings"
)

// diffLine is one line of a difference: ' ' is in both texts, '-' only in the
// old one, '+' only in the new one. A gap stands for lines that both have.
type diffLine struct {
	Sign rune
	Text string
}

// Kept, Gone, Came and Gap are what the sign says.
func (l diffLine) Kept() bool { return l.Sign == ' ' }
func (l diffLine) Gone() bool { return l.Sign == '-' }
func (l diffLine) Came() bool { return l.Sign == '+' }
func (l diffLine) Gap() bool  { return l.Sign == '@' }

const (
	// around is how many lines are shown before and after a change.
	around = 3
	// maxTable bounds the comparison of what lies between the first and the last
	// line that differ; a greater change is shown as all old and all new lines.
	maxTable = 1 << 22
)

// difference compares two texts line by line.
func difference(old, next string) []diffLine {
	a, b := strings.Split(old, "\n"), strings.Split(next, "\n")
	from := 0
	for from < len(a) && from < len(b) && a[from] == b[from] {
		from++
	}
	endA, endB := len(a), len(b)
	for endA > from && endB > from && a[endA-1] == b[endB-1] {
		endA, endB = endA-1, endB-1
	}
	all := lines(' ', a[:from])
	all = append(all, middle(a[from:endA], b[from:endB])...)
	return shortened(append(all, lines(' ', a[endA:])...))
}

func lines(sign rune, texts []string) []diffLine {
	out := make([]diffLine, len(texts))
	for i, text := range texts {
		out[i] = diffLine{sign, text}
	}
	return out
}

// middle compares by the longest common run of lines.
func middle(a, b []string) []diffLine {
	if len(a)*len(b) > maxTable {
		return append(lines('-', a), lines('+', b)...)
	}
	width := len(b) + 1
	common := make([]int32, (len(a)+1)*width)
	for i := range slices.Backward(a) {
		for j := range slices.Backward(b) {
			if a[i] == b[j] {
				common[i*width+j] = common[(i+1)*width+j+1] + 1
			} else {
				common[i*width+j] = max(common[(i+1)*width+j], common[i*width+j+1])
			}
		}
	}
	var out []diffLine
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			out = append(out, diffLine{' ', a[i]})
			i, j = i+1, j+1
		case common[(i+1)*width+j] >= common[i*width+j+1]:
			out = append(out, diffLine{'-', a[i]})
			i++
		default:
			out = append(out, diffLine{'+', b[j]})
			j++
		}
	}
	return append(append(out, lines('-', a[i:])...), lines('+', b[j:])...)
}

// shortened leaves out lines that are far from a change.
func shortened(all []diffLine) []diffLine {
	near := make([]bool, len(all))
	for i, l := range all {
		if l.Kept() {
			continue
		}
		for k := max(0, i-around); k <= min(len(all)-1, i+around); k++ {
			near[k] = true
		}
	}
	var out []diffLine
	for i, l := range all {
		switch {
		case near[i]:
			out = append(out, l)
		case i == 0 || near[i-1]:
			out = append(out, diffLine{Sign: '@'})
		}
	}
	return out
}
