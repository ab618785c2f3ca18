// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"path/filepath"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/publish"
)

// set writes the folders of one set, or says why not.
func (job *renderJob) set(js *judgedSet) {
	job.refuseSet(js, "", js.findings)
	for _, profile := range js.profiles {
		job.refuseSet(js, profile.spec.Profile, profile.findings)
		if profile.result == nil || profile.result.Bundle == nil {
			job.raise(exitFindings)
			continue
		}
		if len(profile.result.Tools) == 0 {
			job.raise(exitFindings)
			job.p.complain("%s:%d: %s: nothing is written for %s, because no contract of the set is among the inputs", js.File, js.Line, js.identity(), profile.spec.Profile)
			continue
		}
		if job.printName {
			fmt.Fprintln(job.p.out, publish.SetRenderingName(js.Name, profile.spec.Profile, profile.result.Bundle.Digest))
		}
		if job.out != "" {
			job.writeSet(js, profile)
		}
	}
}

// refuseSet says what is wrong with a set, or with one profile of it. Tools that
// are left out are told, and do not keep the others from being written; what only
// the cluster can tell is left out too.
func (job *renderJob) refuseSet(js *judgedSet, profile string, findings []finding.Finding) {
	for _, f := range findings {
		if f.Severity == finding.Info && f.Rule != ruleRefElsewhere {
			continue
		}
		if f.Severity == finding.Error || f.Rule == ruleToolExcluded || f.Rule == ruleRefElsewhere {
			job.raise(exitFindings)
		}
		where := js.identity()
		if profile != "" {
			where += " for " + profile
		}
		job.p.complain("%s:%d: %s: %s", js.File, js.LineOf(f.Pointer), where, f)
	}
}

func (job *renderJob) writeSet(js *judgedSet, profile judgedProfile) {
	dir := filepath.Join(job.out, job.p.namespaceOf(js.Document), publish.SetName(js.Name, profile.spec.Profile))
	if other, taken := job.written[dir]; taken {
		job.raise(exitFindings)
		job.p.complain("%s:%d: %s: a set of this name was already written from %s", js.File, js.Line, js.identity(), other)
		return
	}
	job.written[dir] = fmt.Sprintf("%s:%d", js.File, js.Line)
	strangers, err := writeFiles(dir, profile.result.Bundle.Files)
	if err != nil {
		job.p.complain("%v", err)
		job.raise(exitUsage)
	}
	for _, name := range strangers {
		job.p.complain("note: %s is in the directory and no part of what was rendered", filepath.Join(dir, name))
	}
}
