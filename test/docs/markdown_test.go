// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// root is the top of the repository, seen from this package.
const root = "../.."

// page is a Markdown document.
type page struct {
	path   string // from the top of the repository, with slashes
	blocks []block
	// prose is the text with every fenced block emptied; lines keep their numbers.
	prose string
}

// block is a fenced block.
type block struct {
	line           int // of its first line of text
	language, name string
	text           string
	// notRun is why its commands are not run, from a comment before the block:
	// <!-- not run: it needs a registry -->.
	notRun string
}

// pages reads every document of the repository. What was written by machines is
// among them: a wrong link is wrong whoever wrote it.
func pages(t *testing.T) []page {
	t.Helper()
	var out []page
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{".git", "bin", "dist", "node_modules", "testdata"}, entry.Name()):
			return fs.SkipDir
		case entry.IsDir() || filepath.Ext(path) != ".md":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		out = append(out, parse(filepath.ToSlash(relative), string(text)))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 50 {
		t.Fatalf("only %d documents were found", len(out))
	}
	return out
}

var (
	fence  = regexp.MustCompile("^( *)(```+|~~~+) *([A-Za-z0-9_+-]*) *(.*)$")
	notRun = regexp.MustCompile(`^ *<!-- not run: (.+) -->$`)
)

// parse finds the fenced blocks of a document.
func parse(path, text string) page {
	p := page{path: path}
	var open *block
	var indent, marks, reason string
	var prose strings.Builder
	for number, line := range strings.Split(text, "\n") {
		match := fence.FindStringSubmatch(line)
		switch {
		case open != nil && match != nil && strings.HasPrefix(match[2], marks) && match[3] == "":
			p.blocks = append(p.blocks, *open)
			open = nil
		case open != nil:
			open.text += strings.TrimPrefix(line, indent) + "\n"
		case match != nil:
			indent, marks = match[1], match[2]
			open = &block{line: number + 2, language: match[3], name: match[4], notRun: reason}
		default:
			prose.WriteString(line)
		}
		prose.WriteByte('\n')
		if open == nil && strings.TrimSpace(line) != "" {
			reason = ""
			if found := notRun.FindStringSubmatch(line); found != nil {
				reason = found[1]
			}
		}
	}
	p.prose = prose.String()
	return p
}

// anchors are the ids that GitHub gives the headings of a document.
func (p page) anchors() map[string]bool {
	out := map[string]bool{}
	for line := range strings.SplitSeq(p.prose, "\n") {
		title := strings.TrimLeft(line, "#")
		if level := len(line) - len(title); level == 0 || level > 6 || !strings.HasPrefix(title, " ") {
			continue
		}
		base := slug(title)
		id := base
		for n := 1; out[id]; n++ {
			id = base + "-" + string(rune('0'+n))
		}
		out[id] = true
	}
	for _, match := range htmlID.FindAllStringSubmatch(p.prose, -1) {
		out[match[1]] = true
	}
	return out
}

var (
	htmlID     = regexp.MustCompile(`<a (?:id|name)="([^"]+)">`)
	linkInText = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

func slug(title string) string {
	title = linkInText.ReplaceAllString(title, "$1")
	var b strings.Builder
	for _, r := range strings.ToLower(strings.TrimSpace(title)) {
		switch {
		case unicode.IsLetter(r), unicode.IsNumber(r), r == '-', r == '_':
			b.WriteRune(r)
		case r == ' ':
			b.WriteByte('-')
		}
	}
	return b.String()
}

func TestSlugs(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		" How many lines: servedLines": "how-many-lines-servedlines", " `check -o json`": "check--o-json", " [Lines](x.md), and more": "lines-and-more",
	} {
		if got := slug(title); got != want {
			t.Errorf("%q has the id %q, not %q", title, got, want)
		}
	}
}
