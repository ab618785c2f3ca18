// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/change"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
)

// Reviewer says of a contract or a set that is not stored yet what the controllers
// would say of it once it is. It takes the same steps as they do, up to the first
// that writes, so that their words cannot differ. Every replica reviews, whether
// it leads or not.
type Reviewer struct {
	contracts ContractReconciler
	sets      ToolSetReconciler
	namespace string
	base      *provider.Catalog
	ignore    bool // the ProviderProfiles of the cluster

	mutex sync.Mutex // guards what follows
	// inForce is the catalogue that the statuses of these ProviderProfiles make.
	inForce   *provider.Catalog
	inForceOf string
}

// Review is what the controllers would say.
type Review struct {
	// Conditions are those that would not be met, the most serious first. One of
	// SchemaValid and VersionAccepted means that the contract is refused.
	Conditions []metav1.Condition
	// Warnings are findings of that severity, which no condition quotes.
	Warnings []ReviewFinding
}

// ReviewFinding is a finding about a contract as a whole or for one profile.
type ReviewFinding struct {
	Profile string // empty: whatever the profile
	finding.Finding
}

// NewReviewer returns a reviewer that reads from the cache of a manager, for which
// [Setup] has been called with the same options. Without a leader no controller
// asks the cache for what is needed here, so it is told to hold it.
func NewReviewer(ctx context.Context, mgr ctrl.Manager, options Options, profiles *ProfilesInUse) (*Reviewer, error) {
	needed := []client.Object{&v1alpha1.ToolContract{}, &v1alpha1.ToolRevision{}, &v1alpha1.ToolSet{}, &corev1.ConfigMap{}}
	if options.ProviderProfiles != IgnoreProfiles {
		needed = append(needed, &v1alpha1.ProviderProfile{})
	}
	for _, object := range needed {
		if _, err := mgr.GetCache().GetInformer(ctx, object, cache.BlockUntilSynced(false)); err != nil {
			return nil, fmt.Errorf("watching %T for reviews: %w", object, err)
		}
	}
	return &Reviewer{
		contracts: ContractReconciler{
			Client: mgr.GetClient(), Live: mgr.GetAPIReader(), Profiles: profiles,
			Mounts: options.Mounts, Checker: change.NewChecker(checkerEntries),
		},
		sets: ToolSetReconciler{
			Client: mgr.GetClient(), Live: mgr.GetAPIReader(), Profiles: profiles, Namespace: options.Namespace,
		},
		namespace: options.Namespace, base: options.Base, ignore: options.ProviderProfiles == IgnoreProfiles,
	}, nil
}

// Watches reports whether the operator looks after a namespace.
func (r *Reviewer) Watches(namespace string) bool {
	return r.namespace == "" || r.namespace == namespace
}

// Contract reviews a contract on what the cache says or, if live is set, the API
// server.
func (r *Reviewer) Contract(ctx context.Context, contract *v1alpha1.ToolContract, live bool) (*Review, error) {
	catalog, err := r.catalog(ctx)
	if err != nil {
		return nil, err
	}
	from := client.Reader(r.contracts.Client)
	if live {
		from = r.contracts.Live
	}
	run := &contractRun{ContractReconciler: &r.contracts, contract: contract, profiles: catalog, live: live}
	if err := run.gather(ctx, from); err != nil {
		return nil, err
	}
	if run.followers, err = followersOf(ctx, r.contracts.Client, contract); err != nil {
		return nil, err
	}
	run.evaluate()
	return run.review(), nil
}

// review is what a run that has evaluated would report.
func (run *contractRun) review() *Review {
	e := run.evaluation
	conditions := []metav1.Condition{schemaValid(e), versionAccepted(e), run.providersCompatible()}
	if published := run.publishedCondition(nil); published.Reason == v1alpha1.ReasonTooLarge {
		conditions = append(conditions, published) // what else it says follows from the others
	}
	review := &Review{Conditions: unmet(append(conditions, linted(e)))}
	review.add("", e.Findings)
	for _, f := range e.Decision.Findings {
		if f.Rule == change.RuleUnusedAcknowledgement {
			f.Severity = finding.Warning // for a change it is a note beside what decides
			review.add("", []finding.Finding{f.Finding})
		}
	}
	for _, t := range e.Targets {
		review.add(t.Spec.Profile, t.Findings)
	}
	review.add("", e.Lint.Findings)
	return review
}

func (r *Review) add(profile string, findings []finding.Finding) {
	for _, f := range findings {
		if f.Severity == finding.Warning {
			r.Warnings = append(r.Warnings, ReviewFinding{profile, f})
		}
	}
}

func unmet(conditions []metav1.Condition) []metav1.Condition {
	return slices.DeleteFunc(conditions, func(c metav1.Condition) bool { return c.Status != metav1.ConditionFalse })
}

// Set reviews a set. What it says of tools whose contracts the operator has still
// to look at would be about the past, and is left out: who applies a contract and
// its set together has done nothing wrong.
func (r *Reviewer) Set(ctx context.Context, set *v1alpha1.ToolSet) (*Review, error) {
	catalog, err := r.catalog(ctx)
	if err != nil {
		return nil, err
	}
	run := &setRun{ToolSetReconciler: &r.sets, set: set, from: r.sets.Client, profiles: catalog}
	if err := run.gather(ctx); err != nil {
		return nil, err
	}
	if err := run.decide(ctx); err != nil {
		return nil, err
	}
	linted := run.linted()
	review := &Review{Conditions: unmet([]metav1.Condition{run.resolvedRefs(), run.toolsPublished(nil), linted})}
	if run.waits() {
		review.Conditions = unmet([]metav1.Condition{linted})
	}
	if linted.Reason == v1alpha1.ReasonLintWarnings {
		review.Conditions = append(review.Conditions, linted) // it quotes the findings, and nothing else does
	}
	return review, nil
}

// catalog is the catalogue that the leader works with: its own, or what the
// statuses of the ProviderProfiles say is in force.
func (r *Reviewer) catalog(ctx context.Context) (*provider.Catalog, error) {
	if catalog := r.contracts.Profiles.Catalog(); catalog != nil {
		return catalog, nil
	}
	if r.ignore {
		return r.base, nil
	}
	var list v1alpha1.ProviderProfileList
	if err := r.contracts.Client.List(ctx, &list); err != nil {
		return nil, fmt.Errorf("listing provider profiles: %w", err)
	}
	objects := slices.DeleteFunc(list.Items, func(p v1alpha1.ProviderProfile) bool { return !p.DeletionTimestamp.IsZero() })
	slices.SortFunc(objects, func(a, b v1alpha1.ProviderProfile) int { return strings.Compare(a.Name, b.Name) })
	var of strings.Builder
	for i := range objects {
		fmt.Fprintln(&of, objects[i].UID, objects[i].ResourceVersion)
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.inForce == nil || r.inForceOf != of.String() {
		r.inForce, _ = evaluate.ProfilesInForce(r.base, objects)
		r.inForceOf = of.String()
	}
	return r.inForce, nil
}
