// SPDX-License-Identifier: Apache-2.0

package finding

import (
	"bytes"
	"cmp"
	"encoding/json"
)

// Operation is one step of an RFC 6902 JSON Patch.
type Operation struct {
	// Op is add, remove, replace or move.
	Op string `json:"op"`
	// From is where a move takes its value, as a JSON pointer.
	From string `json:"from,omitempty"`
	// Path is a JSON pointer.
	Path string `json:"path"`
	// Value is JSON text; nil for remove and move.
	Value json.RawMessage `json:"value,omitempty"`
}

// compareOperations orders by every field.
func compareOperations(a, b Operation) int {
	return cmp.Or(
		cmp.Compare(a.Op, b.Op),
		cmp.Compare(a.From, b.From),
		cmp.Compare(a.Path, b.Path),
		bytes.Compare(a.Value, b.Value),
	)
}
