// SPDX-License-Identifier: Apache-2.0

package change

import (
	"strings"

	"github.com/toolcontract/operator/internal/schema"
)

// survey is every place that the two schemas have, or one of them, found in one
// walk. The families of rules read it one after the other.
type survey struct {
	walker *walker
	places []place
	// atOld and atNew lead from a schema location to the first place it applies to.
	atOld, atNew map[int]int
	// complete says that no place was left out.
	complete bool
}

func newSurvey(old, next *schema.Schema) *survey {
	v := &survey{walker: newWalker(old, next), atOld: map[int]int{}, atNew: map[int]int{}}
	v.complete = v.walker.walk(func(p place) {
		for _, i := range p.old {
			note(v.atOld, i, len(v.places))
		}
		for _, i := range p.new {
			note(v.atNew, i, len(v.places))
		}
		v.places = append(v.places, p)
	})
	return v
}

func note(at map[int]int, location, place int) {
	if _, known := at[location]; !known {
		at[location] = place
	}
}

// shared are the places that both schemas have.
func (v *survey) shared(visit func(p place)) {
	for _, p := range v.places {
		if len(p.old) > 0 && len(p.new) > 0 {
			visit(p)
		}
	}
}

// nearest is the closest place at or above a pointer that the author wrote: a
// closed form has places of its own.
func nearest(s *schema.Schema, pointer string) (string, int) {
	for {
		if i, ok := s.IndexAt(pointer); ok {
			return pointer, i
		}
		pointer = pointer[:max(strings.LastIndexByte(pointer, '/'), 0)]
	}
}

// pointers names one part of the instance in the new schema and in the old one,
// given where one of them has it. If only one has the part, both are the same.
// Where several locations apply to the part, the one with the keyword counts.
func (v *survey) pointers(inNew bool, pointer, keyword string) (is, was string) {
	from, to, at := v.walker.old, v.walker.new, v.atOld
	if inNew {
		from, to, at = v.walker.new, v.walker.old, v.atNew
	}
	here, i := nearest(from.schema, pointer)
	there := here
	if n, ok := at[i]; ok {
		locations := v.places[n].new
		if inNew {
			locations = v.places[n].old
		}
		there = to.pointerAmong(locations, here, keyword)
	}
	if inNew {
		return here, there
	}
	return there, here
}

// pointerAmong picks the location of a part: the same pointer if it is there,
// else the first that has the keyword, else the first; the given pointer if
// there is none.
func (a *applied) pointerAmong(locations []int, same, keyword string) string {
	found := same
	for n, i := range locations {
		node := a.schema.Nodes()[i]
		switch {
		case node.Pointer == same:
			return same
		case n == 0:
			found = node.Pointer
		}
	}
	for _, i := range locations {
		if node := a.schema.Nodes()[i]; keyword != "" && node.Value.Has(keyword) {
			return node.Pointer
		}
	}
	return found
}

// placeAt is the index of the place of a location, -1 if it is in none.
func (v *survey) placeAt(inNew bool, pointer string) int {
	from, at := v.walker.old, v.atOld
	if inNew {
		from, at = v.walker.new, v.atNew
	}
	_, i := nearest(from.schema, pointer)
	if n, ok := at[i]; ok {
		return n
	}
	return -1
}
