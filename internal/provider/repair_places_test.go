// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"testing"

	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// A schema that is judged together with others must not be closed by a patch:
// it would forbid what the others declare.
func TestNoPatchClosesWhatAppliesWithOthers(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a","b"],"additionalProperties":false,"dependentSchemas":{"b":{"type":"object","properties":{"a":{"minLength":2}}}}}`,
		`{"type":"object","properties":{"o":{"if":{"type":"object","properties":{"a":{"const":1}}},"then":{"type":"object","properties":{"b":{"type":"string"}}}}},"required":["o"],"additionalProperties":false}`,
		`{"type":"object","properties":{"o":{"allOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"b":{"type":"string"}}}]}},"required":["o"],"additionalProperties":false}`,
	} {
		for _, name := range []string{"anthropic-messages", "openai-responses", "azure-openai-chat-completions"} {
			for _, f := range profile(t, name).CheckSchema(schematest.Schema(t, text), Strict) {
				if len(f.Patch) > 0 && (f.Rule == RuleObjectNotClosed || f.Rule == RulePropertyNotRequired) {
					t.Errorf("%s offers %v for %s", name, f.Patch, f)
				}
			}
		}
	}
}
