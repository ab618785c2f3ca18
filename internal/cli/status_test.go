// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/snapshot"
	"github.com/toolcontract/operator/internal/testkit/golden"
)

func ready(status metav1.ConditionStatus, reason string) []metav1.Condition {
	return []metav1.Condition{{Type: v1alpha1.ConditionReady, Status: status, Reason: reason, Message: "message of " + reason}}
}

// clusterState is a cluster with a contract in each state that a target can have.
func clusterState() *Snapshot {
	target := func(profile string, compatible v1alpha1.Compatibility, strict v1alpha1.StrictOutcome) v1alpha1.TargetStatus {
		return v1alpha1.TargetStatus{Profile: profile, Compatible: compatible, Strict: strict}
	}
	good := v1alpha1.ToolContract{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "find-order", Generation: 3},
		Spec: v1alpha1.ToolContractSpec{
			ToolContent: v1alpha1.ToolContent{Version: "2.1.0", ToolName: "find_order"},
			Targets: []v1alpha1.Target{
				{Profile: "openai-responses"},
				{Profile: "anthropic-messages"},
				{Profile: "gemini-json-schema"},
				{Profile: "cohere-v2", OnIncompatible: v1alpha1.IncompatibleExclude},
				{Profile: "mcp-2025-11-25"},
			},
		},
		Status: v1alpha1.ToolContractStatus{
			ObservedGeneration: 3, Conditions: ready(metav1.ConditionTrue, "Published"), Summary: "Published; excluded: cohere-v2", PublishedRevision: "find-order-v2.1.0",
			Channels: []v1alpha1.Channel{
				{Line: "2", Revision: "find-order-v2.1.0", ConfigMap: "find-order-v2", Digest: "sha256:2"},
				{Line: "1", Revision: "find-order-v1.4.0", ConfigMap: "find-order-v1", Digest: "sha256:1", Retired: true},
			},
			Targets: []v1alpha1.TargetStatus{
				target("openai-responses", v1alpha1.CompatibleYes, v1alpha1.OutcomeStrict), target("anthropic-messages", v1alpha1.CompatibleYes, v1alpha1.OutcomeStrict),
				target("gemini-json-schema", v1alpha1.CompatibleYes, v1alpha1.OutcomeNotStrict), target("cohere-v2", v1alpha1.CompatibleNo, v1alpha1.OutcomeNone),
				target("mcp-2025-11-25", v1alpha1.CompatibleYes, v1alpha1.OutcomeNotStrict),
			},
		},
	}
	bad := v1alpha1.ToolContract{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "cancel-order", Generation: 1},
		Spec: v1alpha1.ToolContractSpec{
			ToolContent: v1alpha1.ToolContent{Version: "1.0.0", ToolName: "cancel_order"}, Targets: []v1alpha1.Target{{Profile: "openai-responses"}},
		},
		Status: v1alpha1.ToolContractStatus{
			ObservedGeneration: 1, Conditions: ready(metav1.ConditionFalse, "TargetsIncompatible"), Summary: "TargetsIncompatible: openai-responses",
			Targets: []v1alpha1.TargetStatus{target("openai-responses", v1alpha1.CompatibleNo, v1alpha1.OutcomeNone)},
		},
	}
	unseen := v1alpha1.ToolContract{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "show-order", Generation: 2},
		Spec: v1alpha1.ToolContractSpec{
			ToolContent: v1alpha1.ToolContent{Version: "0.3.0", ToolName: "show_order"}, Targets: []v1alpha1.Target{{Profile: "openai-responses"}},
		},
		Status: v1alpha1.ToolContractStatus{ObservedGeneration: 1, Conditions: ready(metav1.ConditionTrue, "Published")},
	}
	desk := v1alpha1.ToolSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "desk", Generation: 1},
		Spec:       v1alpha1.ToolSetSpec{Profiles: []v1alpha1.SetProfile{{Profile: "openai-responses", TokenBudget: new(int32(4000))}, {Profile: "anthropic-messages"}}},
		Status: v1alpha1.ToolSetStatus{
			ObservedGeneration: 1, Conditions: ready(metav1.ConditionTrue, "Published"), ToolsReady: "1/2",
			Profiles: []v1alpha1.SetProfileStatus{{
				Profile: "openai-responses", ConfigMap: "desk.openai-responses", Rendering: "desk.openai-responses-0a1b2c3d", Tools: 2, Wanted: 2, Strict: 1, Tokens: 812, Consumers: []string{"Deployment/agent"},
			}},
		},
	}
	profile := v1alpha1.ProviderProfile{
		ObjectMeta: metav1.ObjectMeta{Name: "house", Generation: 1},
		Status: v1alpha1.ProviderProfileStatus{
			ObservedGeneration: 1, Conditions: ready(metav1.ConditionTrue, "InForce"), InForce: &v1alpha1.ProfileInForce{Revision: 4},
		},
	}
	return &Snapshot{
		Namespace: "shop", Contracts: []v1alpha1.ToolContract{bad, good, unseen}, Sets: []v1alpha1.ToolSet{desk}, Profiles: []v1alpha1.ProviderProfile{profile},
		Denied: []snapshot.Denied{{Resource: "widgets", Namespace: "shop", Reason: "forbidden"}},
	}
}

// publishedState also has the ConfigMap of a channel.
func publishedState() *Snapshot {
	s := clusterState()
	s.Published = []PublishedConfigMap{{Namespace: "shop", Name: "find-order-v2", Annotations: map[string]string{v1alpha1.AnnotationDigest: "sha256:2"}, Data: map[string]string{
		v1alpha1.FileContract:   `{"targets":[{"profile":"openai-responses","rewrites":[{"effect":"Keep"}]},{"profile":"anthropic-messages","rewrites":[{"effect":"Narrow"},{"effect":"Keep"}]}]}`,
		"openai-responses.json": "{}\n", "anthropic-messages.json": "{}\n",
	}}}
	return s
}

// reading returns the program with a cluster in these states, one after the other,
// and how often its ConfigMaps were read. After the last one somebody interrupts.
func reading(states ...func() *Snapshot) (p Program, out, errs *bytes.Buffer, large *int) {
	out, errs, large = &bytes.Buffer{}, &bytes.Buffer{}, new(int)
	at := 0
	p = Program{
		Name: "toolcontract", Out: out, Err: errs, Sleep: func(time.Duration) { at++ },
		Snapshot: func(_ context.Context, _ Cluster, wanted SnapshotWanted) (*Snapshot, error) {
			if at >= len(states) {
				return nil, context.Canceled
			}
			s := states[at]()
			if s == nil {
				return nil, errors.New("no route to host")
			}
			if wanted.Published {
				*large++
				s.Published = publishedState().Published
			}
			return s, nil
		},
	}
	return p, out, errs, large
}

func TestStatus(t *testing.T) {
	t.Parallel()
	for output, file := range map[string]string{"text": "status.txt", "wide": "status-wide.txt", "json": "status.json"} {
		p, out, errs, _ := reading(clusterState)
		if code := p.Run([]string{"status", "-o", output}); code != exitFindings || errs.String() != "not read: widgets in namespace shop: forbidden\n" {
			t.Errorf("%s: exit code %d, %s", output, code, errs)
		}
		golden.Check(t, "status/"+file, out.String())
		if output == "json" {
			fits(t, outputSchemaOf(t, "status"), out.String())
		}
	}
}

// TestStatusIsReady: without anything that is not ready the exit code says so.
func TestStatusIsReady(t *testing.T) {
	t.Parallel()
	p, out, _, _ := reading(func() *Snapshot {
		s := clusterState()
		s.Contracts, s.Denied = s.Contracts[1:2], nil
		return s
	})
	if code := p.Run([]string{"status"}); code != exitOK || !strings.HasSuffix(out.String(), "\n1 contract ready; 1 set ready; 1 ProviderProfile ready\n") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	p, out, _, _ = reading(func() *Snapshot { return &Snapshot{Namespace: "empty"} })
	if code := p.Run([]string{"status"}); code != exitOK || out.String() != "no contracts; no sets\n" {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

// mended is the state in which everything is ready and one contract is gone.
func mended() *Snapshot {
	s := clusterState()
	s.Contracts = s.Contracts[:2]
	s.Contracts[0].Status.Conditions, s.Contracts[0].Status.Summary = ready(metav1.ConditionTrue, "Published"), "Published"
	s.Contracts[0].Status.Targets[0].Compatible, s.Contracts[0].Status.Targets[0].Strict = v1alpha1.CompatibleYes, v1alpha1.OutcomeStrict
	return s
}

func TestStatusWatch(t *testing.T) {
	t.Parallel()
	none := func() *Snapshot { return nil }
	p, out, errs, large := reading(clusterState, clusterState, none, none, mended)
	if code := p.Run([]string{"status", "--watch"}); code != exitOK {
		t.Errorf("exit code %d, want that of the last state", code)
	}
	golden.Check(t, "status/watch.txt", out.String())
	if *large != 1 {
		t.Errorf("ConfigMaps were read %d times, and their bytes never changed", *large)
	}
	if errs.String() != "not read: widgets in namespace shop: forbidden\nno route to host\n" {
		t.Errorf("got %s", errs)
	}

	p, out, _, _ = reading(clusterState, clusterState, mended)
	p.Terminal = func(io.Writer) bool { return true }
	p.Getenv = func(string) string { return "" }
	p.Run([]string{"status", "-w"})
	if n := strings.Count(out.String(), "\x1b[H\x1b[2J"); n != 2 {
		t.Errorf("the screen was drawn %d times for two states", n)
	}

	p, out, _, _ = reading(clusterState, mended)
	p.Run([]string{"status", "-w", "-o", "json"})
	if n := strings.Count(out.String(), `"schemaVersion"`); n != 2 {
		t.Errorf("there are %d documents for two states", n)
	}

	p, _, errs, _ = reading(none)
	if code := p.Run([]string{"status", "--watch"}); code != exitUsage || errs.String() != "no route to host\n" {
		t.Errorf("exit code %d, %s", code, errs)
	}
}

func TestStatusUsage(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		arguments []string
		err       string
	}{
		{[]string{"x"}, "it takes no names"},
		{[]string{"-A", "-n", "shop"}, "contradict each other"},
		{[]string{"-o", "xml"}, "write text, wide or json"},
		{[]string{"-n", "a b"}, "is not a DNS label"},
		{nil, "without a client for clusters"},
	} {
		got := run("", append([]string{"status"}, test.arguments...)...)
		if got.code != exitUsage || !strings.Contains(got.err, test.err) {
			t.Errorf("%v: exit code %d, %s", test.arguments, got.code, got.err)
		}
	}
}

// What somebody wrote into a status reaches no terminal as it is.
func TestStatusIsPrintable(t *testing.T) {
	t.Parallel()
	for _, arguments := range [][]string{{"status", "-o", "wide"}, {"status", "--watch"}} {
		p, out, _, _ := reading(func() *Snapshot {
			s := clusterState()
			s.Contracts[0].Status.Summary = "\x1b]0;owned\x07"
			s.Contracts[0].Status.Conditions[0].Message = fmt.Sprint("\u202e", "\n")
			return s
		})
		p.Run(arguments)
		if strings.ContainsAny(out.String(), "\x1b\x07\u202e") {
			t.Errorf("%v: %q", arguments, out.String())
		}
	}
}
