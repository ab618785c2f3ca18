// SPDX-License-Identifier: Apache-2.0

package naive

import (
	"net/netip"
	"regexp"
	"strings"
	"time"
	"unicode"

	"github.com/dlclark/regexp2/v2"
)

// matcher is a pattern in the dialect of Go, or in that of a backtracking engine
// where Go has no such thing.
type matcher struct {
	plain *regexp.Regexp
	other *regexp2.Regexp
}

// matches searches a text for a pattern. Go reads a few characters differently
// from ECMA-262; a text with one of them is not decided.
func (j *Judge) matches(pattern, text string) bool {
	m, known := j.patterns[pattern]
	if !known {
		if compiled, err := regexp.Compile(pattern); err == nil {
			m.plain = compiled
		} else if compiled, err := regexp2.Compile(pattern, regexp2.ECMAScript|regexp2.Unicode); err == nil {
			compiled.MatchTimeout = time.Second
			m.other = compiled
		}
		j.patterns[pattern] = m
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r == '\r' || r == '\v' || r == '\ufeff' || r > 0x7f && unicode.IsSpace(r) }) {
		return j.doubts("dialects differ about a space in the text")
	}
	switch {
	case m.plain != nil:
		return m.plain.MatchString(text)
	case m.other != nil:
		if matched, err := m.other.MatchString(text); err == nil {
			return matched
		}
	}
	return j.doubts("the pattern " + pattern + " is not known here")
}

var (
	dates       = regexp.MustCompile(`^\d{4}-\d\d-\d\d$`)
	times       = regexp.MustCompile(`^\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)
	uuids       = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	mails       = regexp.MustCompile(`^[a-z0-9]+(\.[a-z0-9]+)*@[a-z0-9]+(\.[a-z0-9]+)+$`)
	hosts       = regexp.MustCompile(`^[a-z][a-z0-9]*(\.[a-z][a-z0-9]*)*$`)
	links       = regexp.MustCompile(`^https?://[a-z]+(\.[a-z]+)*(/[a-z0-9]*)*$`)
	expressions = regexp.MustCompile(`^\^?[a-z0-9]*\$?$`)
	unusual     = regexp.MustCompile(`[^!-~]`)
)

// formatted checks the formats of its table, and those only for texts of which
// there is no doubt.
func (j *Judge) formatted(format, text string) bool {
	parses := func(form *regexp.Regexp, layout string) bool {
		if strings.Contains(text, ":60") || strings.ContainsAny(text, "zt") {
			return j.doubts("a leap second or a small letter in a " + format)
		}
		_, err := time.Parse(layout, text)
		return err == nil && (form == nil || form.MatchString(text))
	}
	switch format {
	case "date":
		return parses(dates, "2006-01-02")
	case "time":
		return parses(times, "15:04:05Z07:00")
	case "date-time":
		date, clock, ok := strings.Cut(text, "T")
		return parses(nil, time.RFC3339) && ok && dates.MatchString(date) && times.MatchString(clock)
	case "uuid":
		return uuids.MatchString(text)
	case "ipv4":
		a, err := netip.ParseAddr(text)
		return err == nil && a.Is4()
	case "ipv6":
		a, err := netip.ParseAddr(text)
		return err == nil && a.Is6() && a.Zone() == ""
	case "email":
		return j.sure(format, text, mails, !strings.Contains(text, "@") || strings.HasSuffix(text, "@")) // many take @a for one
	case "hostname":
		return j.sure(format, text, hosts, text == "" || unusual.MatchString(text))
	case "uri":
		return j.sure(format, text, links, !strings.Contains(text, ":") || unusual.MatchString(text))
	case "regex":
		_, err := regexp.Compile(text)
		return j.sure(format, text, expressions, err != nil && !strings.ContainsAny(text, `\?{[`))
	default:
		return j.doubts("the format " + format + " is not known here")
	}
}

// sure decides for texts that are plainly one or plainly none.
func (j *Judge) sure(format, text string, plainly *regexp.Regexp, never bool) bool {
	if len(text) < 60 && plainly.MatchString(text) {
		return true
	}
	if never {
		return false
	}
	return j.doubts("whether a text is a " + format)
}
