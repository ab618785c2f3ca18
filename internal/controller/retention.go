// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/evaluate"
)

// retain returns the children that nothing needs, in a fixed order. Kept are:
//
//   - the revision of the contract's own version,
//   - what any channel serves and what it served before,
//   - what is pinned,
//   - the highest release of each line that is not retired, which the next version
//     is measured against,
//   - the newest limit revisions beside these, by version,
//   - every rendering that a channel copies, of each other kept revision its
//     newest, and beside these the newest limit renderings of kept revisions.
func retain(c *v1alpha1.ToolContract, revisions map[string]*v1alpha1.ToolRevision, configMaps map[string]*corev1.ConfigMap, pinned pins, limit int) []client.Object {
	needed, copied := neededBy(configMaps, c)
	var own []versioned
	for _, revision := range revisions {
		version, err := contract.ParseVersion(revision.Spec.Content.Version)
		if err != nil || ownerOf(revision, c) != ours {
			continue
		}
		own = append(own, versioned{revision, version})
	}
	slices.SortFunc(own, func(a, b versioned) int { return -a.version.Compare(b.version) })

	kept := map[string]bool{}
	heads := map[string]bool{}
	spare := limit
	var drop []client.Object
	for _, r := range own {
		line := r.version.Line()
		isHead := !heads[line] && !r.version.IsPrerelease() && evaluate.CompareLines(line, c.Status.RetiredLine) > 0
		if isHead {
			heads[line] = true
		}
		switch {
		case isHead, needed[r.Name], pinned.revisions[r.Name], r.version.String() == c.Spec.Version:
			kept[r.Name] = true
		case spare > 0:
			spare--
			kept[r.Name] = true
		default:
			drop = append(drop, r.ToolRevision)
		}
	}
	return append(drop, spareRenderings(c, configMaps, kept, copied, pinned, limit)...)
}

type versioned struct {
	*v1alpha1.ToolRevision
	version contract.Version
}

// neededBy collects the revisions that channels serve or served before, and
// the renderings they copy.
func neededBy(configMaps map[string]*corev1.ConfigMap, c *v1alpha1.ToolContract) (revisions, renderings map[string]bool) {
	revisions, renderings = map[string]bool{}, map[string]bool{}
	for _, cm := range configMaps {
		// Either tells a channel, should somebody have edited the other one.
		if cm.Labels[v1alpha1.LabelRole] != v1alpha1.RoleChannel && cm.Annotations[v1alpha1.AnnotationRendering] == "" {
			continue
		}
		revisions[cm.Annotations[v1alpha1.AnnotationRevision]] = true
		revisions[cm.Annotations[v1alpha1.AnnotationPrevious]] = true
		renderings[cm.Annotations[v1alpha1.AnnotationRendering]] = true
	}
	for _, channel := range c.Status.Channels { // also while the ConfigMap is missing
		revisions[channel.Revision] = true
		renderings[renderingOf(channel)] = true
	}
	return revisions, renderings
}

func spareRenderings(c *v1alpha1.ToolContract, configMaps map[string]*corev1.ConfigMap, kept, copied map[string]bool, pinned pins, limit int) []client.Object {
	var own []*corev1.ConfigMap
	for _, cm := range configMaps {
		// A channel whose labels somebody has edited is still no rendering.
		named := strings.HasPrefix(cm.Name, cm.Annotations[v1alpha1.AnnotationRevision]+"-")
		if cm.Labels[v1alpha1.LabelRole] == v1alpha1.RoleRendering && named && ownerOf(cm, c) == ours {
			own = append(own, cm)
		}
	}
	slices.SortFunc(own, func(a, b *corev1.ConfigMap) int {
		return cmp.Or(b.CreationTimestamp.Compare(a.CreationTimestamp.Time), cmp.Compare(a.Name, b.Name))
	})
	var drop []client.Object
	// What a channel copies is current, whatever clocks say. Of a revision that none
	// serves it is what was made last: all that were made in that second.
	isCopied := map[string]bool{}
	last := map[string]metav1.Time{}
	for _, cm := range own {
		revision := cm.Annotations[v1alpha1.AnnotationRevision]
		isCopied[revision] = isCopied[revision] || copied[cm.Name]
		if _, later := last[revision]; !later {
			last[revision] = cm.CreationTimestamp
		}
	}
	spare := limit
	for _, cm := range own {
		revision := cm.Annotations[v1alpha1.AnnotationRevision]
		newest := last[revision]
		isCurrent := kept[revision] && !isCopied[revision] && cm.CreationTimestamp.Equal(&newest)
		switch {
		case isCurrent, copied[cm.Name], pinned.renderings[cm.Name]:
		case kept[revision] && spare > 0:
			spare--
		default:
			drop = append(drop, cm)
		}
	}
	return drop
}
