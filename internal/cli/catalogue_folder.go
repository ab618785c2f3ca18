// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/toolcontract/operator/internal/catalogue"
	"github.com/toolcontract/operator/internal/finding"
)

// catalogueFolder is the folder of a catalogue. What is written goes into another
// one beside it, which takes its place when everything is there.
type catalogueFolder struct {
	path string // as it was given
	// place is the folder itself, fresh the one that is written, empty until then.
	place, fresh string
}

// openCatalogueFolder looks at what is there. A folder with anything in it that no
// catalogue wrote is refused: it would be lost.
func openCatalogueFolder(path string) (*catalogueFolder, error) {
	f := &catalogueFolder{path: path, place: filepath.Clean(path)}
	if target, err := filepath.EvalSymlinks(f.place); err == nil {
		f.place = target
	}
	absolute, err := filepath.Abs(f.place)
	if err != nil {
		return nil, fmt.Errorf("--out: %w", err)
	}
	f.place = absolute
	info, err := os.Stat(f.place)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f, nil
	case err != nil:
		return nil, fmt.Errorf("--out: %w", err)
	case !info.IsDir():
		return nil, fmt.Errorf("--out %s: it is no folder", finding.Quote(path))
	}
	return f, f.check()
}

// check refuses what would be lost.
func (f *catalogueFolder) check() error {
	entries, err := os.ReadDir(f.place)
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	if len(entries) == 0 {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(f.place, catalogue.Marker))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--out %s: the folder holds something, and no %s says that it is a catalogue; name another folder", finding.Quote(f.path), catalogue.Marker)
	} else if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	ours, ok := catalogue.ReadMarker(text)
	if !ok {
		return fmt.Errorf("--out %s: %s in it is that of no catalogue; name another folder", finding.Quote(f.path), catalogue.Marker)
	}
	ours = append(ours, catalogue.Marker)
	slices.Sort(ours)
	return filepath.WalkDir(f.place, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		name, err := filepath.Rel(f.place, path)
		if err != nil {
			return err
		}
		if entry.IsDir() && name != ".git" {
			return nil
		}
		if _, found := slices.BinarySearch(ours, filepath.ToSlash(name)); !found {
			return fmt.Errorf("--out %s: no catalogue wrote %s, which would be lost; move it, or name another folder", finding.Quote(f.path), finding.Quote(filepath.ToSlash(name)))
		}
		return nil
	})
}

// write takes one file of the catalogue. The first makes the folder.
func (f *catalogueFolder) write(name string, data []byte) error {
	if f.fresh == "" {
		parent := filepath.Dir(f.place)
		if err := os.MkdirAll(parent, 0o755); err != nil { //nolint:gosec // pages are there to be read
			return err
		}
		fresh, err := os.MkdirTemp(parent, ".toolcontract-catalogue-*")
		if err != nil {
			return err
		}
		f.fresh = fresh
		if err := os.Chmod(fresh, 0o755); err != nil { //nolint:gosec // as above
			return err
		}
	}
	path := filepath.Join(f.fresh, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // as above
		return err
	}
	return os.WriteFile(path, data, 0o644) //nolint:gosec // as above
}

// close puts the new folder in the place of the old one, or removes it.
func (f *catalogueFolder) close(complete bool) error {
	if f.fresh == "" {
		return nil
	}
	if !complete {
		return os.RemoveAll(f.fresh)
	}
	old := f.fresh + "-old"
	if err := os.Rename(f.place, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, os.RemoveAll(f.fresh))
	}
	if err := os.Rename(f.fresh, f.place); err != nil {
		if back := os.Rename(old, f.place); back != nil && !errors.Is(back, fs.ErrNotExist) {
			err = errors.Join(err, back) // the old pages are in the folder that it names
		}
		return errors.Join(err, os.RemoveAll(f.fresh))
	}
	return os.RemoveAll(old)
}
