// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/testkit/statuslint"
)

// The profiles of most sets here: those of the contracts that [tool] makes.
const (
	openAI    = "openai-responses"
	anthropic = "anthropic-messages"
)

// setTool is a contract that has a name of its own for models: that of the
// contract.
func setTool(name, version, summary string) *v1alpha1.ToolContract {
	c := described(name, version, summary)
	c.Spec.ToolName = strings.ReplaceAll(name, "-", "_")
	return c
}

// toolSet is a set of references, each "contract@line", "contract@1.2.3" or with a
// namespace before a slash.
func toolSet(name string, references ...string) *v1alpha1.ToolSet {
	s := &v1alpha1.ToolSet{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       v1alpha1.ToolSetSpec{Profiles: []v1alpha1.SetProfile{{Profile: openAI}, {Profile: anthropic}}},
	}
	for _, text := range references {
		var r v1alpha1.ToolReference
		where, at, _ := strings.Cut(text, "@")
		if namespace, contract, ok := strings.Cut(where, "/"); ok {
			r.Namespace, r.Contract = namespace, contract
		} else {
			r.Contract = where
		}
		if strings.Count(at, ".") > 1 {
			r.Version = at
		} else {
			r.Channel = at
		}
		s.Spec.Tools = append(s.Spec.Tools, r)
	}
	return s
}

// selecting adds a selector for one label to a set.
func selecting(s *v1alpha1.ToolSet, label, value, channel string) *v1alpha1.ToolSet {
	s.Spec.Selectors = append(s.Spec.Selectors, v1alpha1.ToolSelector{
		Labels: metav1.LabelSelector{MatchLabels: map[string]string{label: value}}, Channel: channel,
	})
	return s
}

// putSet gives a set this spec or creates it.
func (w *world) putSet(s *v1alpha1.ToolSet) {
	w.Helper()
	err := w.edit(&v1alpha1.ToolSet{}, s.Name, func(have client.Object) { have.(*v1alpha1.ToolSet).Spec = s.Spec })
	if apierrors.IsNotFound(err) {
		w.create(s.DeepCopy())
		return
	}
	if err != nil {
		w.Fatal(err)
	}
}

// set reads a set.
func (w *world) set(name string) *v1alpha1.ToolSet {
	w.Helper()
	var s v1alpha1.ToolSet
	if err := admin.Get(w.Context(), client.ObjectKey{Namespace: w.namespace, Name: name}, &s); err != nil {
		w.Fatal(err)
	}
	return &s
}

// finalSet says what is missing until the status of a set is about its generation
// and the operator does not intend to come back.
func finalSet(s *v1alpha1.ToolSet) error {
	if s.Status.ObservedGeneration != s.Generation {
		return fmt.Errorf("set %s: observed generation %d of %d", s.Name, s.Status.ObservedGeneration, s.Generation)
	}
	if meta.FindStatusCondition(s.Status.Conditions, v1alpha1.ConditionReady) == nil ||
		meta.IsStatusConditionTrue(s.Status.Conditions, v1alpha1.ConditionReconciling) {
		return fmt.Errorf("set %s: still reconciling: %v", s.Name, s.Status.Conditions)
	}
	return nil
}

// setSays waits until a set has settled with these conditions, each
// "ResolvedRefs=NotFound", and returns it.
func (w *world) setSays(name string, wanted ...string) *v1alpha1.ToolSet {
	w.Helper()
	var s *v1alpha1.ToolSet
	w.eventually(func() error {
		s = w.set(name)
		return errors.Join(finalSet(s), says(s, wanted...))
	})
	return s
}

func says(s *v1alpha1.ToolSet, wanted ...string) error {
	for _, want := range wanted {
		kind, reason, _ := strings.Cut(want, "=")
		if c := meta.FindStatusCondition(s.Status.Conditions, kind); c == nil || c.Reason != reason {
			return fmt.Errorf("set %s: want %s, got %+v", s.Name, want, s.Status.Conditions)
		}
	}
	return nil
}

// holding says what a set's ConfigMap for a profile holds if it is not this: each
// tool as "contract@version".
func (w *world) holding(set, profile string, want ...string) error {
	var cm corev1.ConfigMap
	if err := admin.Get(w.Context(), client.ObjectKey{Namespace: w.namespace, Name: set + "." + profile}, &cm); err != nil {
		return err
	}
	if got := heldBy(&cm); !slices.Equal(got, want) {
		return fmt.Errorf("set %s holds %v for %s, want %v; status %+v", set, got, profile, want, w.set(set).Status)
	}
	return nil
}

// heldBy reads what a published ConfigMap holds, and that its two lists agree.
func heldBy(cm *corev1.ConfigMap) (tools []string) {
	var manifest struct {
		Tools []struct{ Contract, Version, ToolName string }
	}
	var elements []json.RawMessage
	if err := errors.Join(json.Unmarshal([]byte(cm.Data["manifest.json"]), &manifest), json.Unmarshal([]byte(cm.Data["tools.json"]), &elements)); err != nil {
		return []string{err.Error()}
	}
	if len(elements) != len(manifest.Tools) {
		return []string{fmt.Sprintf("%d elements, %d entries", len(elements), len(manifest.Tools))}
	}
	for i, t := range manifest.Tools {
		if !strings.Contains(string(elements[i]), `"`+t.ToolName+`"`) {
			return []string{fmt.Sprintf("element %d is not %s: %s", i, t.ToolName, elements[i])}
		}
		tools = append(tools, t.Contract+"@"+t.Version)
	}
	return tools
}

// holds waits until a set holds these tools for both profiles.
func (w *world) holds(set string, want ...string) {
	w.Helper()
	w.eventually(func() error { return errors.Join(w.holding(set, openAI, want...), w.holding(set, anthropic, want...)) })
}

// setObjects are the ConfigMaps of a set.
func (w *world) setObjects(set string) []corev1.ConfigMap {
	w.Helper()
	var list corev1.ConfigMapList
	if err := admin.List(context.Background(), &list, client.InNamespace(w.namespace), client.MatchingLabels{v1alpha1.LabelSet: set}); err != nil {
		w.Fatal(err)
	}
	return list.Items
}

// setConditions are always present once the operator has looked.
var setConditions = []string{
	v1alpha1.ConditionReady, v1alpha1.ConditionResolvedRefs, v1alpha1.ConditionToolsPublished, v1alpha1.ConditionLinted,
}

// checkSetVerdict applies the rules between the conditions of a set; see
// [checkVerdict].
func checkSetVerdict(s *v1alpha1.ToolSet) error {
	if s.Status.ObservedGeneration == statuslint.Unseen {
		return nil
	}
	var errs []error
	for _, kind := range setConditions {
		if meta.FindStatusCondition(s.Status.Conditions, kind) == nil {
			errs = append(errs, fmt.Errorf("there is no condition %s", kind))
		}
	}
	if ready := meta.FindStatusCondition(s.Status.Conditions, v1alpha1.ConditionReady); ready != nil && !strings.HasPrefix(s.Status.Summary, ready.Reason) {
		errs = append(errs, fmt.Errorf("the summary %q does not begin with Ready's reason %s", s.Status.Summary, ready.Reason))
	}
	return errors.Join(errs...)
}
