// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
)

var descriptionRules = []Rule{
	{
		ID: "description-short", Family: familyDescription, Severity: finding.Warning,
		Summary: "The description has fewer than three sentences.",
		Why:     "The description is all that a model knows of a tool. Providers advise three to four sentences at least: what it does, when it is right, when it is not, what comes back.",
		Fix:     "say in three sentences or more what the tool does, when to use it and what it returns",
		check: func(s *subject) {
			if n := sentences(s.Description.Text()); s.ours() && n < minSentences {
				s.spec("/description", "the description has fewer than %d sentences: %d", minSentences, n)
			}
		},
		Examples: []Example{
			{
				Language: English,
				Bad:      "description: {summary: Use it to list at most 20 shipments, useWhen: null, doNotUseWhen: not to change one, returns: returns an empty list for none, sideEffects: It only reads, failures: there is no such order}",
				Good:     "description: {summary: Lists the shipments of an order.}",
			},
			{
				Language: Chinese,
				Bad:      "description: {summary: 查询订单的发货记录，用于跟踪进度，不要用它取消发货，返回最多 20 条，没有记录时列表为空，订单不存在时报错, useWhen: null, doNotUseWhen: null, returns: null, sideEffects: 只读, failures: null}",
				Good:     "description: {summary: 查询一笔订单的发货记录。}",
			},
		},
	},
	missing("description-when", "useWhen", "when the tool is the right one",
		"Without it a model calls the tool wherever its name fits, or not where it should.",
		"the customer asks where an order is", "当用户询问包裹进度时使用。", saysWhen),
	missing("description-when-not", "doNotUseWhen", "when another tool, or none, is right",
		"Most wrong calls go to a tool whose neighbour was meant. Only this sentence tells them apart.",
		"Do not use it to change an order.", "不要用它修改订单。", saysWhenNot),
	missing("description-returns", "returns", "what comes back",
		"A model plans its next step by what it expects to get, and invents what nobody promised.",
		"Returns at most 20 shipments, newest first.", "返回最多 20 条发货记录。", saysReturns),
	missing("description-side-effects", "sideEffects", "what changes in the world, or that nothing does",
		"A model repeats and combines calls freely where it does not know that they cost something.",
		"It only reads.", "本工具只读取数据。", saysSideEffects),
	{
		ID: "description-approval", Family: familyDescription, Severity: finding.Warning,
		Summary: "A person must approve each call, and the description does not say so.",
		Why:     "A model that does not know it promises the user what has not happened yet, or calls again because nothing came back.",
		Fix:     "say that a person has to approve, and what the model should tell the user meanwhile",
		check: func(s *subject) {
			if s.ours() && s.Execution.Approval == "Required" && !saysApproval.in(s.text) {
				s.spec("/description", "a person must approve each call, and the description does not say so")
			}
		},
		Examples: []Example{
			{
				Language: English, Writes: true, Bad: "execution: {approval: Required}",
				Good: "execution: {approval: Required}\ndescription: {sideEffects: The shipment stops once a person has approved the call. Cancelling it again changes nothing.}",
			},
			{
				Language: Chinese, Writes: true, Bad: "execution: {approval: Required}",
				Good: "execution: {approval: Required}\ndescription: {sideEffects: 经人工审批后才会停止发货；重复调用不会产生新的影响。}",
			},
		},
	},
	{
		ID: "description-idempotency", Family: familyDescription, Severity: finding.Warning,
		Summary: "The tool changes something, and neither its description nor that of its key says what a repeated call does.",
		Why:     "After a timeout a model tries again. Whether this pays twice must be said where it decides.",
		Fix:     "say what a second call with the same arguments does, or how the key makes it harmless",
		check: func(s *subject) {
			if s.ours() && s.writes() && !saysRepeat.in(s.text) && !slices.ContainsFunc(s.input, func(p property) bool {
				return s.isKey(&p) && saysRepeat.in(p.text)
			}) {
				s.spec("/description", "the tool changes something, and the description does not say what a repeated call does")
			}
		},
		Examples: []Example{
			{
				Language: English, Writes: true, Bad: "description: {sideEffects: The shipment stops.}",
				Good: "description: {sideEffects: The shipment stops. Cancelling it again changes nothing.}",
			},
			{
				Language: Chinese, Writes: true, Bad: "description: {sideEffects: 包裹会停止发出。}",
				Good: "description: {sideEffects: 包裹会停止发出；重复调用不会产生新的影响。}",
			},
		},
	},
	{
		ID: "description-list-size", Family: familyDescription, Severity: finding.Warning,
		Summary: "The answer holds a list, and the description does not say how many entries come back.",
		Why:     "A model takes the first page for everything, and tells the user that there is no more.",
		Fix:     "say how many entries come back at most, and how to get the rest",
		check: func(s *subject) {
			if s.ours() && s.lists() && !saysSize.in(s.text) && !slices.ContainsFunc(s.input, func(p property) bool { return pageSizes[p.snake()] }) {
				s.spec("/description/returns", "a list comes back, and the description does not say how many entries it has")
			}
		},
		Examples: []Example{
			{Language: English, Bad: "description: {returns: Returns the shipments.}", Good: "description: {returns: 'Returns at most 20 shipments, newest first.'}"},
			{Language: Chinese, Bad: "description: {returns: 返回发货记录。}", Good: "description: {returns: 返回最多 20 条发货记录。}"},
		},
	},
	{
		ID: "description-empty", Family: familyDescription, Severity: finding.Warning,
		Summary: "The answer holds a list, and the description does not say what an empty one means.",
		Why:     "An empty list may mean none, not permitted, or not yet. A model guesses, and tells the user the guess.",
		Fix:     "say what an empty list means",
		check: func(s *subject) {
			if s.ours() && s.lists() && !saysEmpty.in(s.text) {
				s.spec("/description/failures", "a list comes back, and the description does not say what an empty one means")
			}
		},
		Examples: []Example{
			{
				Language: English, Bad: "description: {failures: ORDER_NOT_FOUND means that the id is wrong.}",
				Good: "description: {failures: An empty list means that nothing was sent yet. ORDER_NOT_FOUND means that the id is wrong.}",
			},
			{Language: Chinese, Bad: "description: {failures: 订单不存在时返回错误代码。}", Good: "description: {failures: 列表为空表示尚未发货；订单不存在时返回错误代码。}"},
		},
	},
	{
		ID: "description-not-found", Family: familyDescription, Severity: finding.Warning,
		Summary: "The tool takes an identifier, and the description does not say what happens if there is no such thing.",
		Why:     "A model that does not know what not found looks like tries other identifiers until one fits.",
		Fix:     "say what comes back if there is no such thing, and what to do then",
		check: func(s *subject) {
			if s.ours() && s.FreeForm == nil && !saysNotFound.in(s.text) && slices.ContainsFunc(s.input, func(p property) bool {
				return p.top() && p.identifies() && !s.isKey(&p)
			}) {
				s.spec("/description/failures", "the tool takes an identifier, and the description does not say what happens if there is no such thing")
			}
		},
		Examples: []Example{
			{
				Language: English, Bad: "description: {failures: An empty list means that nothing was sent yet.}",
				Good: "description: {failures: An empty list means that nothing was sent yet. ORDER_NOT_FOUND means that the id is wrong.}",
			},
			{Language: Chinese, Bad: "description: {failures: 列表为空表示尚未发货。}", Good: "description: {failures: 列表为空表示尚未发货；订单不存在时返回错误代码。}"},
		},
	},
}

// minSentences is what a description has at least.
const minSentences = 3

// missing is a rule for a part of the description that is not there; a
// description in one piece may say the same in its summary.
func missing(id, part, what, why, english, chinese string, said phrases) Rule {
	return Rule{
		ID: id, Family: familyDescription, Severity: finding.Warning,
		Summary: "The description does not say " + what + ".", Why: why,
		Fix: "set description." + part,
		check: func(s *subject) {
			// What the tool is not for says nothing of what it is for.
			if s.ours() && s.part(part) == "" && !said.in(strings.ReplaceAll(s.text, "not use", "")) {
				s.spec("/description/"+part, "the description does not say %s", what)
			}
		},
		Examples: []Example{
			{Language: English, Bad: "description: {" + part + ": null}", Good: "description: {" + part + ": '" + english + "'}"},
			{Language: Chinese, Bad: "description: {" + part + ": null}", Good: "description: {" + part + ": " + chinese + "}"},
		},
	}
}

func (s *subject) part(name string) string {
	for _, p := range s.parts() {
		if p.name == name {
			return strings.TrimSpace(p.text)
		}
	}
	return ""
}

type part struct{ name, text string }

func (s *subject) parts() []part {
	d := s.Description
	return []part{
		{"summary", d.Summary},
		{"useWhen", d.UseWhen},
		{"doNotUseWhen", d.DoNotUseWhen},
		{"returns", d.Returns},
		{"sideEffects", d.SideEffects},
		{"failures", d.Failures},
	}
}

// lists reports whether the answer is a list or has one as a member.
func (s *subject) lists() bool {
	if s.Output.Schema == nil {
		return false
	}
	return s.Output.Schema.Root().Get("type").Text() == "array" ||
		slices.ContainsFunc(s.output, func(p property) bool { return p.top() && p.is("array") })
}

// What a description says with these words.
var (
	saysWhen = parse(`use this | use it | use when | used to | used when | used for | use the tool | when the user | when you | when a user | call this | call it | should be used
		| useful for | useful when | for example when | 使用场景 | 适用 | 用于 | 时使用 | 时调用 | 当用户 | 如果用户 | 请使用本`)
	saysWhenNot = parse(`not for | not to | instead | rather than | avoid | only use | use only | never use | not used | does not | do not | don't
		| not intended | not suitable | not supported | 不要用 | 不要使用 | 请勿 | 不适用 | 不用于 | 勿用 | 改用 | 而不是 | 请使用 | 不支持`)
	saysReturns     = parse("return* | respond* | output* | result* | gives back | yields | answers with | response* | 返回 | 结果 | 输出 | 得到 | 响应")
	saysSideEffects = parse(`side effect* | read-only | readonly | only reads | reads only | does not change | does not modify | changes nothing | no changes | cannot be undone
		| can be undone | reversible | irreversible | permanent* | destructive | 副作用 | 只读 | 不会改变 | 不会修改 | 不改变 | 不修改 | 不可逆 | 无法撤销 | 不可撤销 | 可以撤销 | 永久`)
	saysApproval = parse("approv* | confirm* | consent* | permission | human | a person | 批准 | 审批 | 确认 | 同意 | 人工 | 授权 | 核准")
	saysRepeat   = parse(`repeat* | again | twice | retry | retries | retried | retrying | idempoten* | duplicate* | same key | second call | already exist* | once only | only once | at most once
		| 重复 | 再次 | 重试 | 幂等 | 多次 | 同一个键 | 已存在 | 已有 | 第二次`)
	saysSize = parse(`at most | up to | maximum | max | limit* | page* | paginat* | per | each | every | all | first | top | one entry | cursor | default* | latest | most recent
		| 最多 | 至多 | 每页 | 分页 | 上限 | 全部 | 所有 | 每个 | 每条 | 每一 | 前几 | 条 | 一次`)
	saysEmpty    = parse("empty | no results | none | nothing | without entries | no entries | if no | if there are no | when no | when there are no | zero | not found | 为空 | 空列表 | 空的 | 空数组 | 没有 | 无结果 | 未找到 | 找不到")
	saysNotFound = parse(`not found | *not_found | not exist | doesn't exist | no such | unknown | missing | invalid | cannot be found | can't be found | nonexistent | non-existent | 404
		| 找不到 | 不存在 | 未找到 | 查无 | 没有这 | 没有此 | 没有该 | 无效 | 有误 | 不正确`)
	pageSizes = setOf("limit page_size per_page max_results count top_k first num_results max_items results_per_page size max_count page_limit top n k max")
)
