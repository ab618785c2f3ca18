// SPDX-License-Identifier: Apache-2.0

package mounts

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"
	"unique"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Options of a tracker.
type Options struct {
	// Client lists and watches at the API server.
	Client client.WithWatch
	// Namespace restricts the tracker to one namespace; empty means all.
	Namespace string
	// Contracts lists every contract, and Sets every set. All of them are looked at
	// again when the tracker becomes ready: what was kept until then may be spare.
	// Sets may be nil.
	Contracts, Sets func(context.Context) ([]types.NamespacedName, error)
}

// Tracker knows which published ConfigMaps something mounts. Add it to a manager
// or call [Tracker.Start].
type Tracker struct {
	client    client.WithWatch
	namespace string
	contracts func(context.Context) ([]types.NamespacedName, error)
	sets      func(context.Context) ([]types.NamespacedName, error)

	mutex   sync.Mutex // guards all below, and the views
	started bool
	views   []*view
	index   index
	// changed are the owners of ConfigMaps that were mounted or released since the
	// last announcement.
	changed map[owner]bool
	// announced is true if all contracts and sets were looked at since the tracker has
	// become ready, for the first time or after a connection was lost. While a list
	// merely begins anew, changes wait and are all there is to tell, unless
	// somebody asked in between and left something undone.
	announced bool
	// reported are the troubles that the log has.
	reported map[string]bool
	queues   []subscription

	// wake holds an entry if there is something to announce.
	wake chan struct{}
	// pause is how long changes are gathered before they are announced.
	pause time.Duration
}

// New returns a tracker that knows nothing yet.
func New(o Options) *Tracker {
	t := &Tracker{
		client: o.Client, namespace: o.Namespace, contracts: o.Contracts, sets: o.Sets,
		index: index{}, changed: map[owner]bool{}, reported: map[string]bool{},
		wake: make(chan struct{}, 1), pause: time.Second,
	}
	for _, k := range kinds {
		t.views = append(t.views, &view{kind: k, tracker: t, objects: map[objectKey]record{}})
	}
	return t
}

// Start lists and watches until the context ends. A manager with leader election
// calls it on the leader only; nobody else needs to know.
func (t *Tracker) Start(ctx context.Context) error {
	t.mutex.Lock()
	t.started = true
	t.mutex.Unlock()
	var running sync.WaitGroup
	for _, v := range t.views {
		running.Go(func() { v.run(ctx) })
	}
	running.Go(func() { t.announce(ctx) })
	running.Wait()
	return nil
}

// Ready reports whether everything that runs has been seen and is being watched.
// Until then a ConfigMap without consumers may have some.
func (t *Tracker) Ready() bool {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	ready := t.ready()
	t.announced = t.announced && ready
	return ready
}

func (t *Tracker) ready() bool {
	return !slices.ContainsFunc(t.views, func(v *view) bool { return !v.ready() })
}

// Consumers names what mounts a ConfigMap as Kind/name, sorted; it is nil if
// nothing is known to. A Pod counts as its controller, and the ReplicaSets of a
// Deployment and the Jobs of a CronJob as those.
func (t *Tracker) Consumers(namespace, name string) []string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	key := configMap{unique.Make(namespace), unique.Make(name)}
	names := map[string]bool{}
	for c := range t.index[key] {
		names[t.resolve(key.namespace, c).String()] = true
	}
	return slices.Sorted(maps.Keys(names))
}

// resolve names what a consumer belongs to, if the consumer is itself an object
// that a controller made.
func (t *Tracker) resolve(namespace unique.Handle[string], c unique.Handle[consumer]) consumer {
	for _, v := range t.views {
		if v.name != c.Value().kind {
			continue
		}
		if r, ok := v.objects[objectKey{namespace, c.Value().name}]; ok {
			return r.consumer.Value()
		}
	}
	return c.Value()
}

func (t *Tracker) mount(cm configMap, c unique.Handle[consumer]) {
	if t.index.add(cm, c) {
		t.touch(cm)
	}
}

func (t *Tracker) release(cm configMap, c unique.Handle[consumer]) {
	if t.index.remove(cm, c) {
		t.touch(cm)
	}
}

// touch notes that another consumer mounts a ConfigMap, or one fewer.
func (t *Tracker) touch(cm configMap) {
	if o, ok := ownerOf(cm.namespace.Value(), cm.name.Value()); ok {
		t.changed[o] = true
	}
	t.stateChanged()
}

// stateChanged has the announcer look.
func (t *Tracker) stateChanged() {
	select {
	case t.wake <- struct{}{}:
	default:
	}
}
