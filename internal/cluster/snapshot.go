// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	kubejson "sigs.k8s.io/json"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/snapshot"
)

// Snapshot reads what a cluster has of tool contracts, with bounded pages. Kinds
// that may not be read, or that the server does not have, are named in the result;
// contracts must be readable.
//
// Objects are read one kind after the other, so what changes meanwhile may be seen
// in part: what is published is read before the contracts that it was made from.
func Snapshot(ctx context.Context, o Options, wanted snapshot.Wanted) (*snapshot.Snapshot, error) {
	config, namespace, err := configure(o)
	if err != nil {
		return nil, fmt.Errorf("reading the kubeconfig: %w", err)
	}
	r := &reader{config: config, clients: map[schema.GroupVersion]*rest.RESTClient{}, out: &snapshot.Snapshot{Namespace: namespace}}
	namespaces := []string{metav1.NamespaceAll}
	if !wanted.AllNamespaces {
		namespaces = nil
		for _, n := range wanted.Namespaces {
			namespaces = append(namespaces, cmp.Or(n, namespace))
		}
		if len(namespaces) == 0 {
			namespaces = []string{namespace}
		}
		slices.Sort(namespaces)
		namespaces = slices.Compact(namespaces)
	}
	if !wanted.AllNamespaces {
		r.out.Namespaces = namespaces
	}
	if wanted.Workloads {
		r.workloads(ctx, namespaces)
	}
	if wanted.Published {
		r.published(ctx, namespaces)
	}
	list(ctx, r, v1alpha1.GroupVersion, "toolrevisions", namespaces, &r.out.Revisions)
	list(ctx, r, v1alpha1.GroupVersion, "toolsets", namespaces, &r.out.Sets)
	list(ctx, r, v1alpha1.GroupVersion, "toolcontracts", namespaces, &r.out.Contracts)
	list(ctx, r, v1alpha1.GroupVersion, "providerprofiles", clusterWide, &r.out.Profiles)
	r.namespaceLabels(ctx, wanted)
	if r.err != nil {
		return nil, r.err
	}
	for _, d := range r.out.Denied {
		if d.Resource == "toolcontracts."+v1alpha1.GroupVersion.Group {
			return nil, errors.New("listing " + d.String())
		}
	}
	r.sort()
	return r.out, nil
}

// clusterWide are the namespaces of kinds that have none.
var clusterWide = []string{metav1.NamespaceAll}

var coreVersion = schema.GroupVersion{Version: "v1"}

// reader reads one list after the other, until one fails for another reason than
// a missing right.
type reader struct {
	config  *rest.Config
	clients map[schema.GroupVersion]*rest.RESTClient
	out     *snapshot.Snapshot
	err     error
}

func (r *reader) client(version schema.GroupVersion) (*rest.RESTClient, error) {
	if c := r.clients[version]; c != nil {
		return c, nil
	}
	c, err := clientFor(r.config, version)
	r.clients[version] = c
	return c, err
}

// each reads a list page by page.
func (r *reader) each(ctx context.Context, version schema.GroupVersion, resource string, namespaces []string, selector string, do func(json.RawMessage) error) {
	for _, namespace := range namespaces {
		if r.err != nil {
			return
		}
		err := r.pages(ctx, version, resource, namespace, selector, do)
		name := schema.GroupResource{Group: version.Group, Resource: resource}.String()
		switch {
		case apierrors.IsForbidden(err), apierrors.IsNotFound(err):
			r.out.Denied = append(r.out.Denied, snapshot.Denied{Resource: name, Namespace: namespace, Reason: finding.Clip(err.Error(), 300)})
		case err != nil:
			r.err = fmt.Errorf("listing %s: %w", name, err)
		}
	}
}

func (r *reader) pages(ctx context.Context, version schema.GroupVersion, resource, namespace, selector string, do func(json.RawMessage) error) error {
	client, err := r.client(version)
	if err != nil {
		return err
	}
	for next := ""; ; {
		request := client.Get().Resource(resource).Param("limit", page)
		if namespace != "" {
			request = request.Namespace(namespace)
		}
		if selector != "" {
			request = request.Param("labelSelector", selector)
		}
		if next != "" {
			request = request.Param("continue", next)
		}
		items, more, err := objects(ctx, request)
		if err != nil {
			return err
		}
		for _, item := range items {
			if err := do(item); err != nil {
				return err
			}
		}
		if next = more; next == "" {
			return nil
		}
	}
}

// list reads objects of our own group.
func list[T any](ctx context.Context, r *reader, version schema.GroupVersion, resource string, namespaces []string, into *[]T) {
	r.each(ctx, version, resource, namespaces, "", func(item json.RawMessage) error {
		var object T
		if err := kubejson.UnmarshalCaseSensitivePreserveInts(item, &object); err != nil {
			return err
		}
		*into = append(*into, object)
		return nil
	})
}

// published reads the ConfigMaps of the operator.
func (r *reader) published(ctx context.Context, namespaces []string) {
	r.each(ctx, coreVersion, "configmaps", namespaces, v1alpha1.LabelManagedBy+"="+v1alpha1.ManagedBy, func(item json.RawMessage) error {
		var object struct {
			Metadata   metav1.ObjectMeta `json:"metadata"`
			Immutable  bool              `json:"immutable"`
			Data       map[string]string `json:"data"`
			BinaryData map[string][]byte `json:"binaryData"`
		}
		if err := kubejson.UnmarshalCaseSensitivePreserveInts(item, &object); err != nil {
			return err
		}
		m := &object.Metadata
		cm := snapshot.PublishedConfigMap{
			Namespace: m.Namespace, Name: m.Name, Labels: m.Labels, Annotations: m.Annotations,
			Immutable: object.Immutable, Created: m.CreationTimestamp.Time, Data: object.Data, Binary: len(object.BinaryData) > 0,
		}
		if c := metav1.GetControllerOfNoCopy(m); c != nil {
			cm.Controller = snapshot.Controller{APIVersion: c.APIVersion, Kind: c.Kind, Name: c.Name, UID: string(c.UID)}
		}
		r.out.Published = append(r.out.Published, cm)
		return nil
	})
}

// workloads reads what mounts ConfigMaps with names of our shape.
func (r *reader) workloads(ctx context.Context, namespaces []string) {
	apps, batch := schema.GroupVersion{Group: "apps", Version: "v1"}, schema.GroupVersion{Group: "batch", Version: "v1"}
	kinds := []struct {
		version        schema.GroupVersion
		resource, kind string
	}{
		{coreVersion, "pods", "Pod"},
		{apps, "replicasets", "ReplicaSet"},
		{apps, "deployments", "Deployment"},
		{apps, "statefulsets", "StatefulSet"},
		{apps, "daemonsets", "DaemonSet"},
		{batch, "jobs", "Job"},
		{batch, "cronjobs", "CronJob"},
	}
	type key struct{ kind, namespace, name string }
	found, order := map[key]*snapshot.Workload{}, []key{}
	// A ReplicaSet or a Job that a controller made is what its pods name.
	makers := map[key]key{}
	for _, k := range kinds {
		r.each(ctx, k.version, k.resource, namespaces, "", func(item json.RawMessage) error {
			w, ok := snapshot.WorkloadOf(item, k.kind)
			if !ok {
				return nil
			}
			var self struct {
				Metadata struct {
					Name string `json:"name"`
				} `json:"metadata"`
			}
			if err := json.Unmarshal(item, &self); err != nil {
				return err
			}
			id := key{w.Kind, w.Namespace, w.Name}
			if own := (key{k.kind, w.Namespace, self.Metadata.Name}); own != id {
				makers[own] = id
			}
			if found[id] == nil {
				found[id], order = &snapshot.Workload{Kind: w.Kind, Namespace: w.Namespace, Name: w.Name}, append(order, id)
			}
			found[id].ConfigMaps = append(found[id].ConfigMaps, w.ConfigMaps...)
			return nil
		})
	}
	for _, id := range order {
		if maker, made := makers[id]; made {
			if found[maker] != nil {
				found[maker].ConfigMaps = append(found[maker].ConfigMaps, found[id].ConfigMaps...)
				continue
			}
			found[id].Kind, found[id].Name = maker.kind, maker.name
		}
	}
	for _, id := range order {
		if maker, made := makers[id]; made && found[maker] != nil {
			continue
		}
		w := *found[id]
		slices.Sort(w.ConfigMaps)
		w.ConfigMaps = slices.Compact(w.ConfigMaps)
		r.out.Workloads = append(r.out.Workloads, w)
	}
}

// namespaceLabels reads the labels of namespaces if a contract permits sets by them.
func (r *reader) namespaceLabels(ctx context.Context, wanted snapshot.Wanted) {
	needed := slices.ContainsFunc(r.out.Contracts, func(c v1alpha1.ToolContract) bool {
		return c.Spec.AllowedNamespaces != nil && c.Spec.AllowedNamespaces.From == v1alpha1.NamespacesSelector
	})
	if !needed || !wanted.Published {
		return
	}
	r.out.NamespaceLabels = map[string]map[string]string{}
	r.each(ctx, coreVersion, "namespaces", clusterWide, "", func(item json.RawMessage) error {
		var object struct {
			Metadata metav1.ObjectMeta `json:"metadata"`
		}
		if err := json.Unmarshal(item, &object); err != nil {
			return err
		}
		r.out.NamespaceLabels[object.Metadata.Name] = object.Metadata.Labels
		return nil
	})
}

// sort makes the order that of names, whatever the server's is.
func (r *reader) sort() {
	s := r.out
	slices.SortFunc(s.Contracts, func(a, b v1alpha1.ToolContract) int { return compare(&a.ObjectMeta, &b.ObjectMeta) })
	slices.SortFunc(s.Revisions, func(a, b v1alpha1.ToolRevision) int { return compare(&a.ObjectMeta, &b.ObjectMeta) })
	slices.SortFunc(s.Sets, func(a, b v1alpha1.ToolSet) int { return compare(&a.ObjectMeta, &b.ObjectMeta) })
	slices.SortFunc(s.Profiles, func(a, b v1alpha1.ProviderProfile) int { return compare(&a.ObjectMeta, &b.ObjectMeta) })
	slices.SortFunc(s.Published, func(a, b snapshot.PublishedConfigMap) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	slices.SortFunc(s.Workloads, func(a, b snapshot.Workload) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
}

func compare(a, b *metav1.ObjectMeta) int {
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
}
