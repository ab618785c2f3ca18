// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/toolcontract/operator/internal/finding"
)

const completionUsage = `Print the script by which a shell completes commands, flags, and the names of
provider profiles.

Usage:
  {command} completion bash|zsh|fish|powershell|kubectl

The script of kubectl completes the plugin: save it as kubectl_complete-toolcontract,
executable, in a directory of the PATH. kubectl asks it when its own completion is on.

Flags:
  -h, --help        print this text

Exit code: 0; 2 bad usage.

Examples:
  {command} completion bash > ~/.local/share/bash-completion/completions/toolcontract
  {command} completion zsh > "${fpath[1]}/_toolcontract"
  {command} completion fish > ~/.config/fish/completions/toolcontract.fish
  {command} completion kubectl > ~/.local/bin/kubectl_complete-toolcontract
`

// shell is a shell with the script that asks the program for completions.
type shell struct {
	name, meaning string
	script        func(w io.Writer) error
}

// shells have scripts of the library Cobra, but for Bash: that one needs functions
// that not every system has.
var shells = []shell{
	{"bash", "the Bourne again shell", fixed(bashScript)},
	{"zsh", "the Z shell", scripted().GenZshCompletion},
	{"fish", "the friendly interactive shell", func(w io.Writer) error { return scripted().GenFishCompletion(w, true) }},
	{"powershell", "PowerShell", scripted().GenPowerShellCompletionWithDesc},
	{"kubectl", "kubectl, for the plugin", fixed(kubectlScript)},
}

func fixed(script string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, script)
		return err
	}
}

// scripted is what Cobra needs to know of the program.
func scripted() *cobra.Command { return &cobra.Command{Use: "toolcontract"} }

func (p *Program) completion(arguments []string) int {
	f := p.flags("completion")
	if code, done := p.parse(f, completionUsage, arguments); done {
		return code
	}
	at := -1
	if f.NArg() == 1 {
		at = slices.IndexFunc(shells, func(s shell) bool { return s.name == f.Arg(0) })
	}
	if at < 0 {
		var names []string
		for _, s := range shells {
			names = append(names, s.name)
		}
		return p.badUsage(f, "name one of %s%s", strings.Join(names, ", "), notOne(f.Args()))
	}
	if err := shells[at].script(p.out); err != nil {
		p.complain("writing the output: %v", err)
		return exitUsage
	}
	return exitOK
}

func notOne(arguments []string) string {
	if len(arguments) != 1 {
		return ""
	}
	return "; there is no script for " + finding.Quote(arguments[0])
}

const bashScript = `# Completion of toolcontract for Bash. It needs nothing but Bash.
_toolcontract() {
    local line words=("${COMP_WORDS[@]:1:COMP_CWORD}")
    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
        :0) compopt -o default 2>/dev/null ;;
        :16) compopt -o dirnames 2>/dev/null ;;
        :*) ;;
        *) COMPREPLY+=("${line%%$'\t'*}") ;;
        esac
    done < <("${COMP_WORDS[0]}" __complete "${words[@]}" 2>/dev/null)
}
complete -F _toolcontract toolcontract
`

const kubectlScript = `#!/bin/sh
# kubectl asks this for the completion of its plugin toolcontract.
exec kubectl-toolcontract __complete "$@"
`
