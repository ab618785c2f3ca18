// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/toolcontract/operator/internal/finding"
)

// Catalog is an immutable set of profiles by name.
type Catalog struct {
	profiles map[string]*Profile
	shelf    *shelf // profiles that are read when they are first asked for; nil for none
}

//go:embed profiles/*.yaml
var embedded embed.FS

// Builtin returns the profiles that are part of the program. Each is read once,
// when it is first asked for.
func Builtin() *Catalog { return builtin() }

var builtin = sync.OnceValue(func() *Catalog {
	files, err := embeddedFiles()
	if err != nil {
		panic("reading embedded profiles: " + err.Error()) //nolint:forbidigo // not input: the files are compiled in
	}
	return &Catalog{shelf: &shelf{loader: loader{files: files, read: map[string]*readFile{}}}}
})

func embeddedFiles() (map[string][]byte, error) {
	files := map[string][]byte{}
	names, err := fs.Glob(embedded, "profiles/*.yaml")
	if err != nil {
		return nil, fmt.Errorf("listing profiles: %w", err)
	}
	for _, name := range names {
		raw, err := embedded.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("reading profile: %w", err)
		}
		files[strings.TrimSuffix(strings.TrimPrefix(name, "profiles/"), ".yaml")] = raw
	}
	return files, nil
}

// shelf holds embedded files, most of which no call of a command needs.
type shelf struct {
	known sync.Map // names to profiles
	mu    sync.Mutex
	// loader is guarded by mu.
	loader loader
}

func (s *shelf) lookup(name string) (*Profile, bool) {
	if p, ok := s.known.Load(name); ok {
		return p.(*Profile), true
	}
	if _, ok := s.loader.files[name]; !ok {
		return nil, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.loader.file(name)
	if f.profile == nil {
		// The files are compiled in, and a test reads them all.
		panic(fmt.Sprintf("reading embedded profile %s: %s", name, finding.Summary(f.problems, 3))) //nolint:forbidigo // not input: a build with a broken profile must not use it
	}
	s.known.Store(name, f.profile)
	return f.profile, true
}

// loadEmbedded reads all embedded files, and says what is wrong with any.
func loadEmbedded() error {
	files, err := embeddedFiles()
	if err != nil {
		return err
	}
	_, err = load(files)
	return err
}

// load reads files that stand for themselves. The error names every problem of
// every file.
func load(files map[string][]byte) (*Catalog, error) {
	l := loader{files: files}
	profiles, broken := l.load()
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(broken)) {
		for _, f := range broken[name] {
			faults = append(faults, fmt.Errorf("profiles/%s.yaml %s", name, f))
		}
	}
	return &Catalog{profiles: profiles}, errors.Join(faults...)
}

// With returns a catalog in which profile files, given by name, stand beside
// the profiles of this one or in the place of those with the same name. A file
// may extend another file or a profile of this catalog, also the one that it
// replaces; what extends a replaced profile keeps the facts that it had.
//
// Problems are returned by name, with JSON pointers into the file. A file with
// problems changes nothing: what had its name stays. Every file must name one of
// the given wire formats.
func (c *Catalog) With(files map[string][]byte, formats []string) (*Catalog, map[string][]finding.Finding) {
	l := loader{files: files, base: c, formats: append([]string{}, formats...)}
	profiles, broken := l.load()
	all := map[string]*Profile{}
	maps.Copy(all, c.profiles)
	maps.Copy(all, profiles)
	return &Catalog{profiles: all, shelf: c.shelf}, broken
}

// Lookup returns a profile by name.
func (c *Catalog) Lookup(name string) (*Profile, bool) {
	if c == nil {
		return nil, false
	}
	if p, ok := c.profiles[name]; ok {
		return p, true
	}
	if c.shelf == nil {
		return nil, false
	}
	return c.shelf.lookup(name)
}

// Names returns the names of all profiles, sorted.
func (c *Catalog) Names() []string {
	names := slices.Collect(maps.Keys(c.profiles))
	if c.shelf != nil {
		names = slices.AppendSeq(names, maps.Keys(c.shelf.loader.files))
	}
	slices.Sort(names)
	return slices.Compact(names)
}
