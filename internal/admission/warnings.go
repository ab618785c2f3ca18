// SPDX-License-Identifier: Apache-2.0

package admission

import (
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/internal/controller"
	"github.com/toolcontract/operator/internal/finding"
)

// Bounds of the warnings of one answer, in bytes. The API server cuts every
// warning to 256 characters as soon as all of a request, of which others may add
// some, exceed 4,096: so what is said stays below, and each can be longer.
const (
	maxWarnings  = 8
	maxAll       = 3 << 10
	maxCondition = 900
	maxFinding   = 400
	// maxLast is kept for the line that says how much is left out.
	maxLast = 160
)

// warnings are the lines that kubectl prints, the most serious first. Each names
// the object, because one command may apply many.
func warnings(object string, review *controller.Review) []string {
	var lines []string
	for _, c := range review.Conditions {
		lines = append(lines, line(object, conditionText(c), maxCondition))
	}
	for _, f := range review.Warnings {
		profile := ""
		if f.Profile != "" {
			profile = f.Profile + ": "
		}
		text := strings.TrimPrefix(f.String(), string(f.Severity)+" ") // kubectl begins the line with it
		lines = append(lines, line(object, profile+text, maxFinding))
	}
	used, shown := 0, 0
	for shown < len(lines) && shown < maxWarnings && used+len(lines[shown]) <= maxAll-maxLast {
		used += len(lines[shown])
		shown++
	}
	if rest := len(lines) - shown; rest > 0 {
		lines = append(lines[:shown], line(object, fmt.Sprintf("and %d more; toolcontract check shows all", rest), maxLast))
	}
	return lines
}

// line is one warning: one line, whatever the author's names hold.
func line(object, text string, limit int) string {
	return finding.Clip(object+": "+finding.Printable(text), limit)
}

// conditionText is a condition as kubectl describe shows it, in one line.
func conditionText(c metav1.Condition) string {
	what := "will not be True"
	if c.Status == metav1.ConditionTrue {
		what = "will be True"
	}
	return fmt.Sprintf("%s %s (%s): %s", c.Type, what, c.Reason, c.Message)
}
