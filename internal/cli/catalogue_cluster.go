// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"strings"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/catalogue"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/manifest"
	"github.com/toolcontract/operator/internal/provider"
)

// catalogueOfCluster reads a cluster.
func (p *Program) catalogueOfCluster(flags catalogueFlags) (b *catalogueBuilder, code int) {
	s, code, done := p.readCluster(flags.from, SnapshotWanted{AllNamespaces: flags.all})
	if done {
		return nil, code
	}
	var broken map[string][]string
	p.profiles, broken = p.profilesOfCluster(s.Profiles)
	b = p.newCatalogue()
	b.model.Source = "Made from a cluster, all namespaces"
	if len(s.Namespaces) > 0 {
		b.model.Source = "Made from a cluster, namespace " + strings.Join(s.Namespaces, ", ")
	}
	for _, d := range s.Denied {
		b.model.Notes = append(b.model.Notes, d.String())
	}
	for i := range s.Profiles {
		for _, why := range broken[s.Profiles[i].Name] {
			b.model.Notes = append(b.model.Notes, fmt.Sprintf("the ProviderProfile %s: %s", s.Profiles[i].Name, why))
		}
	}
	revisions := map[catalogue.Name][]*v1alpha1.ToolRevision{}
	for i := range s.Revisions {
		r := &s.Revisions[i]
		of := catalogue.Name{Namespace: r.Namespace, Name: r.Spec.ContractRef.Name}
		revisions[of] = append(revisions[of], r)
	}
	for i := range s.Contracts {
		b.addFromCluster(&s.Contracts[i], revisions)
	}
	for i := range s.Sets {
		set := &s.Sets[i]
		b.sets = append(b.sets, &manifest.Document{IsSet: true, Set: set, Namespace: set.Namespace, Name: set.Name})
	}
	return b, exitOK
}

// profilesOfCluster are the profiles that the operator of the cluster uses, with
// what keeps others from being used.
func (p *Program) profilesOfCluster(objects []v1alpha1.ProviderProfile) (profiles *provider.Catalog, broken map[string][]string) {
	profiles, findings := evaluate.ProfilesInForce(p.profiles, objects)
	broken = map[string][]string{}
	for name, found := range findings {
		for _, f := range found {
			broken[name] = append(broken[name], f.String())
		}
	}
	return profiles, broken
}

// addFromCluster takes a contract with its revisions. Those that are not what
// their digest says were not accepted as they are, and are left out.
func (b *catalogueBuilder) addFromCluster(c *v1alpha1.ToolContract, revisions map[catalogue.Name][]*v1alpha1.ToolRevision) {
	name := catalogue.Name{Namespace: c.Namespace, Name: c.Name}
	e := b.entry(name)
	for _, r := range revisions[name] {
		content, findings := evaluate.Read(&r.Spec.Content)
		if content == nil || content.Digest() != r.Spec.ContentDigest {
			b.model.Notes = append(b.model.Notes, fmt.Sprintf("the ToolRevision %s/%s: it is not what its digest says", r.Namespace, r.Name))
			continue
		}
		e.add(catalogueVersion{c, content, "ToolRevision " + r.Name, findings, r.Spec.Acknowledgements})
	}
	b.add(&manifest.Document{Contract: c, Namespace: c.Namespace, Name: c.Name, ToolName: c.Spec.ToolName, Targets: c.Spec.Targets}, "ToolContract "+c.Name)
	for _, condition := range c.Status.Conditions {
		e.conditions = append(e.conditions, catalogue.Condition{
			Type: condition.Type, Status: string(condition.Status), Reason: condition.Reason, Message: condition.Message,
		})
	}
	for _, channel := range c.Status.Channels {
		e.channels = append(e.channels, catalogue.Channel{Line: channel.Line, Revision: channel.Revision, ConfigMap: channel.ConfigMap, Digest: channel.Digest})
	}
}
