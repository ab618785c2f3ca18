// SPDX-License-Identifier: Apache-2.0

package adapt_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/adapt"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// A type list that has null already and an enum that has not is common: the
// property cannot be null, and null comes into the enum alone.
func TestNullableEnumWhoseTypeListHasNull(t *testing.T) {
	t.Parallel()
	author := schematest.Schema(t, `{"type":"object","properties":{"a":{"type":["string","null"],"enum":["x","y"]}},"required":[],"additionalProperties":false}`)
	for _, name := range []string{"openai-responses", "groq-chat", "deepseek-beta", "azure-openai-chat-completions"} {
		result := adapt.Schema(author, profile(t, name), provider.Strict, adapt.Reshape)
		if finding.HasErrors(result.Findings) {
			t.Errorf("%s: %v", name, result.Findings)
			continue
		}
		if _, invalid := result.Schema.Compile(); len(invalid) > 0 {
			t.Errorf("%s makes %s, which is not valid: %v", name, result.Schema.Root().JSON(), invalid)
		}
		if name != "openai-responses" {
			continue
		}
		want := `{"type":"object","properties":{"a":{"type":["string","null"],"enum":["x","y",null]}},"required":["a"],"additionalProperties":false}`
		if diff := cmp.Diff(want, result.Schema.Root().JSON()); diff != "" {
			t.Error(diff)
		}
	}
}
