// SPDX-License-Identifier: Apache-2.0

package statuslint

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

func object(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	u := &unstructured.Unstructured{}
	raw, err := yaml.YAMLToJSON([]byte("apiVersion: example.com/v1\nkind: Thing\n" + text))
	if err != nil {
		t.Fatal(err)
	}
	if err := u.UnmarshalJSON(raw); err != nil {
		t.Fatal(err)
	}
	return u
}

const (
	ready   = `{type: Ready, status: "True", reason: Done, message: done, lastTransitionTime: now, observedGeneration: 2}`
	unready = `{type: Ready, status: "False", reason: Broken, message: broken, lastTransitionTime: now, observedGeneration: 2}`
	stalled = `{type: Stalled, status: "True", reason: Broken, message: broken, lastTransitionTime: now, observedGeneration: 2}`
	trying  = `{type: Reconciling, status: "True", reason: Retrying, message: broken, lastTransitionTime: now, observedGeneration: 2}`
)

func looked(generation string, conditions ...string) string {
	return "metadata: {generation: " + generation + "}\nstatus: {observedGeneration: 2, conditions: [" + strings.Join(conditions, ", ") + "]}\n"
}

func TestCheck(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ object, verdict, complaint string }{
		"ready":                     {looked("2", ready), "Current", ""},
		"stalled":                   {looked("2", unready, stalled), "Failed", ""},
		"trying":                    {looked("2", unready, trying), "InProgress", ""},
		"a generation to look at":   {looked("3", ready), "InProgress", ""},
		"never looked at":           {"metadata: {generation: 1}\nstatus: {observedGeneration: -1}\n", "InProgress", ""},
		"being deleted":             {"metadata: {generation: 2, deletionTimestamp: \"2026-01-01T00:00:00Z\"}\nstatus: {observedGeneration: -1}\n", "Terminating", ""},
		"no status fools kstatus":   {"metadata: {generation: 1}\n", "InProgress", "kstatus reads Current"},
		"an empty status as well":   {"metadata: {generation: 1}\nstatus: {}\n", "InProgress", "kstatus reads Current"},
		"ahead":                     {looked("1", ready), "InProgress", "is ahead of generation 1"},
		"ready and stalled":         {looked("2", ready, stalled), "Current", "True are [Ready Stalled]"},
		"neither":                   {looked("2", unready), "InProgress", "True are []"},
		"without Ready":             {looked("2", stalled), "Failed", "no condition Ready"},
		"Ready unknown":             {looked("2", strings.Replace(unready, "False", "Unknown", 1), stalled), "Failed", "Ready is Unknown"},
		"both abnormal":             {looked("2", unready, stalled, trying), "Failed", "True are [Reconciling Stalled]"},
		"abnormal and False":        {looked("2", ready, strings.Replace(stalled, "True", "False", 1)), "Current", "Stalled is False"},
		"of another generation":     {looked("2", strings.Replace(ready, "observedGeneration: 2", "observedGeneration: 1", 1)), "Current", "about generation 1"},
		"twice":                     {looked("2", ready, ready), "Current", "is there twice"},
		"a sentence as a reason":    {looked("2", strings.Replace(ready, "Done", "it is done", 1)), "Current", "not one word"},
		"without a message":         {looked("2", strings.Replace(ready, "message: done, ", "", 1)), "Current", "lacks a message"},
		"conditions without a look": {"metadata: {generation: 2}\nstatus: {conditions: [" + ready + "]}\n", "InProgress", "no observedGeneration"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := object(t, test.object)
			verdict, err := Verdict(o)
			if err != nil || string(verdict) != test.verdict {
				t.Errorf("verdict %s, %v; want %s", verdict, err, test.verdict)
			}
			switch err := Check(o); {
			case test.complaint == "" && err != nil:
				t.Error(err)
			case test.complaint != "" && (err == nil || !strings.Contains(err.Error(), test.complaint)):
				t.Errorf("complaint %v, want %q", err, test.complaint)
			}
		})
	}
}
