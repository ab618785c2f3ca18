// SPDX-License-Identifier: Apache-2.0

package adapt

import "github.com/toolcontract/operator/internal/schema"

// tree finds the subschemas of a node by keyword and token. A rewritten schema
// shares values between places, so [schema.Schema.Index] cannot tell them
// apart.
type tree struct {
	schema   *schema.Schema
	children map[child]int
	lists    map[child][]int // by keyword, in document order; the token is empty
}

type child struct {
	parent         int
	keyword, token string
}

func newTree(s *schema.Schema) *tree {
	t := &tree{schema: s, children: make(map[child]int, len(s.Nodes())), lists: map[child][]int{}}
	for i := range s.Nodes() {
		n := &s.Nodes()[i]
		if n.Parent < 0 {
			continue
		}
		t.children[child{n.Parent, n.In, n.Token}] = i
		all := child{n.Parent, n.In, ""}
		t.lists[all] = append(t.lists[all], i)
	}
	return t
}

func (t *tree) node(i int) *schema.Node { return &t.schema.Nodes()[i] }

// at returns one subschema of a node; ok is false if there is none.
func (t *tree) at(i int, keyword, token string) (at int, ok bool) {
	at, ok = t.children[child{i, keyword, token}]
	return at, ok
}

// under returns the subschemas that a keyword of a node holds.
func (t *tree) under(i int, keyword string) []int { return t.lists[child{i, keyword, ""}] }

// membersOf returns the members of an object, none if there is no object.
func membersOf(v *schema.Value) []schema.Member {
	if v == nil {
		return nil
	}
	return v.Members()
}
