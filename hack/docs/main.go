// SPDX-License-Identifier: Apache-2.0

// Command docs writes what the built-in profiles say as documents: a page for
// each, a comparison of all, and verdicts.json for machines; a document of the
// lint rules, and one of the rules of the CRDs. `make generate` starts it; the
// profiles themselves are the files below internal/provider/profiles, the lint
// rules those of internal/lint.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/toolcontract/operator/internal/provider"
)

func main() {
	dir := flag.String("out", filepath.Join("docs", "providers"), "the directory to write to")
	lintDir := flag.String("lint", filepath.Join("docs", "lint"), "the directory to write the lint rules to")
	crds := flag.String("crds", filepath.Join("config", "crd", "bases"), "the directory with the CRDs")
	specDir := flag.String("spec", filepath.Join("docs", "spec", "v1alpha1"), "the directory to write the rules of the CRDs to")
	metricsPath := flag.String("metrics", filepath.Join("docs", "metrics.md"), "the document of the metrics")
	schemas := flag.String("schemas", filepath.Join("docs", "schemas"), "the directory to write the schemas for editors to")
	flag.Parse()
	err := run(*dir)
	if err == nil {
		err = writeLint(*lintDir)
	}
	if err == nil {
		err = writeMetrics(*metricsPath)
	}
	if err == nil {
		err = writeValidation(*crds, *specDir)
	}
	if err == nil {
		err = writeEditorSchemas(*crds, *schemas)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "docs:", err)
		os.Exit(1)
	}
}

func run(dir string) error {
	files, err := documents(provider.Builtin())
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // documents are for everybody
		return fmt.Errorf("making %s: %w", dir, err)
	}
	if err := removeStale(dir, files); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, files[name], 0o644); err != nil { //nolint:gosec // documents are for everybody
			return fmt.Errorf("writing %s: %w", path, err)
		}
	}
	return nil
}

// removeStale removes pages of profiles that are no more.
func removeStale(dir string, files map[string][]byte) error {
	pages, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil {
		return fmt.Errorf("listing %s: %w", dir, err)
	}
	for _, path := range pages {
		if _, isNow := files[filepath.Base(path)]; isNow {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("reading %s: %w", path, err)
		}
		if !bytes.HasPrefix(text, []byte(generated)) {
			continue // not one of ours
		}
		if err := os.Remove(path); err != nil {
			return fmt.Errorf("removing %s: %w", path, err)
		}
	}
	return nil
}

// documents makes all files, by name.
func documents(catalog *provider.Catalog) (map[string][]byte, error) {
	files := map[string][]byte{}
	var profiles []*provider.Profile
	for _, name := range catalog.Names() {
		p, _ := catalog.Lookup(name)
		profiles = append(profiles, p)
		files[name+".md"] = page(p)
	}
	files["README.md"] = overview(profiles)
	verdicts, err := verdicts(profiles)
	if err != nil {
		return nil, err
	}
	files["verdicts.json"] = verdicts
	return files, nil
}
