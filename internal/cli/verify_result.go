// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/envelope"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/pkg/host"
)

const verifyResultUsage = `Hold the result of a call to a contract. The code is that of pkg/host, so the answer is
that of a host.

Usage:
  {command} verify-result CONTRACT RESULT [--arguments FILE] [--tool NAME] [-o text|json]

CONTRACT is a manifest of one ToolContract, a folder that the operator published or
{command} render wrote, its contract.json, or with --tool the folder of a set. RESULT is
a file with either

  an envelope   what a model gets: an object with schema_version. It is held to
                result.schema.json and to what no schema can say: that it is not older
                than the contract allows, repeats the arguments that are bound to it,
                and is complete only without a further page
  bare data     what the tool answered to a call that succeeded. The envelope is made
                of it, as if the data had been observed now, and shown

One of all files may be - for standard input.

Flags:
      --arguments FILE
                    the arguments of the call, in the form of the contract: fields of the
                    result that are bound to them are compared
      --tool NAME   the tool of a set
  -o, --output text|json
                    text is for people (default); json has one object
  -h, --help        print this text

Exit code: 0 the result is valid; 1 it is not, or CONTRACT is not; 2 bad usage, or an
input that cannot be read.

Examples:
  {command} verify-result config/samples/get-order-status.yaml answer.json
  {command} verify-result rendered/default/get-order-status envelope.json --arguments args.json
`

// maxResult is the most bytes of a result that the command reads: more than any
// contract allows.
const maxResult = 17 << 20

func (p *Program) verifyResult(arguments []string) int {
	f := p.flags("verify-result")
	callFile := f.String("arguments", "", "")
	toolName := f.String("tool", "", "")
	output := f.StringP("output", "o", "text", "")
	if code, done := p.parse(f, verifyResultUsage, arguments); done {
		return code
	}
	switch {
	case *output != "text" && *output != "json":
		return p.badUsage(f, "there is no output format %q; write text or json", *output)
	case f.NArg() != 2:
		return p.badUsage(f, "name the contract and the file with the result")
	}
	if wrong := checkInputs(append(slices.Clone(f.Args()), *callFile)); wrong != "" {
		return p.badUsage(f, "%s", wrong)
	}
	tool, code := p.tool(f.Arg(0), "", *toolName)
	if tool == nil {
		return code
	}
	result, err := p.readFile(f.Arg(1), maxResult)
	if err != nil {
		p.complain("%v", err)
		return exitUsage
	}
	var call []byte
	if *callFile != "" {
		if call, err = p.readFile(*callFile, host.MaxCall); err != nil {
			p.complain("%v", err)
			return exitUsage
		}
	}
	v := verification{Contract: tool.Contract(), Version: tool.Version(), ToolName: tool.Name()}
	if isEnvelope(result) {
		err = tool.ValidateEnvelope(call, result, p.now())
	} else {
		answer := host.Answer{Data: result, Provenance: host.Provenance{ProducerRevision: producer(tool), ObservedAt: p.now()}}
		v.Envelope, err = tool.Succeed(call, answer, p.now())
	}
	return p.verified(tool, &v, err, *output)
}

// isEnvelope reports whether a result is meant as an envelope: data of a tool has
// no schema_version of this kind.
func isEnvelope(result []byte) bool {
	v, failed := schema.ParseWithin(result, maxResult, host.MaxCallDepth+1)
	if failed != nil || v.Kind() != schema.Object {
		return false
	}
	family, _, _ := strings.Cut(envelope.Version, "-v")
	return strings.HasPrefix(v.Get("schema_version").Text(), family)
}

// producer names who made data that comes without its producer; empty where the
// contract names it.
func producer(tool *host.Tool) string {
	if tool.Producer() != "" {
		return ""
	}
	return "verify-result"
}
