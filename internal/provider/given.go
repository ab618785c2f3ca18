// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"fmt"

	"github.com/toolcontract/operator/internal/finding"
)

// maxGiven bounds how often one rule speaks about one schema with one severity.
// Nobody reads more, and a small document can have ten thousand places that
// are at fault in the same way.
const maxGiven = 100

// spoken is what the findings that are counted together have in common.
type spoken struct {
	rule     string
	severity finding.Severity
}

// gives reports whether the next finding gets its texts. One beyond maxGiven
// is remembered without.
func (c *checker) gives(f *finding.Finding) bool {
	if c.brief {
		return false
	}
	if c.spoken == nil {
		c.spoken = map[spoken]int{}
	}
	said := spoken{f.Rule, f.Severity}
	if c.spoken[said]++; c.spoken[said] <= maxGiven {
		return true
	}
	c.omitted = append(c.omitted, len(c.findings))
	return false
}

// given returns the findings for a reader, sorted. Of those that one rule has
// with one severity the first in the order of the document are there. One more,
// at the place of the first that is left out, says how many others there are.
func (c *checker) given() []finding.Finding {
	if len(c.omitted) == 0 {
		return finding.Sort(c.findings)
	}
	out, next := make([]finding.Finding, 0, len(c.findings)-len(c.omitted)), 0
	for _, position := range c.omitted {
		out = append(out, c.findings[next:position]...)
		next = position + 1
	}
	out = append(out, c.findings[next:]...)
	for _, position := range c.omitted {
		first := &c.findings[position]
		said := spoken{first.Rule, first.Severity}
		if more := c.spoken[said] - maxGiven; more > 0 {
			out = append(out, andMore(first, more))
			c.spoken[said] = 0 // it is told once
		}
	}
	return finding.Sort(out)
}

// andMore stands for the findings that are left out, of which this is the first.
func andMore(first *finding.Finding, n int) finding.Finding {
	return finding.Finding{
		Rule: first.Rule, Severity: first.Severity, Pointer: first.Pointer,
		Message: fmt.Sprintf("and %d more places from here on are at fault in the same way", n),
		Fix:     "correct the places that are listed, and check again",
	}
}
