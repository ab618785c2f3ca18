// SPDX-License-Identifier: Apache-2.0

package pattern

import (
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

func TestRuneSets(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		got  runeSet
		want []runeRange
	}{
		{"ranges are sorted and merged when they overlap", newRuneSet(runeRange{'d', 'f'}, runeRange{'a', 'b'}, runeRange{'e', 'g'}), []runeRange{{'a', 'b'}, {'d', 'g'}}},
		{"ranges that touch become one", newRuneSet(runeRange{'c', 'd'}, runeRange{'a', 'b'}), []runeRange{{'a', 'd'}}},
		{"a range inside another is lost", newRuneSet(runeRange{'a', 'z'}, runeRange{'c', 'd'}), []runeRange{{'a', 'z'}}},
		{"surrogates are cut out", newRuneSet(runeRange{0xD7FE, 0xE001}), []runeRange{{0xD7FE, 0xD7FF}, {0xE000, 0xE001}}},
		{"a set of surrogates is empty", newRuneSet(runeRange{0xD83D, 0xD83D}), nil},
		{"the complement of nothing is everything", newRuneSet().complement(), []runeRange{{0, 0xD7FF}, {0xE000, unicode.MaxRune}}},
		{"the complement of everything is nothing", newRuneSet().complement().complement(), nil},
		{"a complement has no surrogates", newRuneSet(runeRange{'b', unicode.MaxRune}).complement(), []runeRange{{0, 'a'}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, []runeRange(tt.got), cmp.AllowUnexported(runeRange{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestOverlaps(t *testing.T) {
	t.Parallel()
	letters := newRuneSet(runeRange{'a', 'f'}, runeRange{'x', 'z'})
	tests := []struct {
		other runeSet
		want  bool
	}{
		{newRuneSet(runeRange{'f', 'g'}), true},
		{newRuneSet(runeRange{'g', 'w'}), false},
		{newRuneSet(runeRange{'g', 'h'}, runeRange{'y', 'y'}), true},
		{newRuneSet(), false},
	}
	for _, tt := range tests {
		if got := letters.overlaps(tt.other); got != tt.want {
			t.Errorf("%v overlaps %v: %t, want %t", letters, tt.other, got, tt.want)
		}
		if got := tt.other.overlaps(letters); got != tt.want {
			t.Errorf("%v overlaps %v: %t, want %t", tt.other, letters, got, tt.want)
		}
	}
}
