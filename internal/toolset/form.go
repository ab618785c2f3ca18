// SPDX-License-Identifier: Apache-2.0

package toolset

import (
	"strings"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/publish"
	"github.com/toolcontract/operator/internal/render"
	"github.com/toolcontract/operator/internal/schema"
)

// form is one way in which a tool can stand in a request.
type form struct {
	target *evaluate.Target // nil for a kept tool
	// element is its part of tools.json, entry that of manifest.json.
	element, entry   *schema.Value
	strict, deferred bool
	// counts are what it adds to the limits of a request.
	counts map[string]int
	weight int // see bytes
}

// render makes a form of a tool; nil if the API does not take it, for the reasons
// in the findings.
func (s *set) render(c *candidate, strict v1alpha1.StrictPolicy, deferred bool) (*form, []finding.Finding) {
	spec := c.spec
	spec.Strict = strict
	target := evaluate.ForProfile(c.Tool.Contract, c.Content, c.Digest, spec, s.Profile, evaluate.Placement{DeferLoading: deferred})
	if !target.Compatible() {
		return nil, target.Findings
	}
	// What was asked is said as it was, also where the set lowers it.
	view := target.View()
	if c.spec.Strict != "" {
		view.Asked = string(c.spec.Strict)
	} else {
		view.Asked = string(v1alpha1.StrictPreferred)
	}
	f := &form{
		target: &target, element: target.Element, strict: target.Given, deferred: render.IsDeferred(target.Element),
		entry:  publish.SetEntry(c.Tool.Namespace, c.Tool.Contract, c.Content, c.Digest, view),
		counts: map[string]int{},
	}
	for _, n := range target.Counts {
		f.counts[n.Measure] = n.N
	}
	return f, nil
}

// bytes is the size of its part of the files.
func (f *form) bytes() int {
	if f.weight == 0 {
		f.weight = len(f.element.JSON()) + len(f.entry.JSON())
	}
	return f.weight
}

// maxCount keeps sums of what a file says inside an int.
const maxCount = 1 << 30

// keptForm is a tool as it was published.
func keptForm(k *Kept) *form {
	target := firstTarget(k.Manifest)
	f := &form{
		element: k.Element, entry: k.Manifest, strict: target.Get("strict").Get("given").IsTrue(),
		deferred: render.IsDeferred(k.Element), counts: map[string]int{"Tools": 1},
	}
	if f.strict {
		f.counts["StrictTools"] = 1
	}
	for _, m := range target.Get("requestCounts").Members() {
		if n, ok := m.Value.Int(); ok && m.Name != "" {
			f.counts[strings.ToUpper(m.Name[:1])+m.Name[1:]] = int(min(max(n, 0), maxCount))
		}
	}
	return f
}

// loaded is a form that is in the prompt from the start.
func (f *form) loaded() *form {
	out := *f
	out.element, out.deferred, out.weight = render.Loaded(f.element), false, 0
	return &out
}

func isServer(element *schema.Value) bool { return render.ServerLabel(element) != "" }
