// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"fmt"

	"github.com/toolcontract/operator/internal/finding"
)

// limits judges the counts of this one tool, also against the limits of a
// request: a tool that is over one of these alone fits into no request.
func (c *checker) limits() {
	if len(c.table.limits) == 0 {
		return
	}
	counts := c.outline.counts()
	for _, l := range c.table.limits {
		if n := counts.Of(l.Measure); n > l.Max {
			c.findings = append(c.findings, c.profile.overLimit(l, n))
		}
	}
}

func (p *Profile) overLimit(l Limit, n int) finding.Finding {
	words := measures[measureIndex(l.Measure)].words
	about := subject{count: n, max: l.Max}
	message := fmt.Sprintf("the tool has %d %s; the %s takes at most %d", n, words, p.Title, l.Max)
	if l.Per == LimitPerRequest {
		message += " in one request"
	}
	message += said(newTemplate(l.Error).fill(&about))
	fix := "split the tool, or leave parts of its schema to the description"
	if l.Mode == Strict {
		fix += ", or ask for strict: Disabled"
	}
	return finding.Finding{
		Rule: RuleLimitExceeded, Severity: finding.Severity(l.Severity),
		Message: message, Fix: fix,
	}
}
