// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"
)

// TestProgress: who waits at a terminal sees what for, and nothing of it is left.
func TestProgress(t *testing.T) {
	t.Parallel()
	first := "2 contracts judged, 2 seconds"
	second := "4 contracts judged, 4 seconds"
	third := "6 contracts judged, 6 seconds"
	gone := func(line string) string { return line + "\r" + strings.Repeat(" ", len(line)) + "\r" }
	for name, test := range map[string]struct {
		step     time.Duration
		err, out bool // are terminals
		want     string
	}{
		"slow work":                    {time.Second, true, false, gone(first) + gone("3 contracts judged, 3 seconds") + gone(second) + gone("5 contracts judged, 5 seconds") + gone(third)},
		"quick work":                   {300 * time.Millisecond, true, false, ""},
		"nobody looks":                 {time.Second, false, false, ""},
		"the results appear meanwhile": {time.Second, true, true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out, err bytes.Buffer
			now := time.Date(2026, 12, 24, 0, 0, 0, 0, time.UTC)
			p := Program{
				In: strings.NewReader(strings.Repeat(contractYAML("a"), 6)), Out: &out, Err: &err,
				Now: func() time.Time {
					now = now.Add(test.step)
					return now
				},
				Terminal: func(w io.Writer) bool { return w == &err && test.err || w == &out && test.out },
			}
			if code := p.Run([]string{"check", "-", "-o", "json"}); code != 0 || err.String() != test.want {
				t.Errorf("code %d:\n got %q\nwant %q", code, err.String(), test.want)
			}
		})
	}
}

// TestProgressMakesRoomForComplaints: a message begins on a line of its own.
func TestProgressMakesRoomForComplaints(t *testing.T) {
	t.Parallel()
	var err bytes.Buffer
	now := time.Date(2026, 12, 24, 0, 0, 0, 0, time.UTC)
	p := Program{
		In: strings.NewReader(contractYAML("a") + "---\nkind: Pod\n"), Out: io.Discard, Err: &err,
		Now: func() time.Time {
			now = now.Add(3 * time.Second)
			return now
		},
		Terminal: func(w io.Writer) bool { return w == &err },
	}
	p.Run([]string{"check", "-"})
	if !strings.Contains(err.String(), "\r"+strings.Repeat(" ", len("1 contract judged, 3 seconds"))+"\rnote: -:") {
		t.Errorf("got %q", err.String())
	}
}
