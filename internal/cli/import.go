// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/importer"
	"github.com/toolcontract/operator/internal/manifest"
)

const importUsage = `Turn tools as provider APIs and MCP servers spell them into ToolContract manifests
on standard output.

Usage:
  {command} import FILE|- [--format FORM] [--target PROFILE[:STRICT[:ADAPTATION]]]...
      [--namespace NS] [--version 1.0.0] [--close-objects]

The input is the JSON of one tool, an array of tools, the body of a request, a
tools/list result with or without its JSON-RPC envelope, or JSON Lines of these.
The form of each tool is recognised by its members, so a list may be mixed:

  mcp        inputSchema
  openai     parameters: flat with type function (Responses), below function (Chat
             Completions), or an entry of functions[]
  anthropic  input_schema; input_examples become examples
  gemini     functionDeclarations with parametersJsonSchema, or with parameters in
             the OpenAPI spelling, which is rewritten into JSON Schema
  bedrock    toolSpec with inputSchema.json

The order of properties is kept. A strict flag becomes strict: Required or Disabled
of the targets with the same form, unless --target says something else. What cannot
be carried over, and what was changed, is said on standard error, with a pointer.
Object names are made of tool names; two tools with one name get distinct ones.

Flags:
      --format auto|mcp|openai|anthropic|gemini|bedrock
                    auto takes every form (default); another word takes only that
                    one, and decides where a tool could be of two
      --target PROFILE[:STRICT[:ADAPTATION]]
                    a target of every contract; may be repeated. STRICT is Required,
                    Preferred or Disabled, ADAPTATION is Keep, Narrow, Reshape or
                    Widen. Without any, each with onIncompatible: Exclude:
                    {common}.
                    Profiles:
                    {profiles}
      --namespace NS
                    the namespace of every contract; without it none is written
      --version V   the version of every contract (default 1.0.0)
      --close-objects
                    add additionalProperties: false to objects that declare
                    properties and do not say whether there may be others. It
                    narrows what the tool admits; strict modes demand it.
  -h, --help        print this text

Exit code: 0 every tool became a contract; 1 some were skipped; 2 bad usage, an
input that cannot be read, or no list of tools in it.

Examples:
  {command} import tools.json --namespace payments > contracts.yaml
  {command} import request-body.json --target anthropic-messages | {command} check -
`

// anyForm is the word for the wire form that each tool has.
const anyForm = "auto"

func (p *Program) importTools(arguments []string) int {
	f := p.flags("import")
	format := f.String("format", anyForm, "")
	targets := f.StringArray("target", nil, "")
	var o importer.Options
	f.StringVar(&o.Namespace, "namespace", "", "")
	f.StringVar(&o.Version, "version", "1.0.0", "")
	f.BoolVar(&o.CloseObjects, "close-objects", false, "")
	if code, done := p.parse(f, importUsage, arguments); done {
		return code
	}
	given, err := parseTargets("target", *targets, p.profiles)
	if err != nil {
		return p.badUsage(f, "%v", err)
	}
	if o.Targets = given; len(given) == 0 {
		o.Targets = commonTargets()
	}
	switch {
	case f.NArg() != 1:
		return p.badUsage(f, "name one file, or - for standard input")
	case *format != anyForm && !slices.Contains(importer.Families, *format):
		return p.badUsage(f, "there is no input format %q; write %s or %s", *format, anyForm, strings.Join(importer.Families, ", "))
	case o.Namespace != "" && len(validation.IsDNS1123Label(o.Namespace)) > 0:
		return p.badUsage(f, "--namespace %s is not a DNS label", finding.Quote(o.Namespace))
	}
	if _, err := contract.ParseVersion(o.Version); err != nil {
		return p.badUsage(f, "--version: %v", err)
	}
	if o.Profiles = p.profiles; *format != anyForm {
		o.Family = *format
	}
	source, err := p.open("tools", f.Arg(0))
	if err != nil {
		p.complain("%v", err)
		return exitUsage
	}
	return p.writeContracts(source, o)
}

// commonProfiles are the default targets: one for each API that most agents
// use. A contract has at most 16 targets, and there are more profiles.
var commonProfiles = []string{
	"openai-responses", "openai-chat-completions", "anthropic-messages", "bedrock-converse-claude", "gemini-json-schema", "mcp-2025-11-25",
}

// commonTargets are left out where the provider cannot take the tool: nobody
// has said yet that it must.
func commonTargets() []v1alpha1.Target {
	var out []v1alpha1.Target
	for _, name := range commonProfiles {
		out = append(out, v1alpha1.Target{Profile: name, OnIncompatible: v1alpha1.IncompatibleExclude})
	}
	return out
}

// open reads a file, or standard input. what is said of it in an error.
func (p *Program) open(what, argument string) (manifest.Source, error) {
	if argument == manifest.Stdin {
		return manifest.ReadSource(manifest.Stdin, p.In)
	}
	f, err := os.Open(argument)
	if err != nil {
		return manifest.Source{}, fmt.Errorf("reading %s: %w", what, err)
	}
	defer f.Close()
	return manifest.ReadSource(argument, f)
}

func (p *Program) writeContracts(source manifest.Source, o importer.Options) int {
	contracts, report, found := importer.Import(source.Data, o)
	for _, c := range contracts {
		if _, err := p.out.Write(importer.AppendYAML(nil, c)); err != nil {
			break // reported when the output is flushed
		}
	}
	for _, line := range report.Lines() {
		p.complain("%s: %s", source.Name, line)
	}
	p.complain("%s: %s imported, %d skipped", source.Name, plural(len(contracts), "tool"), report.Skipped())
	switch {
	case !found:
		p.complain("%s: there is no list of tools in it", source.Name)
		return exitUsage
	case report.Skipped() > 0:
		return exitFindings
	}
	return exitOK
}
