// SPDX-License-Identifier: Apache-2.0

package main

import "strings"

// crdsChart holds what is of the whole cluster. The CRDs are templates, because Helm
// never upgrades what is in the folder crds of a chart.
func crdsChart(from *source) (map[string][]byte, error) {
	values := []value{
		{"keep", true, isSwitch, "Leave the CRDs, and with them every contract, in the cluster when the chart is uninstalled."},
	}
	files, err := describe(chartInfo{
		name:        "toolcontract-crds",
		description: "The kinds ToolContract, ToolRevision, ToolSet and ProviderProfile",
		app:         from.version(),
		readme: "The CustomResourceDefinitions of the operator, and the roles that let people use them, which join the built-in " +
			"roles view, edit and admin. Install and upgrade them before the chart toolcontract-operator, " +
			"also where several operators of one namespace each share a cluster.\n\n" +
			"Deleting a CRD deletes every object of its kind. So `helm uninstall` leaves the CRDs where they are; " +
			"remove them with kubectl, or install with `keep=false` first.",
	}, values)
	if err != nil {
		return nil, err
	}
	for _, o := range from.kinds {
		o.labelled()
		p := printer{hooks: hooks{after: map[string]string{"metadata/labels": labels("toolcontract-crds", 4)}}}
		if o.kind() == "CustomResourceDefinition" {
			p.after["metadata/annotations"] = "{{- if .Values.keep }}\nhelm.sh/resource-policy: keep\n{{- end }}"
		}
		p.children("", 0, node{map[string]any(o)})
		files["templates/"+strings.TrimSuffix(o.id(), ".toolcontract.dev")+".yaml"] = []byte(notice + p.String())
	}
	files["templates/_helpers.tpl"] = []byte(helpers("toolcontract-crds"))
	return files, nil
}
