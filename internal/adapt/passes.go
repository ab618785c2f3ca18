// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"cmp"
	"slices"

	"github.com/toolcontract/operator/internal/decode"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
)

// maxPasses bounds how often one document is rewritten. A pass does everything
// that it can see; another one is needed only where a rewrite makes a new node
// of several old ones, which the rules for single nodes have to look at again.
const maxPasses = 6

// draft is a document on its way from the author's form to the provider's.
type draft struct {
	profile *provider.Profile
	mode    provider.Mode
	// author is the document as it was, schema as it is now.
	author, schema *schema.Schema
	// origins leads from a place in the document back to the author's, one step
	// for every pass so far, the last one first.
	origins  []func(pointer string) string
	rewrites []Rewrite
	// findings are about the document as it is now, with pointers into it; on the
	// way they have no texts (see [provider.Profile.Faults]).
	findings []finding.Finding
	checked  bool
	texts    bool
	// decode undoes what has another form, and encoder does it; nil for nothing.
	decode  *decode.Rule
	encoder *encoder
}

// settle rewrites the document until nothing changes any more, or until nothing
// is left to be said against it. It reports false if the document grew beyond
// what is admitted; then it is the last that was.
func (d *draft) settle(most Effect) (ok bool) {
	if !d.sayUnits() {
		return false
	}
	for range maxPasses {
		r := newRewriter(d.schema, d.profile, d.mode, most, d.current)
		r.author = d.author
		root := r.node(0, place{})
		if root == d.schema.Root() {
			break
		}
		if r.shares {
			root = unshared(root)
		}
		adapted, findings := d.schema.AdmitRewritten(root, r.allWritten()...)
		if adapted == nil && slices.ContainsFunc(findings, func(f finding.Finding) bool { return f.Rule == schema.RuleRefUnresolved }) {
			// A place that a reference leads to is gone with what held it. The author
			// wrote the reference correctly, so what was admitted last is judged.
			return true
		}
		d.record(r)
		if adapted == nil { // what was written out is too large
			d.findings, d.checked, d.texts = findings, true, true
			return false
		}
		d.schema, d.checked = adapted, false
		if !r.unfinished && !d.refused() {
			break
		}
	}
	return true
}

// refused reports whether the profile has something against the document as
// it is now.
func (d *draft) refused() bool {
	if !d.checked {
		d.findings, d.checked, d.texts = d.profile.Faults(d.schema, d.mode), true, false
	}
	return finding.HasErrors(d.findings)
}

// current returns what the profile has against the document as it is now.
func (d *draft) current() []finding.Finding {
	d.refused()
	return d.findings
}

// record keeps what a pass did, in the author's terms.
func (d *draft) record(r *rewriter) {
	for _, gone := range r.gone {
		if d.toAuthor(gone) != gone {
			continue // it was made, or moved, and its pointer may say too little
		}
		// What an earlier pass kept the meaning of is gone as well. What it narrowed
		// may be why the keyword could go, and still counts.
		d.rewrites = slices.DeleteFunc(d.rewrites, func(w Rewrite) bool { return w.Effect == Keep && within(w.Pointer, gone) })
	}
	for _, w := range r.rewrites {
		w.Pointer = d.toAuthor(w.Pointer)
		d.rewrites = append(d.rewrites, w)
	}
	d.origins = append([]func(string) string{originsOf(r.places)}, d.origins...)
}

// toAuthor leads from a place in the document to the author's: to what is
// around it, where a rewrite made the place.
func (d *draft) toAuthor(pointer string) string {
	if len(d.origins) == 0 {
		return pointer
	}
	pointer = d.origin(pointer)
	tokens := finding.Tokens(pointer)
	for len(tokens) > 0 && d.author.Root().At(tokens) == nil {
		tokens = tokens[:len(tokens)-1]
	}
	return finding.Pointer("", tokens...)
}

// origin leads from a place in the document to where it came from, which need not
// be a place of the author's.
func (d *draft) origin(pointer string) string {
	for _, origin := range d.origins {
		pointer = origin(pointer)
	}
	return pointer
}

// result is what has become of the author's schema; without a schema if the
// document grew too large.
func (d *draft) result(admitted bool) Result {
	d.refused()
	// The draft keeps all findings: those with texts may be cut short.
	given := d.findings
	if !d.texts && len(given) > 0 {
		given = d.profile.CheckSchema(d.schema, d.mode)
	}
	r := Result{Rewrites: sortRewrites(d.rewrites), Findings: d.reported(given), Decode: d.decode, encoder: d.encoder}
	if admitted {
		r.Schema = d.schema
	}
	return r
}

// reported returns findings with pointers into the author's schema.
func (d *draft) reported(findings []finding.Finding) []finding.Finding {
	if len(d.origins) == 0 {
		return findings
	}
	out := make([]finding.Finding, len(findings))
	for i, f := range findings {
		f.Pointer = d.toAuthor(f.Pointer)
		f.Patch = authorPatch(f.Patch, d.schema.Root(), d.author.Root(), d.origin)
		out[i] = f
	}
	return finding.Sort(out)
}

// sortRewrites orders rewrites by place and leaves each once: a definition that
// is written out in several places was still changed in one.
func sortRewrites(list []Rewrite) []Rewrite {
	slices.SortStableFunc(list, func(a, b Rewrite) int {
		return cmp.Or(cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(list)
}
