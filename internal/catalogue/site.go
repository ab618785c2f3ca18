// SPDX-License-Identifier: Apache-2.0

package catalogue

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Build makes the files of a catalogue and hands them over one after the other.
// It goes through the contracts once and keeps of each only what the pages about
// several of them say. An error is that of put, which ends the work.
func Build(m *Model, put func(file string, data []byte) error) (Summary, error) {
	s := &site{model: m, put: put, profiles: map[string]*profileUse{}, rules: map[string]*ruleUse{}, inSets: map[Name][]link{}}
	for _, set := range m.Sets {
		s.noteSet(set)
	}
	for c := range m.Contracts {
		s.contract(c)
		if s.err != nil {
			return s.summary, s.err
		}
	}
	for _, set := range m.Sets {
		s.set(set)
	}
	s.namespaces()
	s.profilePages()
	s.rulePages()
	s.lists()
	s.index()
	s.asset(styleFile)
	s.asset(iconFile)
	s.marker()
	return s.summary, s.err
}

// site is a catalogue that is being made.
type site struct {
	model   *Model
	put     func(file string, data []byte) error
	err     error
	buffer  bytes.Buffer
	summary Summary

	files    []string
	rows     []*row
	profiles map[string]*profileUse
	rules    map[string]*ruleUse
	// inSets are the sets that hold a contract.
	inSets map[Name][]link
}

// row is what is kept of a contract.
type row struct {
	Name
	version string
	states  []state
	cells   map[string]state
	// errors counts everything that somebody has to mend.
	errors int
	why    string
}

func (r *row) file() string { return pageFile(contractsFolder, r.slug(), 1) }

// file hands a file over, unless an earlier one could not be written.
func (s *site) file(name string, data []byte) {
	if s.err != nil {
		return
	}
	s.files = append(s.files, name)
	s.summary.Files++
	s.summary.Bytes += len(data)
	s.err = s.put(name, data)
}

// page is what the layout shows around a page.
type page struct {
	Title, Site, Source, Root string
	Nav                       []link
	Body                      any
}

// link leads to a page of the catalogue.
type link struct {
	Href, Text, Note string
	Current          bool
	States           []state
}

var sections = []struct{ file, text string }{
	{indexFile, "Overview"}, {listFile, "Contracts"}, {setsFile, "Sets"}, {profilesFile, "Profiles"}, {findingsFile, "Findings"},
}

// write makes a page of a template. The part of the site that it is in is the
// file of a section.
func (s *site) write(template, file, title, section string, body any) {
	if s.err != nil {
		return
	}
	root := root(file)
	p := page{Title: title, Site: s.model.Title, Source: s.model.Source, Root: root, Body: body}
	for _, n := range sections {
		if n.file != setsFile || len(s.model.Sets) > 0 {
			p.Nav = append(p.Nav, link{Href: root + n.file, Text: n.text, Current: n.file == section})
		}
	}
	s.buffer.Reset()
	if err := templates()[template].ExecuteTemplate(&s.buffer, "layout", p); err != nil {
		s.err = fmt.Errorf("page %s: %w", file, err)
		return
	}
	s.file(file, bytes.Clone(s.buffer.Bytes()))
}

// root leads from a page to the folder of the catalogue.
func root(file string) string { return strings.Repeat("../", strings.Count(file, "/")) }

// markerVersion names the form of the marker.
const markerVersion = "toolcontract.dev/catalogue/v1"

// marker is the file that says what the folder is.
type marker struct {
	SchemaVersion string   `json:"schemaVersion"`
	Title         string   `json:"title"`
	Contracts     int      `json:"contracts"`
	Sets          int      `json:"sets"`
	Files         []string `json:"files"` // all others, sorted
}

func (s *site) marker() {
	slices.Sort(s.files)
	text, err := json.MarshalIndent(marker{markerVersion, s.model.Title, s.summary.Contracts, s.summary.Sets, s.files}, "", "  ")
	if err != nil { // texts and numbers
		s.err = err
		return
	}
	s.file(Marker, append(text, '\n'))
}

// ReadMarker reads a [Marker] file: the files of the catalogue beside it.
func ReadMarker(text []byte) (files []string, ok bool) {
	var m marker
	ok = json.Unmarshal(text, &m) == nil && m.SchemaVersion == markerVersion
	return m.Files, ok
}

// columns are the profiles of some rows, by name.
func columns(rows []*row) []string {
	names := map[string]bool{}
	for _, r := range rows {
		for name := range r.cells {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}
