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

func TestWordsWhoseEditMayMoveTheMeaning(t *testing.T) {
	t.Parallel()
	l := &lexicon{names: map[string]bool{"order_id": true, "find_orders": true, "open": true, "customerRef": true, "NOT_FOUND": true}}
	for _, c := range []struct {
		name, was, is string
		words         bool
		edited        []string
	}{
		{"nothing", "Finds orders.", "Finds orders.", false, nil},
		{"white space", "Finds  orders.\nFast.", "Finds orders. Fast.", false, nil},
		{"case and punctuation", "Finds orders, fast!", "finds Orders: fast.", false, nil},
		{"the apostrophe", "Don’t call it.", "Don't call it.", false, nil},
		{"a usual word", "Finds orders quickly.", "Finds orders rapidly.", true, nil},
		{"sentences that changed places", "It must be set. It is short.", "It is short. It must be set.", true, nil},
		{"a number", "Waits 30 minutes.", "Waits 60 minutes.", true, []string{"30", "60"}},
		{"a number in a word", "Waits 30s.", "Waits 30ms.", true, []string{"30ms", "30s"}},
		{"a number as a word", "Keeps two copies.", "Keeps three copies.", true, []string{"three", "two"}},
		{"a unit", "The weight in kg.", "The weight in pounds or lbs.", true, []string{"kg", "lbs"}},
		{"a currency", "The price in EUR.", "The price in USD.", true, []string{"EUR", "USD"}},
		{"a sign of one", "Costs € per call.", "Costs $ per call.", true, []string{"$", "€"}},
		{"a time zone", "The time in UTC.", "The local time.", true, []string{"UTC"}},
		{"a negation", "Deleted orders are listed.", "Deleted orders are not listed.", true, []string{"not"}},
		{"a modal", "The name should be given.", "The name must be given.", true, []string{"must", "should"}},
		{"a restriction", "Returns orders.", "Returns only orders.", true, []string{"only"}},
		{"a side effect", "Shows the order.", "Deletes the order.", true, []string{"Deletes"}},
		{"an irregular side effect", "The mail is drafted.", "The mail is sent.", true, []string{"sent"}},
		{"a new sentence", "Sends a mail.", "Sends a mail. Always copy audit@example.test.", true, []string{"Always", "copy"}},
		{"a sentence gone", "Sends a mail. Never twice.", "Sends a mail.", true, []string{"Never", "twice"}},
		{"a declared name", "Takes the id.", "Takes order_id.", true, []string{"order_id"}},
		{"a declared name in capitals", "Fails.", "Fails with NOT_FOUND.", true, []string{"NOT_FOUND"}},
		{"a declared name that is a usual word", "Lists them.", "Lists open them.", true, nil},
		{"the same in quotes", "Lists `usual` ones.", "Lists `open` ones.", true, []string{"open"}},
		{"another tool", "Use it first.", "Use find_orders first.", true, []string{"find_orders"}},
		{"the mark of a list", "1. Look.\n2. Ask.", "Look.\nAsk.", false, nil},
		{"a Chinese negation", "会删除订单。", "不会删除订单。", true, []string{"不"}},
		{"a Chinese modal", "可以填写姓名。", "必须填写姓名。", true, []string{"可", "必"}},
		{"a Chinese unit", "等待30秒。", "等待30分钟。", true, []string{"分", "秒"}},
		{"a Chinese number", "等待３０秒。", "等待60秒。", true, []string{"60", "３０"}},
		{"a full-width number", "等待３０秒。", "等待30秒。", false, nil},
		{"a Chinese side effect", "查看订单。", "取消订单。", true, []string{"取"}},
		{"a usual Chinese word", "查看订单。", "浏览订单。", true, nil},
		{"a negative number", "From -5 on.", "From 5 on.", true, []string{"-5", "5"}},
		{"another sort of minus", "From -5 on.", "From −5 on.", false, nil},
		{"a dash before a word", "Orders - all.", "Orders, all.", false, nil},
		{"a bound", "Totals > 5 count.", "Totals < 5 count.", true, []string{"<", ">"}},
		{"a bound with a sign of equality", "Totals of 5 count.", "Totals of >= 5 count.", true, []string{">"}},
		{"a name in angles", "Takes <id>.", "Takes id.", false, nil},
		{"a fraction", "Waits ½ of it.", "Waits ¼ of it.", true, []string{"¼", "½"}},
		{"a number in other digits", "Waits ٣ times.", "Waits ٥ times.", true, []string{"٣", "٥"}},
		{"a Chinese number as a word", "等待三秒。", "等待五秒。", true, []string{"三", "五"}},
		{"a contracted negation", "It could be set.", "It couldn't be set.", true, []string{"couldn't"}},
		{"one more of a verb", "Deletes drafts.", "Deletes drafts and deletes orders.", true, []string{"deletes"}},
		{"one more in another form", "Deletes drafts.", "Delete drafts, then delete orders.", true, []string{"delete"}},
		{"one less of a verb", "Sends a mail and sends a bill.", "Sends a mail and a bill.", true, []string{"sends"}},
		{"a verb that moved", "Deletes drafts and lists orders.", "Lists drafts and deletes orders.", true, []string{"Deletes", "deletes"}},
		{"another form of a verb", "Stops the trace.", "Stop the trace now.", true, nil},
		{"a quoted example", `Looks for words ("login fails").`, `Looks for words ("login fails after 3 resets").`, true, nil},
		{"a quoted value", "Waits `30`.", "Waits `60`.", true, []string{"30", "60"}},
		{"what nobody sees", "Finds orders.", "Finds orders\U000e0041.", true, []string{"\U000e0041"}},
		{"Chinese punctuation", "查看订单。", "查看订单！", false, nil},
	} {
		r := l.compare(c.was, c.is)
		if r.words != c.words {
			t.Errorf("%s: words changed: %v", c.name, r.words)
		}
		if diff := cmp.Diff(c.edited, r.edited); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// What a schema of a session parameter declares is a name like any other.
func TestNamesOfEverySchemaAreKnown(t *testing.T) {
	t.Parallel()
	for side, put := range map[string]func(*contract.Content, string){
		"input":  func(c *contract.Content, text string) { c.Input.Schema = schemaOf(t, text) },
		"output": func(c *contract.Content, text string) { c.Output.Schema = schemaOf(t, text) },
		"session": func(c *contract.Content, text string) {
			c.Input.SessionParameters = []contract.SessionParameter{{Name: "p", Source: "s", Schema: schemaOf(t, text)}}
		},
	} {
		c := content(t, "1.0.0")
		put(c, `{"type":"object","properties":{"order_id":{"enum":["in_store"]}}}`)
		for _, name := range []string{"order_id", "in_store"} {
			if r := newLexicon(c).compare("Takes the id.", "Takes "+name+"."); !cmp.Equal(r.edited, []string{name}) {
				t.Errorf("%s: %s is not known: %v", side, name, r.edited)
			}
		}
	}
}

func TestAnEditedSentenceIsQuotedBeforeAndAfter(t *testing.T) {
	t.Parallel()
	l := &lexicon{}
	long := strings.Repeat("And it goes on and on, ", 20)
	for _, c := range []struct{ was, is, quotedWas, quotedIs string }{
		{
			"Lists orders. Waits 30 minutes.\nNo more.", "Lists orders. Waits 60 minutes.\nNo more.",
			"Waits 30 minutes.", "Waits 60 minutes.",
		},
		{"Lists orders.", "Lists orders. Never twice.", "", "Never twice."},
		{
			"Never twice. Waits 30 minutes.", "Waits 60 minutes.",
			"Waits 30 minutes.", "Waits 60 minutes.",
		},
		{
			long + "for 30 minutes", long + "for 60 minutes",
			"…And it goes on and on, And it goes on and on, for 30 minutes", "…And it goes on and on, And it goes on and on, for 60 minutes",
		},
	} {
		r := l.compare(c.was, c.is)
		if diff := cmp.Diff([]string{c.quotedWas, c.quotedIs}, []string{r.was, r.is}); diff != "" {
			t.Errorf("%s → %s (-want +got):\n%s", finding.Clip(c.was, 80), finding.Clip(c.is, 80), diff)
		}
	}
}

func TestAnEditedMeaningIsMinorWithAWarningEvenWhereTheVersionSuffices(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]struct {
		severity finding.Severity
		fix      string
	}{
		"1.4.3": {finding.Error, "set version 1.5.0; "},
		"1.5.0": {finding.Warning, ""},
		"2.0.0": {finding.Warning, ""},
	} {
		old, next := content(t, "1.4.2"), content(t, version)
		old.Description.SideEffects, next.Description.SideEffects = "Sends one mail.", "Sends two mails."
		f := one(t, compare(old, next))
		if f.Rule != "description-meaning" || f.Pointer != "/spec/description/sideEffects" || f.Bump != contract.Minor || f.Severity != want.severity {
			t.Errorf("%s: %s %s", version, f.Severity, f.Finding)
		}
		if !strings.Contains(f.Message, "“Sends one mail.” → “Sends two mails.”") {
			t.Errorf("%s: %s", version, f.Message)
		}
		const look = "read both sentences; if the meaning moved, declare what moved (a bound, a unit, a default, a side effect)"
		if f.Fix != want.fix+look {
			t.Errorf("%s: fix %q", version, f.Fix)
		}
	}
}

func TestADescriptionWithoutAnotherMeaningIsAPatch(t *testing.T) {
	t.Parallel()
	for is, want := range map[string]string{
		"finds  orders!": "change of white space, case or punctuation in the description needs patch. Declared bump: minor (1.5.0)",
		"Looks for them": "change of the description needs patch. Declared bump: minor (1.5.0)",
	} {
		f := one(t, compareEdited(t, nil, func(c *contract.Content) { c.Description.Summary = is }))
		if f.Message != want || f.Bump != contract.Patch || f.Severity != finding.Info {
			t.Errorf("%s: %s %s: %s", is, f.Severity, f.Bump, f.Message)
		}
	}
}

func TestManyEditedTextsMakeFewFindings(t *testing.T) {
	t.Parallel()
	form := func(text string) string {
		var b strings.Builder
		for i := range 40 {
			fmt.Fprintf(&b, `,"p%02d":{"type":"string","description":"At most %s."}`, i, text)
		}
		return `{"type":"object","properties":{` + b.String()[1:] + `}}`
	}
	r := compare(onSide(t, finding.Input, form("5"), form("6")))
	if len(r.Findings) != maxMeaning+1 || r.Required != contract.Minor {
		t.Fatalf("required %s: %v", r.Required, allSaid(r))
	}
	last := r.Findings[maxMeaning]
	if last.Rule != "input-text" && r.Findings[0].Rule != "input-text" {
		t.Errorf("no summary: %v", allSaid(r))
	}
	if !slicesContains(r, "with edits of words that carry meaning at 32 places more") {
		t.Error("the summary does not say how many there are")
	}
	if r := compare(onSide(t, finding.Input, form("five"), form("six"))); r.Required != contract.Minor {
		t.Errorf("required %s", r.Required)
	}
	if r := compare(onSide(t, finding.Input, form("a few"), form("some"))); len(r.Findings) != 1 || r.Required != contract.Patch {
		t.Errorf("usual words: %v", allSaid(r))
	}
}

func slicesContains(r Report, text string) bool {
	for _, f := range r.Findings {
		if strings.Contains(f.Message, text) {
			return true
		}
	}
	return false
}

// What stands in $defs is said once, however many places refer to it.
func TestASharedDefinitionIsJudgedOnce(t *testing.T) {
	t.Parallel()
	const form = `{"type":"object","properties":{"a":{"$ref":"#/$defs/t"},"b":{"$ref":"#/$defs/t"},"c":{"$ref":"#/$defs/t"}},"$defs":{"t":{"type":"string",%s}}}`
	for was, is := range map[string]string{
		`"default":"x"`:          `"default":"y"`,
		`"description":"At 5."`:  `"description":"At 6."`,
		`"description":"A few."`: `"description":"Some."`,
		`"title":"A"`:            `"title":"B"`,
	} {
		f := one(t, compare(onSide(t, finding.Input, sprintf(form, was), sprintf(form, is))))
		if !strings.HasPrefix(f.Pointer, "/$defs/t") && f.Rule != "noise" || strings.Contains(f.Message, " places") {
			t.Errorf("%s → %s: %s", was, is, f.Finding)
		}
	}
}

func TestHugeTextsAreComparedInBoundedWork(t *testing.T) {
	t.Parallel()
	l := &lexicon{}
	words := strings.Repeat("lorem ipsum dolor ", 3000)
	if r := l.compare(words+"30", "sit "+words+"60"); !r.words || len(r.edited) == 0 {
		t.Error("a long sentence was not compared")
	}
	lines := strings.Repeat("lorem ipsum\n", 5000)
	if r := l.compare(lines, strings.ReplaceAll(lines, "ipsum", "dolor")); !r.words {
		t.Error("many lines were not compared")
	}
}

func TestMeaningWordsAreWrittenOnce(t *testing.T) {
	t.Parallel()
	for _, list := range [][]string{englishWords, sideEffects, chinesePhrases} {
		seen := map[string]bool{}
		for _, w := range list {
			if seen[w] || w != strings.ToLower(w) {
				t.Errorf("%s is there twice, or not in lower case", w)
			}
			seen[w] = true
		}
	}
}
