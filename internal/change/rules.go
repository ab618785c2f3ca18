// SPDX-License-Identifier: Apache-2.0

package change

import (
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/contract"
)

// The rules, by what they judge. Those of schemas exist once for each of the
// three places where a contract has schemas.
var (
	// contractRules judge what stands outside the schemas.
	contractRules = []string{
		"tool-name", "tool-type", "title", "description", "description-meaning",
		"input-examples", "input-schema-added", "input-schema-removed", "input-writer",
		"output-schema-added", "output-schema-removed", "output-reader",
		"session-parameter-added", "session-parameter-removed", "session-parameter-optional", "session-parameter-source",
		"session-parameter-exposed", "session-parameter-injected", "session-parameter-order",
		"location", "credentials", "authorization", "side-effect", "reach", "risk", "timeout", "approval",
		"data-classification", "retry", "idempotency",
		"error-added", "error-removed", "error-category", "error-recovery", "error-retry", "error-text", "error-order",
		"output-limits", "output-truncation", "output-pagination", "output-freshness", "output-provenance", "output-binding",
		"free-form-grammar", "free-form-fallback", "built-in-type", "built-in-settings",
		"mcp-server", "mcp-tool", "mcp-credentials", "mcp-description",
		"noise", "unknown-field", RuleUnusedAcknowledgement,
	}
	// meaningRules judge what a schema declares beyond the values that it admits.
	meaningRules = []string{
		"default", "default-added", "content", "access", "deprecated", "unit", "unit-added", "unknown-keyword",
		"text", "text-meaning", "too-large",
	}
	// placeRules judge properties as such, and the limits of the checker.
	placeRules = []string{"property-added", "property-declared", "property-removed", moreDifferences, defectSuffix}
)

// Where a contract has schemas; each begins the rules of its place.
const (
	inputRules   = "input-"
	outputRules  = "output-"
	sessionRules = "session-parameter-"
)

// harmless is the rule for a schema that moved without breaking a caller.
func harmless(prefix string) string {
	if prefix == outputRules {
		return prefix + "narrowed"
	}
	return prefix + "widened"
}

// Rules are the identifiers of all rules of this package, sorted. An
// acknowledgement of any other rule is somebody else's.
func Rules() []string {
	out := slices.Clone(contractRules)
	for _, prefix := range []string{inputRules, outputRules, sessionRules} {
		out = append(out, harmless(prefix))
		for _, aspect := range aspects {
			out = append(out, prefix+aspect)
		}
		for _, list := range [][]string{meaningRules, placeRules} {
			for _, rule := range list {
				out = append(out, prefix+rule)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

var owned = func() map[string]bool {
	set := map[string]bool{}
	for _, rule := range Rules() {
		set[rule] = true
	}
	return set
}()

// acknowledged is what a Major needs after a person's word. Who says that a
// unit only writes down what always was, changes a text; everything else stays
// a change that callers should hear of.
func acknowledged(rule string) contract.Bump {
	if strings.HasSuffix(rule, "unit-added") {
		return contract.Patch
	}
	return contract.Minor
}
