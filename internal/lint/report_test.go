// SPDX-License-Identifier: Apache-2.0

package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/example"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/lint"
)

// contractWith is a contract that differs from a sound one in a part.
func contractWith(t testing.TB, writes bool, part string) *contract.Content {
	t.Helper()
	contents, err := example.Contents(lint.Example{Language: lint.English, Writes: writes}, part)
	if err != nil {
		t.Fatal(err)
	}
	return contents[0]
}

// brief is a report in the words that matter here.
func brief(r lint.Report) []string {
	var out []string
	for _, f := range r.Findings {
		out = append(out, fmt.Sprintf("%s %s %s", f.Severity, f.Rule, f.Pointer))
	}
	for _, f := range r.Acknowledged {
		_, reason, _ := strings.Cut(f.Message, "(acknowledged: ")
		out = append(out, fmt.Sprintf("%s %s %s accepted: %s", f.Severity, f.Rule, f.Pointer, strings.TrimSuffix(reason, ")")))
	}
	return out
}

func TestAcknowledgements(t *testing.T) {
	t.Parallel()
	content := contractWith(t, false, "input: {schema: {properties: {tenant_id: {type: string, maxLength: 9, description: The tenant that the user named.}}}}\noutput: {errors: null}")
	const path = "/properties/tenant_id"
	ack := func(version, rule, path string) lint.Acknowledgement {
		return lint.Acknowledgement{Version: version, Rule: rule, Path: path, Reason: "because"}
	}
	open := []string{"Error identity-parameter " + path, "Warning errors-missing /spec/output/errors"}
	tests := map[string]struct {
		acks []lint.Acknowledgement
		want []string
	}{
		"none": {nil, open},
		"one is accepted": {
			[]lint.Acknowledgement{ack("", "identity-parameter", path)},
			[]string{open[1], "Info identity-parameter " + path + " accepted: because"},
		},
		"an entry with a version is about a change": {[]lint.Acknowledgement{ack("1.0.0", "identity-parameter", path)}, open},
		"another place": {
			[]lint.Acknowledgement{ack("1.0.0", "x", ""), ack("", "identity-parameter", "/properties/other")},
			append(open[:2:2], "Info acknowledgement-unused /spec/acknowledge/1"),
		},
		"twice": {
			[]lint.Acknowledgement{ack("", "errors-missing", "/spec/output/errors"), ack("", "errors-missing", "/spec/output/errors")},
			[]string{open[0], "Info acknowledgement-unused /spec/acknowledge/1", "Info errors-missing /spec/output/errors accepted: because"},
		},
		"no rule of lint": {
			[]lint.Acknowledgement{ack("", "input-removed", "")},
			append(open[:2:2], "Info acknowledgement-unused /spec/acknowledge/0"),
		},
		"a rule about several tools shows elsewhere": {[]lint.Acknowledgement{ack("", lint.RuleSimilarTools, "")}, open},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := lint.Judge(content, test.acks)
			if diff := cmp.Diff(test.want, brief(got)); diff != "" {
				t.Error(diff)
			}
			if all := got.All(); len(all) != len(got.Findings)+len(got.Acknowledged) {
				t.Errorf("%d findings in all, want %d and %d", len(all), len(got.Findings), len(got.Acknowledged))
			}
		})
	}
}

// TestFindingsAreBounded: a hostile contract gives as many findings as a person
// can read, and the last one counts the rest.
func TestFindingsAreBounded(t *testing.T) {
	t.Parallel()
	var properties strings.Builder
	for i := range 500 {
		fmt.Fprintf(&properties, "p%d: {type: string, default: \"\\e[2J\"}, ", i)
	}
	content := contractWith(t, false, "input: {schema: {properties: {"+properties.String()+"}}}")
	counts := map[string]int{}
	more := 0
	findings := lint.Content(content)
	for _, f := range findings {
		counts[f.Rule]++
		if strings.Contains(f.Message, "; and so do ") {
			more++
		}
	}
	if counts["control-character"] != 40 || counts["parameter-description"] != 40 || more != 3 {
		t.Errorf("got %v, %d that count the rest", counts, more)
	}
	// An entry for a place that is not listed is not told to be unused.
	report := lint.Judge(content, []lint.Acknowledgement{{Rule: "control-character", Path: "/properties/p499/default", Reason: "r"}})
	for _, f := range report.Findings {
		if f.Rule == lint.RuleUnusedAcknowledgement {
			t.Errorf("got %v", f)
		}
	}
	if finding.Count(findings, finding.Error) == 0 {
		t.Error("there is no error")
	}
}
