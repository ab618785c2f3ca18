// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
)

const (
	// gathering is how long a wait lets changes come together before it looks: one
	// step of the operator is several writes. It doubles with each look in vain.
	gathering = 20 * time.Millisecond
	// lookAnyway is when a wait looks again without a change. Not everything that
	// tests wait for is an object of the cluster.
	lookAnyway = 250 * time.Millisecond
)

// changes wakes whoever waits for something in a namespace when an object there
// changes. Looking all the time instead would keep the API server busier than
// the operator does.
type changes struct {
	mutex   sync.Mutex
	waiting map[string]chan struct{} // by namespace
}

// changed are the changes in the whole cluster.
var changed = changes{waiting: map[string]chan struct{}{}}

// next is closed with the next change in the namespace or of an object of the
// cluster.
func (c *changes) next(namespace string) <-chan struct{} {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.waiting[namespace] == nil {
		c.waiting[namespace] = make(chan struct{})
	}
	return c.waiting[namespace]
}

func (c *changes) note(namespace string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for waiting, next := range c.waiting {
		if waiting == namespace || namespace == "" {
			close(next)
			delete(c.waiting, waiting)
		}
	}
}

// follow watches what the operator writes and reads, until the context ends.
func (c *changes) follow(ctx context.Context) error {
	all, err := cache.New(plane.RESTConfig(), cache.Options{Scheme: admin.Scheme()})
	if err != nil {
		return err
	}
	note := func(object any) {
		if gone, ok := object.(toolscache.DeletedFinalStateUnknown); ok {
			object = gone.Obj
		}
		if object, ok := object.(client.Object); ok {
			c.note(object.GetNamespace())
		}
	}
	for _, kind := range []schema.GroupVersionKind{
		v1alpha1.GroupVersion.WithKind("ToolContract"), v1alpha1.GroupVersion.WithKind("ToolRevision"),
		v1alpha1.GroupVersion.WithKind("ProviderProfile"), v1alpha1.GroupVersion.WithKind("ToolSet"), corev1.SchemeGroupVersion.WithKind("ConfigMap"),
	} {
		object := &metav1.PartialObjectMetadata{}
		object.SetGroupVersionKind(kind)
		informer, err := all.GetInformer(ctx, object, cache.BlockUntilSynced(false))
		if err != nil {
			return fmt.Errorf("watching %s: %w", kind.Kind, err)
		}
		if _, err := informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
			AddFunc: note, UpdateFunc: func(_, object any) { note(object) }, DeleteFunc: note,
		}); err != nil {
			return fmt.Errorf("watching %s: %w", kind.Kind, err)
		}
	}
	go func() { _ = all.Start(ctx) }()
	return nil
}
