// SPDX-License-Identifier: Apache-2.0

package change

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
)

// hints are the parts of messages that guess a rename, by place.
func hints(r Report) map[string]string {
	out := map[string]string{}
	for _, f := range r.Findings {
		if _, rest, ok := strings.Cut(f.Message, "(looks like "); ok {
			hint, _, _ := strings.Cut(rest, ")")
			out[f.Place()] = hint
		}
	}
	return out
}

func TestARenamedPropertyIsHintedAt(t *testing.T) {
	t.Parallel()
	object := func(closed bool, properties string) string {
		return fmt.Sprintf(`{"type":"object","properties":{%s},"additionalProperties":%v}`, properties, !closed)
	}
	const text, number = `{"type":"string"}`, `{"type":"integer"}`
	for _, c := range []struct {
		name     string
		old, new string
		want     map[string]string
	}{
		{
			"one of a kind", `"order":` + text, `"purchase":` + text,
			map[string]string{"input schema /properties/order": `a rename to "purchase"`, "input schema /properties/purchase": `a rename of "order"`},
		},
		{
			"similar names with other schemas", `"orderId":` + text, `"order_id":` + number,
			map[string]string{"input schema /properties/orderId": `a rename to "order_id"`, "input schema /properties/order_id": `a rename of "orderId"`},
		},
		{
			"similar names among equal schemas", `"order_ref":` + text + `,"customer":` + text, `"orderRef":` + text + `,"buyer":` + text,
			map[string]string{
				"input schema /properties/order_ref": `a rename to "orderRef"`, "input schema /properties/orderRef": `a rename of "order_ref"`,
			},
		},
		{"nothing alike", `"order":` + text, `"limit":` + number, map[string]string{}},
		{"several equal ones", `"a1":` + text + `,"b2":` + text, `"q":` + text + `,"z":` + text, map[string]string{}},
	} {
		for _, closed := range []bool{true, false} {
			r := compare(onSide(t, finding.Input, object(closed, c.old), object(closed, c.new)))
			if diff := cmp.Diff(c.want, hints(r)); diff != "" {
				t.Errorf("%s, closed %v (-want +got):\n%s", c.name, closed, diff)
			}
			if r.Required != contract.Major {
				t.Errorf("%s: a hint changed the verdict to %s", c.name, r.Required)
			}
		}
	}
}

func TestARenamedValueIsHintedAt(t *testing.T) {
	t.Parallel()
	r := compare(onSide(t, finding.Input, `{"enum":["open","in_progress"]}`, `{"enum":["open","inProgress"]}`))
	messages := ""
	for _, f := range r.Findings {
		messages += f.Message + "\n"
	}
	for _, want := range []string{
		`removal of enum value "in_progress" (looks like a rename to "inProgress") needs major`,
		`new enum value "inProgress" (looks like a rename of "in_progress") needs minor`,
	} {
		if !strings.Contains(messages, want) {
			t.Errorf("no %s in\n%s", want, messages)
		}
	}
	if h := hints(compare(onSide(t, finding.Input, `{"enum":["open","red"]}`, `{"enum":["open","long"]}`))); len(h) > 0 {
		t.Errorf("values that are not alike: %v", h)
	}
}

func TestARenamedErrorIsHintedAt(t *testing.T) {
	t.Parallel()
	gone := contract.OutputError{Code: "GONE", Category: "NotFound", Recovery: "AskUser"}
	missing := gone
	missing.Code = "MISSING"
	r := compareEdited(t, errors(gone), errors(missing))
	if diff := cmp.Diff(map[string]string{"/spec/output/errors/0": `a rename of "GONE"`}, hints(Report{Findings: r.Findings[1:]})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !strings.Contains(r.Findings[0].Message, `looks like a rename to "MISSING"`) || r.Required != contract.Major {
		t.Errorf("%s: %s", r.Required, r.Findings[0].Message)
	}
}

func TestManyNamesAreNotComparedWithEachOther(t *testing.T) {
	t.Parallel()
	list := func(prefix string) []named {
		out := make([]named, 1000)
		for i := range out {
			out[i] = named{name: fmt.Sprintf("%s%d", prefix, i), body: "{}"}
		}
		return out
	}
	if pairs := renamed(list("a"), list("b")); len(pairs) > 0 {
		t.Errorf("%d pairs of too many names", len(pairs))
	}
}
