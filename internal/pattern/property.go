// SPDX-License-Identifier: Apache-2.0

package pattern

import (
	"fmt"
	"regexp"
	"sync"
	"unicode"

	"github.com/dlclark/regexp2/v2"
)

// propertyExpression is the shape of a UnicodePropertyValueExpression.
var propertyExpression = regexp.MustCompile(`^[0-9A-Za-z_]+(=[0-9A-Za-z_]+)?`)

// property reads the {…} of \p{…} or \P{…}; the "\" at start is read.
func (p *parser) property(start int) (runeSet, error) {
	p.features.UnicodeProperty = true
	p.pos++
	if !p.accept("{") {
		return nil, p.errorAt(start, `\p needs the name of a Unicode property in braces, as in \p{L}`)
	}
	name := propertyExpression.FindString(p.src[p.pos:])
	p.pos += len(name)
	if name == "" || !p.accept("}") {
		return nil, p.errorAt(start, `\p{…} needs one name or name=value and a closing brace, as in \p{L} or \p{Script=Greek}`)
	}

	p.properties[name] = true
	if len(p.properties) > MaxProperties {
		return nil, p.costError("it uses more than %d different Unicode properties; use fewer", MaxProperties)
	}
	set, err := propertySet(name)
	if err != nil {
		return nil, p.errorAt(start, "%s", unknownProperty(name))
	}
	return set, nil
}

func unknownProperty(name string) string {
	if _, isScript := unicode.Scripts[name]; isScript {
		return fmt.Sprintf(`%s is a script, not a property; write \p{Script=%s}`, name, name)
	}
	return fmt.Sprintf(`there is no Unicode property %s; names are exact, as in \p{L}, \p{Letter} or \p{Script=Greek}`, name)
}

// propertySets holds the set of every valid name asked for, so it is bounded by the names that Unicode has.
var propertySets sync.Map // of string to runeSet

// propertySet returns the code points of a property. The sets are read out of the backtracking engine: it knows exactly
// the names that ECMA-262 allows and the properties that Go's tables lack (Emoji, Script_Extensions), and both engines
// then agree on every one. The first use of a name costs one pass over all code points, some 10 ms.
func propertySet(name string) (runeSet, error) {
	if set, ok := propertySets.Load(name); ok {
		return set.(runeSet), nil
	}
	re, err := regexp2.Compile(`\p{`+name+`}+`, regexp2.ECMAScript, regexp2.Unicode)
	if err != nil {
		return nil, fmt.Errorf("looking up property %s: %w", name, err)
	}
	all := make([]rune, unicode.MaxRune+1)
	for i := range all {
		all[i] = rune(i)
	}
	var ranges []runeRange
	err = re.FindRunesMatches(all, 0, func(run regexp2.MatchView) bool {
		lo, length, _ := run.GroupRange(0)
		ranges = append(ranges, runeRange{all[lo], all[lo+length-1]})
		return true
	})
	if err != nil {
		return nil, fmt.Errorf("listing property %s: %w", name, err)
	}
	set, _ := propertySets.LoadOrStore(name, newRuneSet(ranges...))
	return set.(runeSet), nil
}
