// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"slices"
	"strconv"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

var completenessRules = []Rule{
	{
		ID: "output-missing", Family: familyCompleteness, Severity: finding.Warning,
		Summary: "The contract has no output schema.",
		Why:     "Without it nobody can check an answer, and a change of it breaks agents unseen.",
		Fix:     "set output.schema",
		check: func(s *subject) {
			if s.hosted() && s.Output.Schema == nil {
				s.spec("/output", "there is no output schema, so an answer can have no data")
			}
		},
		Examples: same("output: {schema: null, pagination: null}", "output: {reader: IgnoreUnknown}"),
	},
	{
		ID: "output-free-text", Family: familyCompleteness, Severity: finding.Warning,
		Summary: "The answer is one free text.",
		Why:     "A model has to read the facts out of prose, and the text can tell it things that no schema admits.",
		Fix:     "answer with an object of typed members; keep the text for what only people read",
		check:   (*subject).outputFreeText,
		Examples: same("output: {schema: {properties: {shipments: null, result: {type: string}}, required: [result]}}",
			"output: {schema: {properties: {result: {enum: [sent, waiting]}}}}"),
	},
	{
		ID: "output-bounds", Family: familyCompleteness, Severity: finding.Warning,
		Summary: "The answer holds a list without a bound, and output.limits has none either.",
		Why:     "A long list fills the context of the model and pushes out what the user said.",
		Fix:     "set maxItems, or output.limits",
		check: func(s *subject) {
			l := s.Output.Limits
			if l.MaxBytes != nil || l.MaxItems != nil || s.Output.Pagination != nil && s.Output.Pagination.MaxPageSize != nil {
				return
			}
			s.eachNode(func(side finding.Side, n *schema.Node) {
				if side == finding.Output && n.Value.Get("type").Text() == "array" && !n.Value.Has("maxItems") {
					s.say(side, n.Pointer, "maxItems", "a list of the answer is not bounded")
				}
			})
		},
		Examples: same("output: {schema: {properties: {shipments: {maxItems: null}}}}", "output: {limits: {maxBytes: 16384}, schema: {properties: {shipments: {maxItems: null}}}}"),
	},
	{
		ID: "errors-missing", Family: familyCompleteness, Severity: finding.Warning,
		Summary: "The contract declares no errors.",
		Why:     "A failure without a code reaches the model as prose or not at all, and it cannot know whether to correct the call, ask, or wait.",
		Fix:     "set output.errors: a code, a category and what the caller can do",
		check: func(s *subject) {
			if s.hosted() && len(s.Output.Errors) == 0 {
				s.spec("/output/errors", "no errors are declared")
			}
		},
		Examples: same("output: {errors: null}", "output: {errors: [{code: NO_SUCH_ORDER, category: NotFound, recovery: AskUser, safeMessage: There is no such order.}]}"),
	},
	{
		ID: "error-message-missing", Family: familyCompleteness, Severity: finding.Warning,
		Summary: "An error has no safeMessage.",
		Why:     "Hosts then show their own text, or the raw one of the server, which may hold what no user should see.",
		Fix:     "set a safeMessage that a user may read",
		check: func(s *subject) {
			for i, e := range s.Output.Errors {
				if strings.TrimSpace(e.SafeMessage) == "" {
					s.spec("/output/errors/"+strconv.Itoa(i), "the error %s has no safeMessage", finding.Quote(e.Code))
				}
			}
		},
		Examples: same("output: {errors: [{code: NO_SUCH_ORDER, category: NotFound}]}", "output: {errors: [{code: NO_SUCH_ORDER, category: NotFound, safeMessage: There is no such order.}]}"),
	},
	{
		ID: "execution-incomplete", Family: familyCompleteness, Severity: finding.Warning,
		Summary: "A field of execution is left out.",
		Why:     "Hosts and reviewers decide by these fields: whether to ask, to wait, to repeat, to log. What is not said is guessed by each of them.",
		Fix:     "set what is named",
		check:   (*subject).executionIncomplete,
		Examples: same("execution: {risk: null, dataClassification: null}",
			"execution: {risk: Low, dataClassification: Public}"),
	},
	write("write-idempotency", "idempotency", "what a repeated call does",
		"A host that does not know it either never repeats a call that was lost, or repeats one that pays.", "{mode: Idempotent}",
		func(s *subject) bool { return s.Execution.IdempotencyMode == "" }),
	write("write-approval", "approval", "whether a person must agree",
		"What is not said is decided by each host on its own, and mostly for convenience.", "None",
		func(s *subject) bool { return s.Execution.Approval == "" }),
	write("write-timeout", "timeoutSeconds", "how long a call may take",
		"A host that stops waiting too early does not know whether something has changed.", "30",
		func(s *subject) bool { return s.Execution.TimeoutSeconds == nil }),
}

// same are examples that need no words.
func same(bad, good string) []Example {
	return []Example{{Language: English, Bad: bad, Good: good}, {Language: Chinese, Bad: bad, Good: good}}
}

// write is a rule for a field that a tool which changes something needs.
func write(id, field, what, why, good string, unsaid func(*subject) bool) Rule {
	examples := same("execution: {"+field+": null}", "execution: {"+field+": "+good+"}")
	for i := range examples {
		examples[i].Writes = true
	}
	return Rule{
		ID: id, Family: familyCompleteness, Severity: finding.Warning,
		Summary: "The tool changes something, and execution." + field + " does not say " + what + ".", Why: why,
		Fix: "set execution." + field,
		check: func(s *subject) {
			if s.writes() && unsaid(s) {
				s.spec("/execution/"+field, "the tool changes something, and nothing says %s", what)
			}
		},
		Examples: examples,
	}
}

// executionIncomplete lists the fields that are left out, but for those of which
// the rules about writes speak.
func (s *subject) executionIncomplete() {
	e := s.Execution
	fields := []struct {
		name  string
		there bool
	}{
		{"location", e.Location != ""},
		{"credentials", e.Credentials != ""},
		{"authorization", e.Authorization != ""},
		{"sideEffect", e.SideEffect != ""},
		{"reach", e.Reach != ""},
		{"risk", e.Risk != ""},
		{"timeoutSeconds", e.TimeoutSeconds != nil || s.writes()},
		{"approval", e.Approval != "" || s.writes()},
		{"idempotency", e.IdempotencyMode != "" || s.writes()},
		{"dataClassification", e.DataClassification != ""},
	}
	var out []string
	for _, f := range fields {
		if !f.there {
			out = append(out, f.name)
		}
	}
	switch {
	case len(out) == len(fields):
		s.spec("/execution", "there is no execution policy")
	case len(out) > 0:
		s.spec("/execution", "execution does not say %s", strings.Join(out, ", "))
	}
}

// outputFreeText looks for an answer whose only content is a text.
func (s *subject) outputFreeText() {
	if s.Output.Schema == nil {
		return
	}
	root := s.Output.Schema.Root()
	isText := root.Get("type").Text() == "string" && !root.Has("enum") && !root.Has("format") && !root.Has("pattern")
	top := slices.DeleteFunc(slices.Clone(s.output), func(p property) bool { return !p.top() })
	if len(top) == 1 && root.Get("type").Text() != "string" {
		p := &top[0]
		isText = p.is("string") && !p.listed() && !p.has("format", "pattern") && textWords[p.last()]
	}
	if isText {
		s.say(finding.Output, "", "", "the answer is one free text")
	}
}

var textWords = setOf("result results text message output content response answer data body summary 结果 内容 消息")
