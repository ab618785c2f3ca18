// SPDX-License-Identifier: Apache-2.0

package provider

// Row is one cell of the table that a profile is: what the API does with a
// keyword or shape in a mode, under a condition.
type Row struct {
	Section Section
	// Name is a keyword, [Shape], or "unknown" for all keywords that have no entry.
	Name string
	Mode Mode
	// Condition is the condition in words, as [When.String] writes it; empty for
	// the case that holds otherwise.
	Condition string
	Case
	// From are the sources of the case, in its order.
	From []Source
}

// Date is that of the newest source of the cell.
func (r *Row) Date() string {
	newest := ""
	for _, s := range r.From {
		newest = max(newest, s.Date)
	}
	return newest
}

// Cells lists every case of the profile, in the order of [Profile.Entries] and
// then of modes. Cases of one name and mode stand in the order in which they are
// tried.
func (p *Profile) Cells() []Row {
	sources := make(map[string]Source, len(p.Sources))
	for _, s := range p.Sources {
		sources[s.Key] = s
	}
	var out []Row
	for _, entry := range p.Entries() {
		for _, mode := range modes {
			cases := entry.Standard
			if mode == Strict {
				cases = entry.Strict
			}
			for _, c := range cases {
				row := Row{Section: entry.Section, Name: entry.Name, Mode: mode, Condition: c.When.String(), Case: c}
				for _, key := range c.Sources {
					row.From = append(row.From, sources[key])
				}
				out = append(out, row)
			}
		}
	}
	return out
}

// Tally counts the cells of a profile.
type Tally struct{ Cells, High, Medium, Low, Unknown int }

// Tally counts the cells by confidence. Those whose verdict is Unknown count by
// their confidence as well: it is that of the search.
func (p *Profile) Tally() Tally {
	var t Tally
	for _, row := range p.Cells() {
		t.Cells++
		switch row.Confidence {
		case High:
			t.High++
		case Medium:
			t.Medium++
		default:
			t.Low++
		}
		if row.Verdict == Unknown {
			t.Unknown++
		}
	}
	return t
}
