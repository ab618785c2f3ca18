// SPDX-License-Identifier: Apache-2.0

package contract

import "github.com/toolcontract/operator/internal/schema"

// promises writes what an answer promises beside its schema and its failures.
func (out Output) promises(o *schema.Fields) {
	var limits schema.Fields
	limits.Int("maxBytes", out.Limits.MaxBytes)
	limits.Int("maxDepth", out.Limits.MaxDepth)
	limits.Int("maxItems", out.Limits.MaxItems)
	o.NonEmpty("limits", limits.Object())
	o.Text("truncation", out.Truncation)
	if p := out.Pagination; p != nil {
		var f schema.Fields
		f.Text("mode", p.Mode)
		f.Text("input", p.Input)
		f.Text("output", p.Output)
		f.Text("items", p.Items)
		f.Int("maxPageSize", p.MaxPageSize)
		o.NonEmpty("pagination", f.Object())
	}
	if p := out.Freshness; p != nil {
		var f schema.Fields
		f.Int("maxAgeSeconds", p.MaxAgeSeconds)
		f.Text("cache", p.Cache)
		o.NonEmpty("freshness", f.Object())
	}
	if p := out.Provenance; p != nil {
		var f schema.Fields
		f.Text("source", p.Source)
		f.Text("producerRevision", p.ProducerRevision)
		f.Text("trust", p.Trust)
		o.NonEmpty("provenance", f.Object())
	}
	if len(out.Bindings) > 0 {
		bindings := make([]*schema.Value, len(out.Bindings))
		for i, b := range out.Bindings {
			var f schema.Fields
			f.Text("output", b.Output)
			f.Text("input", b.Input)
			bindings[i] = f.Object()
		}
		o.NonEmpty("bindings", schema.NewArray(bindings...))
	}
}
