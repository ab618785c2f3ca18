// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/provider"
)

func made(t *testing.T) map[string][]byte {
	t.Helper()
	files, err := documents(provider.Builtin())
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestDocumentsAreTheSameEveryTime(t *testing.T) {
	t.Parallel()
	first := made(t)
	for name, text := range made(t) {
		if !bytes.Equal(first[name], text) {
			t.Errorf("%s differs the second time", name)
		}
	}
	for _, name := range append(provider.Builtin().Names(), "README") {
		if !bytes.HasPrefix(first[name+".md"], []byte(generated)) {
			t.Errorf("there is no page %s", name)
		}
	}
}

var reference = regexp.MustCompile(`[ (]\[([^\]]+)\](?:[,)]|$)`)

// Every table has as many cells in a row as in its heading, and every reference
// leads somewhere.
func TestPagesAreWellFormed(t *testing.T) {
	t.Parallel()
	for name, text := range made(t) {
		if !strings.HasSuffix(name, ".md") {
			continue
		}
		columns := 0
		for i, line := range strings.Split(string(text), "\n") {
			if strings.Contains(line, "%!") {
				t.Errorf("%s:%d: %s", name, i+1, line)
			}
			if !strings.HasPrefix(line, "|") {
				columns = 0
				continue
			}
			n := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
			if columns == 0 {
				columns = n
			}
			if n != columns {
				t.Errorf("%s:%d: %d columns, want %d: %s", name, i+1, n-1, columns-1, line)
			}
		}
		for _, m := range reference.FindAllStringSubmatch(string(text), -1) {
			if !bytes.Contains(text, []byte("\n["+m[1]+"]: https://")) {
				t.Errorf("%s: [%s] leads nowhere", name, m[1])
			}
		}
	}
}

func TestVerdictsForMachines(t *testing.T) {
	t.Parallel()
	decoder := json.NewDecoder(bytes.NewReader(made(t)["verdicts.json"]))
	decoder.DisallowUnknownFields()
	var got struct {
		Format   int
		Profiles []profileView
		Cells    []struct {
			Profile, Section, Keyword, Mode, Condition string
			When                                       json.RawMessage
			Verdict, Confidence                        string
			Sources                                    []string
			Date, Note, Error, Warning, Fix            string
		}
	}
	if err := decoder.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if got.Format != 1 || len(got.Profiles) != len(provider.Builtin().Names()) {
		t.Errorf("format %d, %d profiles", got.Format, len(got.Profiles))
	}
	urls := map[string]bool{}
	for _, p := range got.Profiles {
		for _, s := range p.Sources {
			urls[p.Name+" "+s.URL] = true
		}
	}
	seen := map[string]int{}
	for _, c := range got.Cells {
		seen[c.Profile]++
		if c.Keyword == "" || c.Mode == "" || c.Verdict == "" || c.Confidence == "" || c.Date == "" || (c.Condition == "") != (c.When == nil) {
			t.Errorf("%+v", c)
		}
		for _, url := range c.Sources {
			if !urls[c.Profile+" "+url] {
				t.Errorf("%s: the source %s is none of the profile", c.Profile, url)
			}
		}
	}
	for _, name := range provider.Builtin().Names() {
		p, _ := provider.Builtin().Lookup(name)
		if seen[name] != len(p.Cells()) {
			t.Errorf("%s: %d cells, want %d", name, seen[name], len(p.Cells()))
		}
	}
}

func TestPagesOfProfilesThatAreNoMoreAreRemoved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"gone.md": generated + "# Gone\n", "guide.md": "# By hand\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := run(dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"gone.md": false, "guide.md": true, "README.md": true, "verdicts.json": true} {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != want {
			t.Errorf("%s is there: %t, want %t", name, err == nil, want)
		}
	}
}

func TestProse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain words, and more.":  "plain words, and more.",
		"write $ref (not $defs).": "write `$ref` (not `$defs`).",
		"a_b and a*b":             "`a_b` and `a*b`",
		"under #/$defs/A: fine":   "under `#/$defs/A`: fine",
		"a `quoted` word":         "a `` `quoted` `` word",
		"from a|b":                "from `a|b`",
		"nothing":                 "nothing",
	} {
		if got := prose(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{"no end": "No end.", "An end.": "An end.", "$ref is": "`$ref` is.", "": ""} {
		if got := sentence(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
