// SPDX-License-Identifier: Apache-2.0

package snapshot

import (
	"encoding/json"
	"slices"

	"github.com/toolcontract/operator/internal/publish"
)

// PodSpec is what of the specification of a pod says which ConfigMaps it reads.
// The command does not need all of the Kubernetes API to know that.
type PodSpec struct {
	Volumes []struct {
		ConfigMap *reference `json:"configMap"`
		Projected *struct {
			Sources []struct {
				ConfigMap *reference `json:"configMap"`
			} `json:"sources"`
		} `json:"projected"`
	} `json:"volumes"`
	InitContainers      []container `json:"initContainers"`
	Containers          []container `json:"containers"`
	EphemeralContainers []container `json:"ephemeralContainers"`
}

type reference struct {
	Name string `json:"name"`
}

type container struct {
	Env []struct {
		ValueFrom *struct {
			ConfigMapKeyRef *reference `json:"configMapKeyRef"`
		} `json:"valueFrom"`
	} `json:"env"`
	EnvFrom []struct {
		ConfigMapRef *reference `json:"configMapRef"`
	} `json:"envFrom"`
}

// ConfigMaps are the names that the pod reads and that have the shape of ours,
// sorted. An optional reference counts like any other.
func (p PodSpec) ConfigMaps() []string {
	var names []string
	add := func(r *reference) {
		if r == nil {
			return
		}
		_, isContract := publish.ContractOf(r.Name)
		if _, isSet := publish.SetOf(r.Name); isContract || isSet {
			names = append(names, r.Name)
		}
	}
	for _, v := range p.Volumes {
		add(v.ConfigMap)
		if v.Projected != nil {
			for _, s := range v.Projected.Sources {
				add(s.ConfigMap)
			}
		}
	}
	for _, c := range slices.Concat(p.InitContainers, p.Containers, p.EphemeralContainers) {
		for _, e := range c.Env {
			if e.ValueFrom != nil {
				add(e.ValueFrom.ConfigMapKeyRef)
			}
		}
		for _, e := range c.EnvFrom {
			add(e.ConfigMapRef)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// workloadKinds are the kinds with a template of pods, and Pods themselves.
var workloadKinds = []string{"CronJob", "DaemonSet", "Deployment", "Job", "Pod", "ReplicaSet", "StatefulSet"}

// WorkloadOf reads an object of the Kubernetes API. ok is false if it is none
// that starts pods, cannot be read, or reads no ConfigMap of ours. A Pod, a Job
// or a ReplicaSet counts as the controller that made it.
func WorkloadOf(object []byte, kind string) (w Workload, ok bool) {
	if !slices.Contains(workloadKinds, kind) {
		return w, false
	}
	type template struct {
		Spec PodSpec `json:"spec"`
	}
	var read struct {
		Metadata struct {
			Name            string `json:"name"`
			Namespace       string `json:"namespace"`
			OwnerReferences []struct {
				Kind       string `json:"kind"`
				Name       string `json:"name"`
				Controller bool   `json:"controller"`
			} `json:"ownerReferences"`
		} `json:"metadata"`
		Spec struct {
			PodSpec
			Replicas    *int     `json:"replicas"`
			Template    template `json:"template"`
			JobTemplate struct {
				Spec struct {
					Template template `json:"template"`
				} `json:"spec"`
			} `json:"jobTemplate"`
		} `json:"spec"`
		Status struct {
			Phase      string `json:"phase"`
			Replicas   int    `json:"replicas"`
			Conditions []struct {
				Type   string `json:"type"`
				Status string `json:"status"`
			} `json:"conditions"`
		} `json:"status"`
	}
	if json.Unmarshal(object, &read) != nil {
		return w, false
	}
	w = Workload{Kind: kind, Namespace: read.Metadata.Namespace, Name: read.Metadata.Name}
	ended := read.Status.Phase == "Succeeded" || read.Status.Phase == "Failed"
	switch kind {
	case "Pod":
		w.ConfigMaps = read.Spec.ConfigMaps()
	case "CronJob":
		w.ConfigMaps = read.Spec.JobTemplate.Spec.Template.Spec.ConfigMaps()
	default:
		w.ConfigMaps = read.Spec.Template.Spec.ConfigMaps()
	}
	switch kind {
	case "ReplicaSet": // a scaled-down one is history
		ended = read.Spec.Replicas != nil && *read.Spec.Replicas == 0 && read.Status.Replicas == 0
	case "Job":
		for _, c := range read.Status.Conditions {
			ended = ended || (c.Type == "Complete" || c.Type == "Failed") && c.Status == "True"
		}
	}
	if kind == "Pod" || kind == "Job" || kind == "ReplicaSet" {
		for _, o := range read.Metadata.OwnerReferences {
			if o.Controller {
				w.Kind, w.Name = o.Kind, o.Name
			}
		}
	}
	return w, !ended && w.Name != "" && len(w.ConfigMaps) > 0
}
