// SPDX-License-Identifier: Apache-2.0

package containment

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/dialect"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/corpus"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// incompatible are the types of difference that json-schema-compatibility, and
// the schema registry that took it over, count as breaking for readers of the
// original schema's data; it counts all others as compatible.
var incompatible = map[string]bool{
	"ADDITIONAL_ITEMS_REMOVED": true, "ADDITIONAL_PROPERTIES_NARROWED": true, "ADDITIONAL_PROPERTIES_REMOVED": true,
	"COMPOSITION_METHOD_CHANGED": true, "DEPENDENCY_ARRAY_ADDED": true, "DEPENDENCY_SCHEMA_ADDED": true, "ENUM_ARRAY_CHANGED": true,
	"MAXIMUM_DECREASED": true, "MAX_ITEMS_DECREASED": true, "MAX_LENGTH_DECREASED": true, "MAX_PROPERTIES_DECREASED": true, "MINIMUM_INCREASED": true, "MIN_ITEMS_INCREASED": true, "MIN_LENGTH_INCREASED": true, "MULTIPLE_OF_CHANGED": true,
	"PATTERN_CHANGED": true, "PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL": true, "REQUIRED_ATTRIBUTE_ADDED": true, "TYPE_CHANGED": true, "TYPE_NARROWED": true,
}

// disagreements are the pairs, by position, on which containment says something
// else than the types of difference.
var disagreements = map[int]string{
	19: "no pattern matches bar and nothing else is admitted, so that no old object has it",
	22: "anyOf and allOf of one schema are the same",
	24: "with foo the object would have to be a string, or a number: both schemas refuse every object with foo",
	28: "the name that is required now is not declared, and the types of difference look at declared names only",
	41: "additionalItems means nothing without a list of items",
	42: "additionalItems means nothing without a list of items",
}

func TestPairsOfRayokotaAreExplained(t *testing.T) {
	t.Parallel()
	pairs := corpus.JSON[[]struct {
		Description string
		Original    json.RawMessage `json:"original_schema"`
		Update      json.RawMessage `json:"update_schema"`
		Errors      []string
	}](t, corpus.Path(t, "compat/rayokota/diff-schema-examples.json"))
	var agree, explained int
	for i, p := range pairs {
		old, next := converted(t, p.Original), converted(t, p.Update)
		r := contain.Contains(old, next)
		label := contain.Proven
		for _, e := range p.Errors {
			if kind, _, _ := strings.Cut(e, " "); incompatible[kind] {
				label = contain.Refuted
			}
		}
		q := question{fmt.Sprintf("pair %d, %s", i, p.Description), old, next, r.Answer == contain.Proven}
		if wrong := q.failure(); wrong != "" {
			t.Errorf("%s: %s", q.name, wrong)
		}
		switch why := disagreements[i]; {
		case r.Answer == label && why == "":
			agree++
		case r.Answer != label && why != "":
			explained++
		default:
			t.Errorf("%s: %s, the label %q means %s, and the table explains %q\nold %s\nnew %s", q.name, r.Answer, p.Errors, label, why, p.Original, p.Update)
		}
	}
	t.Logf("%d pairs: %d agree with the label, %d are explained", len(pairs), agree, explained)
}

// converted reads a draft-07 schema as 2020-12.
func converted(t *testing.T, text json.RawMessage) *schema.Schema {
	t.Helper()
	v, findings := dialect.Convert(schematest.Value(t, string(text)).Without("id"), "draft-07")
	if v == nil {
		t.Fatalf("%s: %v", text, findings)
	}
	return schematest.Schema(t, v.JSON())
}
