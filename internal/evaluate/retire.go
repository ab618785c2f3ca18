// SPDX-License-Identifier: Apache-2.0

package evaluate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contract"
)

// defaultServedLines is spec.servedLines if the author says nothing.
const defaultServedLines = 8

// ServedLines is how many lines a contract serves at most.
func ServedLines(spec *v1alpha1.ToolContractSpec) int {
	if spec.ServedLines == nil {
		return defaultServedLines
	}
	return int(*spec.ServedLines)
}

// Retired returns the highest retired line if so many of the lines are served:
// what is beyond the newest is retired, and everything below it. It never falls
// below the line that was retired before.
func Retired(lines []string, served int, before string) string {
	newest := newestFirst(lines)
	if len(newest) > served && CompareLines(newest[served], before) > 0 {
		return newest[served]
	}
	return before
}

// retired refuses a version of a line that is retired, or that would be at once.
func (h History) retired(v contract.Version) (refusal Decision, yes bool) {
	line := v.Line()
	if CompareLines(line, h.RetiredLine) <= 0 {
		return refused(v1alpha1.ReasonVersionNotHigher,
			fmt.Sprintf("/spec/version: %s is in line %s, and line %s and all below it are retired; raising spec.servedLines does not bring them back",
				v, line, h.RetiredLine),
			"set a version in a higher line, such as "+h.newLine(v).String()), true
	}
	all := newestFirst(append(slices.Collect(maps.Keys(h.Served)), line))
	if h.servedLines == 0 || len(all) <= h.servedLines || CompareLines(line, all[h.servedLines]) > 0 {
		return Decision{}, false
	}
	return refused(v1alpha1.ReasonVersionNotHigher,
		fmt.Sprintf("/spec/version: %s is in line %s, which is older than the lines that spec.servedLines: %d leaves (%s)",
			v, line, h.servedLines, strings.Join(all[:h.servedLines], ", ")),
		"set a version in one of them or in a higher line, or raise spec.servedLines"), true
}

func newestFirst(lines []string) []string {
	sorted := slices.SortedFunc(slices.Values(lines), func(a, b string) int { return -CompareLines(a, b) })
	return slices.Compact(sorted)
}

// CompareLines orders lines by age: the older one is the lesser. What is no line
// is older than all.
func CompareLines(a, b string) int {
	v, aIsLine := firstOf(a)
	w, bIsLine := firstOf(b)
	switch {
	case aIsLine && bIsLine:
		return contract.CompareLines(v, w)
	case aIsLine:
		return 1
	case bIsLine:
		return -1
	default:
		return 0
	}
}

// IsLine reports whether a text is a line as versions have it.
func IsLine(text string) bool {
	_, ok := firstOf(text)
	return ok
}

// firstOf is the lowest release of a line.
func firstOf(line string) (v contract.Version, ok bool) {
	for _, rest := range []string{".0.0", ".0"} {
		if v, err := contract.ParseVersion(line + rest); err == nil && v.Line() == line {
			return v, true
		}
	}
	return v, false
}
