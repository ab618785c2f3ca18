// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// grammar writes random schemas and instances as JSON text; the tests add small
// worlds of their own to it.
type grammar struct{ schematest.Grammar }

func newGrammar(seed uint64) grammar { return grammar{schematest.NewGrammar(seed)} }

// document writes a schema with its definitions.
func (g grammar) document(depth int) string { return g.Document(depth).JSON() }

// mutate replaces one value, keyword or member of a document.
func (g grammar) mutate(document string) string {
	v, failed := schema.Parse([]byte(document))
	if failed != nil {
		return document
	}
	return g.Mutate(v).JSON()
}
