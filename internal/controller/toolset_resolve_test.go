// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"errors"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/evaluate"
)

// contentOf is a small content that says something.
func contentOf(t *testing.T, version, summary string) *contract.Content {
	t.Helper()
	content, findings := evaluate.Read(&v1alpha1.ToolContent{
		Version: version, ToolName: "find_order", Description: v1alpha1.Description{Summary: summary},
		Input: v1alpha1.Input{SchemaText: `{"type":"object","additionalProperties":false}`},
	})
	if content == nil {
		t.Fatal(findings)
	}
	return content
}

// TestWhatBecomesOfAMember is the table of every case.
func TestWhatBecomesOfAMember(t *testing.T) {
	t.Parallel()
	one, other := contentOf(t, "1.0.0", "Says one."), contentOf(t, "1.0.0", "Says another.")
	next := contentOf(t, "1.1.0", "Says another.")
	key := types.NamespacedName{Namespace: "n", Name: "c"}
	looked := &v1alpha1.ToolContract{ObjectMeta: metav1.ObjectMeta{Generation: 1}, Status: v1alpha1.ToolContractStatus{ObservedGeneration: 1}}
	unlooked := &v1alpha1.ToolContract{ObjectMeta: metav1.ObjectMeta{Generation: 1}, Status: v1alpha1.ToolContractStatus{ObservedGeneration: -1}}
	targets := []v1alpha1.Target{{Profile: "p"}}
	good := found{contract: looked, permitted: true, revision: "c-v1.0.0", content: one, targets: targets}
	with := func(change func(*found)) found { f := good; change(&f); return f }
	serves := func(version, digest string) []*publicationOf {
		return []*publicationOf{nil, {tools: []setTool{{"n", "other", "1.0.0", "sha256:0"}, {"n", "c", version, digest}}}}
	}
	duplicate := &member{key: key, channel: "1", found: good, duplicate: true}
	if got := duplicate.judge(serves("1.0.0", one.Digest())); got.reason != v1alpha1.ReasonDuplicateReference || got.keeps || got.message == "" {
		t.Errorf("a second reference: %+v", got)
	}
	for name, test := range map[string]struct {
		found    found
		selected bool
		served   []*publicationOf
		reason   string
		keeps    bool
		waits    bool
		ignored  bool
	}{
		"a good one":                         {found: good},
		"a good one that is served":          {found: good, served: serves("1.0.0", one.Digest())},
		"another version than the served":    {found: with(func(f *found) { f.content = next }), served: serves("1.0.0", one.Digest())},
		"an older version than the served":   {found: good, served: serves("1.1.0", next.Digest())},
		"other content under a version":      {found: with(func(f *found) { f.content = other }), served: serves("1.0.0", one.Digest()), reason: v1alpha1.ReasonRevisionConflict, keeps: true},
		"other content that nothing serves":  {found: with(func(f *found) { f.content = other }), served: serves("1.1.0", one.Digest())},
		"a namespace that is not watched":    {found: found{unseen: true}, reason: v1alpha1.ReasonNotFound, keeps: true},
		"a contract that is gone":            {found: found{}, reason: v1alpha1.ReasonNotFound, keeps: true},
		"not permitted":                      {found: with(func(f *found) { f.permitted = false }), served: serves("1.0.0", one.Digest()), reason: v1alpha1.ReasonRefNotPermitted},
		"no such line":                       {found: with(func(f *found) { f.revision = "" }), reason: v1alpha1.ReasonNotFound, keeps: true},
		"no such revision":                   {found: with(func(f *found) { f.content = nil }), reason: v1alpha1.ReasonNotFound, keeps: true},
		"not looked at yet":                  {found: with(func(f *found) { f.contract, f.revision = unlooked, "" }), reason: v1alpha1.ReasonNotFound, keeps: true, waits: true},
		"looked at, and changed since":       {found: with(func(f *found) { f.contract = unlooked })},
		"no bytes of it":                     {found: with(func(f *found) { f.targets = nil }), reason: v1alpha1.ReasonNotFound, keeps: true, waits: true},
		"selected, and never served":         {found: with(func(f *found) { f.revision = "" }), selected: true, ignored: true},
		"selected, served in another line":   {found: with(func(f *found) { f.revision = "" }), selected: true, served: serves("2.0.0", one.Digest()), ignored: true},
		"selected, and served until now":     {found: with(func(f *found) { f.revision = "" }), selected: true, served: serves("1.0.0", one.Digest()), reason: v1alpha1.ReasonNotFound, keeps: true},
		"selected, with a damaged revision":  {found: with(func(f *found) { f.content = nil }), selected: true, reason: v1alpha1.ReasonNotFound, keeps: true},
		"selected, other content, not ready": {found: with(func(f *found) { f.content, f.targets = other, nil }), selected: true, reason: v1alpha1.ReasonNotFound, keeps: true, waits: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := &member{key: key, channel: "1", selected: test.selected, found: test.found}
			got := m.judge(test.served)
			if got.reason != test.reason || got.keeps != test.keeps || got.waits != test.waits || got.ignored != test.ignored {
				t.Errorf("%+v", got)
			}
			if (got.reason == "") != (got.message == "") {
				t.Errorf("reason %q and message %q do not go together", got.reason, got.message)
			}
		})
	}
}

func TestPermits(t *testing.T) {
	t.Parallel()
	selector := func(key, value string) *metav1.LabelSelector {
		return &metav1.LabelSelector{MatchLabels: map[string]string{key: value}}
	}
	failure := errors.New("no connection")
	for name, test := range map[string]struct {
		allowed   *v1alpha1.AllowedNamespaces
		namespace string
		labels    map[string]string
		err       error
		want      bool
	}{
		"its own namespace":                    {namespace: "n", want: true},
		"its own namespace, whatever it says":  {allowed: &v1alpha1.AllowedNamespaces{From: v1alpha1.NamespacesSelector, Selector: selector("a", "b")}, namespace: "n", err: failure, want: true},
		"another one, by default":              {namespace: "o", err: failure},
		"another one, with Same":               {allowed: &v1alpha1.AllowedNamespaces{From: v1alpha1.NamespacesSame}, namespace: "o", err: failure},
		"another one, with All":                {allowed: &v1alpha1.AllowedNamespaces{From: v1alpha1.NamespacesAll}, namespace: "o", err: failure, want: true},
		"selected":                             {allowed: &v1alpha1.AllowedNamespaces{From: v1alpha1.NamespacesSelector, Selector: selector("a", "b")}, namespace: "o", labels: map[string]string{"a": "b"}, want: true},
		"not selected":                         {allowed: &v1alpha1.AllowedNamespaces{From: v1alpha1.NamespacesSelector, Selector: selector("a", "b")}, namespace: "o", labels: map[string]string{"a": "c"}},
		"without a selector nobody is":         {allowed: &v1alpha1.AllowedNamespaces{From: v1alpha1.NamespacesSelector}, namespace: "o"},
		"with a selector that cannot be read":  {allowed: &v1alpha1.AllowedNamespaces{From: v1alpha1.NamespacesSelector, Selector: &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "a", Operator: "Near"}}}}, namespace: "o", err: failure},
		"an empty selector selects everything": {allowed: &v1alpha1.AllowedNamespaces{From: v1alpha1.NamespacesSelector, Selector: &metav1.LabelSelector{}}, namespace: "o", want: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &v1alpha1.ToolContract{ObjectMeta: metav1.ObjectMeta{Namespace: "n"}, Spec: v1alpha1.ToolContractSpec{AllowedNamespaces: test.allowed}}
			got, err := permits(c, test.namespace, func() (map[string]string, error) { return test.labels, test.err })
			if got != test.want || err != nil {
				t.Errorf("%t, %v, want %t", got, err, test.want)
			}
		})
	}
	c := &v1alpha1.ToolContract{Spec: v1alpha1.ToolContractSpec{AllowedNamespaces: &v1alpha1.AllowedNamespaces{From: v1alpha1.NamespacesSelector, Selector: selector("a", "b")}}}
	if _, err := permits(c, "o", func() (map[string]string, error) { return nil, failure }); !errors.Is(err, failure) {
		t.Errorf("labels that cannot be read: %v, want the failure: nothing may be taken away for it", err)
	}
}
