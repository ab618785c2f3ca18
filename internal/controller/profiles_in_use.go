// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/toolcontract/operator/internal/provider"
)

// ProfilesInUse holds the catalogue that contracts are judged and rendered by.
// A catalogue is immutable and replaced as a whole; whoever works with one
// takes it once and keeps it to the end.
type ProfilesInUse struct {
	catalog atomic.Pointer[provider.Catalog]
	loaded  chan struct{} // closed with the first catalogue
	load    sync.Once
	// queue is that of the contract controller and sets that of the set controller,
	// nil before they have started.
	queue, sets atomic.Pointer[priorityqueue.PriorityQueue[reconcile.Request]]
}

// NewProfilesInUse returns a holder without a catalogue: no contract is
// reconciled before it has one.
func NewProfilesInUse() *ProfilesInUse { return &ProfilesInUse{loaded: make(chan struct{})} }

// Use makes a catalogue the one in use.
func (p *ProfilesInUse) Use(catalog *provider.Catalog) {
	p.catalog.Store(catalog)
	p.load.Do(func() { close(p.loaded) })
}

// Catalog returns the catalogue in use, nil before there is one.
func (p *ProfilesInUse) Catalog() *provider.Catalog { return p.catalog.Load() }

// Start implements [source.Source]: the contract controller gives its queue.
func (p *ProfilesInUse) Start(_ context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
	return keepQueue(&p.queue, queue)
}

// ForSets is the same source for the set controller.
func (p *ProfilesInUse) ForSets() source.SyncingSource { return profilesForSets{p} }

type profilesForSets struct{ *ProfilesInUse }

// Start takes the queue of the set controller.
func (p profilesForSets) Start(_ context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
	return keepQueue(&p.sets, queue)
}

func keepQueue(at *atomic.Pointer[priorityqueue.PriorityQueue[reconcile.Request]], queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
	priority, ok := queue.(priorityqueue.PriorityQueue[reconcile.Request])
	if !ok {
		return fmt.Errorf("the queue has no priorities: %T", queue)
	}
	at.Store(&priority)
	return nil
}

// WaitForSync implements [source.SyncingSource]: the contract controller does
// not begin before there is a catalogue. With the built-in profiles alone, a
// restart would refuse and render what the profiles of the cluster say otherwise.
func (p *ProfilesInUse) WaitForSync(ctx context.Context) error {
	select {
	case <-p.loaded:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("waiting for the provider profiles: %w", ctx.Err())
	}
}

// String names the source in logs.
func (p *ProfilesInUse) String() string { return "provider profiles in use" }

// renderAgain has contracts and sets reconciled when there is nothing more urgent:
// their authors changed nothing.
func (p *ProfilesInUse) renderAgain(contracts, sets []reconcile.Request) {
	lowly := priorityqueue.AddOpts{Priority: new(handler.LowPriority)}
	if queue := p.queue.Load(); queue != nil { // else the first list is still to come
		(*queue).AddWithOpts(lowly, contracts...)
	}
	if queue := p.sets.Load(); queue != nil {
		(*queue).AddWithOpts(lowly, sets...)
	}
}

// profileChange says which profiles differ between two catalogues.
type profileChange struct {
	after   *provider.Catalog
	changed map[string]bool
	// renamed says that there are other names: a contract whose target is unknown
	// is told which there are.
	renamed bool
}

func changeBetween(before, after *provider.Catalog) profileChange {
	c := profileChange{after: after, changed: map[string]bool{}}
	for _, name := range after.Names() {
		is, _ := after.Lookup(name)
		was, existed := before.Lookup(name)
		if !existed || was != is && was.Digest() != is.Digest() {
			c.changed[name] = true
		}
		c.renamed = c.renamed || !existed
	}
	for _, name := range before.Names() {
		if _, exists := after.Lookup(name); !exists {
			c.changed[name], c.renamed = true, true
		}
	}
	return c
}

// touches reports whether a target of this profile may have another result.
func (c profileChange) touches(profile string) bool {
	_, known := c.after.Lookup(profile)
	return c.changed[profile] || c.renamed && !known
}
