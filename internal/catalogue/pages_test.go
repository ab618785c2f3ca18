// SPDX-License-Identifier: Apache-2.0

package catalogue

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// checkPages holds every page to what all pages promise: the policy, no script,
// nothing from elsewhere, links that lead somewhere, headings in order, tables and
// regions with names.
func checkPages(t *testing.T, files map[string]string) {
	t.Helper()
	pages := map[string]*pageFacts{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if path.Ext(name) == ".html" {
			pages[name] = readPage(t, name, files[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		p := pages[name]
		for _, problem := range p.problems {
			t.Errorf("%s: %s", name, problem)
		}
		for _, href := range p.links {
			file, id, _ := strings.Cut(href, "#")
			to := name
			if file != "" {
				to = path.Join(path.Dir(name), file)
			}
			switch target := pages[to]; {
			case target == nil && files[to] == "":
				t.Errorf("%s: the link %s leads to nothing", name, href)
			case target != nil && id != "" && !target.ids[id]:
				t.Errorf("%s: the link %s leads to no place of its page", name, href)
			}
		}
	}
}

// pageFacts is what the checks read of a page.
type pageFacts struct {
	ids      map[string]bool
	links    []string
	problems []string
	heading  int
	refers   []string
}

const policy = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"

func readPage(t *testing.T, name, text string) *pageFacts {
	t.Helper()
	p := &pageFacts{ids: map[string]bool{}}
	z := html.NewTokenizer(strings.NewReader(text))
	seen := map[string]int{}
	var open []string
	for {
		switch z.Next() {
		case html.ErrorToken:
			p.end(seen, open)
			return p
		case html.StartTagToken, html.SelfClosingTagToken:
			token := z.Token()
			seen[token.Data]++
			if !slices.Contains([]string{"meta", "link", "br", "input"}, token.Data) {
				open = append(open, token.Data)
			}
			p.element(token)
		case html.EndTagToken:
			token := z.Token()
			if len(open) == 0 || open[len(open)-1] != token.Data {
				t.Fatalf("%s: </%s> closes %v", name, token.Data, open)
			}
			open = open[:len(open)-1]
		case html.TextToken, html.CommentToken, html.DoctypeToken:
		}
	}
}

// allowed are the elements that pages are made of.
var allowed = strings.Fields(`html head meta title link body a header p nav ul ol li main footer h1 h2 h3 h4 section div span bdi b code pre
	table caption thead tbody tr th td dl dt dd details summary blockquote del ins br fieldset legend label input`)

func (p *pageFacts) say(format string, arguments ...any) {
	p.problems = append(p.problems, fmt.Sprintf(format, arguments...))
}

func (p *pageFacts) element(token html.Token) {
	if !slices.Contains(allowed, token.Data) {
		p.say("there is a <%s>", token.Data)
	}
	attributes := map[string]string{}
	for _, a := range token.Attr {
		attributes[a.Key] = a.Val
		switch {
		case strings.HasPrefix(a.Key, "on"), a.Key == "style", a.Key == "src", a.Key == "srcset":
			p.say("<%s> has %s", token.Data, a.Key)
		case a.Key == "id" && p.ids[a.Val]:
			p.say("the id %s is there twice", a.Val)
		case a.Key == "id":
			p.ids[a.Val] = true
		case a.Key == "href" && (strings.Contains(a.Val, ":") || strings.HasPrefix(a.Val, "/")):
			p.say("a link leads away: %s", a.Val)
		case a.Key == "href" && a.Val == "":
			p.say("a link leads nowhere")
		case a.Key == "href":
			p.links = append(p.links, a.Val)
		case a.Key == "aria-labelledby":
			p.refers = append(p.refers, a.Val)
		}
	}
	if token.Data == "th" && attributes["scope"] == "" {
		p.say("a table heading has no scope")
	}
	if attributes["http-equiv"] == "Content-Security-Policy" && attributes["content"] == policy {
		p.ids["(policy)"] = true
	}
	if level := strings.TrimPrefix(token.Data, "h"); len(token.Data) == 2 && level >= "1" && level <= "6" {
		n := int(level[0] - '0')
		if n > p.heading+1 {
			p.say("<h%d> follows <h%d>", n, p.heading)
		}
		p.heading = n
	}
}

func (p *pageFacts) end(seen map[string]int, open []string) {
	if len(open) > 0 {
		p.say("%v are not closed", open)
	}
	if !p.ids["(policy)"] {
		p.say("there is no policy")
	}
	for _, one := range []string{"h1", "main", "title", "header", "footer"} {
		if seen[one] != 1 {
			p.say("there are %d <%s>", seen[one], one)
		}
	}
	if seen["table"] != seen["caption"] {
		p.say("%d tables have %d captions", seen["table"], seen["caption"])
	}
	for _, id := range p.refers {
		if !p.ids[id] {
			p.say("aria-labelledby names %s, which is not there", id)
		}
	}
}

// built are the files of a catalogue, made twice.
func built(t testing.TB, m func() *Model) (map[string]string, Summary) {
	t.Helper()
	var files [2]map[string]string
	var sum Summary
	for i := range files {
		files[i] = map[string]string{}
		done, err := Build(m(), func(name string, data []byte) error {
			if _, there := files[i][name]; there {
				t.Errorf("%s is written twice", name)
			}
			files[i][name] = string(bytes.Clone(data))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		sum = done
	}
	if !maps.Equal(files[0], files[1]) {
		t.Error("two runs differ")
	}
	return files[0], sum
}
