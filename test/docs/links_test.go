// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	link     = regexp.MustCompile(`!?\[[^\]]*\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)`)
	codeSpan = regexp.MustCompile("`([^`\n]+)`")
	// repositoryPath is a code span that can only mean a file of the repository.
	repositoryPath = regexp.MustCompile(`^(api|charts|cmd|config|docs|examples|hack|internal|pkg|test)(/[A-Za-z0-9_.{},*-]+)+/?$`)
)

// TestEveryLinkLeadsSomewhere: to a file of the repository and to a heading in it.
func TestEveryLinkLeadsSomewhere(t *testing.T) {
	t.Parallel()
	all := pages(t)
	byPath := map[string]page{}
	for _, p := range all {
		byPath[p.path] = p
	}
	followed := 0
	for _, p := range all {
		for number, line := range strings.Split(p.prose, "\n") {
			for _, match := range link.FindAllStringSubmatch(codeSpan.ReplaceAllString(line, ""), -1) {
				target := match[1]
				if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
					continue
				}
				followed++
				file, anchor, _ := strings.Cut(target, "#")
				to := p.path
				if file != "" {
					to = path.Join(path.Dir(p.path), file)
				}
				info, err := os.Stat(filepath.Join(root, filepath.FromSlash(to)))
				if err != nil {
					t.Errorf("%s:%d: %s leads nowhere: %v", p.path, number+1, target, err)
					continue
				}
				if anchor == "" {
					continue
				}
				if info.IsDir() {
					to = path.Join(to, "README.md")
				}
				if target, isPage := byPath[to]; !isPage || !target.anchors()[anchor] {
					t.Errorf("%s:%d: %s has no heading #%s", p.path, number+1, to, anchor)
				}
			}
		}
	}
	if followed < 200 {
		t.Errorf("only %d links were followed", followed)
	}
}

// goName is what a path of a package can end with.
var goName = regexp.MustCompile(`\.[A-Z][A-Za-z]*$`)

// elsewhere are paths that look like ours and are not.
var elsewhere = map[string]string{
	"config/with-mounts/kustomization.yaml": "the reader writes it",
	"docs/json_schema.md":                   "of another repository",
}

// TestEveryPathIsThere: what is spelt like a file of the repository is one.
func TestEveryPathIsThere(t *testing.T) {
	t.Parallel()
	looked := 0
	for _, p := range pages(t) {
		for number, line := range strings.Split(p.prose, "\n") {
			for _, match := range codeSpan.FindAllStringSubmatch(line, -1) {
				if !repositoryPath.MatchString(match[1]) || elsewhere[match[1]] != "" {
					continue
				}
				looked++
				for _, pattern := range braces(goName.ReplaceAllString(match[1], "")) {
					found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
					if err != nil || len(found) == 0 {
						t.Errorf("%s:%d: there is no %s", p.path, number+1, pattern)
					}
				}
			}
		}
	}
	if looked < 25 {
		t.Errorf("only %d paths were looked for", looked)
	}
}

// braces writes a{b,c}d as abd and acd.
func braces(pattern string) []string {
	before, rest, found := strings.Cut(pattern, "{")
	inner, after, closed := strings.Cut(rest, "}")
	if !found || !closed {
		return []string{pattern}
	}
	var out []string
	for part := range strings.SplitSeq(inner, ",") {
		out = append(out, braces(before+part+after)...)
	}
	return out
}

// TestEveryGuideIsInTheIndex: what nobody finds is not written.
func TestEveryGuideIsInTheIndex(t *testing.T) {
	t.Parallel()
	index, err := os.ReadFile(filepath.Join(root, "docs", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	guides, err := filepath.Glob(filepath.Join(root, "docs", "guides", "*.md"))
	if err != nil || len(guides) < 20 {
		t.Fatalf("%d guides: %v", len(guides), err)
	}
	for _, guide := range guides {
		if name := filepath.Base(guide); !strings.Contains(string(index), "](guides/"+name+")") {
			t.Errorf("docs/README.md does not lead to %s", name)
		}
	}
}
