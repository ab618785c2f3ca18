// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/corpus"
)

// suiteCounts is how the questions about one keyword were answered.
type suiteCounts struct{ asked, unknown int }

// maxSuiteUnknown is the share of questions that may stay open, in percent.
const maxSuiteUnknown = 3

// TestOfficialSuite makes two questions of each test of the official suite:
// whether the instance alone lies inside the schema, which it does if it is
// valid, and whether the schema lies inside everything but the instance, which
// it does if it is not. And every schema lies inside itself, spelled anew.
func TestOfficialSuite(t *testing.T) {
	t.Parallel()
	counts := map[string]*suiteCounts{}
	for file, groups := range corpus.Suite(t, "draft2020-12") {
		keyword := strings.TrimSuffix(path.Base(file), ".json")
		if counts[keyword] == nil {
			counts[keyword] = &suiteCounts{}
		}
		for _, group := range groups {
			text := withoutDialect(group.Schema)
			s, ok := admit(text)
			if !ok {
				continue // remote and dynamic references, other dialects
			}
			c := suiteAsker{t, counts[keyword], file + ": " + group.Description}
			for _, test := range group.Tests {
				v, failed := schema.Parse(test.Data)
				if failed != nil {
					continue // numbers that no reader keeps
				}
				valid := accepts(t, s, v) // formats are asserted, so the suite's word is not enough
				only := admitted(t, fmt.Sprintf(`{"const":%s}`, v.JSON()))
				others := admitted(t, fmt.Sprintf(`{"not":{"const":%s}}`, v.JSON()))
				c.ask(only, s, valid, test.Description)
				c.ask(s, others, !valid, "not "+test.Description)
			}
			for _, other := range respelled(text) {
				if b, ok := admit(other); ok {
					c.ask(s, b, true, "in "+other)
					c.ask(b, s, true, "from "+other)
				}
			}
		}
	}
	total := suiteCounts{}
	for _, keyword := range slices.Sorted(maps.Keys(counts)) {
		c := counts[keyword]
		total.asked, total.unknown = total.asked+c.asked, total.unknown+c.unknown
		if c.unknown > 0 {
			t.Logf("%-28s Unknown %3d of %4d", keyword, c.unknown, c.asked)
		}
	}
	t.Logf("%-28s Unknown %3d of %4d", "all", total.unknown, total.asked)
	if total.asked < 3_000 {
		t.Errorf("only %d questions", total.asked)
	}
	if total.unknown*100 > total.asked*maxSuiteUnknown {
		t.Error("too many are open")
	}
}

type suiteAsker struct {
	*testing.T
	counts *suiteCounts
	name   string
}

func (c suiteAsker) ask(a, b *schema.Schema, holds bool, what string) {
	c.Helper()
	c.counts.asked++
	r := Contains(a, b)
	switch {
	case r.Defect, r.Answer == Proven && !holds, r.Answer == Refuted && holds:
		c.Errorf("%s: %s: %s: %s", c.name, what, r.Answer, r.Reason)
	case r.Answer == Unknown:
		c.counts.unknown++
		c.Logf("%s: %s: Unknown (holds: %t): %s", c.name, what, holds, r.Reason)
	}
}

// respelled writes a schema in other words. References from inside would lead
// elsewhere, so schemas with any are only wrapped where their root stays.
func respelled(text string) []string {
	if strings.Contains(text, `"$`) {
		return nil
	}
	return []string{
		`{"allOf":[` + text + `]}`,
		`{"anyOf":[` + text + `,false]}`,
		`{"oneOf":[false,` + text + `]}`,
		`{"$ref":"#/$defs/s","$defs":{"s":` + text + `}}`,
		`{"not":{"not":` + text + `}}`,
		`{"if":true,"then":` + text + `,"else":false}`,
	}
}
