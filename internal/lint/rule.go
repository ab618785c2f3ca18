// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"slices"

	"github.com/toolcontract/operator/internal/finding"
)

// Rule is one thing that lint looks for.
type Rule struct {
	// ID is stable: findings and acknowledgements name the rule by it.
	ID       string
	Family   string
	Severity finding.Severity
	// Summary says what the rule finds, Why what goes wrong otherwise, and Fix the
	// way out.
	Summary, Why, Fix string
	Examples          []Example

	// check looks at one contract; it is nil for a rule about several.
	check func(*subject)
}

// Example shows a rule by a part of a contract; the rest of it is that of a
// contract in which no rule finds anything.
type Example struct {
	Language Language
	// Writes says that the rest is that of a tool that changes something.
	Writes bool
	// Bad breaks the rule, and Good does not. Each is YAML below spec, merged into
	// the rest member by member; null removes one. A rule about several tools has
	// two of them, divided by a line ---.
	Bad, Good string
}

// Language is one that descriptions are written in.
type Language string

// The languages that the rules know.
const (
	English Language = "English"
	Chinese Language = "Chinese"
)

// The families, in the order of the documentation.
const (
	familyNames          = "Names"
	familyDescription    = "Descriptions"
	familyParameters     = "Parameters"
	familyValues         = "Values"
	familyCompleteness   = "Completeness"
	familyContradictions = "Contradictions"
	familyTools          = "Several tools"
	familyHostile        = "Hidden and hostile text"
	familySecrets        = "Secrets and personal data"
)

var rules = slices.Concat(
	nameRules, descriptionRules, parameterRules, valueRules, completenessRules,
	contradictionRules, similarRules, hostileRules, secretRules,
)

// Rules are all rules, in the order of the documentation.
func Rules() []Rule { return slices.Clone(rules) }

// Lookup finds a rule by its identifier.
func Lookup(id string) (Rule, bool) {
	i := slices.IndexFunc(rules, func(r Rule) bool { return r.ID == id })
	if i < 0 {
		return Rule{}, false
	}
	return rules[i], true
}
