// SPDX-License-Identifier: Apache-2.0

package main

import (
	"debug/buildinfo"
	"debug/elf"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
)

// bom is a bill of materials, in the form of CycloneDX 1.6. Serial number and time
// are left out, which the format allows: one binary has one bill.
type bom struct {
	Format       string       `json:"bomFormat"`
	SpecVersion  string       `json:"specVersion"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version,omitempty"`
	PURL       string     `json:"purl"`
	Properties []property `json:"properties,omitempty"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn"`
}

// writeBill writes what a Go binary was made of, as the binary itself says, to
// PATH.cdx.json.
func writeBill(path string) error {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return fmt.Errorf("reading what %s was made of: %w", path, err)
	}
	text, err := json.MarshalIndent(bill(info), "", "  ")
	if err != nil {
		return fmt.Errorf("writing the bill of %s: %w", path, err)
	}
	return os.WriteFile(path+".cdx.json", append(text, '\n'), 0o644) //nolint:gosec // it is for everybody
}

func bill(info *debug.BuildInfo) bom {
	main := library(&info.Main)
	main.Type = "application"
	for _, setting := range info.Settings {
		main.Properties = append(main.Properties, property{"go:build:" + setting.Key, setting.Value})
	}
	out := bom{Format: "CycloneDX", SpecVersion: "1.6", Version: 1, Metadata: metadata{main}}
	std := library(&debug.Module{Path: "std", Version: strings.TrimPrefix(info.GoVersion, "go")})
	uses := dependency{Ref: main.Ref, DependsOn: []string{std.Ref}}
	out.Components = append(out.Components, std)
	for _, module := range info.Deps { // sorted by path
		if module.Replace != nil {
			module = module.Replace
		}
		c := library(module)
		out.Components = append(out.Components, c)
		uses.DependsOn = append(uses.DependsOn, c.Ref)
	}
	out.Dependencies = []dependency{uses}
	return out
}

func library(module *debug.Module) component {
	c := component{Type: "library", Name: module.Path, PURL: "pkg:golang/" + strings.ToLower(module.Path)}
	// Without a tag the go command says (devel), which is no version.
	if module.Version != "" && module.Version != "(devel)" {
		c.Version = module.Version
		c.PURL += "@" + strings.ReplaceAll(module.Version, "+", "%2B")
	}
	if module.Sum != "" {
		c.Properties = []property{{"go:sum", module.Sum}}
	}
	c.Ref = c.PURL
	return c
}

// checkStatic refuses a program that needs a loader or a library: the image has
// neither.
func checkStatic(path string) error {
	file, err := elf.Open(path)
	if err != nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	defer file.Close()
	for _, program := range file.Progs {
		if program.Type == elf.PT_INTERP {
			return fmt.Errorf("%s is not static: build it with CGO_ENABLED=0", path)
		}
	}
	return nil
}
