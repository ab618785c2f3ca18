// SPDX-License-Identifier: Apache-2.0

//go:build linux

package scale

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/localplane"
)

// perSet is how many tools a set holds, and so how many contracts there are for
// each set.
const perSet = 10

// BenchmarkSets publishes a thousand contracts and a hundred sets of ten tools
// (TOOLCONTRACT_SCALE says how many contracts), restarts the operator over them and edits
// one contract. What is written is asserted: a restart writes nothing, and the
// edit touches its contract and the sets that hold it.
func BenchmarkSets(b *testing.B) {
	s := start(b)
	n := 1000
	if given := contracts(b); given != 5000 {
		n = given
	}
	for b.Loop() {
		s.sets(n)
	}
}

// sets is the life that [BenchmarkSets] describes.
func (s *setting) sets(n int) {
	s.Helper()
	namespace := s.namespace()
	pid, stop := s.startManager(namespace)
	before, began := s.usage(pid), time.Now()
	err := parallel(n, func(i int) error {
		c := s.contract(namespace, i)
		c.Spec.ToolName = strings.ReplaceAll(c.Name, "-", "_")
		c.Labels = map[string]string{"set": fmt.Sprint(i / perSet)}
		return s.admin.Create(s.Context(), c)
	})
	if err != nil {
		s.Fatal(err)
	}
	s.ready(namespace, n)
	s.Logf("%d contracts are published after %v", n, time.Since(began))
	if err := parallel(n/perSet, func(i int) error { return s.admin.Create(s.Context(), s.set(namespace, i)) }); err != nil {
		s.Fatal(err)
	}
	took := s.settledSets(namespace, n/perSet)
	s.verified(namespace)
	s.ReportMetric(took.Seconds(), "s-sets")
	s.Logf("processor time per contract: %s", s.usage(pid).since(before, n))
	stop()

	count := len(s.writesOf(namespace))
	pid, stop = s.startManager(namespace)
	s.quiet(pid)
	wrote := s.writesOf(namespace)[count:]
	s.ReportMetric(float64(len(wrote)), "writes-at-restart")
	if len(wrote) > 0 {
		s.Errorf("a restart wrote %d times, first %+v", len(wrote), wrote[0])
	}

	count = len(s.writesOf(namespace))
	edited := s.contract(namespace, 7)
	patch := fmt.Sprintf(`{"spec":{"version":"9.0.0","description":{"summary":%q}}}`, edited.Spec.Description.Summary+" Edited.")
	if err := s.admin.Patch(s.Context(), edited, client.RawPatch("application/merge-patch+json", []byte(patch))); err != nil {
		s.Fatal(err)
	}
	s.quiet(pid)
	// A new line is no news for the sets that follow the old one; a new version of it is.
	patch = fmt.Sprintf(`{"spec":{"version":%q,"description":{"summary":%q}}}`, s.sample.Spec.Version, edited.Spec.Description.Summary)
	if err := s.admin.Patch(s.Context(), edited, client.RawPatch("application/merge-patch+json", []byte(patch))); err != nil {
		s.Fatal(err)
	}
	s.quiet(pid)
	patch = fmt.Sprintf(`{"spec":{"version":%q,"description":{"summary":%q}}}`, nextMinor(s.sample.Spec.Version), edited.Spec.Description.Summary+" Edited again.")
	if err := s.admin.Patch(s.Context(), edited, client.RawPatch("application/merge-patch+json", []byte(patch))); err != nil {
		s.Fatal(err)
	}
	s.quiet(pid)
	wrote = s.writesOf(namespace)[count:]
	s.ReportMetric(float64(len(wrote)), "writes-of-edits")
	ofSet := 0
	others := slices.DeleteFunc(wrote, func(w localplane.Write) bool {
		isSet := isAbout(w, "set-0000")
		if isSet {
			ofSet++
		}
		return isSet || isAbout(w, edited.Name)
	})
	if len(others) > 0 {
		s.Errorf("edits of %s wrote %d times elsewhere, first %+v", edited.Name, len(others), others[0])
	}
	if ofSet == 0 {
		s.Errorf("the set that holds %s was not written", edited.Name)
	}
	stop()
}

// nextMinor is the next minor version.
func nextMinor(version string) string {
	var major, minor, patch int
	if _, err := fmt.Sscanf(version, "%d.%d.%d", &major, &minor, &patch); err != nil {
		return version
	}
	return fmt.Sprintf("%d.%d.0", major, minor+1)
}

// set holds ten contracts: every second one by reference, the others by label.
func (s *setting) set(namespace string, i int) *v1alpha1.ToolSet {
	line, _, _ := strings.Cut(s.sample.Spec.Version, ".")
	set := &v1alpha1.ToolSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: fmt.Sprintf("set-%04d", i)},
		Spec: v1alpha1.ToolSetSpec{
			Profiles: []v1alpha1.SetProfile{{Profile: s.sample.Spec.Targets[0].Profile}, {Profile: s.sample.Spec.Targets[1].Profile}},
			Selectors: []v1alpha1.ToolSelector{{
				Labels: metav1.LabelSelector{MatchLabels: map[string]string{"set": fmt.Sprint(i)}}, Channel: line,
			}},
		},
	}
	for j := i * perSet; j < (i+1)*perSet; j += 2 {
		set.Spec.Tools = append(set.Spec.Tools, v1alpha1.ToolReference{Contract: s.contract(namespace, j).Name, Channel: line})
	}
	return set
}

// settledSets waits until n sets hold all their tools.
func (s *setting) settledSets(namespace string, n int) time.Duration {
	s.Helper()
	began := time.Now()
	ctx, cancel := context.WithTimeout(s.Context(), 30*time.Minute)
	defer cancel()
	for {
		var list v1alpha1.ToolSetList
		if err := s.admin.List(ctx, &list, client.InNamespace(namespace)); err != nil {
			s.Fatal(err)
		}
		whole := 0
		for i := range list.Items {
			set := &list.Items[i]
			if set.Status.ToolsReady == fmt.Sprintf("%d/%d", perSet, perSet) && meta.IsStatusConditionTrue(set.Status.Conditions, v1alpha1.ConditionReady) {
				whole++
			}
		}
		if whole == n {
			return time.Since(began)
		}
		time.Sleep(500 * time.Millisecond)
	}
}

// quiet waits until the manager uses no processor time any more.
func (s *setting) quiet(pid int) {
	s.Helper()
	time.Sleep(3 * time.Second)
	for {
		before := s.usage(pid)["manager"]
		time.Sleep(2 * time.Second)
		if s.usage(pid)["manager"]-before < 40*time.Millisecond {
			return
		}
	}
}
