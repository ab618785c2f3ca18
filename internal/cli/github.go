// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
)

// maxAnnotation bounds one annotation, in bytes: GitHub cuts longer ones.
const maxAnnotation = 4000

// githubReporter writes the commands by which a step of a GitHub workflow
// annotates files. GitHub shows few per step, so errors come first; what does not
// show is still in the log.
type githubReporter struct {
	w         io.Writer
	findings  []located
	contracts int
	sets      int
}

func (r *githubReporter) contract(j *judged) {
	r.contracts++
	r.findings = append(r.findings, j.located()...)
}

func (r *githubReporter) set(js *judgedSet) {
	r.sets++
	r.findings = append(r.findings, js.located()...)
}

func (r *githubReporter) end(c closing) {
	r.findings = append(r.findings, c.located()...)
	counts := map[string]int{}
	for _, command := range []string{"error", "warning", "notice"} {
		for _, l := range r.findings {
			if githubCommand(l.Severity) == command {
				counts[command]++
				fmt.Fprintln(r.w, annotation(l))
			}
		}
	}
	counted := plural(r.contracts, "contract")
	if r.sets > 0 {
		counted += ", " + plural(r.sets, "set")
	}
	fmt.Fprintf(r.w, "%s: %s, %s, %s\n", counted, plural(counts["error"], "error"), plural(counts["warning"], "warning"), plural(counts["notice"], "notice"))
}

func githubCommand(severity finding.Severity) string {
	switch severity {
	case finding.Error:
		return "error"
	case finding.Warning:
		return "warning"
	default:
		return "notice"
	}
}

func annotation(l located) string {
	title := l.Rule
	if l.profile != "" {
		title += " (" + l.profile + ")"
	}
	properties := []struct{ name, value string }{
		{"file", filepath.ToSlash(filepath.Clean(l.file))},
		{"line", fmt.Sprint(l.at.Line)},
		{"endLine", fmt.Sprint(l.at.Line)},
		{"col", fmt.Sprint(l.at.Column)},
		{"endColumn", fmt.Sprint(l.at.Column + l.at.Width)},
		{"title", title},
	}
	texts := make([]string, len(properties))
	for i, p := range properties {
		texts[i] = p.name + "=" + githubProperty.Replace(finding.Printable(p.value))
	}
	return "::" + githubCommand(l.Severity) + " " + strings.Join(texts, ",") + "::" + githubData.Replace(finding.Clip(l.text(), maxAnnotation))
}

// How the runner of GitHub wants texts escaped, in messages and in properties.
var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
