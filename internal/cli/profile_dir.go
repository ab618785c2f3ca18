// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"github.com/toolcontract/operator/internal/profiledir"
	"github.com/toolcontract/operator/internal/provider"
)

// profileDirFlag is the flag of the commands that know profiles.
func profileDirFlag(f *pflag.FlagSet) *string { return f.String("profile-dir", "", "") }

// loadProfiles puts the profiles of a directory beside the built-in ones, or in
// their place. done is as of [Program.parse]: every problem of every file was
// said.
func (p *Program) loadProfiles(f *pflag.FlagSet, dir string) (code int, done bool) {
	if dir == "" {
		return exitOK, false
	}
	files := os.DirFS(dir)
	names, err := profiledir.Files(files)
	switch {
	case err != nil:
		p.complain("reading profiles in %s: %v", dir, err)
		return exitUsage, true
	case len(names) == 0:
		return p.badUsage(f, "--profile-dir %s: there is no *.yaml, *.yml or *.json in it", dir), true
	}
	catalog, err := profiledir.Read(files, p.profiles)
	var wrong *profiledir.Error
	switch {
	case errors.As(err, &wrong):
		for _, problem := range wrong.Problems {
			p.complain("%s: %s", filepath.Join(dir, problem.File), problem.Text)
		}
		return exitUsage, true
	case err != nil:
		p.complain("reading profiles in %s: %v", dir, err)
		return exitUsage, true
	}
	p.profiles = catalog
	return exitOK, false
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
