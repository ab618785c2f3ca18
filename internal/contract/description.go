// SPDX-License-Identifier: Apache-2.0

package contract

import (
	"strings"
	"unicode"

	"github.com/toolcontract/operator/internal/schema"
)

// Description is the text for the model, in parts.
type Description struct {
	Summary, UseWhen, DoNotUseWhen, Returns, SideEffects, Failures string
}

// parts returns the parts in the order in which they are joined.
func (d Description) parts() []string {
	return []string{d.Summary, d.UseWhen, d.DoNotUseWhen, d.Returns, d.SideEffects, d.Failures}
}

// Text joins the parts: by one space, or by nothing after a full-width
// sentence end, where a space would be wrong. White space at a joint gives way
// to it (YAML block scalars end in a newline); nothing else is added or taken.
func (d Description) Text() string {
	var b strings.Builder
	for _, part := range d.parts() {
		if strings.TrimSpace(part) == "" {
			continue
		}
		if b.Len() > 0 {
			before := strings.TrimRightFunc(b.String(), unicode.IsSpace)
			b.Reset()
			b.WriteString(before)
			if !endsFullWidth(before) {
				b.WriteByte(' ')
			}
			part = strings.TrimLeftFunc(part, unicode.IsSpace)
		}
		b.WriteString(part)
	}
	return b.String()
}

func endsFullWidth(s string) bool {
	for _, end := range []string{"。", "！", "？", "；"} {
		if strings.HasSuffix(s, end) {
			return true
		}
	}
	return false
}

func (d Description) canonical() *schema.Value {
	var o schema.Fields
	o.Text("summary", d.Summary)
	o.Text("useWhen", d.UseWhen)
	o.Text("doNotUseWhen", d.DoNotUseWhen)
	o.Text("returns", d.Returns)
	o.Text("sideEffects", d.SideEffects)
	o.Text("failures", d.Failures)
	return o.Object()
}
