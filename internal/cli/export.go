// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/render"
	"github.com/toolcontract/operator/internal/schema"
)

const exportUsage = `Give ToolContracts back as the tools of a request, or as the tools/list result of an MCP
server: one JSON document with all tools, for programs that do not mount ConfigMaps.

Usage:
  {command} export FILE|DIR|-... --to FORM[:STRICT[:ADAPTATION]]
      [-n NAMESPACE] [--profile-dir DIR]

The tools are what the operator publishes, in the order of the inputs: {"tools": […]},
and for Bedrock {"toolConfig": {"tools": […]}}. What the form has no place for is said on
standard error, with the fields of the contract that import would not give back.
ToolSets are passed over: {command} render writes their requests.

Flags:
      --to FORM[:STRICT[:ADAPTATION]]
                    mcp, openai-responses, openai-chat, anthropic, gemini, bedrock, or
                    the name of a profile. STRICT is Required, Preferred or Disabled,
                    ADAPTATION is Keep, Narrow, Reshape or Widen; Disabled:Keep gives
                    the schema of the contract itself or nothing. Without them the
                    contract's own target of this profile decides, else Preferred and
                    Narrow. Profiles:
                    {profiles}
  -n, --namespace NAMESPACE
                    the namespace of manifests that name none (default: default)
      --profile-dir DIR
                    also know the profiles in DIR, as for the command profiles
  -h, --help        print this text

Exit code: 0 every tool was written; 1 some were refused, each with its findings on
standard error; 2 bad usage, or an input that cannot be read.

Examples:
  {command} export contracts --to mcp > tools.json
  {command} export contracts --to anthropic | jq '.tools | length'
  {command} export contracts --to openai-responses:Disabled:Keep | {command} import -
`

// exportForms are short words for profiles.
var exportForms = map[string]string{
	"mcp": "mcp-2025-11-25", "openai-chat": "openai-chat-completions", "anthropic": "anthropic-messages",
	"gemini": "gemini-json-schema", "bedrock": "bedrock-converse-claude",
}

func (p *Program) export(arguments []string) int {
	f := p.flags("export")
	to := f.String("to", "", "")
	namespace := namespaceFlag(f)
	dir := profileDirFlag(f)
	if code, done := p.parse(f, exportUsage, arguments); done {
		return code
	}
	if code, done := p.setNamespace(f, *namespace); done {
		return code
	}
	if code, done := p.loadProfiles(f, *dir); done {
		return code
	}
	if *to == "" {
		return p.badUsage(f, "say with --to which form is wanted: %s, or a profile", strings.Join(slices.Sorted(maps.Keys(exportForms)), ", "))
	}
	form, rest, _ := strings.Cut(*to, ":")
	if profile, ok := exportForms[form]; ok {
		form = profile
	}
	given, err := parseTargets("to", []string{strings.TrimSuffix(form+":"+rest, ":")}, p.profiles)
	if err != nil {
		return p.badUsage(f, "%v", err)
	}
	if wrong := checkInputs(f.Args()); wrong != "" {
		return p.badUsage(f, "%s", wrong)
	}
	job := exportJob{p: p, target: given[0], names: map[string]string{}, lost: losses{}}
	readable := p.contracts(f.Args(), given, job.contract)
	job.end()
	switch {
	case !readable:
		return exitUsage
	case job.refused > 0:
		return exitFindings
	}
	return exitOK
}

// exportJob is one run of export.
type exportJob struct {
	p       *Program
	target  v1alpha1.Target
	tools   []render.SetTool
	names   map[string]string // tool name to the contract that has it
	lost    losses
	refused int
}

func (job *exportJob) contract(j *judged) {
	switch {
	case j.invalid():
		job.refuse(j, "it is not valid", j.findings)
		return
	case len(j.targets) == 0:
		return
	case !j.targets[0].Compatible():
		job.refuse(j, job.target.Profile+" cannot take it", j.targets[0].Findings)
		return
	}
	t := j.targets[0]
	if other, taken := job.names[j.content.ToolName]; taken {
		job.refuse(j, fmt.Sprintf("%s has a tool of the same name %s; export them apart", other, finding.Quote(j.content.ToolName)), nil)
		return
	}
	job.names[j.content.ToolName] = j.identity()
	job.tools = append(job.tools, render.SetTool{Element: t.Element})
	job.lost.add(j, t, job.p.profiles)
}

func (job *exportJob) refuse(j *judged, why string, findings []finding.Finding) {
	job.refused++
	job.p.complain("%s:%d: %s: %s", j.File, j.Line, j.identity(), why)
	for _, f := range finding.Errors(findings) {
		job.p.complain("  line %d: %s", j.line(f), f)
	}
}

func (job *exportJob) end() {
	profile, _ := job.p.profiles.Lookup(job.target.Profile)
	tools := render.Tools(profile.WireFormat, job.tools, nil, false)
	list := schema.NewObject(schema.Member{Name: "tools", Value: tools})
	if profile.WireFormat == "bedrock-tool-spec" {
		list = schema.NewObject(schema.Member{Name: "toolConfig", Value: list})
	}
	fmt.Fprint(job.p.out, string(render.Line(list)))
	for _, line := range job.lost.lines() {
		job.p.complain("note: %s", line)
	}
	job.p.complain("%s exported for %s, %d refused", plural(len(job.tools), "tool"), job.target.Profile, job.refused)
}
