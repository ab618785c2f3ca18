// SPDX-License-Identifier: Apache-2.0

package catalogue

import (
	"embed"
	"html/template"
	"io/fs"
	"strings"
	"sync"

	"github.com/toolcontract/operator/internal/card"
)

//go:embed templates/*.html templates/style.css templates/icon.svg
var files embed.FS

// templates are the kinds of pages, each with the layout that they share. They are
// read once, and not by programs that write no page.
var templates = sync.OnceValue(parse)

func parse() map[string]*template.Template {
	layout := template.Must(template.New("").Funcs(template.FuncMap{
		"inline": inline, "lines": block, "visible": card.Visible,
	}).ParseFS(files, "templates/layout.html"))
	out := map[string]*template.Template{}
	names, _ := fs.Glob(files, "templates/*.html") // the pattern is fine
	for _, file := range names {
		name := strings.TrimSuffix(strings.TrimPrefix(file, "templates/"), ".html")
		if name != "layout" {
			out[name] = template.Must(template.Must(layout.Clone()).ParseFS(files, file))
		}
	}
	return out
}

// asset writes a file that is the same in every catalogue.
func (s *site) asset(name string) {
	data, err := files.ReadFile("templates/" + name)
	if err != nil && s.err == nil { // it is embedded
		s.err = err
	}
	s.file(name, data)
}
