// SPDX-License-Identifier: Apache-2.0

package pattern_test

import (
	"errors"
	"fmt"

	"github.com/toolcontract/operator/internal/pattern"
)

func ExampleCompile() {
	p, err := pattern.Compile(`^ord_\d{3,}$`)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range []string{"ord_123", "order"} {
		matched, err := p.Match(text)
		fmt.Println(matched, err)
	}

	_, err = pattern.Compile(`(?i)ord`)
	if syntax, ok := errors.AsType[*pattern.SyntaxError](err); ok {
		fmt.Println(syntax)
	}

	_, err = pattern.Compile(`^(?:\w+\s?)*(?<!,)$`)
	if cost, ok := errors.AsType[*pattern.CostError](err); ok {
		fmt.Println(cost)
	}

	// Output:
	// true <nil>
	// false <nil>
	// pattern `(?i)ord` is not a valid ECMA-262 expression at byte 0: inline flags such as (?i) are not supported; write both cases, for example [Aa]
	// pattern `^(?:\w+\s?)*(?<!,)$` costs too much: look-around and back-references need an engine that tries all ways to match, and the iterations of `(?:\w+\s?)*` can divide the same text in many ways; let each iteration begin or end with a character that occurs nowhere else in it, or write the pattern without look-around and back-references, which takes linear time
}
