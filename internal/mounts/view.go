// SPDX-License-Identifier: Apache-2.0

package mounts

import (
	"context"
	"fmt"
	"slices"
	"time"
	"unique"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// view is what the tracker knows of the objects of one kind. It is the store of
// the reflector that lists and watches them. The tracker's mutex guards it.
type view struct {
	kind
	tracker *Tracker
	objects map[objectKey]record
	// listed is true if objects has at least what a complete list held. A new
	// list makes it false until it is complete.
	listed bool
	// watched is true while the watch that follows the list is open.
	watched bool
	// trouble is why it is not, as far as that is known.
	trouble error
}

type objectKey struct {
	namespace unique.Handle[string]
	name      string
}

// record is what is kept of an object that mounts something published.
type record struct {
	consumer unique.Handle[consumer]
	names    []unique.Handle[string]
	idle     bool
}

func (r record) equal(s record) bool {
	return r.consumer == s.consumer && r.idle == s.idle && slices.Equal(r.names, s.names)
}

func (v *view) ready() bool { return v.listed && v.watched }

// Add implements [cache.ReflectorStore].
func (v *view) Add(object any) error { return v.Update(object) }

// Update implements [cache.ReflectorStore].
func (v *view) Update(object any) error {
	o, err := see(object)
	if err != nil {
		return err
	}
	v.tracker.mutex.Lock()
	defer v.tracker.mutex.Unlock()
	v.put(o)
	return nil
}

// Delete implements [cache.ReflectorStore].
func (v *view) Delete(object any) error {
	o, err := meta.Accessor(object)
	if err != nil {
		return fmt.Errorf("reading a deleted object: %w", err)
	}
	v.tracker.mutex.Lock()
	defer v.tracker.mutex.Unlock()
	v.set(objectKey{unique.Make(o.GetNamespace()), o.GetName()}, record{})
	return nil
}

// Replace implements [cache.ReflectorStore]: a list is complete.
func (v *view) Replace(list []any, _ string) error {
	all := make([]*seen, 0, len(list))
	for _, object := range list {
		o, err := see(object)
		if err != nil {
			return err
		}
		all = append(all, o)
	}
	v.tracker.mutex.Lock()
	defer v.tracker.mutex.Unlock()
	there := make(map[objectKey]bool, len(v.objects))
	for _, o := range all {
		there[v.put(o)] = true
	}
	for key := range v.objects {
		if !there[key] {
			v.set(key, record{})
		}
	}
	v.listed = true
	v.tracker.stateChanged()
	return nil
}

// Resync implements [cache.ReflectorStore]. There is nothing to do again.
func (v *view) Resync() error { return nil }

// Transformer implements [cache.TransformingStore]: what a list brings is reduced
// object by object, before all of it has arrived.
func (v *view) Transformer() cache.TransformFunc { return reduce }

func see(object any) (*seen, error) {
	o, err := reduce(object)
	if err != nil {
		return nil, err
	}
	return o.(*seen), nil
}

func (v *view) put(o *seen) objectKey {
	key := objectKey{unique.Make(o.Namespace), o.Name}
	r := record{consumer: unique.Make(o.consumer), idle: o.idle}
	for _, name := range o.names {
		r.names = append(r.names, unique.Make(name))
	}
	v.set(key, r)
	return key
}

// set replaces what is known of an object. One that mounts nothing is not kept.
func (v *view) set(key objectKey, next record) {
	last := v.objects[key]
	if last.equal(next) || len(last.names)+len(next.names) == 0 {
		return
	}
	if len(next.names) == 0 {
		delete(v.objects, key)
	} else {
		v.objects[key] = next
	}
	// First the new, so that a consumer that stays is never gone in between.
	if !next.idle {
		for _, name := range next.names {
			v.tracker.mount(configMap{key.namespace, name}, next.consumer)
		}
	}
	if !last.idle {
		for _, name := range last.names {
			v.tracker.release(configMap{key.namespace, name}, last.consumer)
		}
	}
}

// run lists and watches until the context ends.
func (v *view) run(ctx context.Context) {
	// The reflector's own loop would report each attempt while a right is missing.
	reflector := cache.NewReflectorWithOptions(v.listWatch(), v.object, v, cache.ReflectorOptions{Name: "mounts/" + v.resource})
	delay := wait.Backoff{Duration: time.Second, Cap: 30 * time.Second, Steps: 6, Factor: 2, Jitter: 0.5}.
		DelayWithReset(clock.RealClock{}, 2*time.Minute)
	_ = delay.Until(ctx, true, true, func(ctx context.Context) (bool, error) { // only the context ends it
		v.lost(reflector.ListAndWatchWithContext(ctx)) // it comes back only to list anew
		return false, nil
	})
}

// listWatch asks the API server, and notes on the way whether the view is whole.
func (v *view) listWatch() cache.ListerWatcher {
	return cache.ToListWatcherWithWatchListSemantics(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			v.begins()
			list := v.list.DeepCopyObject().(client.ObjectList)
			err := v.tracker.client.List(ctx, list, &client.ListOptions{
				Namespace: v.tracker.namespace, Raw: &o, Limit: o.Limit, Continue: o.Continue,
			})
			if err != nil {
				v.lost(err)
			}
			return list, err
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			if o.SendInitialEvents != nil && *o.SendInitialEvents {
				v.begins()
			}
			list := v.list.DeepCopyObject().(client.ObjectList)
			w, err := v.tracker.client.Watch(ctx, list, &client.ListOptions{Namespace: v.tracker.namespace, Raw: &o})
			if err != nil {
				v.lost(err)
				return nil, err
			}
			v.follows()
			return w, nil
		},
	}, v.tracker.client)
}

// begins notes that a list starts anew, because the last one has grown too old.
func (v *view) begins() {
	v.tracker.mutex.Lock()
	defer v.tracker.mutex.Unlock()
	v.listed = false
	v.tracker.stateChanged()
}

// follows notes that a watch is open.
func (v *view) follows() {
	v.tracker.mutex.Lock()
	defer v.tracker.mutex.Unlock()
	v.watched, v.trouble = true, nil
	v.tracker.stateChanged()
}

// lost notes that there is no watch, and why if that is known. Without a reason
// it has only grown too old, and a list follows.
func (v *view) lost(err error) {
	v.tracker.mutex.Lock()
	defer v.tracker.mutex.Unlock()
	v.watched = false
	if err != nil {
		v.trouble = err
		v.tracker.announced = false
	}
	v.tracker.stateChanged()
}
