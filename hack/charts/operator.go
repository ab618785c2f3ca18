// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// operatorChart holds the operator with its rights.
func operatorChart(from *source) (map[string][]byte, error) {
	values, err := operatorValues(from)
	if err != nil {
		return nil, err
	}
	files, err := describe(chartInfo{
		name:        "toolcontract-operator",
		description: "The operator for LLM tool contracts",
		app:         from.version(),
		readme: "The operator and its rights. It needs the kinds of the chart toolcontract-crds.\n\n" +
			"Every value that switches something on has a component of the same content in the folder `config` of the project, " +
			"for those who install with kustomize. One release of this chart may run in a cluster; " +
			"with `namespaced.enabled` one in each namespace. " +
			"The release's namespace wants the label `pod-security.kubernetes.io/enforce: restricted`, which the pod satisfies.",
	}, values)
	if err != nil {
		return nil, err
	}
	for id, n := range from.byID() {
		p := from.printer(hooksOf(id))
		condition := p.condition(n, isThere)
		p.children("", 0, n.where(n))
		text := p.String()
		if condition != "" {
			text = "{{- if " + condition + " }}\n" + text + "{{- end }}\n"
		}
		files["templates/"+id+".yaml"] = []byte(notice + text)
	}
	files["templates/refusals.yaml"] = []byte(notice + refusalsTemplate)
	files["templates/profiles.yaml"] = []byte(notice + profilesTemplate)
	files["templates/_helpers.tpl"] = []byte(helpers("toolcontract-operator") + imageTemplate)
	files["templates/NOTES.txt"] = []byte(notesTemplate)
	return files, nil
}

// byID has each object of all installations as a node.
func (s *source) byID() map[string]node {
	out := map[string]node{}
	states := [][]object{s.operator}
	for _, v := range s.variants {
		states = append(states, v.objects)
	}
	for i, objects := range states {
		for _, o := range objects {
			if out[o.id()] == nil {
				out[o.id()] = slices.Repeat(node{absent}, len(states))
			}
			o.labelled()
			out[o.id()][i] = map[string]any(o)
		}
	}
	return out
}

func (s *source) printer(h hooks) *printer {
	p := &printer{hooks: h}
	for _, v := range s.variants {
		p.conditions, p.parents = append(p.conditions, v.condition), append(p.parents, v.parent)
	}
	return p
}

// labelled gives the object labels and annotations to add to.
func (o object) labelled() {
	metadata := o["metadata"].(map[string]any)
	if _, ok := metadata["labels"]; !ok {
		metadata["labels"] = map[string]any{}
	}
}

// manager is the container of the operator.
const manager = "spec/template/spec/containers/manager"

// hooksOf are the places of values in an object.
func hooksOf(id string) hooks {
	h := hooks{after: map[string]string{"metadata/labels": labels("toolcontract-operator", 4)}}
	switch id {
	case "serviceaccount-manager":
		h.after["metadata"] = block("serviceAccount.annotations", "annotations", 4)
	case "networkpolicy-manager":
		h.instead = map[string]string{"spec/egress": "egress:\n- ports:\n  {{- range .Values.networkPolicy.apiServerPorts }}\n  - port: {{ . }}\n    protocol: TCP\n  {{- end }}"}
	case "deployment-manager":
		h.instead = map[string]string{
			"spec/replicas":        "replicas: {{ .Values.replicas }}",
			manager + "/image":     "image: {{ include \"toolcontract-operator.image\" . }}\n{{- with .Values.image.pullPolicy }}\nimagePullPolicy: {{ . }}\n{{- end }}",
			manager + "/resources": "resources:\n  {{- toYaml .Values.resources | nindent 10 }}",
		}
		h.after = maps.Clone(h.after)
		h.after[manager+"/args"] = "{{- range .Values.extraArgs }}\n- {{ . | quote }}\n{{- end }}"
		h.after["spec/template/metadata/labels"] = "{{- with .Values.podLabels }}\n{{- toYaml . | nindent 8 }}\n{{- end }}"
		h.after["spec/template/metadata"] = "{{- if or .Values.podAnnotations .Values.profiles }}\nannotations:\n" +
			"  {{- if .Values.profiles }}\n  checksum/profiles: {{ toYaml .Values.profiles | sha256sum }}\n  {{- end }}\n" +
			"  {{- with .Values.podAnnotations }}\n  {{- toYaml . | nindent 8 }}\n  {{- end }}\n{{- end }}"
		h.after["spec/template/spec"] = block("imagePullSecrets", "imagePullSecrets", 8) + "\n" +
			block("nodeSelector", "nodeSelector", 8) + "\n" + block("tolerations", "tolerations", 8) + "\n" + block("affinity", "affinity", 8) + "\n" +
			"{{- with .Values.priorityClassName }}\npriorityClassName: {{ . | quote }}\n{{- end }}"
	}
	return h
}

// block writes a value that is a list or a map where it is not empty.
func block(path, key string, indent int) string {
	return fmt.Sprintf("{{- with .Values.%s }}\n%s:\n  {{- toYaml . | nindent %d }}\n{{- end }}", path, key, indent)
}

// at is the node of a tree at a path like those of hooks.
func at(tree any, path string) any {
	for key := range strings.SplitSeq(path, "/") {
		switch t := tree.(type) {
		case map[string]any:
			tree = t[key]
		case []any:
			i := slices.IndexFunc(t, func(e any) bool { return identity(e) == key })
			if i < 0 {
				return nil
			}
			tree = t[i]
		}
	}
	return tree
}

func (s *source) object(id string) object {
	i := slices.IndexFunc(s.operator, func(o object) bool { return o.id() == id })
	if i < 0 {
		return object{}
	}
	return s.operator[i]
}

// image is what config/manager runs.
func (s *source) image() (repository, tag string) {
	image, _ := at(map[string]any(s.object("deployment-manager")), manager+"/image").(string)
	repository, tag, _ = strings.Cut(image, ":")
	return repository, tag
}

func (s *source) version() string {
	_, tag := s.image()
	return tag
}

// operatorValues are the values of the operator's chart. What config/ says is
// their default.
func operatorValues(s *source) ([]value, error) {
	repository, tag := s.image()
	if repository == "" || tag == "" {
		return nil, fmt.Errorf("the image of config/manager/deployment.yaml is not NAME:TAG")
	}
	deployment := map[string]any(s.object("deployment-manager"))
	return []value{
		{"image.repository", repository, isText, "Where the image is, without tag."},
		{"image.tag", "", isText, "The tag of the image. Empty is the version of the application that the chart belongs to."},
		{"image.digest", "", map[string]any{"type": "string", "pattern": "^(sha256:[0-9a-f]{64})?$"}, "The digest of the image, which then counts and not the tag. `make image` prints it."},
		{"image.pullPolicy", "", map[string]any{"enum": []string{"", "Always", "IfNotPresent", "Never"}}, "When nodes pull the image. Empty leaves it to Kubernetes."},
		{"imagePullSecrets", []any{}, isObjects, "Secrets for the registry, as in a pod."},
		{"replicas", at(deployment, "spec/replicas"), map[string]any{"type": "integer", "minimum": 0}, "Replicas, of which one is active. With two or more a PodDisruptionBudget and a spread over nodes come with them."},
		{"resources", at(deployment, manager+"/resources"), isObject, "Requests and limits of the container."},
		{"namespaced.enabled", false, isSwitch, "Be the operator of the release's namespace alone: a Role in place of the ClusterRole, nothing outside. Metrics are off then, because nobody could be asked who calls; ProviderProfiles are not read, see profiles."},
		{"profiles", map[string]any{}, isTextMap, "Provider profiles that join the built-in ones or take the place of those with the same name: file name (ending in .yaml) to content."},
		{"trackMounts", false, isSwitch, "Keep what Pods and workloads mount. Needs the right to list and watch them."},
		{"admission.enabled", false, isSwitch, "Have the API server ask the operator about what is applied, so that kubectl prints findings at once. It blocks nothing while the operator does not answer."},
		{"protection.enabled", false, isSwitch, "Keep everybody but the operator from writing what it publishes, by policies that the API server judges itself."},
		{"metrics.serviceMonitor.enabled", false, isSwitch, "Have the Prometheus operator scrape the metrics. Not with namespaced.enabled, which has none."},
		{"metrics.rules.enabled", false, isSwitch, "Give the Prometheus operator the alerts of the project."},
		{"networkPolicy.enabled", false, isSwitch, "Allow the operator its own traffic only."},
		{"networkPolicy.apiServerPorts", apiServerPorts(s), map[string]any{"type": "array", "minItems": 1, "items": map[string]any{"type": "integer"}}, "Ports of the API server, as its pods or machines have them."},
		{"extraArgs", []any{}, isTexts, "More arguments of the manager, for example --concurrent=8."},
		{"serviceAccount.annotations", map[string]any{}, isTextMap, "Annotations of the ServiceAccount."},
		{"podAnnotations", map[string]any{}, isTextMap, "Annotations of the pods."},
		{"podLabels", map[string]any{}, isTextMap, "More labels of the pods."},
		{"nodeSelector", map[string]any{}, isTextMap, "Labels of the nodes to run on."},
		{"tolerations", []any{}, isObjects, "Taints to put up with, as in a pod."},
		{"affinity", map[string]any{}, isObject, "Affinity, as in a pod."},
		{"priorityClassName", "", isText, "The priority class of the pods."},
	}, nil
}

// apiServerPorts are those that config/network-policy has.
func apiServerPorts(s *source) []any {
	var out []any
	for _, v := range s.variants {
		for _, o := range v.objects {
			if o.id() != "networkpolicy-manager" {
				continue
			}
			for _, rule := range at(map[string]any(o), "spec/egress").([]any) {
				for _, port := range rule.(map[string]any)["ports"].([]any) {
					out = append(out, port.(map[string]any)["port"])
				}
			}
			return out
		}
	}
	return out
}
