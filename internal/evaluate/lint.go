// SPDX-License-Identifier: Apache-2.0

package evaluate

import (
	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/lint"
)

// Lint judges a content by the lint rules, under the acknowledgements of its
// contract. The result blocks nothing.
func Lint(content *contract.Content, acks []v1alpha1.Acknowledgement) lint.Report {
	return lint.Judge(content, LintAcknowledgements(acks))
}

// LintAcknowledgements are the acknowledgements of a contract, for lint.
func LintAcknowledgements(acks []v1alpha1.Acknowledgement) []lint.Acknowledgement {
	out := make([]lint.Acknowledgement, len(acks))
	for i, a := range acks {
		out[i] = lint.Acknowledgement{Version: a.Version, Rule: a.Rule, Path: a.Path, Reason: a.Reason}
	}
	return out
}
