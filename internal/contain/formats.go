// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"slices"
	"sync"

	"github.com/toolcontract/operator/internal/pattern"
	"github.com/toolcontract/operator/internal/schema"
)

// format is what is known of a format as our validator asserts it, which is not
// always what its RFC says: see the tests, which ask the validator.
type format struct {
	// matches are patterns that every text of the format matches, and most is
	// its greatest length if it has one. If they are exact, every text that
	// matches all of them, and those of also, has the format.
	matches, also []string
	most          int
	exact         bool
	// sure are patterns each of which only texts of the format match.
	sure []string
	// inside are formats that have every text of this one which matches given.
	inside []inclusion
	// has are texts of the format and lacks are texts that just miss it: the
	// first ones to try as a witness. Texts that are odd have the format only
	// for our validator, or surprise a reader; they are tried last.
	has, odd, lacks []string
}

type inclusion struct{ format, given string }

// Parts of the patterns below. A number that Go reads from two characters may
// have a sign, and one of IPv4 any number of zeros behind one.
const (
	hour       = `(?:[01][0-9]|2[0-3]|\+[0-9]|-0)`
	minute     = `(?:[0-5][0-9]|\+[0-9]|-0)`
	offset     = `(?:\.[0-9]+)?(?:[zZ]|[+\-]` + hour + ":" + minute + ")"
	sureClock  = hour + ":" + minute + ":" + minute + offset
	clock      = hour + ":" + minute + ":(?:" + minute + "|60)" + offset
	leapYear   = `(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)`
	calendar   = `(?:[0-9]{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)|` + leapYear + `-02-29)`
	byteValue  = `(?:[0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])`
	octet      = `(?:` + byteValue + `|\+0*` + byteValue + `|-0+)`
	ipv4       = octet + `(?:\.` + octet + `){3}`
	ipv6       = `[0-9a-fA-F:.]{2,45}`
	hostLabel  = `[0-9A-Za-z](?:[0-9A-Za-z-]{0,61}[0-9A-Za-z])?`
	hostname   = hostLabel + `(?:\.` + hostLabel + `)*\.?`
	days       = `(?:[0-9]+Y(?:[0-9]+M)?(?:[0-9]+D)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)`
	hours      = `T(?:[0-9]+H(?:[0-9]+M)?(?:[0-9]+S)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)`
	duration   = `P(?:[0-9]+W|` + days + `(?:` + hours + `)?|` + hours + `)`
	wholeCount = `(?:0|[1-9][0-9]*)`
	pointer    = `(?:/(?:[^~/]|~[01])*)*`
	anyScheme  = `^[A-Za-z][0-9A-Za-z+.\-]*:`
	noSlash    = `^[^\\]*$`
	plainPath  = `[0-9A-Za-z/_.~?=&#!$*+,;-]*`
)

// formats are the formats that the validator asserts, by the names that
// readFormat gives them. Every other format asserts nothing, among them
// idn-email and idn-hostname.
var formats = map[string]format{
	"date": {
		matches: []string{"^" + calendar + "$"}, exact: true,
		has: []string{"2026-01-02", "2024-02-29"}, odd: []string{"0000-02-29"},
		lacks: []string{"2026-02-30", "2026-1-2", "2026-01-02T03:04:05Z"},
	},
	"time": {
		matches: []string{"^" + clock + "$"}, sure: []string{"^" + sureClock + "$"},
		has: []string{"03:04:05Z", "03:04:05.5+01:00", "23:59:60z"}, odd: []string{"+1:02:03Z"},
		lacks: []string{"03:04:05", "24:00:00Z", "3:04:05Z"},
	},
	"date-time": {
		matches: []string{"^" + calendar + "[tT]" + clock + "$"}, sure: []string{"^" + calendar + "[tT]" + sureClock + "$"},
		has: []string{"2026-01-02T03:04:05Z", "2026-01-02t03:04:05.123-07:30"}, odd: []string{"2026-01-02T+1:02:03Z"},
		lacks: []string{"2026-01-02T03:04:05", "2026-01-02 03:04:05Z", "2026-01-02"},
	},
	"duration": {
		matches: []string{"^" + duration + "$"}, exact: true,
		has: []string{"P1D", "PT1S", "P1W", "P1Y2M3DT4H5M6S"}, odd: []string{"P1Y2D"}, lacks: []string{"P", "PT", "1D", "P1DT"},
	},
	"period": {
		matches: []string{"^(?:" + duration + "|" + calendar + "[tT]" + clock + ")/(?:" + duration + "|" + calendar + "[tT]" + clock + ")$"},
		has:     []string{"P1D/2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z/P1D"}, lacks: []string{"P1D/P1D", "P1D"},
	},
	"email": {
		matches: []string{`^(?:"[^"\\]{0,62}"|[0-9A-Za-z.!#$%&'*+\-/=?^_` + "`" + `{|}~]{0,64})@(?:` + hostname + `|\[` + ipv4 + `\]|\[IPv6:` + ipv6 + `\])$`}, most: 254,
		sure: []string{`^[0-9A-Za-z+_-]{0,64}@` + hostLabel + `(?:\.` + hostLabel + `)?$`},
		has:  []string{"a@example.com", "a+b@example.org"}, odd: []string{"a@b", `"@ "@a.b`, "a@[192.0.2.1]", "@a"}, lacks: []string{"a", "a@", "a@b c", ".a@b"},
	},
	"hostname": {
		matches: []string{"^" + hostname + "$"}, also: []string{`^(?:[^]{1,253}|[^]{0,253}\.)$`}, most: 254, exact: true,
		has: []string{"example.com", "a", "A-b"}, odd: []string{"a.", "1"}, lacks: []string{"", "-a", "a_b", "a..b", "é"},
	},
	"ipv4": {
		matches: []string{"^" + ipv4 + "$"}, exact: true,
		has: []string{"192.0.2.1", "0.0.0.0"}, odd: []string{"+1.2.3.4"}, lacks: []string{"192.0.2", "192.0.2.256", "01.2.3.4"},
	},
	"ipv6": {
		matches: []string{"^" + ipv6 + "$", ":"},
		has:     []string{"2001:db8::1", "2001:DB8::A", "::", "::ffff:192.0.2.1"}, lacks: []string{"192.0.2.1", "1::2::3", "fe80::1%a", ":"},
	},
	"uri": {
		matches: []string{anyScheme}, inside: []inclusion{{"uri-reference", noSlash}},
		sure: []string{`^[A-Za-z][0-9A-Za-z+.\-]*://` + plainPath + "$"},
		has:  []string{"https://example.com/", "http://a", "mailto:a@example.com", "urn:a:b", "HTTP://A#b"}, odd: []string{"a:", "a:/é", `a:\`},
		lacks: []string{"/a", "", "example.com", "://a", "http://[", "http://a b"},
	},
	"uri-reference": {
		matches: []string{noSlash}, inside: []inclusion{{"uri", anyScheme}},
		sure: []string{"^" + plainPath + "$"},
		has:  []string{"/a", "", "https://example.com/", "#a"}, odd: []string{"a b", "?é"}, lacks: []string{`\`, "%", ":a", "http://[", "\x01"},
	},
	"uri-template": {has: []string{"/a/{b}", "", "a"}, lacks: []string{"/{a", "/a}", "%", ":"}},
	"uuid": {
		matches: []string{"^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"}, exact: true,
		has:   []string{"00000000-0000-4000-8000-000000000000", "ABCDEFAB-0000-0000-0000-000000000000"},
		lacks: []string{"00000000000040008000000000000000", "g0000000-0000-4000-8000-000000000000"},
	},
	"json-pointer": {
		matches: []string{"^" + pointer + "$"}, exact: true, has: []string{"/a", "", "/", "/~0~1"}, lacks: []string{"a", "/~", "/~2"},
	},
	"relative-json-pointer": {
		matches: []string{"^" + wholeCount + "(?:#|" + pointer + ")$"}, exact: true, has: []string{"0/a", "0", "1#", "10"}, lacks: []string{"/a", "", "01", "0#a"},
	},
	"regex": {has: []string{"^a$", ""}, lacks: []string{"(", "*", "\\"}},
	"semver": {
		matches: []string{`^` + wholeCount + `(?:\.` + wholeCount + `){2}(?:-` + preRelease + `(?:\.` + preRelease + `)*)?(?:\+[0-9A-Za-z\-]+(?:\.[0-9A-Za-z\-]+)*)?$`}, exact: true,
		has: []string{"1.0.0", "1.2.3-a.1+b"}, lacks: []string{"1.0", "v1.0.0", "01.0.0"},
	},
}

const preRelease = `(?:0|[1-9][0-9]*|[0-9]*[A-Za-z\-][0-9A-Za-z\-]*)`

// readFormat gives a format the name under which it is compared. The validator
// asserts some by the same rule, and others not at all (ok is false).
func readFormat(name string) (canonical string, ok bool) {
	switch name {
	case "iri":
		name = "uri"
	case "iri-reference":
		name = "uri-reference"
	}
	_, ok = formats[name]
	return name, ok
}

// formatPatterns are the compiled patterns of all formats.
var formatPatterns = sync.OnceValue(func() map[string]*pattern.Pattern {
	compiled := map[string]*pattern.Pattern{}
	add := func(source string) {
		if p, err := pattern.Compile(source); err == nil { // a test compiles each
			compiled[source] = p
		}
	}
	for _, f := range formats {
		for _, source := range slices.Concat(f.matches, f.also, f.sure) {
			add(source)
		}
		for _, i := range f.inside {
			add(i.given)
		}
	}
	return compiled
})

// compiledFormats are the patterns of one of the lists of a format.
func compiledFormats(sources []string) []*pattern.Pattern {
	var list []*pattern.Pattern
	for _, source := range sources {
		if p := formatPatterns()[source]; p != nil {
			list = append(list, p)
		}
	}
	return list
}

// formatValidators decide single texts, each as the validator of a schema that
// says nothing but the format.
var formatValidators = sync.OnceValue(func() map[string]*schema.Validator {
	validators := map[string]*schema.Validator{}
	for name := range formats {
		root := schema.NewObject(schema.Member{Name: "format", Value: schema.NewString(name)})
		s, _ := schema.Admit(root)
		if s == nil {
			continue
		}
		if v, _ := s.Compile(); v != nil {
			validators[name] = v
		}
	}
	return validators
})

// hasFormat decides whether a text has a format.
func hasFormat(text, name string) answer {
	validator := formatValidators()[name]
	if validator == nil {
		return maybe
	}
	accepted, err := validator.Accepts(schema.NewString(text))
	if err != nil {
		return maybe
	}
	return answerOf(accepted)
}
