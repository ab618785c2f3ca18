// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/evaluate"
)

// issuedAs makes issued versions with digests that tell them apart.
func issuedAs(versions ...string) []evaluate.Issued {
	out := make([]evaluate.Issued, len(versions))
	for i, text := range versions {
		v, _ := contract.ParseVersion(text)
		out[i] = evaluate.Issued{Version: v, Digest: digestPrefix + fmt.Sprintf("%064d", i)}
	}
	return out
}

// TestWhatIsRememberedIsBounded: the heads of lines that are not retired come
// first, then the newest; what has a revision is known in any case.
func TestWhatIsRememberedIsBounded(t *testing.T) {
	t.Parallel()
	var versions []string
	for i := range 100 {
		versions = append(versions, fmt.Sprintf("3.0.%d", i))
	}
	versions = append(versions, "1.0.0", "1.0.1", "2.0.0", "2.0.1", "4.0.0-rc.1")
	all := issuedAs(versions...)
	for name, test := range map[string]struct {
		first   int
		retired string
		count   int
		has     []string
		hasNot  []string
	}{
		"no line is retired":     {0, "", 64, []string{"1.0.1", "2.0.1", "3.0.99", "3.0.39", "4.0.0-rc.1"}, []string{"1.0.0", "2.0.0", "3.0.38"}},
		"line 1 is retired":      {0, "1", 64, []string{"2.0.1", "3.0.38"}, []string{"1.0.1", "1.0.0", "3.0.37"}},
		"the first have objects": {2, "", 66, []string{"3.0.0", "3.0.1", "1.0.1"}, []string{"3.0.2"}},
	} {
		got := map[string]bool{}
		for _, i := range withinBound(all, test.first, test.retired) {
			got[i.Version.String()] = true
		}
		if len(got) != test.count {
			t.Errorf("%s: %d versions, want %d", name, len(got), test.count)
		}
		for _, v := range test.has {
			if !got[v] {
				t.Errorf("%s: %s is forgotten", name, v)
			}
		}
		for _, v := range test.hasNot {
			if got[v] {
				t.Errorf("%s: %s is remembered", name, v)
			}
		}
	}
}

// TestChannelsRemember writes into channels what a status says, loses the status,
// and reads it back.
func TestChannelsRemember(t *testing.T) {
	t.Parallel()
	f := newFamily(t, "2.0.0", "2.0.0")
	f.render("1.1.0", "0", 1)
	f.serve("1.1.0", "0", "1.0.0")
	f.serve("2.0.0", "0", "")
	f.contract.Status.RetiredLine = "0.9"
	want := []v1alpha1.IssuedVersion{}
	for _, i := range issuedAs("3.0.0-rc.1", "2.0.0", "1.1.0", "1.0.0", "0.9.0") {
		want = append(want, v1alpha1.IssuedVersion{Version: i.Version.String(), Digest: i.Digest})
	}
	f.contract.Status.Issued = want
	run := &contractRun{ContractReconciler: &ContractReconciler{}, contract: f.contract, configMaps: f.configMaps}
	for _, name := range []string{"c-v1", "c-v2"} {
		run.withMemory(f.configMaps[name])
	}
	digest := func(i int) string { return fmt.Sprintf("%064d", i) }
	for name, wants := range map[string][2]string{
		"c-v1": {"1.1.0=" + digest(2) + ",1.0.0=" + digest(3), ""},
		"c-v2": {"3.0.0-rc.1=" + digest(0) + ",2.0.0=" + digest(1), "0.9"}, // line 3 has no channel
	} {
		annotations := f.configMaps[name].Annotations
		if got := [2]string{annotations[v1alpha1.AnnotationIssued], annotations[v1alpha1.AnnotationRetiredLine]}; got != wants {
			t.Errorf("%s remembers %q, want %q", name, got, wants)
		}
	}

	f.contract.Status = v1alpha1.ToolContractStatus{}
	if retired := run.retiredBefore(); retired != "0.9" {
		t.Errorf("the retired line is %q", retired)
	}
	if diff := cmp.Diff(want[:4], run.issued()); diff != "" { // 0.9.0 is of a retired line and needs no memory
		t.Errorf("issued (-want +got):\n%s", diff)
	}
}

// TestAnEditedMemoryIsNotRead while the status is there, and a channel can never
// retire its own line or a newer one.
func TestAnEditedMemoryIsNotRead(t *testing.T) {
	t.Parallel()
	f := newFamily(t, "2.0.0", "1.0.0", "2.0.0")
	f.serve("1.0.0", "0", "")
	f.serve("2.0.0", "0", "")
	edited := f.configMaps["c-v2"].Annotations
	edited[v1alpha1.AnnotationRetiredLine] = "1"
	edited[v1alpha1.AnnotationIssued] = "2.7.0=" + strings.Repeat("a", 64)
	f.contract.Status.Issued = []v1alpha1.IssuedVersion{{Version: "2.0.0", Digest: digestPrefix + strings.Repeat("b", 64)}}
	run := &contractRun{ContractReconciler: &ContractReconciler{}, contract: f.contract, configMaps: f.configMaps}
	if retired := run.retiredBefore(); retired != "" {
		t.Errorf("line %s is retired by an annotation", retired)
	}
	if got := run.remembered(); got != nil {
		t.Errorf("issued by an annotation: %v", got)
	}
	f.contract.Status.Issued = nil
	for noted, want := range map[string]string{"1": "1", "0.3": "0.3", "2": "", "7": "", "x": "", "1.0.0": "", "": ""} {
		edited[v1alpha1.AnnotationRetiredLine] = noted
		if got := run.retiredBefore(); got != want {
			t.Errorf("%q: line %q is retired, want %q", noted, got, want)
		}
	}
}

// TestLeaves: only a channel of a line that the status calls retired, that is not
// the contract's own, and that nothing mounts, may be deleted.
func TestLeaves(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		configMap, retired, version string
		mounts                      Mounts
		want                        bool
	}{
		"retired":                        {"c-v1", "1", "3.0.0", nil, true},
		"below the retired one":          {"c-v0.4", "1", "3.0.0", nil, true},
		"newer":                          {"c-v2", "1", "3.0.0", nil, false},
		"nothing is retired":             {"c-v1", "", "3.0.0", nil, false},
		"the contract's own":             {"c-v1", "1", "1.2.0", nil, false},
		"mounted":                        {"c-v1", "1", "3.0.0", mountedBy{"c-v1": {"Pod/a"}}, false},
		"another is mounted":             {"c-v1", "1", "3.0.0", mountedBy{"c-v2": {"Pod/a"}}, true},
		"nobody knows":                   {"c-v1", "1", "3.0.0", notReady{}, false},
		"a rendering":                    {"c-v1.0.0-0a1b2c3d", "1", "3.0.0", nil, false},
		"another contract with its name": {"c-v1-v1", "1", "3.0.0", nil, false},
	} {
		f := newFamily(t, test.version)
		f.contract.Status.RetiredLine = test.retired
		run := &contractRun{ContractReconciler: &ContractReconciler{Mounts: test.mounts}, contract: f.contract}
		if got := run.leaves(test.configMap); got != test.want {
			t.Errorf("%s: %t, want %t", name, got, test.want)
		}
	}
}
