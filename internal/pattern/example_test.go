// SPDX-License-Identifier: Apache-2.0

package pattern_test

import (
	"errors"
	"fmt"

	"github.com/toolcontract/operator/internal/pattern"
)

func ExampleCompile() {
	p, err := pattern.Compile(`^ord_\d{3,}$`)
	fmt.Println(p.MatchString("ord_123"), p.MatchString("order"), p.Regular(), err)

	_, err = pattern.Compile(`(?i)ord`)
	var syntax *pattern.SyntaxError
	if errors.As(err, &syntax) {
		fmt.Println(syntax)
	}

	_, err = pattern.Compile(`^(?:\w+\s?)*(?<!,)$`)
	var cost *pattern.CostError
	if errors.As(err, &cost) {
		fmt.Println(cost)
	}

	// Output:
	// true false true <nil>
	// pattern `(?i)ord` is not a valid ECMA-262 expression at byte 0: inline flags such as (?i) are not supported; write both cases, for example [Aa]
	// pattern `^(?:\w+\s?)*(?<!,)$` costs too much: look-around and back-references need an engine that tries all ways to match, and the iterations of `(?:\w+\s?)*` can divide the same text in many ways; let each iteration begin or end with a character that occurs nowhere else in it, or write the pattern without look-around and back-references, which takes linear time
}
