// SPDX-License-Identifier: Apache-2.0

package envelope

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestEveryWordOfAnAnswerHasAWireValue reads the value sets of the API where it
// declares them, so that a word that is added there cannot be forgotten here.
func TestEveryWordOfAnAnswerHasAWireValue(t *testing.T) {
	t.Parallel()
	api, err := os.ReadFile("../../api/v1alpha1/output_types.go")
	if err != nil {
		t.Fatal(err)
	}
	onTheWire := []string{"ErrorCategory", "ErrorRecovery", "Trust"}
	// What the contract says to a host, and no envelope repeats.
	elsewhere := []string{"CachePolicy", "OutputReader", "PaginationMode", "Truncation"}
	var types, known []string
	for _, m := range regexp.MustCompile(`\+kubebuilder:validation:Enum=(\S+)\ntype (\w+) string`).FindAllStringSubmatch(string(api), -1) {
		types = append(types, m[2])
		if !slices.Contains(onTheWire, m[2]) {
			continue
		}
		for word := range strings.SplitSeq(m[1], ";") {
			known = append(known, word)
			if Wire(word) == "" {
				t.Errorf("%s of %s has no wire value", word, m[2])
			}
		}
	}
	slices.Sort(types)
	want := slices.Sorted(slices.Values(slices.Concat(onTheWire, elsewhere)))
	if diff := cmp.Diff(want, types); diff != "" {
		t.Errorf("say of every value set of the API whether it is on the wire (-want +got):\n%s", diff)
	}
	for word := range words {
		if !slices.Contains(known, word) {
			t.Errorf("%s is no word of the API", word)
		}
	}
}

// TestWireValuesAreTheWordsInSnakeCase: the table holds no surprise, and no two
// words of one set share a value.
func TestWireValuesAreTheWordsInSnakeCase(t *testing.T) {
	t.Parallel()
	upper := regexp.MustCompile(`([a-z])([A-Z])`)
	for word, wire := range words {
		if want := strings.ToLower(upper.ReplaceAllString(word, "${1}_$2")); wire != want {
			t.Errorf("%s is %s on the wire, not %s", word, wire, want)
		}
	}
	if Wire("Nonsense") != "" || Wire("") != "" {
		t.Error("a word that is not in the table has a wire value")
	}
}
