// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// The table of rights stands between these in the guide.
const (
	rightsBegin = "<!-- rights: written by `make generate` from config/ -->\n"
	rightsEnd   = "<!-- end of rights -->\n"
)

// writeRights puts the table of what the operator may do into the guide.
func writeRights(path string, from *source) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("writing the table of rights: %w", err)
	}
	before, rest, begins := bytes.Cut(text, []byte(rightsBegin))
	_, after, ends := bytes.Cut(rest, []byte(rightsEnd))
	if !begins || !ends {
		return errors.New("writing the table of rights: " + path + " has no place for it")
	}
	return write(path, slices.Concat(before, []byte(rightsBegin+rightsTable(from)+rightsEnd), after))
}

// rightsTable has a row for each rule of each role that is bound to the operator.
func rightsTable(from *source) string {
	var out strings.Builder
	out.WriteString("\n| role | when | on | may |\n|---|---|---|---|\n")
	done := map[string]bool{}
	row := func(when string, objects []object) {
		for _, o := range objects {
			if o.kind() != "RoleBinding" && o.kind() != "ClusterRoleBinding" {
				continue
			}
			role := object(o["roleRef"].(map[string]any))
			i := slices.IndexFunc(objects, func(r object) bool { return r.kind() == role["kind"] && r.name() == role["name"] })
			if i < 0 || done[objects[i].id()] {
				continue
			}
			done[objects[i].id()] = true
			for _, rule := range objects[i]["rules"].([]any) {
				rule := rule.(map[string]any)
				fmt.Fprintf(&out, "| %s `%s` | %s | %s | %s |\n", role["kind"], role["name"], when, on(rule), strings.Join(texts(rule["verbs"]), ", "))
			}
		}
	}
	row("always", from.operator)
	for _, v := range from.variants {
		row(when(v.variant), v.objects)
	}
	out.WriteString("\n")
	return out.String()
}

// when names the folder of config/ that a variant adds.
func when(v variant) string {
	if len(v.components) == 0 {
		return "`config/" + v.resource + "`"
	}
	return "`config/" + v.components[0] + "`"
}

// on says what a rule is about.
func on(rule map[string]any) string {
	var out []string
	for _, group := range texts(rule["apiGroups"]) {
		for _, resource := range texts(rule["resources"]) {
			if group != "" {
				resource += "." + group
			}
			out = append(out, "`"+resource+"`")
		}
	}
	text := strings.Join(out, ", ")
	if names := texts(rule["resourceNames"]); len(names) > 0 {
		text += " named `" + strings.Join(names, "`, `") + "`"
	}
	return text
}

func texts(list any) []string {
	var out []string
	elements, _ := list.([]any)
	for _, element := range elements {
		if text, ok := element.(string); ok {
			out = append(out, text)
		}
	}
	return out
}
