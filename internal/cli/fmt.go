// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/manifest"
	"github.com/toolcontract/operator/internal/yamledit"
)

const fmtUsage = `Lay out ToolContracts, ToolSets and ProviderProfiles in one way: two spaces of indentation,
the fields in the order of the API reference, no space at line ends. Values, comments,
quotes and blank lines stay, and so does the order of everything inside of a schema: it
is the author's, and models read it. The digest of a contract does not change.

Usage:
  {command} fmt FILE|DIR|-... [--check] [-o text|json]

Files that change are named on standard output. A list stays at the column of its key
where it is there. Objects of other kinds and JSON stay as they are. Doing it twice is
doing it once. Of standard input (-) the result goes to standard output.

Flags:
      --check       change nothing, and name the files that would change
  -o, --output text|json
                    text is one name per line (default); json has a schema:
                    docs/schemas/fmt.schema.json
  -h, --help        print this text

Exit code: 0 everything is laid out; 1 with --check a file would change, or a document
is in a form that is not laid out by itself; 2 bad usage, or a file that cannot be read
or written.

Examples:
  {command} fmt contracts
  {command} fmt --check contracts
`

// fmtList is the JSON output of fmt. Members are only added to it.
type fmtList struct {
	Files []fmtFile `json:"files"`
}

// fmtFile is a file that changes, or that has something that is not laid out.
type fmtFile struct {
	File string `json:"file"`
	// Changed says that the file has changed, or would without --check.
	Changed bool `json:"changed"`
	// Problems say, each with its line, what is left as it was.
	Problems []string `json:"problems,omitempty"`
}

func (p *Program) fmt(arguments []string) int {
	f := p.flags("fmt")
	check := f.Bool("check", false, "")
	output := f.StringP("output", "o", "text", "")
	if code, done := p.parse(f, fmtUsage, arguments); done {
		return code
	}
	if *output != "text" && *output != "json" {
		return p.badUsage(f, "there is no output format %q; write text or json", *output)
	}
	if wrong := checkInputs(f.Args()); wrong != "" {
		return p.badUsage(f, "%s", wrong)
	}
	if slices.Contains(f.Args(), manifest.Stdin) && *output == "json" && !*check {
		return p.badUsage(f, "standard output is for the manifests; add --check, or leave out -o json")
	}
	list, readable, wrong := fmtList{Files: []fmtFile{}}, true, false
	for source, err := range manifest.Open(f.Args(), p.In) {
		if err != nil {
			p.complain("%v", err)
			readable = false
			continue
		}
		file, ok := p.formatFile(source, *check, *output == "text")
		readable = readable && ok
		wrong = wrong || len(file.Problems) > 0 || *check && file.Changed
		if file.Changed || len(file.Problems) > 0 {
			list.Files = append(list.Files, file)
		}
	}
	if *output == "json" {
		p.writeJSON(list)
	}
	switch {
	case !readable:
		return exitUsage
	case wrong:
		return exitFindings
	}
	return exitOK
}

// formatFile lays out one file, and writes it unless it is only checked. It returns
// false if it cannot be written.
func (p *Program) formatFile(source manifest.Source, check, isText bool) (file fmtFile, ok bool) {
	after, problems := formatted(source)
	file = fmtFile{File: source.Name, Changed: !bytes.Equal(after, source.Data), Problems: problems}
	for _, problem := range problems {
		p.complain("%s: %s", fileName(source.Name), problem)
	}
	isResult := source.Name == manifest.Stdin && !check
	var err error
	switch {
	case isResult:
		_, err = p.out.Write(after)
	case file.Changed && !check:
		err = rewriteFile(source.Name, string(after))
	}
	if err != nil {
		p.complain("writing the file: %v", err)
	}
	if file.Changed && !isResult && isText {
		fmt.Fprintln(p.out, finding.Printable(source.Name))
	}
	return file, err == nil
}

// formatted is a file with the objects of our kinds laid out.
func formatted(source manifest.Source) (after []byte, problems []string) {
	data, hasMark := bytes.CutPrefix(source.Data, byteOrderMark)
	if hasMark {
		after = slices.Clone(byteOrderMark)
	}
	at := 0
	for d := range source.Documents() {
		text, start := d.Text()
		kind := kindOf(d)
		if len(text) == 0 && kind != "" && len(d.Findings) > 0 { // it is no text
			problems = append(problems, fmt.Sprintf("line %d: %s", d.Line, d.Findings[0]))
		}
		if kind == "" || start < at || len(text) == 0 {
			continue
		}
		order := fieldOrder(kind)
		if d.At() != "" { // an item of a list, which has several kinds
			order = func([]string) []string { return nil }
		}
		laidOut, err := yamledit.Format(text, order)
		if err != nil {
			problems = append(problems, fmt.Sprintf("line %d: %v", d.Line, err))
			laidOut = text
		}
		after = append(append(after, data[at:start]...), laidOut...)
		at = start + len(text)
	}
	return append(after, data[at:]...), problems
}

// kindOf is the kind of a document if it is laid out by fmt.
func kindOf(d *manifest.Document) string {
	switch {
	case d.IsSet:
		return "ToolSet"
	case d.OtherKind == profileKind:
		return d.OtherKind
	case d.Skipped == "":
		return "ToolContract"
	}
	return ""
}
