// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/manifest"
	"github.com/toolcontract/operator/internal/yamledit"
)

const fixUsage = `Do to ToolContracts what findings of check say, where that needs no judgement. Comments,
order, quotes and every line that no fix is about stay as they are.

Usage:
  {command} fix FILE|DIR|-... [--dry-run] [--rule RULE]... [--unsafe]
      [-o text|json] [--profile-dir DIR]

A fix is safe if it is proved that the tool admits exactly the same calls and answers
afterwards, and if it takes nothing away that a model reads; or if it mends a manifest
that an API server refuses. Only safe fixes are made, unless --unsafe or --rule says
more. After each one the contract is judged again: a fix that does not leave fewer
errors, or as many and fewer warnings, is undone. Doing it twice is doing it once.

Files are replaced in one step and keep their permissions. Of standard input (-) the
result goes to standard output, and what was done to standard error.

Flags:
      --dry-run     print a unified diff and change no file
      --rule RULE   only the fixes of this rule, safe or not; may be repeated
      --unsafe      also fixes that change what the tool admits, such as
                    additionalProperties: false. The versions of published contracts
                    need a bump afterwards: {command} plan says which
  -o, --output text|json
                    text is for people (default); json has a schema:
                    docs/schemas/fix.schema.json
      --profile-dir DIR
                    also know the profiles in DIR, as for the command profiles
  -h, --help        print this text

Exit code: 0 all fixes that are allowed were made; 1 some need a person, --unsafe or
--rule, or with --dry-run files would change; 2 bad usage, or a file that cannot be
read or written. What has no fix is for {command} check.

Examples:
  {command} fix contracts --dry-run
  {command} fix refund.yaml --rule example-keyword
  {command} fix - < refund.yaml --unsafe > fixed.yaml
`

// The words for what became of a fix.
const (
	fixMade   = "Fixed"
	fixUnsafe = "Unsafe"
	fixUndone = "Undone"
	// fixManual: the text is in a form that is not edited by itself.
	fixManual = "Manual"
)

// fixList is the JSON output of fix. Members are only added to it.
type fixList struct {
	Files []fixedFile `json:"files"`
}

// fixedFile is a file with a finding that has a fix.
type fixedFile struct {
	File string `json:"file"`
	// Changed says that the file has changed, or would without --dry-run.
	Changed bool      `json:"changed"`
	Fixes   []fixView `json:"fixes"`
	// Diff is there with --dry-run.
	Diff string `json:"diff,omitempty"`

	after []byte
}

// fixView is one fix. Pointer leads into what Side names.
type fixView struct {
	// State is Fixed, Unsafe, Undone or Manual; Reason says why it is not Fixed.
	State   string       `json:"state"`
	Object  string       `json:"object"`
	Rule    string       `json:"rule"`
	Side    finding.Side `json:"side"`
	Pointer string       `json:"pointer"`
	Profile string       `json:"profile,omitempty"`
	Fix     string       `json:"fix"`
	Reason  string       `json:"reason,omitempty"`
}

func (p *Program) fix(arguments []string) int {
	f := p.flags("fix")
	dryRun := f.Bool("dry-run", false, "")
	rules := f.StringArray("rule", nil, "")
	unsafe := f.Bool("unsafe", false, "")
	output := f.StringP("output", "o", "text", "")
	dir := profileDirFlag(f)
	if code, done := p.parse(f, fixUsage, arguments); done {
		return code
	}
	if *output != "text" && *output != "json" {
		return p.badUsage(f, "there is no output format %q; write text or json", *output)
	}
	if wrong := checkInputs(f.Args()); wrong != "" {
		return p.badUsage(f, "%s", wrong)
	}
	if slices.Contains(f.Args(), manifest.Stdin) && *output == "json" && !*dryRun {
		return p.badUsage(f, "standard output is for the fixed manifests; add --dry-run, or leave out -o json")
	}
	if code, done := p.loadProfiles(f, *dir); done {
		return code
	}
	r := fixRun{p: p, fixer: fixer{p: p, rules: *rules, unsafe: *unsafe}, dryRun: *dryRun, list: fixList{Files: []fixedFile{}}, isText: *output == "text"}
	readable := true
	for source, err := range manifest.Open(f.Args(), p.In) {
		if err == nil {
			err = r.file(source)
		}
		if err != nil {
			p.complain("%v", err)
			readable = false
		}
	}
	r.end()
	switch {
	case !readable:
		return exitUsage
	case r.needsPerson || *dryRun && r.changed > 0:
		return exitFindings
	}
	return exitOK
}

// fixRun is one run of fix.
type fixRun struct {
	fixer
	p              *Program
	dryRun, isText bool
	list           fixList
	made, changed  int
	needsPerson    bool
}

// file fixes one file and says what was done.
func (r *fixRun) file(source manifest.Source) error {
	done := r.source(source)
	done.Changed = !bytes.Equal(done.after, source.Data)
	if done.Changed {
		r.changed++
	}
	for _, f := range done.Fixes {
		if f.State == fixMade {
			r.made++
		} else {
			r.needsPerson = true
		}
	}
	diff := ""
	if r.dryRun {
		diff = yamledit.Unified(source.Name, source.Data, done.after)
	}
	isStdin := source.Name == manifest.Stdin
	if r.isText {
		out, s := io.Writer(r.p.out), r.p.style
		if r.dryRun || isStdin {
			out, s = r.p.Err, style{} // colours are for standard output
		}
		for _, f := range done.Fixes {
			r.line(out, s, source.Name, f)
		}
	} else if done.Diff = diff; len(done.Fixes) > 0 {
		r.list.Files = append(r.list.Files, done)
	}
	switch {
	case r.dryRun && r.isText:
		for line := range strings.Lines(diff) {
			r.diffLine(strings.TrimSuffix(line, "\n"))
		}
	case r.dryRun:
	case isStdin:
		_, err := r.p.out.Write(done.after)
		return err
	case done.Changed:
		if err := rewriteFile(source.Name, string(done.after)); err != nil {
			return fmt.Errorf("writing the fixed file: %w", err)
		}
	}
	return nil
}

func (r *fixRun) line(out io.Writer, s style, file string, f fixView) {
	colour, reason := yellow, ": "+f.Reason
	if f.State == fixMade {
		colour, reason = green, ""
	}
	place := finding.Finding{Side: f.Side, Pointer: f.Pointer}.Place()
	fmt.Fprintf(out, "%s %s [%s]%s\n", s.paint(colour, f.State),
		finding.Printable(fileName(file)+": "+f.Object+" "+place+": "+f.Fix), f.Rule, finding.Printable(reason))
}

func (r *fixRun) diffLine(line string) {
	colour := ""
	switch {
	case strings.HasPrefix(line, "---"), strings.HasPrefix(line, "+++"):
	case strings.HasPrefix(line, "-"):
		colour = red
	case strings.HasPrefix(line, "+"):
		colour = green
	}
	if colour == "" || !r.p.style.on { // a diff that is not painted is for programs and stays as it is
		fmt.Fprintln(r.p.out, line)
		return
	}
	fmt.Fprintln(r.p.out, r.p.style.paint(colour, line))
}

func (r *fixRun) end() {
	if !r.isText {
		r.p.writeJSON(r.list)
		return
	}
	verb := "changed"
	if r.dryRun {
		verb = "would change"
	}
	left := ""
	if r.needsPerson {
		left = "; the others need a person, --unsafe or --rule"
	}
	r.p.complain("%s, %s %s%s", fixes(r.made), plural(r.changed, "file"), verb, left)
}

func fixes(n int) string {
	if n == 1 {
		return "1 fix"
	}
	return fmt.Sprintf("%d fixes", n)
}
