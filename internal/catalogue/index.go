// SPDX-License-Identifier: Apache-2.0

package catalogue

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const (
	// maxMatrix is how many contracts the overview shows one by one; of more it
	// shows the namespaces.
	maxMatrix = 120
	// maxPage is how many contracts a page of a namespace shows.
	maxPage = 200
	// maxAttention is how many contracts the overview names that need somebody.
	maxAttention = 5
)

// namespace is a namespace with its contracts and sets.
type namespace struct {
	name string
	rows []*row
	sets []*Set
}

func (n namespace) file(page int) string { return pageFile(namespacesFolder, slug(n.name), page) }

// grouped are the namespaces, by name.
func (s *site) grouped() []namespace {
	var out []namespace
	at := func(name string) *namespace {
		i, found := slices.BinarySearchFunc(out, name, func(n namespace, name string) int { return strings.Compare(n.name, name) })
		if !found {
			out = slices.Insert(out, i, namespace{name: name})
		}
		return &out[i]
	}
	for _, r := range s.rows {
		n := at(r.Namespace)
		n.rows = append(n.rows, r)
	}
	for _, set := range s.model.Sets {
		n := at(set.Namespace)
		n.sets = append(n.sets, set)
	}
	return out
}

// namespacePage is what a page of a namespace shows.
type namespacePage struct {
	Name, Lead string
	Pages      []link
	Matrix     matrix
	Sets       []link
}

func (s *site) namespaces() {
	for _, n := range s.grouped() {
		pages := max(1, (len(n.rows)+maxPage-1)/maxPage)
		for i := 1; i <= pages; i++ {
			file := n.file(i)
			rows := n.rows[(i-1)*maxPage : min(len(n.rows), i*maxPage)]
			p := namespacePage{Name: n.name, Lead: plural(len(n.rows), "contract") + " and " + plural(len(n.sets), "set") + "."}
			title := "Namespace " + n.name
			if pages > 1 {
				title = fmt.Sprintf("%s, page %d of %d", title, i, pages)
				for k := 1; k <= pages; k++ {
					p.Pages = append(p.Pages, link{Href: "../" + n.file(k), Text: strconv.Itoa(k), Current: k == i})
				}
			}
			p.Matrix = s.contractMatrix(file, "matrix", "What became of each contract with each profile", rows, false)
			for _, set := range n.sets {
				p.Sets = append(p.Sets, link{Href: "../" + set.setFile(), Text: set.Name.Name})
			}
			s.write("namespace", file, title, listFile, p)
		}
	}
}

// listPage is a list of links in groups.
type listPage struct {
	Heading, Lead string
	Groups        []listGroup
}

type listGroup struct {
	ID, Href, Text string
	Items          []link
}

func (s *site) lists() {
	contracts := listPage{Heading: "Contracts", Lead: plural(len(s.rows), "contract") + ", by namespace."}
	sets := listPage{Heading: "Sets", Lead: plural(len(s.model.Sets), "set") + ": the tools that one agent mounts."}
	for i, n := range s.grouped() {
		group := listGroup{ID: "n-" + strconv.Itoa(i+1), Href: n.file(1), Text: n.name}
		if len(n.rows) > 0 {
			contracts.Groups = append(contracts.Groups, group)
			items := &contracts.Groups[len(contracts.Groups)-1].Items
			for _, r := range n.rows {
				*items = append(*items, link{Href: r.file(), Text: r.Name.Name, Note: r.version, States: r.states})
			}
		}
		if len(n.sets) > 0 {
			sets.Groups = append(sets.Groups, group)
			items := &sets.Groups[len(sets.Groups)-1].Items
			for _, set := range n.sets {
				*items = append(*items, link{Href: set.setFile(), Text: set.Name.Name, States: set.states()})
			}
		}
	}
	s.write("list", listFile, "Contracts", listFile, contracts)
	if len(s.model.Sets) > 0 {
		s.write("list", setsFile, "Sets", setsFile, sets)
	}
	profiles := listPage{Heading: "Profiles", Lead: "A profile says what one provider API takes. These are the ones that contracts or sets of this catalogue are meant for."}
	names := columns(s.rows)
	for name := range s.profiles {
		names = append(names, name)
	}
	slices.Sort(names)
	group := listGroup{ID: "all", Text: "By name"}
	for _, name := range slices.Compact(names) {
		item := link{Href: s.profileHref(profilesFile, name), Text: name, States: tally(s.rows, name)}
		if profile, known := s.model.Profiles.Lookup(name); known {
			item.Note = profile.Title
		} else {
			item.Note = "nobody knows this profile"
		}
		group.Items = append(group.Items, item)
	}
	if len(group.Items) > 0 {
		profiles.Groups = []listGroup{group}
	}
	s.write("list", profilesFile, "Profiles", profilesFile, profiles)
	s.findingsIndex()
}

// indexPage is the overview.
type indexPage struct {
	Title, Lead          string
	Tally                []tile
	Notes                []string
	Attention            []link
	MoreAttention        string
	Namespaces, Profiles []link
	MatrixHeading        string
	Matrix               matrix
}

// tile is a number that leads to what it counts.
type tile struct{ Href, Number, Text, Class string }

func (s *site) index() {
	groups := s.grouped()
	c := s.summary
	p := indexPage{Title: s.model.Title, Lead: s.lead(), Notes: s.model.Notes}
	p.Tally = []tile{{listFile, thousands(c.Contracts), words(c.Contracts, "contract"), ""}}
	if c.Sets > 0 {
		p.Tally = append(p.Tally, tile{setsFile, thousands(c.Sets), words(c.Sets, "set"), ""})
	}
	p.Tally = append(p.Tally,
		tile{profilesFile, thousands(c.Strict), "strict", wordStrict},
		tile{profilesFile, thousands(c.OK), "ok", wordOK},
		tile{profilesFile, thousands(c.Excluded), "excluded", wordExcluded},
		tile{findingsFile, thousands(c.Errors), words(c.Errors, "error"), wordError},
		tile{findingsFile, thousands(c.Warnings), words(c.Warnings, "warning"), "warning"},
	)
	var wrong []*row
	for _, r := range s.rows {
		if r.errors > 0 {
			wrong = append(wrong, r)
		}
	}
	slices.SortStableFunc(wrong, func(a, b *row) int { return cmp.Compare(b.errors, a.errors) })
	for _, r := range wrong[:min(len(wrong), maxAttention)] {
		p.Attention = append(p.Attention, link{Href: r.file(), Text: r.String(), Note: r.why, States: r.states})
	}
	if more := len(wrong) - maxAttention; more > 0 {
		p.MoreAttention = "and " + plural(more, "more contract") + ": see the findings"
	}
	for _, g := range groups {
		p.Namespaces = append(p.Namespaces, link{Href: g.file(1), Text: g.name, Note: plural(len(g.rows), "contract")})
	}
	for _, name := range columns(s.rows) {
		if href := s.profileHref(indexFile, name); href != "" {
			p.Profiles = append(p.Profiles, link{Href: href, Text: name})
		}
	}
	if len(s.rows) <= maxMatrix {
		p.MatrixHeading = "Contracts and profiles"
		p.Matrix = s.contractMatrix(indexFile, "matrix", "What became of each contract with each profile", s.rows, len(groups) > 1)
	} else {
		p.MatrixHeading = "Namespaces and profiles"
		p.Matrix = s.namespaceMatrix(indexFile, groups)
	}
	s.write("index", indexFile, s.model.Title, indexFile, p)
}

func (s *site) lead() string {
	c := s.summary
	taken := c.Strict + c.OK
	if c.Results == 0 {
		return "There is no contract."
	}
	return fmt.Sprintf("%s for %s: of %s, %s are taken, %s of them strictly.", plural(c.Contracts, "contract"),
		plural(len(columns(s.rows)), "provider profile"), plural(c.Results, "pair"), thousands(taken), thousands(c.Strict))
}

// words is the word for a number, without the number.
func words(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
