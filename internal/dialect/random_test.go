// SPDX-License-Identifier: Apache-2.0

package dialect_test

import (
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/dialect"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// older spells a document of 2020-12 with the words of older dialects, so that
// every conversion has something to do.
var older = strings.NewReplacer(
	`"prefixItems":`, `"items":`, `"items":`, `"additionalItems":`, `/t/items"`, `/t/additionalItems"`,
	`"dependentSchemas":`, `"dependencies":`, `"$defs":`, `"definitions":`, `#/$defs/`, `#/definitions/`,
)

// TestRandomSchemas compares the two readings of random schemas, spelled in
// both ways, in every older dialect.
func TestRandomSchemas(t *testing.T) {
	t.Parallel()
	for name := range libraryDrafts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			compared := 0
			for seed := range uint64(300) {
				g := schematest.NewGrammar(seed)
				v := g.Document(3)
				if seed%3 > 0 {
					v, _ = schema.Parse([]byte(older.Replace(v.JSON())))
				}
				if v == nil { // two members got one name
					continue
				}
				instances := make([]*schema.Value, 20)
				for i := range instances {
					instances[i] = g.Instance()
				}
				text, n := disagreement(v, name, instances)
				if text != "" {
					t.Fatalf("seed %d: %s", seed, text)
				}
				compared += n
			}
			t.Logf("%d verdicts compared", compared)
			if compared < 1_000 {
				t.Errorf("only %d verdicts were compared", compared)
			}
		})
	}
}

// FuzzConvert wants every document to be converted or refused with a place and
// a way out, the same each time, and the two readings of it to agree.
func FuzzConvert(f *testing.F) {
	for _, text := range []string{
		`{"$id":"http://a/b","definitions":{"a":{"$id":"c#d","items":[{}],"additionalItems":false}},"$ref":"c#d"}`,
		`{"minimum":1,"exclusiveMinimum":true,"dependencies":{"a":["b"],"c":{"$ref":"#/dependencies/c"}}}`,
		`{"$recursiveAnchor":true,"properties":{"a":{"$recursiveRef":"#"}},"$anchor":"x","unevaluatedItems":false}`,
		`{"$ref":"#/definitions/a~1%25","definitions":{"a/%":{"contains":{},"const":{"$ref":1}}}}`,
	} {
		f.Add(text, `[1,{"a":"b"},null]`)
	}
	f.Fuzz(func(t *testing.T, text, data string) {
		v, failed := schema.Parse([]byte(text))
		if failed != nil {
			return
		}
		instance, failed := schema.Parse([]byte(data))
		if failed != nil {
			instance = v
		}
		for _, name := range dialect.Names() {
			got, findings := dialect.Convert(v, name)
			again, _ := dialect.Convert(v, name)
			if (got == nil) != finding.HasErrors(findings) || got != nil && got.JSON() != again.JSON() {
				t.Fatalf("%s: got %v and %v with %v", name, got, again, findings)
			}
			for _, problem := range findings {
				if problem.Severity == finding.Error && (problem.Fix == "" || problem.Message == "") {
					t.Errorf("%s: %v says no way out", name, problem)
				}
			}
			if libraryDrafts[name] == nil {
				continue
			}
			if text, _ := disagreement(v, name, []*schema.Value{instance, v}); text != "" {
				t.Error(text)
			}
		}
	})
}
