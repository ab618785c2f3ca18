// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/pkg/host"
)

const verifyCallUsage = `Hold the arguments of a call to a contract. The code is that of pkg/host, so the
answer is that of a host.

Usage:
  {command} verify-call CONTRACT ARGS [--profile NAME] [--text] [--session FILE]
      [--tool NAME] [-o text|json] [--profile-dir DIR]

CONTRACT is a manifest of one ToolContract, a folder that the operator published or
{command} render wrote, its contract.json, or with --tool the folder of a set. ARGS is
a file. One of all files may be - for standard input.

Flags:
      --profile NAME
                    ARGS are as a model wrote them for this profile, and are decoded
                    first. Without it they are in the form of the contract
      --text        ARGS are the text that a model wrote for a tool of type FreeForm
      --session FILE
                    a JSON object with the values of a session by their sources, as
                    {"session.tenant": "t-1"}: also inject the session parameters
      --tool NAME   the tool of a set
  -o, --output text|json
                    text is for people (default); json has one object, with the
                    envelope that a model would get for a call that is refused
      --profile-dir DIR
                    also know the profiles in DIR, as for the command profiles
  -h, --help        print this text

Exit code: 0 the call is valid; 1 it is not, or CONTRACT is not; 2 bad usage, or an
input that cannot be read.

Examples:
  {command} verify-call config/samples/get-order-status.yaml args.json
  {command} verify-call rendered/default/create-refund-draft call.json \
      --profile openai-responses --session session.json -o json
`

// verification is the JSON output of verify-call and verify-result. Members are
// only added to it.
type verification struct {
	Contract string `json:"contract"`
	Version  string `json:"version"`
	ToolName string `json:"toolName"`
	Valid    bool   `json:"valid"`
	// Arguments are those of the contract, HandlerArguments what the tool gets.
	Arguments        json.RawMessage `json:"arguments,omitempty"`
	HandlerArguments json.RawMessage `json:"handlerArguments,omitempty"`
	// Code and Problems say what is wrong.
	Code     string                `json:"code,omitempty"`
	Problems []verificationProblem `json:"problems,omitempty"`
	// Envelope is what a model gets.
	Envelope json.RawMessage `json:"envelope,omitempty"`
}

type verificationProblem struct {
	Pointer string `json:"pointer"`
	Message string `json:"message"`
}

func (p *Program) verifyCall(arguments []string) int {
	f := p.flags("verify-call")
	profile := f.String("profile", "", "")
	text := f.Bool("text", false, "")
	session := f.String("session", "", "")
	toolName := f.String("tool", "", "")
	output := f.StringP("output", "o", "text", "")
	dir := profileDirFlag(f)
	if code, done := p.parse(f, verifyCallUsage, arguments); done {
		return code
	}
	if code, done := p.loadProfiles(f, *dir); done {
		return code
	}
	switch {
	case *output != "text" && *output != "json":
		return p.badUsage(f, "there is no output format %q; write text or json", *output)
	case f.NArg() != 2:
		return p.badUsage(f, "name the contract and the file with the arguments")
	case *text && *profile == "":
		return p.badUsage(f, "--text needs --profile: only the tools of an API are called with a text")
	}
	if wrong := checkInputs(append(slices.Clone(f.Args()), *session)); wrong != "" {
		return p.badUsage(f, "%s", wrong)
	}
	tool, code := p.tool(f.Arg(0), *profile, *toolName)
	if tool == nil {
		return code
	}
	written, err := p.readFile(f.Arg(1), host.MaxCall)
	if err != nil {
		p.complain("%v", err)
		return exitUsage
	}
	values, err := p.session(*session)
	if err != nil {
		p.complain("%v", err)
		return exitUsage
	}
	v := verification{Contract: tool.Contract(), Version: tool.Version(), ToolName: tool.Name()}
	err = v.call(tool, *profile, *text, written, values)
	return p.verified(tool, &v, err, *output)
}

// call goes through the steps of a host.
func (v *verification) call(tool *host.Tool, profile string, text bool, written []byte, session map[string]any) (err error) {
	call := written
	switch {
	case text:
		call, err = tool.DecodeText(profile, written)
	case profile != "":
		call, err = tool.Decode(profile, written)
	}
	if err != nil {
		return err
	}
	if err := tool.ValidateCall(call); err != nil {
		return err
	}
	v.Arguments = call
	if session != nil {
		v.HandlerArguments, err = tool.Inject(call, session)
	}
	return err
}

// verified says what came out, and with which code the run ends.
func (p *Program) verified(tool *host.Tool, v *verification, fault error, output string) int {
	var invalid *host.InvalidError
	var session *host.SessionError
	switch {
	case fault == nil:
		v.Valid = true
	case errors.As(fault, &invalid):
		v.Code = invalid.Code
		for _, problem := range invalid.Problems {
			v.Problems = append(v.Problems, verificationProblem{problem.Pointer, finding.Clip(finding.Printable(problem.Message), 400)})
		}
	case errors.As(fault, &session):
		v.Code = host.CodeSessionRequired
		v.Problems = []verificationProblem{{"", session.Error()}}
	default: // no fault of the call: of the command line
		p.complain("%v", fault)
		return exitUsage
	}
	if fault != nil && tool.HostRuns() {
		refused, err := tool.Refuse(fault)
		if err != nil {
			p.complain("%v", err)
			return exitUsage
		}
		v.Envelope = refused
	}
	if output == "json" {
		p.writeJSON(v)
	} else {
		p.writeVerification(v, fault)
	}
	if fault != nil {
		return exitFindings
	}
	return exitOK
}

func (p *Program) writeVerification(v *verification, fault error) {
	r := textReporter{w: p.out}
	word := "valid"
	if !v.Valid {
		word = "not valid"
	}
	r.printf("%s %s (%s): %s", v.Contract, v.Version, v.ToolName, word)
	if fault != nil {
		r.printf("  %v", fault)
	}
	for _, part := range []struct {
		name string
		text json.RawMessage
	}{{"arguments", v.Arguments}, {"the tool gets", v.HandlerArguments}, {"the model gets", v.Envelope}} {
		if part.text != nil {
			r.printf("  %s: %s", part.name, compact(part.text))
		}
	}
}

// session reads the values of a session; nil without a file.
func (p *Program) session(path string) (map[string]any, error) {
	if path == "" {
		return nil, nil //nolint:nilnil // a call can be verified without a session
	}
	text, err := p.readFile(path, host.MaxCall)
	if err != nil {
		return nil, err
	}
	values := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &values); err != nil {
		return nil, readingError(path, "it is no JSON object with the values of a session by their sources")
	}
	out := map[string]any{}
	for source, value := range values {
		out[source] = value
	}
	return out, nil
}

func readingError(path, message string) error {
	return errors.New(fileName(path) + ": " + message)
}
