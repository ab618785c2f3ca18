// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// clusterScoped are the resources that a Role cannot give rights on. An operator
// of one namespace does without them.
var clusterScoped = []string{"namespaces", "providerprofiles", "providerprofiles/status"}

// namespacedRoles makes the Roles of an operator of one namespace out of the
// ClusterRoles, by path.
func namespacedRoles(root fs.FS) (map[string][]byte, error) {
	out := map[string][]byte{}
	for to, from := range map[string]string{
		"config/namespaced/role.yaml":        "config/rbac/role.yaml",
		"config/namespaced-mounts/role.yaml": "config/mounts/role.yaml",
	} {
		text, err := fs.ReadFile(root, from)
		if err != nil {
			return nil, fmt.Errorf("reading a ClusterRole: %w", err)
		}
		if out[to], err = namespacedRole(text, strings.Contains(to, "mounts")); err != nil {
			return nil, fmt.Errorf("making a Role of %s: %w", from, err)
		}
	}
	return out, nil
}

func namespacedRole(clusterRole []byte, isComponent bool) ([]byte, error) {
	var role struct {
		APIVersion string                `json:"apiVersion"`
		Kind       string                `json:"kind"`
		Metadata   map[string]string     `json:"metadata"`
		Rules      []map[string][]string `json:"rules"`
	}
	if err := yaml.UnmarshalStrict(clusterRole, &role); err != nil {
		return nil, err
	}
	role.Kind = "Role"
	if isComponent { // no overlay has to name its namespace
		role.Metadata["namespace"] = namespace
	}
	role.Rules = slices.DeleteFunc(role.Rules, func(rule map[string][]string) bool {
		rule["resources"] = slices.DeleteFunc(rule["resources"], func(r string) bool { return slices.Contains(clusterScoped, r) })
		return len(rule["resources"]) == 0
	})
	text, err := yaml.Marshal(role)
	return append([]byte("# Made from the ClusterRole by `make generate`: its rules on what is in a namespace.\n"), text...), err
}
