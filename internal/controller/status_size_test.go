// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/provider"
)

// TestAStatusStaysBelowItsBound fills everything that a status is made of to
// the brim: 16 targets, 500 properties that every profile objects to, names
// that JSON escapes to six times their length, 64 issued versions, 24 lines that
// are retired and mounted under long names, and a failure with a long message. A status that is refused for its size would
// leave the old one standing for ever.
func TestAStatusStaysBelowItsBound(t *testing.T) {
	t.Parallel()
	long := &stalledError{condition: v1alpha1.ConditionPublished, reason: v1alpha1.ReasonNameConflict}
	for name, property := range map[string]string{
		"long names":              strings.Repeat("n", 120),
		"names that JSON escapes": strings.Repeat("<&>", 12),
		"names of wide letters":   strings.Repeat("退款", 20),
		"names of control marks":  strings.Repeat(`\u0001`, 20),
	} {
		for failure, err := range map[string]error{"no failure": nil, "a failure": long} {
			t.Run(name+" and "+failure, func(t *testing.T) {
				t.Parallel()
				long := *long
				long.message = strings.Repeat(property, 100)
				if err != nil {
					err = &long
				}
				c := overfull(property)
				run := &contractRun{
					ContractReconciler: &ContractReconciler{Mounts: mountedByMany{}},
					profiles:           provider.Builtin(),
					contract:           c,
					configMaps:         map[string]*corev1.ConfigMap{},
				}
				for _, channel := range c.Status.Channels {
					run.configMaps[channel.ConfigMap] = &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
						Name: channel.ConfigMap, OwnerReferences: []metav1.OwnerReference{ownerReference(c)},
						Labels: map[string]string{v1alpha1.LabelManagedBy: v1alpha1.ManagedBy, v1alpha1.LabelContract: c.Name},
					}}
				}
				run.evaluate()
				if run.evaluation.Content == nil {
					t.Fatalf("the contract itself is refused: %v", run.evaluation.Findings)
				}
				status := run.status(err)
				text, err := json.Marshal(status)
				if err != nil {
					t.Fatal(err)
				}
				if len(text) > maxStatus {
					t.Errorf("the status has %d bytes, more than %d", len(text), maxStatus)
				}
				if status.Targets[0].Errors < 500 {
					t.Errorf("%s objects %d times, want at least once for each property", status.Targets[0].Profile, status.Targets[0].Errors)
				}
				if len(status.Targets) != 16 || len(status.Issued) != 64 || len(status.Channels) != 24 {
					t.Errorf("%d targets, %d issued versions and %d channels: not all are there", len(status.Targets), len(status.Issued), len(status.Channels))
				}
			})
		}
	}
}

// mountedByMany says of every ConfigMap that five with long names mount it.
type mountedByMany struct{}

func (mountedByMany) Ready() bool { return true }
func (mountedByMany) Consumers(_, _ string) []string {
	return slices.Repeat([]string{"StatefulSet/" + strings.Repeat("s", 253)}, 7)
}

// overfull is a contract with as much of everything as the API allows. Each of
// its 500 properties has a keyword that no strict mode takes.
func overfull(property string) *v1alpha1.ToolContract {
	properties := make([]string, 500)
	for i := range properties {
		properties[i] = fmt.Sprintf(`"%s%d":{"not":{"minLength":1}}`, property, i)
	}
	c := &v1alpha1.ToolContract{
		ObjectMeta: metav1.ObjectMeta{Name: strings.Repeat("c", 63), Generation: 1},
		Spec: v1alpha1.ToolContractSpec{ToolContent: v1alpha1.ToolContent{
			Version: "999999999.999999999.999999999", ToolName: strings.Repeat("t", 128),
			Description: v1alpha1.Description{Summary: "s"},
			Input:       v1alpha1.Input{SchemaText: `{"type":"object","properties":{` + strings.Join(properties, ",") + `}}`},
		}},
	}
	names := provider.Builtin().Names()
	for _, profile := range names[:min(16, len(names))] {
		c.Spec.Targets = append(c.Spec.Targets, v1alpha1.Target{Profile: profile, Strict: v1alpha1.StrictRequired})
	}
	for i := len(c.Spec.Targets); i < 16; i++ {
		c.Spec.Targets = append(c.Spec.Targets, v1alpha1.Target{Profile: fmt.Sprintf("%s%02d", strings.Repeat("p", 61), i)})
	}
	digest := "sha256:" + strings.Repeat("f", 64)
	for i := range 64 {
		version := fmt.Sprintf("%d.999999999.999999999-abcdefghi", 999_999_900-i)
		c.Status.Issued = append(c.Status.Issued, v1alpha1.IssuedVersion{Version: version, Digest: digest})
	}
	c.Status.RetiredLine = "999999998"
	for i := range 24 {
		line := fmt.Sprint(999_999_900 - i)
		c.Status.Channels = append(c.Status.Channels, v1alpha1.Channel{
			Line: line, Revision: fmt.Sprintf("%s-v%s.999999999.999999999", c.Name, line),
			ConfigMap: c.Name + "-v" + line, Digest: digest,
		})
	}
	return c
}
