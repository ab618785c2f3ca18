// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
)

// refusedLine is a line that goes on serving what would not be published now.
type refusedLine struct {
	line, version string
	evaluation    *evaluate.Evaluation
}

// renderAgain evaluates what a line serves with the profiles as they are now.
// source is a whole copy of it. The result is nil if the line stays as it is:
// because its bytes are the same; because a profile refuses it, which the status
// then says; or because the content of its version is gone.
func (run *contractRun) renderAgain(line v1alpha1.Channel, source *corev1.ConfigMap, history evaluate.History) *evaluate.Evaluation {
	version, _ := versionOf(run.contract.Name, line.Revision)
	content, made := history.Content(version), deliveryOf(source)
	if content == nil || len(made.Targets) == 0 || content.Digest() != made.ContentDigest {
		return nil
	}
	again := evaluate.Line(run.contract.Name, content, made.Targets, history.Served[line.Line], run.profiles)
	switch {
	case len(again.Blocking()) > 0 || again.Bundle == nil:
		run.refused = append(run.refused, refusedLine{line.Line, version.String(), again})
		return nil
	case again.Bundle.Digest == line.Digest:
		return nil
	}
	return again
}

// moveLine lets a line serve another rendering of its version.
func (run *contractRun) moveLine(ctx context.Context, again *evaluate.Evaluation) error {
	if err := run.ensureRendering(ctx, newRendering(run.contract, again)); err != nil {
		return err
	}
	if err := run.ensureChannel(ctx, newChannel(run.contract, again)); err != nil {
		return err
	}
	run.moved = append(run.moved, again)
	return nil
}

// refusedMessage says what the lines go on serving, and what is wrong with it.
func refusedMessage(lines []refusedLine) string {
	parts := make([]string, 0, maxFindings+1)
	for _, l := range lines[:min(maxFindings, len(lines))] {
		parts = append(parts, fmt.Sprintf(
			"line %s goes on serving %s, which would not be published now (publish a version of the line that its targets take, or correct the profile): %s",
			l.line, l.version, l.problems()))
	}
	if more := len(lines) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more lines", more))
	}
	return strings.Join(parts, "; ")
}

func (l refusedLine) problems() string {
	if len(l.evaluation.Blocking()) == 0 && l.evaluation.TooLarge != nil {
		return l.evaluation.TooLarge.Error()
	}
	return targetsMessage(l.targets())
}

// targets are those that refuse.
func (l refusedLine) targets() []evaluate.Target {
	var out []evaluate.Target
	for _, t := range l.evaluation.Targets {
		if !t.Compatible() {
			out = append(out, t)
		}
	}
	return out
}
