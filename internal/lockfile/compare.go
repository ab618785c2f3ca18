// SPDX-License-Identifier: Apache-2.0

package lockfile

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// Kind is the kind of a difference.
type Kind string

// The kinds.
const (
	// Version: another version is there.
	Version Kind = "other-version"
	// Content: the version is the same and says something else.
	Content Kind = "other-content"
	// Bytes: the content is the same and the bytes are not.
	Bytes Kind = "other-bytes"
	// Order: the tools of a set stand in another order.
	Order Kind = "other-order"
	// Missing: it should be there.
	Missing Kind = "missing"
	// Extra: it should not be there.
	Extra Kind = "extra"
	// Invalid: the folder is not what the operator publishes.
	Invalid Kind = "invalid"
)

// Difference is one way in which what is there is not what it should be.
type Difference struct {
	Kind Kind `json:"kind"`
	// Place is the folder or the file; for what is missing, its name.
	Place string `json:"place"`
	// Message says what differs.
	Message string `json:"message"`
}

func (d Difference) String() string { return fmt.Sprintf("%s: %s [%s]", d.Place, d.Message, d.Kind) }

// Compare says how folders differ from what was locked. What the lock does not
// name is a difference. What it names and is not there is one unless a part is
// allowed to be there; a tool that a set of the lock holds needs no folder of its
// own. Contracts are told apart by name and, where both sides say it, namespace:
// the folder of a tool does not.
func (l *Lock) Compare(folders []Folder, part bool) []Difference {
	c := comparison{}
	tools, sets := make([]bool, len(l.Tools)), make([]bool, len(l.Sets))
	for _, f := range folders {
		switch {
		case f.Tool != nil:
			if i := l.findTool(f.Tool); i >= 0 {
				tools[i] = true
				c.tool(f.Path, l.Tools[i], *f.Tool)
			} else {
				c.say(Extra, f.Path, "%s %s is there, and the lock does not name it", f.Tool.Name(), f.Tool.Version)
			}
		case f.Set != nil:
			if i := l.findSet(f.Set); i >= 0 {
				sets[i] = true
				c.set(f.Path, l.Sets[i], *f.Set)
			} else {
				c.say(Extra, f.Path, "the set %s is there, and the lock does not name it", f.Set.FullName())
			}
		}
	}
	if part {
		return c.out
	}
	for i, t := range l.Tools {
		if !tools[i] && !l.inSet(t.Identity) {
			c.say(Missing, t.Name(), "version %s is locked, and the tool is not there", t.Version)
		}
	}
	for i, s := range l.Sets {
		if !sets[i] {
			c.say(Missing, s.FullName(), "the set is locked for %s, and is not there", s.Profile)
		}
	}
	return c.out
}

// findTool is the entry for a folder: the one with its bytes, else one for its
// contract; -1 for none.
func (l *Lock) findTool(t *Tool) int {
	if i := slices.IndexFunc(l.Tools, func(o Tool) bool { return o.matches(t.Identity) && o.Digest == t.Digest }); i >= 0 {
		return i
	}
	return slices.IndexFunc(l.Tools, func(o Tool) bool { return o.matches(t.Identity) })
}

func (l *Lock) findSet(s *Set) int {
	isIt := func(o Set) bool {
		return o.Name == s.Name && o.Profile == s.Profile && same(o.Namespace, s.Namespace)
	}
	if i := slices.IndexFunc(l.Sets, func(o Set) bool { return isIt(o) && o.Digest == s.Digest }); i >= 0 {
		return i
	}
	return slices.IndexFunc(l.Sets, isIt)
}

func (l *Lock) inSet(t Identity) bool {
	return slices.ContainsFunc(l.Sets, func(s Set) bool { return slices.ContainsFunc(s.Tools, t.matches) })
}

func same(a, b string) bool { return a == b || a == "" || b == "" }

type comparison struct{ out []Difference }

func (c *comparison) say(kind Kind, place, format string, arguments ...any) {
	c.out = append(c.out, Difference{kind, place, fmt.Sprintf(format, arguments...)})
}

func (c *comparison) tool(at string, want, have Tool) {
	if want.Digest == have.Digest || !c.identity(at, want.Identity, have.Identity) {
		return
	}
	before := len(c.out)
	c.files(at, ".json", want.Renderings, have.Renderings)
	c.files(at, "", want.Files, have.Files)
	if len(c.out) == before {
		c.say(Bytes, path.Join(at, indexFile), "its digest is %s, and %s is locked, though the files are the same", have.Digest, want.Digest)
	}
}

// identity reports whether the version and its content are those of the lock.
func (c *comparison) identity(at string, want, have Identity) bool {
	switch {
	case have.Version != want.Version:
		c.say(Version, at, "%s is there in version %s, and %s is locked", want.Name(), have.Version, want.Version)
	case have.ContentDigest != want.ContentDigest:
		c.say(Content, at, "%s %s says something else than the one that was locked: its content is %s, and %s is locked",
			want.Name(), want.Version, have.ContentDigest, want.ContentDigest)
	default:
		return true
	}
	return false
}

func (c *comparison) files(at, suffix string, want, have map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(want)) {
		switch digest, there := have[name]; {
		case !there:
			c.say(Missing, path.Join(at, name+suffix), "the file is locked, and is not there")
		case digest != want[name]:
			c.say(Bytes, path.Join(at, name+suffix), "the content of the tools is the same and the bytes are not: they are %s, and %s is locked", digest, want[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(have)) {
		if _, locked := want[name]; !locked {
			c.say(Extra, path.Join(at, name+suffix), "the file is there, and the lock does not name it")
		}
	}
}

// maxNames is how many tools a message names.
const maxNames = 8

func names(tools []Identity) string {
	out := make([]string, 0, maxNames+1)
	for _, t := range tools[:min(maxNames, len(tools))] {
		out = append(out, t.Name())
	}
	if len(tools) > maxNames {
		out = append(out, "…")
	}
	return strings.Join(out, " ")
}

func (c *comparison) set(at string, want, have Set) {
	if want.Digest == have.Digest {
		return
	}
	before := len(c.out)
	for _, t := range want.Tools {
		i := slices.IndexFunc(have.Tools, t.matches)
		if i < 0 {
			c.say(Missing, at, "%s %s is locked, and is not in the set", t.Name(), t.Version)
			continue
		}
		c.identity(at, t, have.Tools[i])
	}
	for _, t := range have.Tools {
		if !slices.ContainsFunc(want.Tools, t.matches) {
			c.say(Extra, at, "%s %s is in the set, and the lock does not name it", t.Name(), t.Version)
		}
	}
	if len(c.out) > before {
		return
	}
	if !slices.EqualFunc(want.Tools, have.Tools, Identity.matches) {
		c.say(Order, at, "the tools are %s, and locked are %s", names(have.Tools), names(want.Tools))
		return
	}
	c.files(at, "", want.Files, have.Files)
	if len(c.out) == before {
		c.say(Bytes, path.Join(at, indexFile), "its digest is %s, and %s is locked, though the files are the same", have.Digest, want.Digest)
	}
}
