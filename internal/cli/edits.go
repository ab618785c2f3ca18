// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/yamledit"
)

// edits are what does the patch of a finding to the file, with offsets as of
// [manifest.Document.Text]. The error says why a person has to do it.
func (j *judged) edits(f finding.Finding) ([]yamledit.Edit, error) {
	text, offset := j.Text()
	at, embedded := j.place(f)
	edits, err := yamledit.Edits(text, yamledit.Place{Pointer: j.At() + at, Embedded: embedded}, f.Patch)
	for i := range edits {
		edits[i].Offset += offset
	}
	return edits, err
}
