// SPDX-License-Identifier: Apache-2.0

package evaluate_test

import (
	"strings"
	"testing"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/evaluate"
)

// TestRetired: the rule has no memory but that of the highest retired line.
func TestRetired(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		lines  []string
		served int
		before string
		want   string
	}{
		"as many as are served":                  {[]string{"1", "2"}, 2, "", ""},
		"one more":                               {[]string{"2", "1", "3"}, 2, "", "1"},
		"several more: the highest of them":      {[]string{"1", "2", "3", "4"}, 1, "", "3"},
		"a line that is named twice counts once": {[]string{"1", "2", "2"}, 2, "", ""},
		"numbers, not texts":                     {[]string{"9", "10"}, 1, "", "9"},
		"lines below 1.0.0":                      {[]string{"0.2", "0.10", "1"}, 2, "", "0.2"},
		"0.y is older than 1":                    {[]string{"0.10", "1"}, 1, "", "0.10"},
		"it never falls":                         {[]string{"3", "4"}, 8, "2", "2"},
		"what is mounted still does not lower":   {[]string{"1", "3", "4"}, 2, "2", "2"},
		"nothing":                                {nil, 1, "", ""},
	} {
		if got := evaluate.Retired(test.lines, test.served, test.before); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestIsLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"0.0": true, "0.12": true, "1": true, "999999999": true,
		"": false, "0": false, "1.2": false, "01": false, "1.0.0": false, "x": false, "0.1.0": false, "1000000000": false, "1-rc": false, "v1": false,
	} {
		if got := evaluate.IsLine(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}

// TestAVersionOfARetiredLineIsRefused, even with the content that it was issued
// with, and is told the way out.
func TestAVersionOfARetiredLineIsRefused(t *testing.T) {
	t.Parallel()
	one, two, three := version(t, "1.0.0", narrow), version(t, "2.0.0", another), version(t, "3.0.0", wider)
	retired := history(one, two, three)
	retired.RetiredLine = "1"
	for name, test := range map[string]struct {
		next     *contract.Content
		history  evaluate.History
		served   int32
		accepted bool
		says     []string
	}{
		"the issued version":               {one, retired, 8, false, []string{"line 1 and all below it are retired", "raising spec.servedLines does not bring them back", "Fix: set a version in a higher line, such as 4.0.0"}},
		"a higher version of the line":     {version(t, "1.9.0", narrow), retired, 8, false, []string{"retired"}},
		"a pre-release of the line":        {version(t, "1.9.0-rc.1", narrow), retired, 8, false, []string{"retired"}},
		"a line below it":                  {version(t, "0.9.0", narrow), retired, 8, false, []string{"is in line 0.9"}},
		"the line above it":                {two, retired, 8, true, nil},
		"an old line beyond those served":  {one, history(one, two, three), 2, false, []string{"spec.servedLines: 2 leaves (3, 2)", "or raise spec.servedLines"}},
		"a new line below those served":    {version(t, "1.0.0", narrow), history(two, three), 2, false, []string{"older than the lines"}},
		"the oldest line of those served":  {two, history(one, two, three), 2, true, nil},
		"a new line above takes the place": {version(t, "4.0.0", narrow), history(one, two, three), 1, true, nil},
		"nothing was published before":     {one, history(), 1, true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sample := load(t, "config/samples/get-order-status.yaml")
			sample.Spec.ToolContent = v1alpha1.ToolContent{
				Version: test.next.Version.String(), ToolName: "t", Description: v1alpha1.Description{Summary: "s"},
				Input: v1alpha1.Input{SchemaText: test.next.Input.Schema.Root().JSON()},
			}
			sample.Spec.ServedLines = new(test.served)
			got := evaluate.Contract(sample.Name, &sample.Spec, test.history, builtin).Decision
			if got.Accepted != test.accepted || !got.Accepted && got.Reason != v1alpha1.ReasonVersionNotHigher {
				t.Errorf("accepted=%t %s: %s", got.Accepted, got.Reason, got.Message)
			}
			for _, text := range test.says {
				if !strings.Contains(got.Message, text) {
					t.Errorf("the message lacks %q: %s", text, got.Message)
				}
			}
		})
	}
}

// TestWhatIsMountedIsComparedWith: agents that run an old version by its
// immutable ConfigMap must go on working with the next one of the line.
func TestWhatIsMountedIsComparedWith(t *testing.T) {
	t.Parallel()
	// 1.1.0 came after a rollback of what 1.0.0 had: the two do not follow from
	// each other, as a person has acknowledged.
	mounted, served := version(t, "1.0.0", another), version(t, "1.1.0", narrow)
	h := history(mounted, served)
	next := version(t, "1.2.0", wider)
	if got := evaluate.Decide(next, h, nil); !got.Accepted {
		t.Fatalf("refused although nothing mounts 1.0.0: %s", got.Message)
	}
	h.Pinned = []contract.Version{mounted.Version, version(t, "2.0.0", narrow).Version, version(t, "1.0.0-rc.1", narrow).Version}
	got := evaluate.Decide(next, h, nil)
	if got.Accepted || got.Reason != v1alpha1.ReasonMajorBumpRequired || !strings.Contains(got.Message, "over 1.0.0") {
		t.Errorf("accepted=%t %s: %s", got.Accepted, got.Reason, got.Message)
	}
	h.Content = func(v contract.Version) *contract.Content {
		if v.Compare(served.Version) == 0 {
			return served
		}
		return nil
	}
	if got := evaluate.Decide(next, h, nil); got.Accepted || !strings.Contains(got.Message, "the revision of 1.0.0 is gone") {
		t.Errorf("a mounted version whose content is gone: accepted=%t %s", got.Accepted, got.Message)
	}
}
