// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// writeFiles writes the files of one contract, each at once or not at all. It
// returns the other JSON files of the directory: what an earlier run left
// there looks as valid as the rest.
func writeFiles(dir string, files map[string]string) (strangers []string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // what is rendered is public: models read it
		return nil, fmt.Errorf("writing renderings: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := writeFile(filepath.Join(dir, name), files[name]); err != nil {
			return nil, fmt.Errorf("writing renderings: %w", err)
		}
	}
	present, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("writing renderings: %w", err)
	}
	for _, entry := range present {
		if _, ours := files[entry.Name()]; !ours && filepath.Ext(entry.Name()) == ".json" {
			strangers = append(strangers, entry.Name())
		}
	}
	return strangers, nil
}

// writeFile replaces a file in one step, so that a reader never sees half of it.
func writeFile(path, data string) error { return writeFileWith(path, data, 0o644) }

// rewriteFile gives a file another content and lets it be what it is: the file
// behind a link, with its permissions. A file that may not be written is left alone,
// though its directory would let it be replaced.
func rewriteFile(path, data string) error {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	switch {
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is no regular file; use - for standard input", path)
	case info.Mode().Perm()&0o222 == 0:
		return fmt.Errorf("%s is read-only; make it writable first", path)
	}
	return writeFileWith(path, data, info.Mode().Perm())
}

func writeFileWith(path, data string, mode fs.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".toolcontract-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails once the file has its name
	if _, err := f.WriteString(data); err != nil {
		f.Close()
		return err
	}
	if err := f.Chmod(mode); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
