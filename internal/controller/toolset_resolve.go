// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8slabels "k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/publish"
)

// member is one tool that a set names, by a reference or through a selector.
type member struct {
	// pointer leads to the reference or the selector.
	pointer  string
	selected bool
	key      types.NamespacedName
	// One of channel and version is set.
	channel, version string
	deferLoading     bool
	group            string
	// duplicate says that an earlier reference names the contract already.
	duplicate bool

	found found
	// verdict is what follows from what was found.
	verdict verdict
}

// found is what the cluster has of a member.
type found struct {
	// unseen says that the operator does not watch the contract's namespace.
	unseen bool
	// contract is nil if it is gone or going.
	contract *v1alpha1.ToolContract
	// permitted says that the contract lets the set hold it.
	permitted bool
	// revision is the one that the set follows or names, empty if the contract
	// serves no such line.
	revision string
	// content is nil if the revision is not there, does not prove itself or is not
	// the contract's own.
	content *contract.Content
	// targets are those that the revision is published for; nil if it is not
	// known how.
	targets []v1alpha1.Target
}

// verdict says what becomes of a member.
type verdict struct {
	// reason is empty if the member resolves; else it is one of ResolvedRefs.
	reason  string
	message string
	// keeps says that what is published of the tool stays.
	keeps bool
	// waits says that the operator has still to look at the contract.
	waits bool
	// ignored says that the member is none: a selector does not reach it.
	ignored bool
}

// resolves reports whether the set gets the tool as it was found.
func (m *member) resolves() bool { return m.verdict.reason == "" }

// namedVersion is what the member asks for, as people say it.
func (m *member) namedVersion() string {
	if m.version != "" {
		return "version " + m.version
	}
	return "line " + m.channel
}

// revisionOf names the revision that a member leads to, empty if the contract
// has none: what the channel of the line serves, or the one of the version.
func revisionOf(m *member, c *v1alpha1.ToolContract) string {
	if m.version != "" {
		version, err := contract.ParseVersion(m.version)
		if err != nil {
			return ""
		}
		return publish.RevisionName(c.Name, version)
	}
	return channelOf(c, m.channel).Revision
}

// channelOf is what a contract's status says of a line.
func channelOf(c *v1alpha1.ToolContract, line string) v1alpha1.Channel {
	for _, channel := range c.Status.Channels {
		if channel.Line == line {
			return channel
		}
	}
	return v1alpha1.Channel{}
}

// permits reports whether a contract lets the sets of a namespace hold it. The
// labels of the namespace are asked for only if they decide.
func permits(c *v1alpha1.ToolContract, namespace string, labels func() (map[string]string, error)) (bool, error) {
	allowed := c.Spec.AllowedNamespaces
	if c.Namespace == namespace {
		return true, nil
	}
	if allowed == nil || allowed.From == v1alpha1.NamespacesSame {
		return false, nil
	}
	if allowed.From == v1alpha1.NamespacesAll {
		return true, nil
	}
	selector, err := metav1.LabelSelectorAsSelector(allowed.Selector)
	if err != nil {
		return false, nil //nolint:nilerr // a selector that cannot be read permits nothing
	}
	have, err := labels()
	if err != nil {
		return false, err
	}
	return selector.Matches(k8slabels.Set(have)), nil
}

// judge says what becomes of a member. The publications are what the set serves
// for its profiles. Nothing is dropped because something is missing: only who
// asks for it loses a tool.
func (m *member) judge(publications []*publicationOf) verdict {
	f := m.found
	c := m.key.String()
	gone := func(fix, format string, args ...any) verdict {
		return verdict{reason: v1alpha1.ReasonNotFound, keeps: true, message: fmt.Sprintf(format, args...) + ". Fix: " + fix}
	}
	switch {
	case m.duplicate:
		return verdict{
			reason:  v1alpha1.ReasonDuplicateReference,
			message: fmt.Sprintf("the ToolContract %s is named by an earlier reference, which counts. Fix: remove one of them", c),
		}
	case f.unseen:
		return gone("name a contract of the set's own namespace, or run the operator for the whole cluster",
			"the operator watches one namespace only, and the ToolContract %s is in another one", c)
	case f.contract == nil:
		return gone("create it, or remove the reference", "there is no ToolContract %s", c)
	case !f.permitted:
		return verdict{
			reason: v1alpha1.ReasonRefNotPermitted,
			message: fmt.Sprintf("/spec/allowedNamespaces of the ToolContract %s does not permit this namespace, so the tool is left out. "+
				"Fix: have its owner permit it, or remove the reference", c),
		}
	}
	waits := f.contract.Status.ObservedGeneration != f.contract.Generation
	switch {
	case f.revision == "" && m.selected && !m.served(publications):
		return verdict{ignored: true}
	case f.revision == "" || f.content == nil:
		v := gone("publish it, or name one that the contract has; its status lists the channels", "the ToolContract %s has no %s that could be used", c, m.namedVersion())
		v.waits = waits
		return v
	case f.targets == nil:
		v := gone("wait for the operator to restore the ConfigMap; it looks again by itself", "it is not known how the ToolContract %s delivers %s, because no ConfigMap with its bytes is left", c, f.revision)
		v.waits = true
		return v
	}
	version, digest := f.content.Version.String(), f.content.Digest()
	for _, p := range publications {
		if has, ok := p.find(m.key); ok && has.Version == version && has.Digest != digest {
			return verdict{
				reason: v1alpha1.ReasonRevisionConflict, keeps: true,
				message: fmt.Sprintf("the ToolContract %s has %s with other content than the set serves under that version (%s, not %s), which stays. "+
					"Fix: publish the new content under a higher version", c, version, digest, has.Digest),
			}
		}
	}
	return verdict{}
}

// served reports whether the set serves the tool in the line that the member
// asks for.
func (m *member) served(publications []*publicationOf) bool {
	for _, p := range publications {
		if has, ok := p.find(m.key); ok && lineOf(has.Version) == m.channel {
			return true
		}
	}
	return false
}
