// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/pattern"
	"github.com/toolcontract/operator/internal/schema"
)

// cubeTexts is a conjunction about strings. Listed values are those of the cube.
type cubeTexts struct {
	texts
	fails  []*pattern.Pattern
	lacks  []string    // formats that it has not
	except []*valueSet // it is in none of them
}

func (t *cubeTexts) clip() {
	t.fails, t.lacks, t.except = slices.Clip(t.fails), slices.Clip(t.lacks), slices.Clip(t.except)
}

// refuseTexts are the ways in which the part refuses a string.
func refuseTexts(t *texts) []way {
	var ways []way
	add := func(demand func(*cubeTexts)) { ways = append(ways, way{demand: func(c *cube) { demand(&c.text) }}) }
	if t.min > 0 {
		add(func(c *cubeTexts) { c.max = atMost(c.max, t.min-1) })
	}
	if t.max >= 0 {
		add(func(c *cubeTexts) { c.min = max(c.min, t.max+1) })
	}
	for _, p := range t.patterns {
		add(func(c *cubeTexts) { c.fails = append(c.fails, p) })
	}
	for _, name := range t.formats {
		add(func(c *cubeTexts) { c.lacks = append(c.lacks, name) })
	}
	if t.values != nil {
		add(func(c *cubeTexts) { c.except = append(c.except, t.values) })
	}
	return ways
}

// admits judges one string.
func (t *cubeTexts) admits(v *schema.Value) answer {
	plain := t.texts
	plain.values = nil
	result := plain.admits(v.Text())
	for _, p := range t.fails {
		matched, err := p.Match(v.Text())
		if err != nil {
			result = min(result, maybe)
		} else if matched {
			return no
		}
	}
	for _, name := range t.lacks {
		result = min(result, yes-hasFormat(v.Text(), name))
	}
	if slices.ContainsFunc(t.except, func(s *valueSet) bool { return s.has(v) }) {
		return no
	}
	return result
}

// texts looks for a string.
func (r *refuter) texts(c *cube) outcome {
	t := &c.text
	if t.max >= 0 && t.min > t.max {
		return isEmpty
	}
	if c.values != nil {
		return r.listedTexts(c)
	}
	for _, lacking := range t.lacks {
		if slices.Contains(t.formats, lacking) {
			return isEmpty
		}
		if has, _ := r.hasEveryFormat(&t.texts, lacking); has {
			return isEmpty
		}
	}
	set := t.language()
	set.None = slices.Clone(t.fails)
	except, complete := exceptPattern(t.except)
	if except != nil {
		set.None = append(set.None, except)
	}
	found, text := r.find(set)
	switch {
	case found == pattern.No:
		return isEmpty
	case !complete:
		return maybeSome
	}
	return outcome{model: t.sample(found, text)}
}

func (r *refuter) listedTexts(c *cube) outcome {
	for _, v := range c.values.list {
		if c.text.admits(v) != no {
			return outcome{model: v}
		}
	}
	return isEmpty
}

// sample is the text that was found, or one that formats ask for; nil if there
// is none to be tried.
func (t *cubeTexts) sample(found pattern.Answer, text string) *schema.Value {
	var tries []string
	if found == pattern.Yes || text != "" {
		tries = append(tries, text)
	}
	for _, name := range t.formats {
		tries = append(tries, formats[name].has...)
	}
	for _, name := range t.lacks {
		tries = append(tries, formats[name].lacks...)
	}
	for _, try := range tries {
		if v := schema.NewString(try); t.admits(v) != no {
			return v
		}
	}
	return nil
}

// exceptPattern is a pattern that exactly the strings of some lists match; nil
// for none. If there are too many of them it matches some only, and says so.
func exceptPattern(lists []*valueSet) (p *pattern.Pattern, complete bool) {
	var b strings.Builder
	complete = true
	for _, list := range lists {
		for _, v := range list.list {
			if b.Len() > pattern.MaxPatternBytes/2 {
				return compileOrNil("^(?:" + b.String() + ")$"), false
			}
			if b.Len() > 0 {
				b.WriteByte('|')
			}
			for _, c := range v.Text() {
				if strings.ContainsRune(`^$\.*+?()[]{}|/`, c) {
					b.WriteByte('\\')
				}
				b.WriteRune(c)
			}
			if v.Text() == "" {
				b.WriteString("(?:)")
			}
		}
	}
	if b.Len() == 0 {
		return nil, complete
	}
	p = compileOrNil("^(?:" + b.String() + ")$")
	return p, complete && p != nil
}

func compileOrNil(source string) *pattern.Pattern {
	p, err := pattern.Compile(source)
	if err != nil {
		return nil
	}
	return p
}
