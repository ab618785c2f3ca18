// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
)

// The exit codes.
const (
	exitOK       = 0 // no error finding
	exitFindings = 1 // error findings, or something refused or skipped
	exitUsage    = 2 // bad usage, or input or output that cannot be read or written
	exitNotAsked = 3 // of probe: not every tool could be judged
)

// Program is one invocation's surroundings.
type Program struct {
	// Name is the path under which the program was started (os.Args[0]); it
	// decides how help spells the command, as a kubectl plugin or by itself.
	Name string
	// Version is what the build was stamped with; empty for the module version.
	Version  string
	In       io.Reader
	Out, Err io.Writer
	// Now is the clock: how old a profile is, and on which day an API was asked.
	// Nil for that of the machine. No result of check depends on it.
	Now func() time.Time
	// Getenv reads the environment, nil for that of the process. Probe reads keys
	// of APIs from it, and every command whether colours are wanted.
	Getenv func(string) string
	// Terminal says whether somebody looks at what is written, nil for the answer
	// of the operating system.
	Terminal func(w io.Writer) bool
	// Sleep waits before an API is asked again, nil for [time.Sleep].
	Sleep func(time.Duration)
	// Revisions lists the ToolRevisions of a contract as JSON, and says in which
	// namespace they are; only freeze does. Nil for a program without clusters.
	Revisions func(ctx context.Context, from Cluster, contract string) (namespace string, revisions []json.RawMessage, err error)
	// Snapshot reads what a cluster has. Nil for a program without clusters.
	Snapshot func(ctx context.Context, from Cluster, wanted SnapshotWanted) (*Snapshot, error)

	profiles *provider.Catalog
	out      *bufio.Writer
	style    style
	progress progress
	// declared is given the flags of a command instead of running it.
	declared func(*pflag.FlagSet)
	// namespace is that of manifests that name none; empty for default.
	namespace string
}

// command is one subcommand.
type command struct {
	name, summary, usage string
	run                  func(p *Program, arguments []string) int
}

// helpCommand explains the others.
const helpCommand = "help"

func commands() []command {
	return []command{
		{"check", "judge contracts against every target provider", checkUsage, (*Program).check},
		{"fix", "do what findings say, where that needs no judgement", fixUsage, (*Program).fix},
		{"fmt", "lay out manifests in one way, with the same digest", fmtUsage, (*Program).fmt},
		{"render", "write the bytes that the operator would publish", renderUsage, (*Program).render},
		{"import", "turn tools in the form of an API or of MCP into contracts", importUsage, (*Program).importTools},
		{"export", "give contracts back as the tools of a request or of tools/list", exportUsage, (*Program).export},
		{"diff", "say which version bump a change needs, and why", diffUsage, (*Program).diff},
		{"contains", "prove that one JSON Schema contains another, or show why not", containsUsage, (*Program).contains},
		{"verify-call", "hold the arguments of a call to a contract, as a host does", verifyCallUsage, (*Program).verifyCall},
		{"verify-result", "hold the result of a call to a contract, as a host does", verifyResultUsage, (*Program).verifyResult},
		{"plan", "say what the operator would do with manifests", planUsage, (*Program).plan},
		{"status", "show the contracts and sets of a cluster", statusUsage, (*Program).status},
		{"freeze", "print the revisions of a contract in a cluster, for Git", freezeUsage, (*Program).freeze},
		{"show", "show what a model sees of a tool, for a reviewer", showUsage, (*Program).show},
		{"catalogue", "write static pages about contracts, for people", catalogueUsage, (*Program).catalogue},
		{"lock", "write down versions and digests, for evaluations and agents", lockUsage, (*Program).lock},
		{"verify", "check mounted tools, and hold them against a lock", verifyUsage, (*Program).verify},
		{"profiles", "list the provider profiles, or explain one", profilesUsage, (*Program).listProfiles},
		{"probe", "ask a provider API whether it takes the tools", probeUsage, (*Program).probe},
		{"completion", "print the script that completes commands in a shell", completionUsage, (*Program).completion},
		{"version", "print the version and the provider profiles", versionUsage, (*Program).version},
	}
}

// Run executes the command line without the program name and returns the exit
// code: 0 if there is no error finding, 1 if there is one, 2 for bad usage,
// unreadable input or unwritable output, and of probe 3 if an API could not be
// asked.
func (p Program) Run(arguments []string) int {
	p.profiles = provider.Builtin()
	p.out = bufio.NewWriter(p.Out)
	p.startProgress()
	code := p.dispatch(arguments)
	p.progress.erase()
	if err := p.out.Flush(); err != nil {
		p.complain("writing the output: %v", err)
		return exitUsage
	}
	return code
}

func (p *Program) dispatch(arguments []string) int {
	if len(arguments) == 0 {
		p.complain("%s", p.overview())
		return exitUsage
	}
	name, rest := arguments[0], arguments[1:]
	switch name {
	case helpCommand:
		return p.help(rest)
	case completeCommand:
		return p.complete(rest)
	case "-h", "--help":
		return p.help(nil)
	}
	for _, c := range commands() {
		if c.name == name {
			return c.run(p, rest)
		}
	}
	p.complain("there is no command %q\n\n%s", name, p.overview())
	return exitUsage
}

func (p *Program) help(arguments []string) int {
	if len(arguments) == 0 {
		fmt.Fprintln(p.out, p.overview())
		return exitOK
	}
	for _, c := range commands() {
		if c.name == arguments[0] {
			p.printUsage(c.usage)
			return exitOK
		}
	}
	p.complain("there is no command %q\n\n%s", arguments[0], p.overview())
	return exitUsage
}

// spelling is how the user called the program: kubectl finds kubectl-NAME and
// is told "kubectl NAME".
func (p *Program) spelling() string {
	name := strings.TrimSuffix(filepath.Base(p.Name), ".exe")
	if plugin, ok := strings.CutPrefix(name, "kubectl-"); ok {
		return "kubectl " + strings.ReplaceAll(plugin, "_", "-")
	}
	return "toolcontract"
}

func (p *Program) overview() string {
	var b strings.Builder
	fmt.Fprintf(&b, overviewHead, p.spelling())
	for _, c := range commands() {
		fmt.Fprintf(&b, "  %-13s %s\n", c.name, c.summary)
	}
	fmt.Fprintf(&b, "\nRun %q for the details of one.", p.spelling()+" COMMAND --help")
	return b.String()
}

// flags is the flag set of a subcommand.
func (p *Program) flags(name string) *pflag.FlagSet {
	f := pflag.NewFlagSet(name, pflag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.SortFlags = false
	f.Usage = func() {}
	f.String(colourFlag, colourAuto, "")
	return f
}

// colourFlag is a flag of every command.
const colourFlag = "color"

// parse reads the flags of a subcommand. done is true if the run ends here,
// with the code: help was asked for, or the usage is bad.
func (p *Program) parse(f *pflag.FlagSet, usage string, arguments []string) (code int, done bool) {
	if p.declared != nil {
		p.declared(f)
		return exitOK, true
	}
	err := f.Parse(arguments)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		p.printUsage(usage)
		return exitOK, true
	case err != nil:
		return p.badUsage(f, "%v", err), true
	}
	colour, err := f.GetString(colourFlag)
	if err == nil {
		err = p.setStyle(colour)
	}
	if err != nil {
		return p.badUsage(f, "%v", err), true
	}
	return exitOK, false
}

func (p *Program) badUsage(f *pflag.FlagSet, format string, arguments ...any) int {
	p.complain("%s %s: %s\nRun %q for its usage.", p.spelling(), f.Name(), fmt.Sprintf(format, arguments...),
		p.spelling()+" "+f.Name()+" --help")
	return exitUsage
}

// helpFlag ends the flags of every command; commonFlags stand before it.
const (
	helpFlag    = "  -h, --help        print this text\n"
	commonFlags = "      --color auto|always|never\n" +
		"                    paint text for people (default: auto, which is on a terminal\n" +
		"                    without NO_COLOR and TERM=dumb)\n"
)

func (p *Program) printUsage(usage string) {
	indent := strings.Repeat(" ", 20)
	fmt.Fprint(p.out, strings.NewReplacer(
		helpFlag, commonFlags+helpFlag,
		"{command}", p.spelling(), "{profiles}", wrap(p.profiles.Names(), indent), "{common}", wrap(commonProfiles, indent),
	).Replace(usage))
}

// usageWidth is the most characters of a line of help.
const usageWidth = 86

// wrap lists words over several lines, all but the first after the indent.
func wrap(words []string, indent string) string {
	var b strings.Builder
	column := len(indent)
	for i, word := range words {
		if i < len(words)-1 {
			word += ","
		}
		switch {
		case i == 0:
		case column+1+len(word) > usageWidth:
			b.WriteString("\n" + indent)
			column = len(indent)
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}

// complain writes lines to standard error, with what could drive a terminal escaped,
// behind what was written to standard output: both may be one terminal.
func (p *Program) complain(format string, arguments ...any) {
	p.progress.erase()
	if p.out != nil {
		_ = p.out.Flush() // an error comes again at the end
	}
	for line := range strings.SplitSeq(fmt.Sprintf(format, arguments...), "\n") {
		fmt.Fprintln(p.Err, finding.Printable(line))
	}
}
