// SPDX-License-Identifier: Apache-2.0

package adapt_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/toolcontract/operator/internal/adapt"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// Where an API is indifferent to a schema, rewriting it would have come to
// nothing: the short way and the long way end in the same place.
func TestIndifferentSchemasNeedNoRewrite(t *testing.T) {
	t.Parallel()
	var all []*schema.Schema
	for seed := range uint64(300) {
		value, failed := schema.Parse([]byte(schematest.Random(seed)))
		if failed != nil {
			continue
		}
		if s, _ := schema.Admit(value); s != nil {
			all = append(all, s)
		}
	}
	checkIndifferent(t, all)
}

// TestIndifferentRealSchemasNeedNoRewrite is the same for real tools.
func TestIndifferentRealSchemasNeedNoRewrite(t *testing.T) {
	t.Parallel()
	schemas := realSchemas(t)
	var all []*schema.Schema
	for i, name := range slices.Sorted(maps.Keys(schemas)) {
		if soaking() || i%5 == 0 {
			all = append(all, schemas[name])
		}
	}
	checkIndifferent(t, all)
}

func checkIndifferent(t *testing.T, all []*schema.Schema) {
	t.Helper()
	indifferent := 0
	for _, s := range all {
		for _, name := range provider.Builtin().Names() {
			p := profile(t, name)
			for _, mode := range []provider.Mode{provider.Strict, provider.Standard} {
				if !p.IsIndifferent(s, mode) {
					continue
				}
				indifferent++
				if r := adapt.Rewritten(s, p, mode, adapt.Widen); r.Schema != s || len(r.Findings) > 0 || len(r.Rewrites) > 0 || r.Decode != nil {
					t.Errorf("%s, %s: %v %v for %s", name, mode, r.Rewrites, r.Findings, s.Root().JSON())
				}
			}
		}
	}
	if indifferent < 100 {
		t.Errorf("only %d of all schemas and profiles are indifferent", indifferent)
	}
	t.Logf("%d", indifferent)
}
