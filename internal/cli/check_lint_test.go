// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/lint"
)

// identityLine puts a property that the application knows into the schema.
var identityLine = asObject("{type: object, additionalProperties: false, properties: {tenant_id: {type: string, description: The tenant.}}}")

// TestCheckFailsForAnErrorOfLint: the operator publishes such a contract; a pull
// request is where it is mended, or accepted.
func TestCheckFailsForAnErrorOfLint(t *testing.T) {
	t.Parallel()
	wrong := contractYAML("wrong", identityLine...)
	accepted := strings.Replace(wrong, "spec:\n", "spec:\n  acknowledge:\n  - {rule: identity-parameter, path: /properties/tenant_id, reason: for support staff}\n", 1)
	for name, test := range map[string]struct {
		text     string
		code     int
		severity finding.Severity
		line     string
	}{
		"open":     {wrong, exitFindings, finding.Error, "Error input schema /properties/tenant_id"},
		"accepted": {accepted, exitOK, finding.Info, "Info input schema /properties/tenant_id"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := run(test.text, "check", "-")
			if text.code != test.code || !strings.Contains(text.out, test.line) {
				t.Errorf("got %d: %s", text.code, text.out)
			}
			got := run(test.text, "check", "-", "-o", "json")
			if got.code != test.code {
				t.Errorf("got %d for JSON", got.code)
			}
			for _, r := range results(t, got.out) {
				if r.Result != resultCompatible {
					t.Errorf("the contract is %s", r.Result)
				}
				at := slices.IndexFunc(r.Lint, func(f findingView) bool { return f.Rule == "identity-parameter" })
				if at < 0 || r.Lint[at].Severity != test.severity || r.Lint[at].Pointer != "/properties/tenant_id" {
					t.Errorf("got %+v", r.Lint)
				}
			}
		})
	}
}

// TestCheckComparesTheContractsOfANamespace: of two tools about the same thing one
// must name the other; those of another namespace are seen by nobody beside them.
func TestCheckComparesTheContractsOfANamespace(t *testing.T) {
	t.Parallel()
	first := contractYAML("get-order")
	second := func(namespace, summary string) string {
		return contractYAML("list-orders", "toolName: get_order", "toolName: list_orders", "summary: Gets an order.", "summary: "+summary,
			"metadata:\n", "metadata:\n  namespace: "+namespace+"\n")
	}
	for name, test := range map[string]struct {
		text string
		want int
	}{
		"nothing parts them":         {first + second("default", "Lists orders."), 1},
		"one names the other":        {first + second("default", "Lists orders; for one use get_order."), 0},
		"in another namespace":       {first + second("other", "Lists orders."), 0},
		"versions of one contract":   {first + strings.Replace(first, "1.0.0", "1.1.0", 1), 0},
		"one is not valid, but read": {first + strings.Replace(second("default", "Lists orders."), "type: object", "type: objct", 1), 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := resultsWith(t, run(test.text, "check", "-", "-o", "json").out).Similar
			if len(got) != test.want {
				t.Fatalf("got %+v", got)
			}
			for _, f := range got {
				if f.Rule != lint.RuleSimilarTools || !strings.HasPrefix(f.Message, "default/get-order: ") {
					t.Errorf("got %+v", f)
				}
				if text := run(test.text, "check", "-"); !strings.Contains(text.out, "\nContracts beside each other:\n    -:9:3: Warning /spec/description/doNotUseWhen: default/get-order: ") {
					t.Errorf("the text does not say so: %s", text.out)
				}
			}
		})
	}
}
