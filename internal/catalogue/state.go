// SPDX-License-Identifier: Apache-2.0

package catalogue

import (
	"strings"

	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
)

// state is what came out, in a word. The class gives it a colour, and never says
// anything that the word does not.
type state struct {
	Class, Word string
	Count       int // of errors, or of contracts in this state; zero is not shown
}

// The words for what came out, in the order of their weight.
const (
	wordError    = "error"
	wordExcluded = "excluded"
	wordOK       = "ok"
	wordStrict   = "strict"
	wordInvalid  = "invalid"
	wordRefused  = "refused"
)

// outcomes are what can come out for a contract and a profile.
var outcomes = []string{wordError, wordExcluded, wordOK, wordStrict}

// stateOf is what came out for a target.
func stateOf(t evaluate.Target) state {
	switch {
	case t.Compatible() && t.Given:
		return state{Class: wordStrict, Word: wordStrict}
	case t.Compatible():
		return state{Class: wordOK, Word: wordOK}
	case !t.Blocks():
		return state{Class: wordExcluded, Word: wordExcluded}
	}
	return state{wordError, wordError, finding.Count(t.Findings, finding.Error)}
}

// matrix is a table of contracts, or of namespaces, against profiles.
type matrix struct {
	ID, Caption, Corner string
	Columns             []link
	Rows                []matrixRow
	// Filters are what a reader can choose rows by; none where that is no choice.
	Filters []filter
}

// filter shows the rows of a class alone; of an empty class, all.
type filter struct {
	ID, Class, Text string
	Count           int
}

// Few says that the names of the profiles fit beside each other.
func (m matrix) Few() bool { return len(m.Columns) <= 7 }

type matrixRow struct {
	Href, Text, Note string
	// Class says which filters keep the row.
	Class string
	Cells []matrixCell
}

// matrixCell is a state that leads to the page about it, or counts of states.
type matrixCell struct {
	state
	Href  string
	Parts []state
}

// contractMatrix is the table of some contracts. The namespace is told where it
// is not that of the page.
func (s *site) contractMatrix(page, id, caption string, rows []*row, namespaces bool) matrix {
	names := columns(rows)
	out := matrix{ID: id, Caption: caption, Corner: "Contract", Columns: s.columnLinks(page, names), Filters: filters(rows)}
	for _, r := range rows {
		line := matrixRow{Href: root(page) + r.file(), Text: r.Name.Name, Note: r.version, Class: r.classes()}
		if namespaces {
			line.Text = r.Namespace + "/" + r.Name.Name
		}
		for _, name := range names {
			cell := matrixCell{state: r.cells[name]}
			switch cell.Word {
			case "":
			case wordInvalid:
				cell.Href = line.Href + "#invalid"
			default:
				cell.Href = line.Href + "#" + profileAnchor(name)
			}
			line.Cells = append(line.Cells, cell)
		}
		out.Rows = append(out.Rows, line)
	}
	return out
}

// filters are those that keep some rows and not all.
func filters(rows []*row) []filter {
	counts := map[string]int{}
	for _, r := range rows {
		for class := range strings.FieldsSeq(r.classes()) {
			counts[class]++
		}
	}
	out := []filter{{"show-all", "", "all", len(rows)}}
	for _, f := range []filter{{"show-error", "has-error", "with errors", 0}, {"show-excluded", "has-excluded", "left out somewhere", 0}, {"show-strict", "all-strict", "strict everywhere", 0}} {
		if f.Count = counts[f.Class]; f.Count > 0 && f.Count < len(rows) {
			out = append(out, f)
		}
	}
	if len(out) == 1 {
		return nil
	}
	return out
}

// classes name the filters that keep the row.
func (r *row) classes() string {
	var out []string
	strict, excluded := len(r.cells) > 0, false
	for _, c := range r.cells {
		strict = strict && c.Word == wordStrict
		excluded = excluded || c.Word == wordExcluded
	}
	if r.errors > 0 {
		out = append(out, "has-error")
	}
	if excluded {
		out = append(out, "has-excluded")
	}
	if strict {
		out = append(out, "all-strict")
	}
	return strings.Join(out, " ")
}

// namespaceMatrix counts what came out in each namespace.
func (s *site) namespaceMatrix(page string, groups []namespace) matrix {
	names := columns(s.rows)
	out := matrix{ID: "matrix", Caption: "How many contracts of a namespace each profile takes", Corner: "Namespace", Columns: s.columnLinks(page, names)}
	for _, g := range groups {
		line := matrixRow{Href: root(page) + g.file(1), Text: g.name, Note: plural(len(g.rows), "contract")}
		for _, name := range names {
			line.Cells = append(line.Cells, matrixCell{Parts: tally(g.rows, name)})
		}
		out.Rows = append(out.Rows, line)
	}
	return out
}

// tally counts the states of some contracts for a profile.
func tally(rows []*row, profile string) []state {
	counts := map[string]int{}
	for _, r := range rows {
		counts[r.cells[profile].Word]++
	}
	var out []state
	for _, word := range append([]string{wordInvalid}, outcomes...) {
		if counts[word] > 0 {
			out = append(out, state{classOf(word), word, counts[word]})
		}
	}
	return out
}

func classOf(word string) string {
	if word == wordInvalid || word == wordRefused {
		return wordError
	}
	return word
}

func (s *site) columnLinks(page string, names []string) []link {
	out := make([]link, len(names))
	for i, name := range names {
		out[i] = link{Text: name, Href: s.profileHref(page, name)}
	}
	return out
}

// profileHref leads to the page of a profile; empty if nobody knows it.
func (s *site) profileHref(page, name string) string {
	if _, known := s.model.Profiles.Lookup(name); !known {
		return ""
	}
	return root(page) + pageFile(profilesFolder, slug(name), 1)
}
