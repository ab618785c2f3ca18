// SPDX-License-Identifier: Apache-2.0

package evaluate

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// TestChain: whatever the order, and whichever of them is the contract's already.
func TestChain(t *testing.T) {
	t.Parallel()
	const narrow, wide, other = `{"type":"object","properties":{"a":{"type":"string"}}}`,
		`{"type":"object","properties":{"a":{"type":["string","null"]}}}`,
		`{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}`
	for name, test := range map[string]struct {
		versions [][2]string
		issued   string
		want     []string
	}{
		"each may follow the one before":     {[][2]string{{"1.0.0", narrow}, {"1.1.0", wide}, {"2.0.0", other}}, "", nil},
		"the breaking one is refused":        {[][2]string{{"1.0.0", narrow}, {"1.1.0", other}, {"1.2.0", wide}}, "", []string{"1.1.0"}},
		"one that would break an issued one": {[][2]string{{"1.0.0", narrow}, {"1.1.0", other}}, "1.1.0", []string{"1.0.0"}},
		"a pre-release promises nothing":     {[][2]string{{"1.1.0-rc.1", other}, {"1.0.0", narrow}, {"1.1.0", wide}}, "", nil},
		"what is issued is not judged again": {[][2]string{{"1.0.0", narrow}, {"1.1.0", other}}, "1.0.0 1.1.0", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var frozen []Frozen
			for _, v := range test.versions {
				content, findings := Read(&v1alpha1.ToolContent{
					Version: v[0], ToolName: "t", Description: v1alpha1.Description{Summary: "S."}, Input: v1alpha1.Input{SchemaText: v[1]},
				})
				if content == nil {
					t.Fatal(findings)
				}
				isIssued := slices.Contains([]string{test.issued}, v[0]) || test.issued == "1.0.0 1.1.0"
				frozen = append(frozen, Frozen{Content: content, Issued: isIssued})
			}
			for range 2 {
				got := slices.Sorted(maps.Keys(Chain(frozen, nil)))
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Errorf("refused (-want +got):\n%s", diff)
				}
				slices.Reverse(frozen)
			}
		})
	}
}
