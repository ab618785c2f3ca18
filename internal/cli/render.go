// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"path/filepath"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/publish"
)

const renderUsage = `Write the exact bytes that the operator publishes for ToolContracts and ToolSets.

Usage:
  {command} render FILE|DIR|-... [--profile NAME[:STRICT[:ADAPTATION]]]...
      [--out DIR] [--print-name] [-n NAMESPACE] [--profile-dir DIR]

One contract for one profile goes to standard output. More need --out and become
DIR/<namespace>/<name>/<profile>.json; without --profile the files for the host
are beside them, as in the ConfigMap: contract.json, result.schema.json,
audit.schema.json and index.json.

What check calls incompatible is refused with its findings on standard error, and
the others are still written. As for the operator, a target of the contract with
onIncompatible: Block keeps the whole contract from being written; one with Exclude
is left out. With --profile every profile stands for itself.

A ToolSet becomes DIR/<namespace>/<set>.<profile>/ with tools.json, request.json,
manifest.json and index.json, made of the contracts among the inputs. manifest.json
holds the namespace of each contract: -n says it where the manifests do not.

Flags:
      --profile NAME[:STRICT[:ADAPTATION]]
                    write this profile instead of the contract's own targets; may
                    be repeated. STRICT is Required, Preferred or Disabled,
                    ADAPTATION is Keep, Narrow, Reshape or Widen. Without them the
                    contract's own target of this profile decides, else Preferred
                    and Narrow. Profiles:
                    {profiles}
      --out DIR     write files below this directory
      --print-name  print the name of each contract's immutable ConfigMap, and of
                    those of each set, one per line; only without --profile
  -n, --namespace NAMESPACE
                    the namespace of manifests that name none (default: default)
      --profile-dir DIR
                    also know the profiles in DIR, as for the command profiles
  -h, --help        print this text

Exit code: 0 everything was written; 1 something was refused or left out; 2 bad
usage, or input or output that cannot be read or written.

Examples:
  {command} render refund.yaml --profile openai-responses:Disabled
  {command} render config/samples --out rendered
  {command} render refund.yaml --print-name
`

// renderJob is one run of render.
type renderJob struct {
	p         *Program
	given     []v1alpha1.Target
	out       string
	printName bool
	code      int
	written   map[string]string // directory to the file of the contract in it
}

func (p *Program) render(arguments []string) int {
	f := p.flags("render")
	profiles := f.StringArray("profile", nil, "")
	out := f.String("out", "", "")
	printName := f.Bool("print-name", false, "")
	namespace := namespaceFlag(f)
	dir := profileDirFlag(f)
	if code, done := p.parse(f, renderUsage, arguments); done {
		return code
	}
	if code, done := p.setNamespace(f, *namespace); done {
		return code
	}
	if code, done := p.loadProfiles(f, *dir); done {
		return code
	}
	given, code, done := p.profilesAndInputs(f, *profiles)
	if done {
		return code
	}
	if *printName && len(given) > 0 {
		return p.badUsage(f, "--print-name is about the contract's own targets; leave --profile out")
	}
	job := &renderJob{p: p, given: given, out: *out, printName: *printName, written: map[string]string{}}
	var all []*judged
	var sets []*judgedSet
	readable := p.contractsAndSets(f.Args(), given, func(j *judged) { all = append(all, j) }, func(js *judgedSet) { sets = append(sets, js) })
	if job.needsDirectory(all) || len(sets) > 0 && job.out == "" && !job.printName {
		return p.badUsage(f, "there is more than one contract or profile, or a set; add --out DIR")
	}
	for _, j := range all {
		job.contract(j)
	}
	for _, js := range sets {
		job.set(js)
	}
	if !readable {
		return exitUsage
	}
	return job.code
}

// needsDirectory reports whether standard output cannot hold the result.
func (job *renderJob) needsDirectory(all []*judged) bool {
	if job.out != "" || job.printName {
		return false
	}
	return len(all) > 1 || len(all) == 1 && len(all[0].wanted) > 1
}

// raise keeps the worst exit code.
func (job *renderJob) raise(code int) { job.code = max(job.code, code) }

// contract writes one contract, or says why not.
func (job *renderJob) contract(j *judged) {
	if j.invalid() {
		job.refuse(j, "it is not valid", j.findings)
		return
	}
	files := map[string]string{}
	for _, t := range j.targets {
		switch {
		case t.Compatible():
			files[t.Spec.Profile+".json"] = string(t.Bytes)
		case len(job.given) == 0 && t.Blocks():
			job.refuse(j, fmt.Sprintf("%s cannot take it and blocks the others", t.Spec.Profile), t.Findings)
			return
		case len(job.given) == 0:
			job.refuse(j, fmt.Sprintf("%s cannot take it and is left out (onIncompatible: Exclude)", t.Spec.Profile), t.Findings)
		default:
			job.refuse(j, fmt.Sprintf("%s cannot take it", t.Spec.Profile), t.Findings)
		}
	}
	if len(files) == 0 { // every target has been refused above
		if len(job.given) == 0 {
			job.refuse(j, "nothing is written, because every target in /spec/targets is left out: correct the schema as said above, "+
				"allow more with adaptation: Reshape or Widen, or add a target that can take it", nil)
		}
		return
	}
	if job.printName {
		fmt.Fprintln(job.p.out, publish.RenderingName(j.Name, j.content.Version, j.bundle.Digest))
	}
	switch {
	case job.out != "":
		job.write(j, files)
	case !job.printName:
		for _, bytes := range files { // exactly one: see needsDirectory
			fmt.Fprint(job.p.out, bytes)
		}
	}
}

// refuse says what is not written, and why.
func (job *renderJob) refuse(j *judged, why string, findings []finding.Finding) {
	job.raise(exitFindings)
	job.p.complain("%s:%d: %s: %s", j.File, j.Line, j.identity(), why)
	for _, f := range finding.Errors(findings) {
		job.p.complain("  line %d: %s", j.line(f), f)
	}
}

// write puts the files below the output directory. Names are DNS labels and
// profile names are known ones, so no path leads out of it.
func (job *renderJob) write(j *judged, files map[string]string) {
	if len(job.given) == 0 {
		files = j.bundle.Files
	}
	dir := filepath.Join(job.out, job.p.namespaceOf(j.Document), j.Name)
	if other, taken := job.written[dir]; taken {
		job.refuse(j, "a contract of this name was already written from "+other, nil)
		return
	}
	job.written[dir] = fmt.Sprintf("%s:%d", j.File, j.Line)
	strangers, err := writeFiles(dir, files)
	if err != nil {
		job.p.complain("%v", err)
		job.raise(exitUsage)
	}
	for _, name := range strangers {
		job.p.complain("note: %s is in the directory and no part of what was rendered", filepath.Join(dir, name))
	}
}
