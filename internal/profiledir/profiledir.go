// SPDX-License-Identifier: Apache-2.0

package profiledir

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/render"
)

// Read returns a catalogue in which the profiles of a directory join those of
// base, or take the place of those with the same name. Every file whose name
// ends in .yaml, .yml or .json and does not begin with a dot is one profile: a
// profile file, whose name is that of the profile, or the manifest of a
// ProviderProfile. Folders are not entered.
//
// The error names every problem of every file with its place. A catalogue that
// lacks a profile would refuse contracts for a reason that nobody would look for
// there, so one broken file breaks all.
func Read(dir fs.FS, base *provider.Catalog) (*provider.Catalog, error) {
	names, err := Files(dir)
	if err != nil {
		return nil, err
	}
	r := reader{profiles: map[string][]byte{}, sources: map[string]source{}}
	for _, name := range names {
		r.file(dir, name)
	}
	catalog, broken := base.With(r.profiles, render.Formats())
	for _, name := range slices.Sorted(maps.Keys(broken)) {
		from := r.sources[name]
		findings := broken[name]
		if from.isManifest {
			findings = provider.InManifest(findings)
		}
		r.report(from.file, findings)
	}
	if len(r.problems) > 0 {
		return nil, &Error{Problems: r.problems}
	}
	return catalog, nil
}

// Files returns the names of the files of a directory that [Read] takes for
// profiles, whether they are or not.
func Files(dir fs.FS) ([]string, error) {
	entries, err := fs.ReadDir(dir, ".")
	if err != nil {
		return nil, err
	}
	var out []string
	for _, entry := range entries {
		name := entry.Name()
		if !slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(name)) || strings.HasPrefix(name, ".") {
			continue
		}
		// A mounted file is a link. What cannot be looked at is reported by Read.
		if info, err := fs.Stat(dir, name); err == nil && info.IsDir() {
			continue
		}
		out = append(out, name)
	}
	return out, nil
}

// Error is everything that is wrong with a directory, in the order of its files.
type Error struct{ Problems []Problem }

// Problem is one thing that is wrong with a file.
type Problem struct{ File, Text string }

func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.File + ": " + p.Text
	}
	return strings.Join(lines, "\n")
}

// reader gathers profile files by the name of the profile.
type reader struct {
	profiles map[string][]byte
	sources  map[string]source
	problems []Problem
}

// source is where a profile comes from.
type source struct {
	file       string
	isManifest bool
}

// file reads one file. Nothing is opened that may never end, and no more is read
// than a profile may have.
func (r *reader) file(dir fs.FS, name string) {
	info, err := fs.Stat(dir, name)
	switch {
	case err != nil:
		r.complain(name, "reading profile: %v", err)
		return
	case !info.Mode().IsRegular():
		r.complain(name, "it is not a regular file, nor a link to one, and is not opened. Fix: remove it, or put a profile in its place")
		return
	case info.Size() > provider.MaxFile:
		r.complain(name, "it has %d bytes, more than the limit of %d. Fix: let the profile extend another one and say only what differs", info.Size(), provider.MaxFile)
		return
	}
	raw, err := fs.ReadFile(dir, name)
	if err != nil {
		r.complain(name, "reading profile: %v", err)
		return
	}
	r.add(name, raw)
}

func (r *reader) complain(file, format string, args ...any) {
	r.problems = append(r.problems, Problem{File: file, Text: fmt.Sprintf(format, args...)})
}

func (r *reader) add(file string, raw []byte) {
	from := source{file: file, isManifest: provider.IsManifest(raw)}
	name := strings.TrimSuffix(file, path.Ext(file))
	if from.isManifest {
		var findings []finding.Finding
		if name, raw, findings = provider.FromManifest(raw); len(findings) > 0 {
			r.report(file, findings)
			return
		}
	}
	if other, taken := r.sources[name]; taken {
		r.complain(file, "the profile %s is also in %s. Fix: remove one of the files", finding.Quote(name), other.file)
		return
	}
	r.profiles[name], r.sources[name] = raw, from
}

func (r *reader) report(file string, findings []finding.Finding) {
	for _, f := range findings {
		r.complain(file, "%s", f)
	}
}
