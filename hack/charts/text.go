// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
)

const (
	generated = "# Written by `make generate` from config/. Change that, not this.\n"
	// notice is the same for templates, in which it does not show.
	notice = "{{- /* Written by `make generate` from config/. Change that, not this. */}}\n"
)

// chartVersion is that of both charts. Raise it when a value changes its meaning.
const chartVersion = "0.1.0"

// chartInfo is what is told of a chart.
type chartInfo struct{ name, description, app, readme string }

// describe makes the files of a chart that are not templates.
func describe(c chartInfo, values []value) (map[string][]byte, error) {
	schema, err := schemaFile(values)
	if err != nil {
		return nil, fmt.Errorf("writing the schema of the values: %w", err)
	}
	table, err := valuesTable(values)
	if err != nil {
		return nil, fmt.Errorf("writing the table of values: %w", err)
	}
	return map[string][]byte{
		"Chart.yaml": []byte(generated + marshal(map[string]any{
			"apiVersion": "v2", "type": "application", "name": c.name, "description": c.description,
			"version": chartVersion, "appVersion": c.app, "kubeVersion": ">=1.29.0-0",
		})),
		"values.yaml":        valuesFile(values),
		"values.schema.json": schema,
		"README.md": fmt.Appendf(nil, "<!-- Written by `make generate` from config/. Change that, not this. -->\n# %s\n\n%s\n\n## Values\n\n%s",
			c.name, strings.Join(paragraphs(c.readme), "\n"), table),
	}, nil
}

// paragraphs breaks paragraphs into lines.
func paragraphs(text string) []string {
	var out []string
	for i, paragraph := range strings.Split(text, "\n\n") {
		if i > 0 {
			out = append(out, "")
		}
		out = append(out, wrapped(paragraph, 120)...)
	}
	return out
}

// labels adds the labels that Helm's users look for.
func labels(chart string, indent int) string {
	return fmt.Sprintf("{{- include \"%s.labels\" . | nindent %d }}", chart, indent)
}

// helpers defines these labels.
func helpers(chart string) string {
	return notice + `{{- define "` + chart + `.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name (.Chart.Version | replace "+" "_") }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end }}
`
}

const imageTemplate = `{{- define "toolcontract-operator.image" -}}
{{- if .Values.image.digest }}{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else }}{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}
{{- end }}
`

// refusalsTemplate makes nothing. What is of the whole cluster is not for an operator
// of one namespace, and leaving it out in silence would mislead.
const refusalsTemplate = `{{- if .Values.namespaced.enabled }}
{{- range $name := list "admission" "protection" }}
{{- if (index $.Values $name).enabled }}
{{- fail (printf "%s.enabled is for an operator of the whole cluster: leave out it or namespaced.enabled" $name) }}
{{- end }}
{{- end }}
{{- end }}
`

const profilesTemplate = `{{- with .Values.profiles }}
apiVersion: v1
kind: ConfigMap
metadata:
  labels:
    {{- include "toolcontract-operator.labels" $ | nindent 4 }}
  name: toolcontract-profiles
  namespace: {{ $.Release.Namespace }}
data:
  {{- toYaml . | nindent 2 }}
{{- end }}
`

const notesTemplate = `{{- if not (.Capabilities.APIVersions.Has "toolcontract.dev/v1alpha1") }}
The kinds of the operator are not in this cluster. It waits for them in a loop of restarts: install the chart toolcontract-crds.
{{ end }}
{{- if .Values.namespaced.enabled }}
The operator looks after the namespace {{ .Release.Namespace }} and no other.
{{- else }}
The operator looks after all namespaces.
{{- end }}

  kubectl rollout status deployment/toolcontract-manager --namespace {{ .Release.Namespace }}
  kubectl get toolcontracts{{ if not .Values.namespaced.enabled }} --all-namespaces{{ end }}

Uninstalling it leaves contracts, and what agents mount, where they are.
`
