// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Catalog is an immutable set of profiles by name.
type Catalog struct{ profiles map[string]*Profile }

//go:embed profiles/*.yaml
var embedded embed.FS

// Builtin returns the profiles that are part of the program. They are read
// once.
func Builtin() *Catalog { return builtin() }

var builtin = sync.OnceValue(func() *Catalog {
	c, err := loadEmbedded()
	if err != nil {
		// The files are compiled in, and a test reads them.
		panic("reading embedded profiles: " + err.Error()) //nolint:forbidigo // not input: a build with a broken profile must not run
	}
	return c
})

func loadEmbedded() (*Catalog, error) {
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
	return load(files)
}

// Lookup returns a profile by name.
func (c *Catalog) Lookup(name string) (*Profile, bool) {
	p, ok := c.profiles[name]
	return p, ok
}

// Names returns the names of all profiles, sorted.
func (c *Catalog) Names() []string { return slices.Sorted(maps.Keys(c.profiles)) }
