// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/schema"
)

// witness notes everything that is ever published in a namespace.
type witness struct {
	*world
	watches []watch.Interface
	done    sync.WaitGroup

	mutex sync.Mutex
	// contents are the content digests that each version ever had, by version.
	contents map[string][]string
	// served are the versions that each channel served, in order, by channel.
	served map[string][]string
	torn   []string
}

// watching begins to note.
func (w *world) watching() *witness {
	w.Helper()
	watcher, err := client.NewWithWatch(plane.RESTConfig(), client.Options{Scheme: admin.Scheme()})
	if err != nil {
		w.Fatal(err)
	}
	seen := &witness{world: w, contents: map[string][]string{}, served: map[string][]string{}}
	for _, list := range []client.ObjectList{&v1alpha1.ToolRevisionList{}, &corev1.ConfigMapList{}} {
		watch, err := watcher.Watch(context.Background(), list, client.InNamespace(w.namespace))
		if err != nil {
			w.Fatal(err)
		}
		seen.watches = append(seen.watches, watch)
		seen.done.Go(func() {
			for event := range watch.ResultChan() {
				seen.note(event)
			}
		})
	}
	w.Cleanup(seen.stop)
	return seen
}

func (s *witness) stop() {
	for _, w := range s.watches {
		w.Stop()
	}
	s.done.Wait()
}

func (s *witness) note(event watch.Event) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	switch object := event.Object.(type) {
	case *v1alpha1.ToolRevision:
		version := object.Spec.Content.Version
		if !slices.Contains(s.contents[version], object.Spec.ContentDigest) {
			s.contents[version] = append(s.contents[version], object.Spec.ContentDigest)
		}
	case *corev1.ConfigMap:
		if object.Labels[v1alpha1.LabelRole] != v1alpha1.RoleChannel || event.Type == watch.Deleted {
			return
		}
		version := object.Labels[v1alpha1.LabelVersion]
		if served := s.served[object.Name]; len(served) == 0 || served[len(served)-1] != version {
			s.served[object.Name] = append(served, version)
		}
		index := schema.DigestBytes([]byte(object.Data[v1alpha1.FileIndex]))
		if index != object.Annotations[v1alpha1.AnnotationDigest] || !strings.Contains(object.Data[v1alpha1.FileContract], `"`+version+`"`) {
			s.torn = append(s.torn, fmt.Sprintf("%s at %s", object.Name, object.ResourceVersion))
		}
	}
}

// servedBy are the versions that a channel served, in order.
func (s *witness) servedBy(channel string) []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return slices.Clone(s.served[channel])
}

// check fails the test if a version ever had two contents, or if a channel was
// ever seen with anything but the whole of one version.
func (s *witness) check() {
	s.Helper()
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for version, digests := range s.contents {
		if len(digests) > 1 {
			s.Errorf("version %s had two contents: %v", version, digests)
		}
	}
	if len(s.torn) > 0 {
		s.Errorf("channels that were not whole: %v", s.torn)
	}
}

// TestFiveHundredEdits edits one contract five hundred times: new versions, new
// content under an old number, and ways back. Six of ten edits follow each other
// as fast as the API server takes them, in the middle of what the operator does
// about the one before; after the other four the channel serves what they say. No
// more objects are left than the limit and what is protected.
func TestFiveHundredEdits(t *testing.T) {
	t.Parallel()
	const edits, limit = 500, 3
	w := newWorld(t)
	seen := w.watching()
	w.startOperator()
	contract := func(patch int, says string) *v1alpha1.ToolContract {
		return limited(described("find-order", fmt.Sprintf("1.0.%d", patch), says), limit)
	}
	says := func(patch int) string { return inLetters(fmt.Sprintf("Finds order %d.", patch)) }
	serves := func(patch int) {
		t.Helper()
		if file := w.file("find-order-v1", v1alpha1.FileContract); !strings.Contains(file, says(patch)) {
			t.Fatalf("the channel does not serve 1.0.%d: %s", patch, file)
		}
	}
	bounded := func() error {
		revisions, renderings := w.kept()
		// Served, previous and highest, and beside them as many as the limit says.
		if most := limit + 3; len(revisions) > most || len(renderings) > most+limit {
			return fmt.Errorf("%d revisions and %d renderings are left: %v", len(revisions), len(renderings), revisions)
		}
		return nil
	}
	highest := -1
	for i := range edits {
		switch i % 10 {
		case 5, 6:
			highest++
			w.publish(contract(highest, says(highest)))
			serves(highest)
		case 7: // another content under the number of what is served
			w.refuse(contract(highest, fmt.Sprintf("Says another thing in edit %d.", i)), v1alpha1.ReasonRevisionConflict)
			serves(highest)
		case 8: // back, and with the next edit forward again
			w.publish(contract(highest-1, says(highest-1)))
			serves(highest - 1)
			w.eventually(bounded)
		default:
			highest++
			w.put(contract(highest, says(highest)))
		}
	}
	w.publish(contract(highest, says(highest)))
	serves(highest)
	w.eventually(bounded)
	issued := w.contract("find-order").Status.Issued
	if len(issued) != 64 {
		t.Errorf("%d versions are listed as issued, want 64", len(issued))
	}

	// While a version is listed its content can be served again; later its number is
	// merely too low.
	listed := highest
	for _, version := range issued {
		var patch int
		if _, err := fmt.Sscanf(version.Version, "1.0.%d", &patch); err != nil {
			t.Fatal(err)
		}
		listed = min(listed, patch)
	}
	w.publish(contract(listed, says(listed)))
	serves(listed)
	w.refuse(contract(listed-1, says(listed-1)), v1alpha1.ReasonVersionNotHigher)
	if bytes := len(w.configMap("find-order-v1").Annotations[v1alpha1.AnnotationIssued]); bytes > 8<<10 {
		t.Errorf("the channel remembers them in %d bytes", bytes)
	}
	seen.check()
}

// wishes are what the editors want of a contract, some of it impossible. Line 1
// begins with inputFirst; what is marked as wrong must never be frozen.
var wishes = []struct {
	version, input string
	wrong          bool
}{
	{"1.0.0", inputFirst, false},
	{"1.0.0", inputAdded, true},
	{"1.1.0", inputAdded, false},
	{"1.1.1", inputBroken, true},
	{"1.2.0", inputBroken, true},
	{"2.0.0", inputBroken, false},
	{"2.0.0", inputFirst, true},
	{"2.0.1", inputFirst, true},
	{"3.0.0-rc.1", inputAdded, false},
}

// TestThreeEditorsAtOnce lets three programs edit one contract as fast as they
// can: by server-side apply, by patch and by update. Nothing wrong is ever frozen,
// no version has two contents, every channel is whole at every moment, and in the
// end the contract is ready or properly refused.
func TestThreeEditorsAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	seen := w.watching()
	w.startOperator()
	w.publish(tool("find-order", "1.0.0", inputFirst))
	w.publish(tool("find-order", "2.0.0", inputBroken))

	editors := []func(c *v1alpha1.ToolContract) error{
		func(c *v1alpha1.ToolContract) error {
			patch := fmt.Sprintf(`{"apiVersion":%q,"kind":"ToolContract","metadata":{"name":%q},"spec":%s}`,
				v1alpha1.GroupVersion, c.Name, mustJSON(t, c.Spec))
			c.Namespace = w.namespace
			return admin.Patch(t.Context(), c, client.RawPatch(types.ApplyPatchType, []byte(patch)), client.FieldOwner("first"), client.ForceOwnership)
		},
		func(c *v1alpha1.ToolContract) error {
			patch := fmt.Sprintf(`{"spec":{"version":%q,"input":{"schemaText":%q}}}`, c.Spec.Version, c.Spec.Input.SchemaText)
			c.Namespace = w.namespace
			return admin.Patch(t.Context(), c, client.RawPatch(types.MergePatchType, []byte(patch)))
		},
		func(c *v1alpha1.ToolContract) error {
			return w.edit(&v1alpha1.ToolContract{}, c.Name, func(have client.Object) {
				have.(*v1alpha1.ToolContract).Spec.ToolContent = c.Spec.ToolContent
			})
		},
	}
	var all sync.WaitGroup
	for i, edit := range editors {
		random := rand.New(rand.NewPCG(uint64(i), 500)) // the same wishes in every run
		all.Go(func() {
			for range 60 {
				wish := wishes[random.IntN(len(wishes))]
				if err := edit(tool("find-order", wish.version, wish.input)); err != nil && !apierrors.IsConflict(err) {
					t.Errorf("editor %d: %v", i, err)
				}
			}
		})
	}
	all.Wait()
	c := w.settled("find-order")
	if ready := meta.FindStatusCondition(c.Status.Conditions, v1alpha1.ConditionReady); ready.Status != metav1.ConditionTrue &&
		!slices.Contains([]string{v1alpha1.ReasonRevisionConflict, v1alpha1.ReasonMajorBumpRequired, v1alpha1.ReasonVersionNotHigher}, ready.Reason) {
		t.Errorf("the last wish ends with %s", ready.Reason)
	}
	w.publish(tool("find-order", "1.1.0", inputAdded))
	if err := w.serves("find-order-v1", "1.1.0"); err != nil {
		t.Error(err)
	}
	w.eventually(w.complete)
	seen.check()
	for _, revision := range w.revisions() {
		for _, wish := range wishes {
			content := revision.Spec.Content
			if wish.wrong && content.Version == wish.version && content.Input.SchemaText == wish.input {
				t.Errorf("%s was frozen with %s", revision.Name, wish.input)
			}
		}
	}
}
