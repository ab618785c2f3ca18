// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/publish"
	"github.com/toolcontract/operator/internal/toolset"
)

// TestAStatusOfASetStaysBelowItsBound fills everything that the status of a set is
// made of to the brim: 16 profiles with long names, 512 tools that are left out or
// demoted for long reasons, splits, consumers with long names and references that
// lead nowhere.
func TestAStatusOfASetStaysBelowItsBound(t *testing.T) {
	t.Parallel()
	for name, letters := range map[string]string{"letters": "long ", "escaped": `<&">`, "wide": "退款"} {
		for failure, stalled := range map[string]*stalledError{"": nil, "and failures": {reason: v1alpha1.ReasonNameConflict, message: strings.Repeat(letters, 400)}} {
			t.Run(name+" "+failure, func(t *testing.T) {
				t.Parallel()
				text := strings.Repeat(letters, 400)
				set := &v1alpha1.ToolSet{ObjectMeta: metav1.ObjectMeta{Namespace: strings.Repeat("n", 63), Name: strings.Repeat("s", 63), UID: "1"}}
				run := &setRun{
					ToolSetReconciler: &ToolSetReconciler{Mounts: mountedByMany{}}, set: set, profiles: provider.Builtin(),
					configMaps: map[string]*corev1.ConfigMap{},
				}
				for i := range 512 {
					run.members = append(run.members, &member{
						pointer: fmt.Sprintf("/spec/tools/%d", i), key: types.NamespacedName{Namespace: strings.Repeat("m", 63), Name: strings.Repeat("c", 63)},
						verdict: verdict{reason: v1alpha1.ReasonNotFound, message: text, keeps: true},
					})
				}
				for i := range 16 {
					profile := fmt.Sprintf("%s%02d", strings.Repeat("p", 61), i)
					set.Spec.Profiles = append(set.Spec.Profiles, v1alpha1.SetProfile{Profile: profile})
					_, stable := setConfigMaps(set, profile, "sha256:"+strings.Repeat("f", 64), nil, nil)
					run.configMaps[publish.SetName(set.Name, profile)] = stripped(stable)
					result := &toolset.Result{Reason: v1alpha1.ReasonToolsExcluded, Message: text}
					for j := range 512 {
						result.Tools = append(result.Tools, toolset.ToolResult{
							Namespace: strings.Repeat("m", 63), Contract: strings.Repeat("c", 63), Reason: v1alpha1.ReasonDuplicateToolName,
							Pointer: "/" + text, Message: text, Included: j%2 == 0, Demoted: true,
						})
						result.Split = append(result.Split, []string{text, text})
					}
					r := &profileResult{spec: set.Spec.Profiles[i], profile: &provider.Profile{}, result: result, failure: stalled}
					r.request.Tools = make([]toolset.Tool, 512)
					run.results = append(run.results, r)
				}
				status := run.status(nil)
				encoded, err := json.Marshal(status)
				if err != nil {
					t.Fatal(err)
				}
				if len(encoded) > maxStatus {
					t.Errorf("the status has %d bytes, more than %d", len(encoded), maxStatus)
				}
				if len(status.Profiles) != 16 || len(status.Conditions) < 4 || len(status.Unresolved) == 0 || status.ToolsReady != "0/512" {
					t.Errorf("%d profiles, %d conditions, %d unresolved, %s: not all is there",
						len(status.Profiles), len(status.Conditions), len(status.Unresolved), status.ToolsReady)
				}
			})
		}
	}
}
