// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"strings"

	"github.com/toolcontract/operator/internal/schema"
)

// kinds is a set of the parts into which JSON values fall. Each part is judged
// by itself, so that no keyword is compared where it cannot apply. The two
// booleans are parts of their own: that makes every set of booleans exact.
type kinds uint8

const (
	kindNull kinds = 1 << iota
	kindTrue
	kindFalse
	kindNumber
	kindString
	kindArray
	kindObject

	kindBool  = kindTrue | kindFalse
	everyKind = kindNull | kindBool | kindNumber | kindString | kindArray | kindObject
)

// kindOf is the part that a value falls into.
func kindOf(v *schema.Value) kinds {
	switch v.Kind() {
	case schema.Null:
		return kindNull
	case schema.Bool:
		if v.IsTrue() {
			return kindTrue
		}
		return kindFalse
	case schema.Number:
		return kindNumber
	case schema.String:
		return kindString
	case schema.Array:
		return kindArray
	default:
		return kindObject
	}
}

// kindsByType are the parts that a word of the keyword type names. An integer
// is a number that is a multiple of one; the number part records that.
var kindsByType = map[string]kinds{
	"null": kindNull, "boolean": kindBool, "number": kindNumber, "integer": kindNumber,
	"string": kindString, "array": kindArray, "object": kindObject,
}

// typeText names the types that a node admits, as a reader would.
func typeText(n *node) string {
	if n.kinds == 0 {
		return "nothing"
	}
	if n.kinds == everyKind && !n.number.integers() {
		return "any type"
	}
	number := "number"
	if n.number.integers() {
		number = "integer"
	}
	var words []string
	for _, part := range []struct {
		kinds kinds
		word  string
	}{
		{kindString, "string"},
		{kindNumber, number},
		{kindBool, "boolean"},
		{kindTrue, "true"},
		{kindFalse, "false"},
		{kindArray, "array"},
		{kindObject, "object"},
		{kindNull, "null"},
	} {
		if n.kinds&part.kinds != part.kinds {
			continue
		}
		if part.kinds != kindBool && n.kinds&kindBool == kindBool && part.kinds&kindBool != 0 {
			continue // already said as boolean
		}
		words = append(words, part.word)
	}
	return strings.Join(words, " or ")
}
