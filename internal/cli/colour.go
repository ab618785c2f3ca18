// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/toolcontract/operator/internal/finding"
)

// The values of --color.
const (
	colourAuto   = "auto"
	colourAlways = "always"
	colourNever  = "never"
)

// style paints text for people. The zero value leaves it as it is.
type style struct{ on bool }

// The colours, as parameters of the escape sequence "select graphic rendition".
const (
	bold   = "1"
	faint  = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	cyan   = "36"
)

// paint makes text printable, and gives it a colour where there are colours.
func (s style) paint(colour, text string) string {
	text = finding.Printable(text)
	if !s.on || text == "" {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

// severity is the word for a severity, in its colour.
func (s style) severity(severity finding.Severity) string {
	return s.paint(severityColour(severity), string(severity))
}

func severityColour(severity finding.Severity) string {
	switch severity {
	case finding.Error:
		return red
	case finding.Warning:
		return yellow
	default:
		return cyan
	}
}

// setStyle decides whether results are painted. NO_COLOR and TERM=dumb are what
// other programs obey too.
func (p *Program) setStyle(when string) error {
	switch when {
	case colourAlways:
		p.style.on = true
	case colourNever:
		p.style.on = false
	case colourAuto:
		p.style.on = p.getenv("NO_COLOR") == "" && p.getenv("TERM") != "dumb" && p.terminal(p.Out) &&
			(runtime.GOOS != "windows" || p.getenv("WT_SESSION") != "" || p.getenv("TERM") != "")
	default:
		return fmt.Errorf("--color %s: write auto, always or never", finding.Quote(when))
	}
	return nil
}

// terminal reports whether somebody looks at what is written.
func (p *Program) terminal(w io.Writer) bool {
	if p.Terminal != nil {
		return p.Terminal(w)
	}
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
