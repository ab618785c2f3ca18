// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"strings"
	"unicode"
)

// printable escapes what could drive a terminal or hide text: control
// characters, line breaks, and invisible formatting such as a change of the
// writing direction. Names, pointers and file names are an author's text.
func printable(line string) string {
	if !strings.ContainsFunc(line, isUnsafe) {
		return line
	}
	var b strings.Builder
	for _, r := range line {
		if isUnsafe(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func isUnsafe(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}
