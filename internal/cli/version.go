// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/toolcontract/operator/internal/render"
)

const versionUsage = `Print the version of the program, and of the provider profiles and renderers that
it was built with: together they decide what check says and what render writes.

Usage:
  {command} version

Flags:
  -h, --help        print this text

Exit code: 0; 2 bad usage.

Examples:
  {command} version
  {command} version | grep openai
`

const overviewHead = `Contracts for the tools that language models call: check them against provider
APIs, render the bytes that the APIs expect, import tools from their wire forms, compare
versions and schemas, ask the APIs themselves.

Usage:
  %[1]s COMMAND [ARGUMENT...]

Commands:
`

func (p *Program) version(arguments []string) int {
	f := p.flags("version")
	if code, done := p.parse(f, versionUsage, arguments); done {
		return code
	}
	if f.NArg() > 0 {
		return p.badUsage(f, "it takes no arguments")
	}
	fmt.Fprintf(p.out, "toolcontract %s (%s)\n", p.buildVersion(), runtime.Version())
	for _, name := range p.profiles.Names() {
		profile, _ := p.profiles.Lookup(name)
		fmt.Fprintf(p.out, "profile %s: revision %d, reviewed %s; renderer %s version %d\n",
			name, profile.Revision, profile.Reviewed, profile.WireFormat, render.Version(profile.WireFormat))
	}
	return exitOK
}

// buildVersion is what the build was stamped with, else what the module system
// knows of it.
func (p *Program) buildVersion() string {
	if p.Version != "" {
		return p.Version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
