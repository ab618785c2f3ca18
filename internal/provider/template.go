// SPDX-License-Identifier: Apache-2.0

package provider

import "strings"

// template is a text of a profile, cut at its placeholders. Messages are written
// for every finding, so that texts are cut when a profile is loaded.
type template []templatePart

// templatePart is text, or a placeholder with its braces.
type templatePart struct {
	text          string
	isPlaceholder bool
}

func newTemplate(text string) template {
	var out template
	for text != "" {
		at := placeholderForm.FindStringIndex(text)
		if at == nil {
			return append(out, templatePart{text, false})
		}
		if at[0] > 0 {
			out = append(out, templatePart{text[:at[0]], false})
		}
		out = append(out, templatePart{text[at[0]:at[1]], true})
		text = text[at[1]:]
	}
	return out
}

// fill writes the text about a subject.
func (t template) fill(s *subject) string {
	switch {
	case len(t) == 0:
		return ""
	case len(t) == 1 && !t[0].isPlaceholder:
		return t[0].text
	}
	var b strings.Builder
	for _, p := range t {
		if p.isPlaceholder {
			b.WriteString(s.fill(p.text))
			continue
		}
		b.WriteString(p.text)
	}
	return b.String()
}
