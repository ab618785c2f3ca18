// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// source is what config/ says.
type source struct {
	// kinds is config/kinds.
	kinds []object
	// operator is config/default without what is in kinds, and without the
	// namespace, which Helm makes.
	operator []object
	variants []built
}

// variant is an installation that differs from config/default, and the condition
// under which the chart makes it.
type variant struct {
	condition string
	// resource is the overlay below config/, components are what joins it.
	resource   string
	components []string
	// parent is the index of the variant that this one contains; -1 for none.
	parent int
}

const (
	isNamespaced   = ".Values.namespaced.enabled"
	isNotNamespace = "(not .Values.namespaced.enabled)"
)

// variants are all installations that the chart can make beside config/default.
// Any two of them may be combined unless their conditions exclude each other.
var variants = []variant{
	{condition: isNamespaced, resource: "namespaced", parent: -1},
	{condition: "(and .Values.trackMounts .Values.namespaced.enabled)", resource: "namespaced", components: []string{"namespaced-mounts"}, parent: 0},
	{condition: "(and .Values.trackMounts " + isNotNamespace + ")", resource: "default", components: []string{"mounts"}, parent: -1},
	{condition: ".Values.profiles", resource: "default", components: []string{"profile-dir"}, parent: -1},
	{condition: "(gt (int .Values.replicas) 1)", resource: "default", components: []string{"ha"}, parent: -1},
	{condition: ".Values.networkPolicy.enabled", resource: "default", components: []string{"network-policy"}, parent: -1},
	{condition: ".Values.admission.enabled", resource: "default", components: []string{"admission"}, parent: -1},
	{condition: "(and .Values.metrics.serviceMonitor.enabled " + isNotNamespace + ")", resource: "default", components: []string{"prometheus/monitor"}, parent: -1},
	{condition: ".Values.metrics.rules.enabled", resource: "default", components: []string{"prometheus/rules"}, parent: -1},
	{condition: ".Values.protection.enabled", resource: "default", components: []string{"protection"}, parent: -1},
}

// built is a variant with its objects.
type built struct {
	variant
	objects []object
}

// object is a manifest as a tree of JSON values.
type object map[string]any

func (o object) kind() string { return o["kind"].(string) }

func (o object) name() string { return o["metadata"].(map[string]any)["name"].(string) }

// id tells objects of one installation apart.
func (o object) id() string {
	return strings.ToLower(o.kind()) + "-" + strings.TrimPrefix(o.name(), "toolcontract-")
}

func load(config fs.FS) (*source, error) {
	files, err := inMemory(config)
	if err != nil {
		return nil, fmt.Errorf("reading config: %w", err)
	}
	var out source
	if out.kinds, err = kustomize(files, "kinds"); err != nil {
		return nil, err
	}
	if out.operator, err = kustomize(files, "default"); err != nil {
		return nil, err
	}
	out.operator = out.operators(out.operator)
	for _, v := range variants {
		objects, err := kustomize(files, v.resource, v.components...)
		if err != nil {
			return nil, err
		}
		out.variants = append(out.variants, built{v, out.operators(objects)})
	}
	return &out, nil
}

// operators leaves out what is not the operator chart's.
func (s *source) operators(objects []object) []object {
	return slices.DeleteFunc(objects, func(o object) bool {
		return o.kind() == "Namespace" || slices.ContainsFunc(s.kinds, func(k object) bool { return k.id() == o.id() })
	})
}

// inMemory copies config/, so that overlays can be added to it.
func inMemory(config fs.FS) (filesys.FileSystem, error) {
	out := filesys.MakeFsInMemory()
	return out, fs.WalkDir(config, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(config, path)
		if err != nil {
			return err
		}
		return out.WriteFile("/config/"+path, text)
	})
}

// kustomize builds a directory of config/ with components.
func kustomize(files filesys.FileSystem, resource string, components ...string) ([]object, error) {
	overlay := map[string][]string{"resources": {"../" + resource}}
	for _, component := range components {
		overlay["components"] = append(overlay["components"], "../"+component)
	}
	text, err := yaml.Marshal(overlay)
	if err != nil {
		return nil, err
	}
	if err := files.WriteFile("/config/overlay/kustomization.yaml", text); err != nil {
		return nil, err
	}
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(files, "/config/overlay")
	if err != nil {
		return nil, fmt.Errorf("building config/%s with %v: %w", resource, components, err)
	}
	var out []object
	for _, r := range resources.Resources() {
		tree, err := r.Map()
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", r.CurId(), err)
		}
		out = append(out, tree)
	}
	return out, nil
}
