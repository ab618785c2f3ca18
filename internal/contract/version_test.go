// SPDX-License-Identifier: Apache-2.0

package contract

import (
	"strings"
	"testing"
)

func version(t *testing.T, text string) Version {
	t.Helper()
	v, err := ParseVersion(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestParseVersionTakesStrictVersions(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"0.0.0", "1.2.3", "10.20.30", "999999999.0.0",
		"1.0.0-rc.1", "1.0.0-0", "1.0.0-0a", "1.0.0-a-b.c--d",
	} {
		v, err := ParseVersion(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if v.String() != text {
			t.Errorf("%s is written back as %s", text, v)
		}
	}
}

func TestParseVersionRefusesEverythingElse(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"nothing":                         "",
		"one part":                        "1",
		"two parts":                       "1.2",
		"four parts":                      "1.2.3.4",
		"a v":                             "v1.2.3",
		"a range":                         ">=1.2.3",
		"a wildcard":                      "1.2.x",
		"a sign":                          "+1.2.3",
		"a negative part":                 "1.-2.3",
		"white space":                     " 1.2.3",
		"a line end":                      "1.2.3\n",
		"a leading zero":                  "1.02.3",
		"a leading zero in a pre-release": "1.0.0-01",
		"an empty pre-release":            "1.0.0-",
		"an empty identifier":             "1.0.0-a..b",
		"build metadata":                  "1.2.3+build",
		"empty build metadata":            "1.2.3+",
		"metadata after a pre-release":    "1.2.3-rc.1+build",
		"upper case":                      "1.0.0-RC.1",
		"an underscore":                   "1.0.0-rc_1",
		"digits of another script":        "1.2.٣",
		"a number that cannot be raised":  "18446744073709551615.0.0",
		"a number beyond the API":         "1000000000.0.0",
		"a hyphen at the start":           "1.0.0--a",
		"a hyphen at the end":             "1.0.0-a-",
		"a hyphen before a dot":           "1.0.0-a-.b",
		"a hyphen after a dot":            "1.0.0-a.-b",
		"a megabyte":                      "1.0.0-" + strings.Repeat("a", 1<<20),
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v, err := ParseVersion(text)
			if err == nil {
				t.Fatalf("%q was read as %s", text, v)
			}
			if !strings.HasPrefix(err.Error(), "reading version ") || len(err.Error()) > 300 {
				t.Errorf("the error does not say what it is about in few words: %v", err)
			}
		})
	}
}

func TestCompareIsSemanticPrecedence(t *testing.T) {
	t.Parallel()
	ascending := []string{
		"0.1.0", "0.1.1", "0.2.0", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta.2", "1.0.0-beta.11",
		"1.0.0-rc.1", "1.0.0", "1.2.0", "1.10.0", "2.0.0",
	}
	for i, a := range ascending {
		for j, b := range ascending {
			got := version(t, a).Compare(version(t, b))
			if (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("%s compared with %s gives %d", a, b, got)
			}
		}
	}
}

func TestLineIsTheMajorOrZeroPointMinor(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		line       string
		prerelease bool
	}{
		"1.2.3":      {"1", false},
		"10.0.0":     {"10", false},
		"0.3.9":      {"0.3", false},
		"0.0.1":      {"0.0", false},
		"2.0.0-rc.1": {"2", true},
		"0.4.0-a":    {"0.4", true},
	}
	for text, want := range tests {
		v := version(t, text)
		if v.Line() != want.line || v.IsPrerelease() != want.prerelease {
			t.Errorf("%s: line %s, pre-release %t; want %s, %t", text, v.Line(), v.IsPrerelease(), want.line, want.prerelease)
		}
	}
}

func TestCompareLinesLooksAtNothingElse(t *testing.T) {
	t.Parallel()
	tests := []struct {
		a, b string
		want int
	}{
		{"1.0.0", "1.9.9", 0},
		{"1.0.0", "1.0.0-rc.1", 0},
		{"1.9.9", "2.0.0", -1},
		{"10.0.0", "9.0.0", 1},
		{"0.1.0", "0.1.9", 0},
		{"0.9.0", "0.10.0", -1},
		{"0.99.0", "1.0.0", -1},
	}
	for _, test := range tests {
		a, b := version(t, test.a), version(t, test.b)
		if got := CompareLines(a, b); got != test.want {
			t.Errorf("%s with %s gives %d, want %d", test.a, test.b, got, test.want)
		}
		if got := CompareLines(b, a); got != -test.want {
			t.Errorf("%s with %s gives %d, want %d", test.b, test.a, got, -test.want)
		}
	}
}

func TestBumpBetweenIsWhatAVersionDeclares(t *testing.T) {
	t.Parallel()
	tests := []struct {
		from, to string
		want     Bump
	}{
		{"1.2.3", "1.2.4", Patch},
		{"1.2.3", "1.2.9", Patch},
		{"1.2.3", "1.3.0", Minor},
		{"1.2.3", "1.9.5", Minor},
		{"1.2.3", "2.0.0", Major},
		{"1.2.3", "3.4.5", Major},
		{"1.2.3", "1.2.3", None},
		{"1.2.3", "1.2.2", None},
		{"1.3.0", "1.2.9", None},
		{"1.2.3", "1.2.4-rc.1", Patch},
		{"1.2.3", "1.2.3-rc.1", None},
		{"1.2.3", "2.0.0-rc.1", Major},
		{"0.1.0", "0.1.1", Minor},
		{"0.1.0", "0.1.0", None},
		{"0.1.1", "0.1.0", None},
		{"0.1.0", "0.2.0", Major},
		{"0.1.0", "1.0.0", Major},
		{"0.0.1", "0.0.2", Minor},
	}
	for _, test := range tests {
		if got := BumpBetween(version(t, test.from), version(t, test.to)); got != test.want {
			t.Errorf("%s to %s declares %s, want %s", test.from, test.to, got, test.want)
		}
	}
}

func TestNextIsTheSmallestVersionThatDeclaresABump(t *testing.T) {
	t.Parallel()
	tests := []struct {
		from string
		bump Bump
		want string
	}{
		{"1.2.3", Patch, "1.2.4"},
		{"1.2.3", Minor, "1.3.0"},
		{"1.2.3", Major, "2.0.0"},
		{"1.2.3", None, "1.2.4"},
		{"0.2.3", Patch, "0.2.4"},
		{"0.2.3", Minor, "0.2.4"},
		{"0.2.3", Major, "0.3.0"},
		{"999999999.0.0", Major, "1000000000.0.0"},
	}
	for _, test := range tests {
		from := version(t, test.from)
		next := from.Next(test.bump)
		if next.String() != test.want {
			t.Errorf("%s above %s is %s, want %s", test.bump, test.from, next, test.want)
		}
		if got := BumpBetween(from, next); got < test.bump {
			t.Errorf("%s to %s declares only %s", from, next, got)
		}
	}
}

func TestBumpsAreOrderedAndNamed(t *testing.T) {
	t.Parallel()
	want := []string{"None", "Patch", "Minor", "Major"}
	for i, b := range []Bump{None, Patch, Minor, Major} {
		if b.String() != want[i] || int(b) != i {
			t.Errorf("bump %d is named %s, want %s", int(b), b, want[i])
		}
	}
}
