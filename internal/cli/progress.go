// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io"
	"strings"
	"time"
)

const (
	// progressAfter is how long somebody waits before they are told what for, and
	// progressEvery how often then.
	progressAfter = 2 * time.Second
	progressEvery = 250 * time.Millisecond
)

// progress is a line on a terminal about work that takes long. It is gone when the
// work is done. The zero value shows nothing.
type progress struct {
	w            io.Writer
	now          func() time.Time
	began, shown time.Time
	judged       int
	width        int // of the line that is there
}

// startProgress shows progress to who waits: on a terminal, unless results appear
// on one meanwhile.
func (p *Program) startProgress() {
	if p.terminal(p.Err) && !p.terminal(p.Out) {
		p.progress = progress{w: p.Err, now: p.now, began: p.now()}
	}
}

// step counts a contract that was judged.
func (p *progress) step() {
	p.judged++
	if p.w == nil {
		return
	}
	now := p.now()
	if now.Sub(p.began) < progressAfter || now.Sub(p.shown) < progressEvery {
		return
	}
	p.shown = now
	p.erase()
	line := fmt.Sprintf("%s judged, %s", plural(p.judged, "contract"), plural(int(now.Sub(p.began)/time.Second), "second"))
	p.width = len(line)
	fmt.Fprint(p.w, line)
}

func (p *progress) erase() {
	if p.width > 0 {
		fmt.Fprint(p.w, "\r"+strings.Repeat(" ", p.width)+"\r")
		p.width = 0
	}
}
