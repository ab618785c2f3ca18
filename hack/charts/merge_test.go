// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"

	"sigs.k8s.io/yaml"
)

// TestOneTemplateForAllStates writes a node whose states differ in every way that
// there is.
func TestOneTemplateForAllStates(t *testing.T) {
	t.Parallel()
	states := []string{
		`{same: 1, gone: true, text: "{{ x }}", where: a.toolcontract-system.svc, list: [first, {name: one, value: 1}], map: {a: 1}}`,
		`{same: 1, text: "{{ x }}", where: a.toolcontract-system.svc, list: [first, added, too, {name: one, value: 1}], map: {a: 2}}`,
		`{same: 1, text: "{{ x }}", where: a.toolcontract-system.svc, list: [first, added, too, {name: one, value: 1, more: 2}], map: {a: 2, b: 1}}`,
		`{same: 1, gone: true, text: "{{ x }}", where: a.toolcontract-system.svc, list: [first, {name: one, value: 1}], map: {a: 1, b: 1}}`,
	}
	n := make(node, len(states))
	for i, text := range states {
		var tree map[string]any
		if err := yaml.Unmarshal([]byte(text), &tree); err != nil {
			t.Fatal(err)
		}
		n[i] = tree
	}
	p := printer{
		conditions: []string{".A", "(and .A .B)", ".C"}, parents: []int{-1, 0, -1},
		hooks: hooks{after: map[string]string{"list": "{{- range .More }}\n- {{ . }}\n{{- end }}"}, instead: map[string]string{"same": "same: {{ .Same }}"}},
	}
	p.children("", 0, n)
	const want = `{{- if not .A }}
gone: true
{{- end }}
list:
- first
{{- if .A }}
- added
- too
{{- end }}
-
{{- if (and .A .B) }}
  more: 2
{{- end }}
  name: one
  value: 1
{{- range .More }}
- {{ . }}
{{- end }}
map:
{{- if not .A }}
  a: 1
{{- end }}
{{- if .A }}
  a: 2
{{- end }}
{{- if (or (and .A .B) .C) }}
  b: 1
{{- end }}
same: {{ .Same }}
text: '{{ "{{" }} x }}'
where: a.{{ .Release.Namespace }}.svc
`
	if got := p.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestARoleHasWhatIsInANamespace(t *testing.T) {
	t.Parallel()
	const clusterRole = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: manager-role}
rules:
- {apiGroups: [""], resources: [namespaces], verbs: [get]}
- {apiGroups: [toolcontract.dev], resources: [providerprofiles, toolsets], verbs: [get]}
`
	got, err := namespacedRole([]byte(clusterRole), false)
	if err != nil {
		t.Fatal(err)
	}
	const want = "# Made from the ClusterRole by `make generate`: its rules on what is in a namespace.\n" + `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: manager-role
rules:
- apiGroups:
  - toolcontract.dev
  resources:
  - toolsets
  verbs:
  - get
`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if _, err := namespacedRole([]byte("kind: [1]"), false); err == nil {
		t.Error("what is not a role was taken for one")
	}
}
