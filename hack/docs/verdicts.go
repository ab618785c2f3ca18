// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/toolcontract/operator/internal/provider"
)

// verdictsFormat documents what [verdicts] writes. Members are only added to it,
// unless the number in "format" is raised.
const verdictsFormat = `
## verdicts.json

A JSON object. Its format is stable: members may be added, and what is there keeps its meaning as long as ` + "`format`" + ` is 1.

| Member | Value |
|---|---|
| ` + "`format`" + ` | 1 |
| ` + "`profiles`" + ` | one object for each profile: ` + "`name`, `title`, `provider`, `api`, `wireFormat`, `revision`, `reviewed` (YYYY-MM-DD), `strict` (Tool, Request, Implied or None), `digest`" + ` of all facts, and ` + "`sources`" + `: what is cited, each with ` + "`title`, `url`, `date`" + ` (YYYY-MM-DD, or YYYY-MM where the day is not known) |
| ` + "`cells`" + ` | one object for each verdict, in the order in which the cases of a profile, keyword and mode are tried |

A cell has these members:

| Member | Value |
|---|---|
| ` + "`profile`" + ` | the name of a profile |
| ` + "`section`" + ` | keywords, rootKeywords (what holds at the root of a schema instead), or shapes |
| ` + "`keyword`" + ` | a keyword, the name of a shape, or unknown for every keyword that has no cell of its own |
| ` + "`mode`" + ` | Strict or Standard |
| ` + "`condition`" + ` | the condition in words; empty for the case that holds otherwise |
| ` + "`when`" + ` | the same condition in the words of a profile file; absent where there is none |
| ` + "`verdict`" + ` | Enforced, Accepted, Rejected, Dropped or Unknown |
| ` + "`confidence`" + ` | High, Medium or Low |
| ` + "`sources`" + ` | the URLs of what says so, each that of a source of the profile; for Unknown, of what was searched |
| ` + "`date`" + ` | that of the newest source |
| ` + "`note`, `error`, `warning`, `fix`" + ` | conflicts and remarks, the API's own message, what breaks behind the API, what to write instead; absent where there is none. Words in braces are filled in |
`

type profileView struct {
	Name       string               `json:"name"`
	Title      string               `json:"title"`
	Provider   string               `json:"provider"`
	API        string               `json:"api"`
	WireFormat string               `json:"wireFormat"`
	Revision   int                  `json:"revision"`
	Reviewed   string               `json:"reviewed"`
	Strict     provider.StrictPlace `json:"strict"`
	Digest     string               `json:"digest"`
	Sources    []sourceView         `json:"sources"`
}

type sourceView struct {
	Title string `json:"title"`
	URL   string `json:"url"`
	Date  string `json:"date"`
}

type cellView struct {
	Profile    string              `json:"profile"`
	Section    provider.Section    `json:"section"`
	Keyword    string              `json:"keyword"`
	Mode       provider.Mode       `json:"mode"`
	Condition  string              `json:"condition"`
	When       *provider.When      `json:"when,omitempty"`
	Verdict    provider.Verdict    `json:"verdict"`
	Confidence provider.Confidence `json:"confidence"`
	Sources    []string            `json:"sources"`
	Date       string              `json:"date"`
	Note       string              `json:"note,omitempty"`
	Error      string              `json:"error,omitempty"`
	Warning    string              `json:"warning,omitempty"`
	Fix        string              `json:"fix,omitempty"`
}

// verdicts writes all profiles for machines: one profile or cell on a line, so
// that a change of one is a change of one line.
func verdicts(profiles []*provider.Profile) ([]byte, error) {
	var heads, cells []any
	for _, p := range profiles {
		head := profileView{
			Name: p.Name, Title: p.Title, Provider: p.Provider, API: p.API, WireFormat: p.WireFormat,
			Revision: p.Revision, Reviewed: p.Reviewed, Strict: p.Strict.Place, Digest: p.Digest(),
		}
		for _, s := range p.Sources {
			head.Sources = append(head.Sources, sourceView{s.Title, s.URL, s.Date})
		}
		heads = append(heads, head)
		for _, row := range p.Cells() {
			c := cellView{
				Profile: p.Name, Section: row.Section, Keyword: row.Name, Mode: row.Mode, Condition: row.Condition, When: row.When,
				Verdict: row.Verdict, Confidence: row.Confidence, Date: row.Date(),
				Note: row.Note, Error: row.Error, Warning: row.Warning, Fix: row.Fix,
			}
			for _, s := range row.From {
				c.Sources = append(c.Sources, s.URL)
			}
			cells = append(cells, c)
		}
	}
	var b bytes.Buffer
	b.WriteString("{\"format\": 1,\n\"profiles\": [\n")
	if err := lines(&b, heads); err != nil {
		return nil, err
	}
	b.WriteString("],\n\"cells\": [\n")
	if err := lines(&b, cells); err != nil {
		return nil, err
	}
	b.WriteString("]}\n")
	return b.Bytes(), nil
}

// lines writes the elements of a list, one on each line.
func lines(b *bytes.Buffer, list []any) error {
	encoder := json.NewEncoder(b)
	encoder.SetEscapeHTML(false)
	for i, element := range list {
		if err := encoder.Encode(element); err != nil {
			return fmt.Errorf("writing verdicts: %w", err)
		}
		if i < len(list)-1 {
			b.Truncate(b.Len() - 1)
			b.WriteString(",\n")
		}
	}
	return nil
}
