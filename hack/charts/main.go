// SPDX-License-Identifier: Apache-2.0

// Command charts writes the Helm charts of the project from what config/ says, so
// that no manifest is written twice:
//
//	charts -root ../..
//
// It builds config/default and the overlays and components beside it with
// kustomize, and writes each object once, with the condition of a value around
// what only some of them have. It also writes the Roles of config/namespaced,
// which have the rules of the ClusterRoles of config/rbac and config/mounts, and the
// table of rights in docs/guides/install.md.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	root := flag.String("root", filepath.Join("..", ".."), "the repository")
	flag.Parse()
	if err := run(*root); err != nil {
		fmt.Fprintln(os.Stderr, "charts:", err)
		os.Exit(1)
	}
}

func run(root string) error {
	roles, err := namespacedRoles(os.DirFS(root))
	if err != nil {
		return err
	}
	for path, text := range roles {
		if err := write(filepath.Join(root, filepath.FromSlash(path)), text); err != nil {
			return err
		}
	}
	from, err := load(os.DirFS(filepath.Join(root, "config")))
	if err != nil {
		return err
	}
	for name, chart := range map[string]func(*source) (map[string][]byte, error){
		"toolcontract-crds":     crdsChart,
		"toolcontract-operator": operatorChart,
	} {
		files, err := chart(from)
		if err != nil {
			return fmt.Errorf("making the chart %s: %w", name, err)
		}
		if err := writeChart(filepath.Join(root, "charts", name), files); err != nil {
			return err
		}
	}
	return writeRights(filepath.Join(root, "docs", "guides", "install.md"), from)
}

// writeChart makes a directory hold exactly these files.
func writeChart(dir string, files map[string][]byte) error {
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if _, isNow := files[filepath.ToSlash(name)]; isNow {
			return nil
		}
		return os.Remove(path) //nolint:gosec // nobody else writes charts meanwhile
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("removing what is no longer in %s: %w", dir, err)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := write(filepath.Join(dir, filepath.FromSlash(name)), files[name]); err != nil {
			return err
		}
	}
	return nil
}

// write leaves a file alone that has the text already.
func write(path string, text []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, text) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // charts are for everybody
		return fmt.Errorf("writing %s: %w", path, err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil { //nolint:gosec // charts are for everybody
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}
