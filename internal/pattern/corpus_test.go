// SPDX-License-Identifier: Apache-2.0

package pattern

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/testkit/corpus"
)

// suiteSchema is the part of a suite schema that patterns decide.
type suiteSchema struct {
	Pattern              *string
	PatternProperties    map[string]json.RawMessage
	AdditionalProperties *bool
}

// suiteFiles are the files of the suite that patterns decide.
var suiteFiles = []string{"pattern.json", "patternProperties.json", "optional/ecmascript-regex.json", "optional/non-bmp-regex.json"}

func TestJSONSchemaTestSuite(t *testing.T) {
	t.Parallel()
	decided := map[string]int{}
	for file, groups := range corpus.Suite(t, "draft2020-12") {
		if !slices.Contains(suiteFiles, file) {
			continue
		}
		for _, group := range groups {
			for _, test := range group.Tests {
				got, ok := suiteVerdict(t, group.Schema, test.Data)
				if !ok {
					continue
				}
				decided[file]++
				if got != test.Valid {
					t.Errorf("%s: %s: %s: valid = %t, want %t", file, group.Description, test.Description, got, test.Valid)
				}
			}
		}
	}
	for _, file := range suiteFiles {
		if decided[file] == 0 {
			t.Errorf("%s: no test decided by a pattern", file)
		}
	}
	t.Log(decided)
}

// suiteVerdict validates data as far as the pattern keywords go. It returns false for schemas that say more than that.
func suiteVerdict(t *testing.T, raw, instance json.RawMessage) (valid, ok bool) {
	t.Helper()
	var data any
	if err := json.Unmarshal(instance, &data); err != nil {
		t.Fatal(err)
	}
	var schema suiteSchema
	if err := json.Unmarshal(raw, &schema); err != nil {
		t.Fatal(err)
	}
	if schema.Pattern != nil {
		text, isText := data.(string)
		return !isText || mustMatch(t, mustCompile(t, *schema.Pattern), text), true
	}
	object, isObject := data.(map[string]any)
	if schema.PatternProperties == nil || !isObject {
		return false, false
	}
	for name, value := range object {
		matched := false
		for source, subschema := range schema.PatternProperties {
			if !mustMatch(t, mustCompile(t, source), name) {
				continue
			}
			matched = true
			valid, ok := trivialVerdict(subschema, value)
			if !valid || !ok {
				return valid, ok
			}
		}
		if !matched && schema.AdditionalProperties != nil && !*schema.AdditionalProperties {
			return false, true
		}
	}
	return true, true
}

// trivialVerdict knows the subschemas true, false and {"type":"integer"}.
func trivialVerdict(subschema json.RawMessage, value any) (valid, ok bool) {
	switch strings.Join(strings.Fields(string(subschema)), "") {
	case "true":
		return true, true
	case "false":
		return false, true
	case `{"type":"integer"}`:
		number, isNumber := value.(float64)
		return isNumber && number == float64(int64(number)), true
	}
	return false, false
}

// invalidRealPatterns are in the corpus and not valid: Node.js refuses them with the u flag as well.
var invalidRealPatterns = map[string]bool{
	`^\d+\-\d+\s°C$`: true, // "-" must not be escaped outside a class
}

// TestRealPatternsCompile compiles every pattern of the published tools in the corpus.
func TestRealPatternsCompile(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	for _, path := range corpus.ToolFiles(t) {
		for tool := range corpus.Lines[any](t, path) {
			collectPatterns(tool, found)
		}
	}
	if len(found) == 0 {
		t.Fatal("no pattern found in the corpus")
	}
	for source := range found {
		if _, err := Compile(source); (err != nil) != invalidRealPatterns[source] {
			t.Errorf("Compile(%q): %v, want invalid: %t", source, err, invalidRealPatterns[source])
		}
	}
	t.Logf("%d distinct patterns", len(found))
}

// collectPatterns adds the values of pattern and the names in patternProperties, also inside JSON that is kept as text.
func collectPatterns(value any, found map[string]bool) {
	switch value := value.(type) {
	case map[string]any:
		if source, ok := value["pattern"].(string); ok {
			found[source] = true
		}
		if properties, ok := value["patternProperties"].(map[string]any); ok {
			for source := range properties {
				found[source] = true
			}
		}
		for _, member := range value {
			collectPatterns(member, found)
		}
	case []any:
		for _, item := range value {
			collectPatterns(item, found)
		}
	case string:
		var inner any
		if strings.HasPrefix(value, "{") && json.Unmarshal([]byte(value), &inner) == nil {
			collectPatterns(inner, found)
		}
	}
}
