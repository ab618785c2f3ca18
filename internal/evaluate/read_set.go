// SPDX-License-Identifier: Apache-2.0

package evaluate

import (
	"slices"
	"strconv"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/lint"
)

// LintSet judges what a model reads of a set and of no contract: its tools beside
// each other, and the words of its groups.
func LintSet(set *v1alpha1.ToolSetSpec, tools []lint.Tool) lint.Report {
	var texts []lint.Text
	for i, g := range set.Groups {
		at := finding.Pointer("/spec/groups", strconv.Itoa(i))
		texts = append(texts, lint.Text{Pointer: at + "/name", Value: g.Name}, lint.Text{Pointer: at + "/description", Value: g.Description})
	}
	found := slices.Concat(lint.Similar(tools), lint.Texts(texts))
	open, accepted := lint.Acknowledge(found, LintAcknowledgements(set.Acknowledge))
	return lint.Report{Findings: open, Acknowledged: accepted}
}
