// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/publish"
)

// Sets rely on contracts as mounts do: a version that a set names is not
// collected, and the channel of a retired line stays while a set follows it. Only
// sets that the contract permits count, so that nobody holds on to the versions of
// a contract that is closed to them.

// followers are what the sets of the cluster ask of one contract.
type followers struct {
	// versions are named exactly.
	versions []contract.Version
	// lines are followed by these sets, as ToolSet/name or, in another namespace,
	// ToolSet/namespace/name.
	lines map[string][]string
}

// followersOf reads what the sets in the cache ask of a contract.
func followersOf(ctx context.Context, cached client.Reader, c *v1alpha1.ToolContract) (followers, error) {
	f := followers{lines: map[string][]string{}}
	sets, err := setsThatHold(ctx, cached, client.ObjectKeyFromObject(c), c.Labels)
	if err != nil {
		return f, fmt.Errorf("listing sets: %w", err)
	}
	for _, set := range sets {
		permitted, err := permits(c, set.Namespace, func() (map[string]string, error) {
			namespace := namespaceMetadata()
			err := cached.Get(ctx, client.ObjectKey{Name: set.Namespace}, namespace)
			return namespace.Labels, client.IgnoreNotFound(err)
		})
		if err != nil {
			return f, fmt.Errorf("reading Namespace %s: %w", set.Namespace, err)
		}
		if permitted && set.DeletionTimestamp.IsZero() {
			f.add(set, c)
		}
	}
	slices.SortFunc(f.versions, contract.Version.Compare)
	for _, names := range f.lines {
		slices.Sort(names)
	}
	return f, nil
}

func (f *followers) add(set *v1alpha1.ToolSet, c *v1alpha1.ToolContract) {
	name := setKind + "/" + set.Name
	if set.Namespace != c.Namespace {
		name = setKind + "/" + set.Namespace + "/" + set.Name
	}
	follow := func(line string) {
		if !slices.Contains(f.lines[line], name) {
			f.lines[line] = append(f.lines[line], name)
		}
	}
	for i := range set.Spec.Tools {
		t := &set.Spec.Tools[i]
		if contractKey(set, t) != client.ObjectKeyFromObject(c) {
			continue
		}
		if t.Channel != "" {
			follow(t.Channel)
			continue
		}
		version, err := contract.ParseVersion(t.Version)
		isSame := func(v contract.Version) bool { return v.Compare(version) == 0 }
		if err == nil && !slices.ContainsFunc(f.versions, isSame) {
			f.versions = append(f.versions, version)
		}
	}
	if set.Namespace == c.Namespace {
		for _, line := range linesSelected(set, c.Labels) {
			follow(line)
		}
	}
}

// pin adds the revisions that sets name to those that are never collected.
func (f followers) pin(c *v1alpha1.ToolContract, p pins) {
	for _, version := range f.versions {
		p.revisions[publish.RevisionName(c.Name, version)] = true
	}
}

// contractsOf maps a set to the contracts that it keeps something of: those whose
// versions it names, and those with a retired line that it may follow. Of an edit
// both sides are asked.
func contractsOf(cached client.Reader) func(context.Context, client.Object) []reconcile.Request {
	return func(ctx context.Context, object client.Object) []reconcile.Request {
		set, ok := object.(*v1alpha1.ToolSet)
		if !ok {
			return nil
		}
		concerned := map[types.NamespacedName]bool{}
		hasRetired := func(c *v1alpha1.ToolContract) bool {
			return slices.ContainsFunc(c.Status.Channels, func(channel v1alpha1.Channel) bool { return channel.Retired })
		}
		for i := range set.Spec.Tools {
			key, c := contractKey(set, &set.Spec.Tools[i]), &v1alpha1.ToolContract{}
			if cached.Get(ctx, key, c, client.UnsafeDisableDeepCopy) == nil && (set.Spec.Tools[i].Version != "" || hasRetired(c)) {
				concerned[key] = true // others, such as those of a namespace that is not watched, are no business of ours
			}
		}
		var contracts v1alpha1.ToolContractList
		if len(set.Spec.Selectors) > 0 {
			if err := cached.List(ctx, &contracts, client.InNamespace(set.Namespace), client.UnsafeDisableDeepCopy); err != nil {
				log.FromContext(ctx).Error(err, "contracts are not looked at again although a set has changed")
			}
		}
		for i := range contracts.Items {
			c := &contracts.Items[i]
			if hasRetired(c) && len(linesSelected(set, c.Labels)) > 0 {
				concerned[client.ObjectKeyFromObject(c)] = true
			}
		}
		var out []reconcile.Request
		for key := range concerned {
			out = append(out, reconcile.Request{NamespacedName: key})
		}
		return out
	}
}
