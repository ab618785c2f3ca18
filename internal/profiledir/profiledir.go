// SPDX-License-Identifier: Apache-2.0

package profiledir

import (
	"errors"
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
	entries, err := fs.ReadDir(dir, ".")
	if err != nil {
		return nil, err
	}
	r := reader{profiles: map[string][]byte{}, sources: map[string]source{}}
	for _, entry := range entries {
		name := entry.Name()
		if !slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(name)) || strings.HasPrefix(name, ".") {
			continue
		}
		info, err := fs.Stat(dir, name) // a mounted file is a link
		switch {
		case err != nil:
			r.errs = append(r.errs, err)
			continue
		case info.IsDir():
			continue
		case !info.Mode().IsRegular(): // reading a pipe or a device may never end
			r.errs = append(r.errs, fmt.Errorf("%s: it is not a regular file, nor a link to one, and is not opened. Fix: remove it, or put a profile in its place", name))
			continue
		}
		raw, err := fs.ReadFile(dir, name)
		if err != nil {
			r.errs = append(r.errs, err)
			continue
		}
		r.add(name, raw)
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
	if err := errors.Join(r.errs...); err != nil {
		return nil, err
	}
	return catalog, nil
}

// reader gathers profile files by the name of the profile.
type reader struct {
	profiles map[string][]byte
	sources  map[string]source
	errs     []error
}

// source is where a profile comes from.
type source struct {
	file       string
	isManifest bool
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
		r.errs = append(r.errs, fmt.Errorf("%s: the profile %s is in %s as well. Fix: remove one of the files", file, finding.Quote(name), other.file))
		return
	}
	r.profiles[name], r.sources[name] = raw, from
}

func (r *reader) report(file string, findings []finding.Finding) {
	for _, f := range findings {
		r.errs = append(r.errs, fmt.Errorf("%s: %s", file, f))
	}
}
