// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/render"
)

// withProfiles is the built-in catalogue with profiles that extend its own.
func withProfiles(t *testing.T, files map[string]string) *provider.Catalog {
	t.Helper()
	raw := map[string][]byte{}
	for name, text := range files {
		raw[name] = []byte("name: " + name + "\n" + text)
	}
	catalog, broken := provider.Builtin().With(raw, render.Formats())
	if len(broken) > 0 {
		t.Fatal(broken)
	}
	return catalog
}

const (
	revisionTwo  = "extends: openai-responses\nrevision: 102\nreviewed: \"2026-11-30\"\n"
	revisionNine = "extends: openai-responses\nrevision: 109\nreviewed: \"2026-11-01\"\n"
)

func TestWhatAChangeTouches(t *testing.T) {
	t.Parallel()
	builtin := provider.Builtin()
	targets := []string{"house", "openai-responses", "anthropic-messages", "nobody"}
	for name, test := range map[string]struct {
		before, after *provider.Catalog
		want          []string
	}{
		"nothing":                  {builtin, builtin, nil},
		"the same facts again":     {withProfiles(t, map[string]string{"house": revisionTwo}), withProfiles(t, map[string]string{"house": revisionTwo}), nil},
		"other facts":              {withProfiles(t, map[string]string{"house": revisionTwo}), withProfiles(t, map[string]string{"house": revisionNine}), []string{"house"}},
		"an override comes":        {builtin, withProfiles(t, map[string]string{"openai-responses": revisionTwo}), []string{"openai-responses"}},
		"an override goes":         {withProfiles(t, map[string]string{"openai-responses": revisionTwo}), builtin, []string{"openai-responses"}},
		"a profile more":           {builtin, withProfiles(t, map[string]string{"house": revisionTwo}), []string{"house", "nobody"}}, // who looks for one is told of it
		"a profile less":           {withProfiles(t, map[string]string{"house": revisionTwo}), builtin, []string{"house", "nobody"}},
		"a profile for another":    {withProfiles(t, map[string]string{"other": revisionTwo}), withProfiles(t, map[string]string{"house": revisionTwo}), []string{"house", "nobody"}},
		"one that is not targeted": {withProfiles(t, map[string]string{"other": revisionTwo}), withProfiles(t, map[string]string{"other": revisionNine}), nil},
	} {
		change := changeBetween(test.before, test.after)
		var got []string
		for _, target := range targets {
			if change.touches(target) {
				got = append(got, target)
			}
		}
		if name == "a profile for another" || name == "one that is not targeted" {
			if !change.changed["other"] {
				t.Errorf("%s: other is not among %v", name, slices.Sorted(maps.Keys(change.changed)))
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: touched (-want +got):\n%s", name, diff)
		}
	}
}

// TestContractsWaitForTheFirstCatalogue, and not longer than they are let.
func TestContractsWaitForTheFirstCatalogue(t *testing.T) {
	t.Parallel()
	profiles := NewProfilesInUse()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := profiles.WaitForSync(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("without a catalogue: %v, want that the context has ended", err)
	}
	if profiles.Catalog() != nil {
		t.Error("there is a catalogue before there is one")
	}
	for range 2 {
		profiles.Use(provider.Builtin())
		if err := profiles.WaitForSync(t.Context()); err != nil || profiles.Catalog() != provider.Builtin() {
			t.Errorf("with a catalogue: %v", err)
		}
	}
}

// TestWhatIsRenderedAgainWaitsForAuthors: it comes after everything that somebody
// edited, and does not hold an edit back that comes later.
func TestWhatIsRenderedAgainWaitsForAuthors(t *testing.T) {
	t.Parallel()
	request := func(name string) reconcile.Request {
		return reconcile.Request{NamespacedName: types.NamespacedName{Name: name}}
	}
	profiles := NewProfilesInUse()
	profiles.renderAgain([]reconcile.Request{request("before the start")}, nil) // is looked at anyway
	queue := priorityqueue.New[reconcile.Request]("")
	defer queue.ShutDown()
	if err := profiles.Start(t.Context(), queue); err != nil {
		t.Fatal(err)
	}
	profiles.renderAgain([]reconcile.Request{request("first"), request("second"), request("edited")}, nil)
	queue.Add(request("new"))
	queue.Add(request("edited"))
	for _, want := range []struct {
		name     string
		priority int
	}{{"new", 0}, {"edited", 0}, {"first", handler.LowPriority}, {"second", handler.LowPriority}} {
		item, priority, _ := queue.GetWithPriority()
		if item.Name != want.name || priority != want.priority {
			t.Errorf("next is %s at %d, want %s at %d", item.Name, priority, want.name, want.priority)
		}
		queue.Done(item)
	}
}

func TestProfileMetrics(t *testing.T) {
	t.Parallel()
	profiles := NewProfilesInUse()
	registry := prometheus.NewPedanticRegistry()
	if err := registry.Register(ProfileMetrics{Profiles: profiles}); err != nil {
		t.Fatal(err)
	}
	if got := gathered(t, registry); len(got) > 0 {
		t.Errorf("a replica that has no profiles shows %v", got)
	}
	profiles.Use(withProfiles(t, map[string]string{"house": revisionTwo, "old": revisionNine, "openai-responses": revisionTwo}))
	got := gathered(t, registry)
	house, _ := profiles.Catalog().Lookup("house")
	reviewed := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
	for _, want := range []string{
		fmt.Sprint("toolcontract_profile_reviewed_timestamp_seconds profile=house ", float64(reviewed.Unix())),
		"toolcontract_profile_info digest=" + house.Digest() + " profile=house revision=102 1",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not shown", want)
		}
	}
	if want := 2 * len(profiles.Catalog().Names()); len(got) != want {
		t.Errorf("%d samples, want %d", len(got), want)
	}
}

// gathered are the samples of a registry, one line each.
func gathered(t *testing.T, registry *prometheus.Registry) []string {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			line := family.GetName()
			for _, label := range metric.GetLabel() {
				line += " " + label.GetName() + "=" + label.GetValue()
			}
			out = append(out, fmt.Sprintf("%s %v", line, metric.GetGauge().GetValue()))
		}
	}
	return out
}
