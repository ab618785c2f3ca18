// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"strings"

	"github.com/toolcontract/operator/internal/finding"
)

var contradictionRules = []Rule{
	{
		ID: "contradiction-read-only", Family: familyContradictions, Severity: finding.Error,
		Summary: "The description says that the tool only reads, and execution.sideEffect says that it changes something.",
		Why:     "The model believes the text and the host the field. One of them acts on what is not true.",
		Fix:     "correct the description or execution.sideEffect",
		check: func(s *subject) {
			for _, p := range s.parts() {
				if (p.name == "summary" || p.name == "sideEffects") && s.writes() && saysReadOnly.in(strings.ToLower(p.text)) {
					s.spec("/description/"+p.name, "the description says that the tool only reads, and execution.sideEffect is %s", s.Execution.SideEffect)
				}
			}
		},
		Examples: []Example{
			{
				Language: English, Writes: true,
				Bad:  "description: {sideEffects: It only reads. Calling it again changes nothing.}",
				Good: "description: {sideEffects: The shipment stops. Cancelling it again changes nothing.}",
			},
			{
				Language: Chinese, Writes: true,
				Bad:  "description: {sideEffects: 本工具只读取数据；重复调用不会产生新的影响。}",
				Good: "description: {sideEffects: 包裹会停止发出；重复调用不会产生新的影响。}",
			},
		},
	},
	{
		ID: "contradiction-approval", Family: familyContradictions, Severity: finding.Error,
		Summary: "A call cannot be taken back and its risk is high, and no person has to agree.",
		Why:     "This is the call that a person should have seen. Hosts do what the contract says, and it says to go ahead.",
		Fix:     "set approval: Required, or correct sideEffect or risk",
		check: func(s *subject) {
			e := s.Execution
			if e.Approval == "None" && e.SideEffect == "Irreversible" && (e.Risk == "High" || e.Risk == "Critical") {
				s.spec("/execution/approval", "approval is None for an irreversible call of risk %s", e.Risk)
			}
		},
		Examples: writes(same("execution: {sideEffect: Irreversible, risk: High, approval: None}", "execution: {sideEffect: Irreversible, risk: Medium, approval: None}")),
	},
	{
		ID: "contradiction-idempotency", Family: familyContradictions, Severity: finding.Warning,
		Summary: "The tool changes nothing, and a repeated call is said to repeat its effect, or needs a key.",
		Why:     "Hosts then do not repeat a lost read, or send a key that nothing uses; or sideEffect is wrong, which is worse.",
		Fix:     "set idempotency.mode: Idempotent, or correct sideEffect",
		check: func(s *subject) {
			if e := s.Execution; e.SideEffect == "None" && (e.IdempotencyMode == "None" || e.IdempotencyMode == "Key") {
				s.spec("/execution/idempotency/mode", "sideEffect is None, and idempotency is %s", e.IdempotencyMode)
			}
		},
		Examples: same("execution: {idempotency: {mode: None}}", "execution: {idempotency: {mode: Idempotent}}"),
	},
	{
		ID: "contradiction-retry", Family: familyContradictions, Severity: finding.Error,
		Summary: "Hosts may repeat a call that changes something, and nothing makes the repetition harmless.",
		Why:     "After a timeout the first call may have worked. The second then pays, sends or reserves once more.",
		Fix:     "set retry.maxAttempts: 1, or make repeated calls harmless and say so in idempotency",
		check: func(s *subject) {
			e := s.Execution
			if e.Retry != nil && e.Retry.MaxAttempts > 1 && s.writes() && (e.IdempotencyMode == "None" || e.IdempotencyMode == "") {
				s.spec("/execution/retry/maxAttempts", "a call that changes something may be made %d times, and idempotency does not make that harmless", e.Retry.MaxAttempts)
			}
		},
		Examples: writes(same("execution: {retry: {maxAttempts: 3}, idempotency: {mode: None}}", "execution: {retry: {maxAttempts: 3}, idempotency: {mode: Idempotent}}")),
	},
}

// writes are examples for a tool that changes something.
func writes(examples []Example) []Example {
	for i := range examples {
		examples[i].Writes = true
	}
	return examples
}

var saysReadOnly = parse(`only reads | reads only | is read-only | is read only | read-only tool | read-only operation | read-only: | read-only. | changes nothing in | no side effects | has no side effect
	| does not change anything | does not modify anything | nothing is changed | 本工具只读 | 只读取 | 只读工具 | 只读操作 | 仅读取 | 不会改变任何 | 不会修改任何 | 不改变任何 | 没有副作用 | 无副作用 | 不产生副作用`)
