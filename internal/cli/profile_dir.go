// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/render"
)

// profileFile is one file of --profile-dir.
type profileFile struct {
	path       string
	isManifest bool
}

// profileDirFlag is the flag of the commands that know profiles.
func profileDirFlag(f *pflag.FlagSet) *string { return f.String("profile-dir", "", "") }

// loadProfiles puts the profiles of a directory beside the built-in ones, or in
// their place. done is as of [Program.parse]: every problem of every file was
// said.
func (p *Program) loadProfiles(f *pflag.FlagSet, dir string) (code int, done bool) {
	if dir == "" {
		return exitOK, false
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		p.complain("reading profiles: %v", err)
		return exitUsage, true
	}
	texts, files, broken := map[string][]byte{}, map[string]profileFile{}, false
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		if !isProfileName(path) {
			continue
		}
		info, err := os.Stat(path)
		switch {
		case err == nil && info.IsDir():
			continue
		case err == nil && !info.Mode().IsRegular(): // reading it may never end
			p.complain("%s: it is not a regular file, nor a link to one, and is not opened; remove it, or put a profile in its place", path)
			broken = true
			continue
		}
		name, file, text, ok := p.readProfile(path)
		if other, taken := files[name]; ok && taken {
			p.complain("%s: the profile %s is also in %s; keep one of them", path, finding.Quote(name), other.path)
			ok = false
		}
		if broken = broken || !ok; ok {
			texts[name], files[name] = text, file
		}
	}
	if len(texts) == 0 && !broken {
		return p.badUsage(f, "--profile-dir %s: there is no *.yaml, *.yml or *.json in it", dir), true
	}
	catalog, problems := p.profiles.With(texts, render.Formats())
	for _, name := range slices.Sorted(maps.Keys(problems)) {
		found := problems[name]
		if files[name].isManifest {
			found = provider.InManifest(found)
		}
		p.complainAll(files[name].path, found)
	}
	if broken || len(problems) > 0 {
		return exitUsage, true
	}
	p.profiles = catalog
	return exitOK, false
}

// isProfileName accepts the names of profile files. What such a name stands for
// must be a regular file or a link to one: a mounted ConfigMap is a directory of
// links. What cannot be looked at is reported when it is opened.
func isProfileName(path string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(path))
}

// readProfile reads one file in either form and says what is wrong with it.
func (p *Program) readProfile(path string) (name string, file profileFile, text []byte, ok bool) {
	source, err := p.open("profile", path)
	if err != nil {
		p.complain("%v", err)
		return "", profileFile{}, nil, false
	}
	file = profileFile{path: path, isManifest: provider.IsManifest(source.Data)}
	if !file.isManifest {
		return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), file, source.Data, true
	}
	name, text, found := provider.FromManifest(source.Data)
	p.complainAll(path, found)
	return name, file, text, len(found) == 0
}

// complainAll says what is wrong with a file.
func (p *Program) complainAll(path string, found []finding.Finding) {
	for _, f := range found {
		p.complain("%s: %s", path, f)
	}
}

// used are the profiles of a catalogue that targets name, once each by name.
func (p *Program) used(names []string) []*provider.Profile {
	slices.Sort(names)
	var out []*provider.Profile
	for _, name := range slices.Compact(names) {
		if profile, ok := p.profiles.Lookup(name); ok {
			out = append(out, profile)
		}
	}
	return out
}

// maxAge is how many days after the comparison with its sources the age of a
// profile is worth a line. APIs move; a profile that is old is not wrong.
const maxAge = 90

// age is how many days ago a profile was compared with its sources.
func (p *Program) age(profile *provider.Profile) (days int, ok bool) {
	return p.daysSince(profile.Reviewed)
}

// ageLine says that a profile is old; empty if it is not.
func (p *Program) ageLine(profile *provider.Profile) string {
	days, ok := p.age(profile)
	if !ok || days <= maxAge {
		return ""
	}
	return fmt.Sprintf("profile %s was last compared with its sources %d days ago, on %s", profile.Name, days, profile.Reviewed)
}
