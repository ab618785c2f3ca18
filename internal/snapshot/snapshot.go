// SPDX-License-Identifier: Apache-2.0

package snapshot

import (
	"time"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// Wanted says what is read beside contracts, revisions and sets.
type Wanted struct {
	// Namespaces are those that are read; an empty name, or none, is that of the
	// context.
	Namespaces []string
	// AllNamespaces reads the whole cluster instead.
	AllNamespaces bool
	// Published also reads the ConfigMaps of the operator, with their data.
	Published bool
	// Workloads also reads what mounts such ConfigMaps.
	Workloads bool
}

// Snapshot is what was read. All lists are sorted by namespace and name.
type Snapshot struct {
	// Namespace is that of the context.
	Namespace string
	// Namespaces are those that were read, sorted; nil for all.
	Namespaces []string

	Contracts []v1alpha1.ToolContract
	Revisions []v1alpha1.ToolRevision
	Sets      []v1alpha1.ToolSet
	Profiles  []v1alpha1.ProviderProfile
	Published []PublishedConfigMap
	Workloads []Workload
	// NamespaceLabels are the labels of the namespaces, by name, as far as they
	// could be read. Contracts may permit sets by them.
	NamespaceLabels map[string]map[string]string

	// Denied are the kinds that could not be read, with the reason.
	Denied []Denied
}

// Denied is a kind that could not be read.
type Denied struct {
	// Resource is its name as RBAC spells it, such as deployments.apps.
	Resource string
	// Namespace is empty for the whole cluster.
	Namespace string
	// Reason is what the API server said.
	Reason string
}

// String is one line for people.
func (d Denied) String() string {
	where := "in all namespaces"
	if d.Namespace != "" {
		where = "in namespace " + d.Namespace
	}
	return d.Resource + " " + where + ": " + d.Reason
}

// PublishedConfigMap is a ConfigMap with the label of the operator.
type PublishedConfigMap struct {
	Namespace, Name     string
	Labels, Annotations map[string]string
	// Controller is the owner that controls it; empty for none.
	Controller Controller
	Immutable  bool
	Created    time.Time
	Data       map[string]string
	// Binary says that it also has binary data, which the operator never writes.
	Binary bool
}

// Controller is a controller reference.
type Controller struct{ APIVersion, Kind, Name, UID string }

// Workload is something that reads published ConfigMaps.
type Workload struct {
	Kind, Namespace, Name string
	// ConfigMaps are the names that it reads and that have the shape of ours, sorted.
	ConfigMaps []string
}

// DeniedFor says why something of a kind could not be read, if so.
func (s *Snapshot) DeniedFor(resource string) (d Denied, denied bool) {
	for _, d := range s.Denied {
		if d.Resource == resource {
			return d, true
		}
	}
	return Denied{}, false
}
