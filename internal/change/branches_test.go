// SPDX-License-Identifier: Apache-2.0

package change

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
)

func TestAMeaningThatMovesBetweenAlternativesIsAnother(t *testing.T) {
	t.Parallel()
	moved := func(rule string) []said { return []said{{"input-" + rule, "/anyOf/1", contract.Major, Declared}} }
	for name, c := range map[string]struct {
		old, new string
		want     []said
	}{
		"a unit from one branch to another": {
			`{"anyOf":[{"type":"integer","x-unit":"s"},{"type":"string"}]}`, `{"anyOf":[{"type":"integer"},{"type":"string","x-unit":"s"}]}`, moved("unit"),
		},
		"a default from one branch to another": {
			`{"anyOf":[{"type":"integer","default":1},{"type":"string"}]}`, `{"anyOf":[{"type":"integer"},{"type":"string","default":1}]}`, moved("default"),
		},
		"a unit behind a reference that is inlined": {
			`{"anyOf":[{"$ref":"#/$defs/s"},{"type":"string"}],"$defs":{"s":{"type":"integer","x-unit":"s"}}}`,
			`{"anyOf":[{"type":"integer","x-unit":"s"},{"type":"string"}]}`,
			[]said{{"noise", "", contract.Patch, Proven}},
		},
		"a unit in an allOf that is dissolved": {
			`{"allOf":[{"type":"integer","x-unit":"s"}]}`, `{"type":"integer","x-unit":"s"}`, []said{{"noise", "", contract.Patch, Proven}},
		},
	} {
		got := compare(onSide(t, finding.Input, c.old, c.new))
		if diff := cmp.Diff(c.want, allSaid(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		for _, f := range got.Findings {
			if f.Bump == contract.Major && !strings.Contains(f.Message, "in another alternative than before") {
				t.Errorf("%s: %s", name, f.Message)
			}
		}
	}
}
