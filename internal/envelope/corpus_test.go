// SPDX-License-Identifier: Apache-2.0

package envelope

import (
	"testing"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/corpus"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// TestRealOutputSchemasGoIntoAnEnvelope: for every output schema of the real tools
// the schema of the envelope is valid, takes data that the output schema takes, and
// refuses it with one more member at the root.
func TestRealOutputSchemasGoIntoAnEnvelope(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	refused, answers, closed := 0, 0, 0
	for _, path := range corpus.ToolFiles(t) {
		for tool := range corpus.Lines[corpus.Tool](t, path) {
			if len(tool.OutputSchema) == 0 || string(tool.OutputSchema) == "null" || seen[string(tool.OutputSchema)] {
				continue
			}
			seen[string(tool.OutputSchema)] = true
			root, failed := schema.Parse(tool.OutputSchema)
			if failed != nil {
				refused++
				continue
			}
			output, _ := schema.Admit(root)
			if output == nil {
				refused++
				continue
			}
			if _, invalid := output.Compile(); len(invalid) > 0 {
				refused++
				continue
			}
			c := &contract.Content{ToolName: "tool", Output: contract.Output{Schema: output}}
			whole, findings := schema.Admit(ResultSchema(c))
			if whole == nil {
				t.Errorf("%s: the envelope is not admitted: %v", tool.OutputSchema, findings)
				continue
			}
			validator, findings := whole.Compile()
			if validator == nil {
				t.Errorf("%s: the envelope is no schema: %v", tool.OutputSchema, findings)
				continue
			}
			for _, data := range schematest.NewInstances(output.Closed(), 1).Valid(2, 200) {
				answers++
				accepts := func(v *schema.Value) bool {
					ok, err := validator.Accepts(succeededWith(t, v.JSON()))
					if err != nil {
						t.Error(err)
					}
					return ok
				}
				if !accepts(data) {
					t.Errorf("%s: the answer %s is refused", tool.OutputSchema, data.JSON())
				}
				if !output.Closed().Root().Get("additionalProperties").IsFalse() || data.Kind() != schema.Object {
					continue
				}
				closed++
				if more := data.With("undeclared_ member", schema.NewNull()); accepts(more) {
					t.Errorf("%s: the answer %s is accepted", tool.OutputSchema, more.JSON())
				}
			}
		}
	}
	t.Logf("%d output schemas, of which %d are none; %d answers, %d with a member too many", len(seen), refused, answers, closed)
	if answers < 150 || closed < 100 {
		t.Error("too little was looked at")
	}
}
