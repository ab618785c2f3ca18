// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/pflag"

	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/dialect"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/manifest"
	"github.com/toolcontract/operator/internal/schema"
)

const containsUsage = `Decide whether every instance that one JSON Schema accepts is accepted by another: with
a proof, or with an instance that the first accepts and the second refuses.

Usage:
  {command} contains A.json B.json [-o text|json] [--dialect DIALECT]
  {command} contains --pairs FILE|- [--dialect DIALECT]

One of the two files may be - for standard input. The answer is Proven, Refuted or
Unknown; the same pair has the same answer on every machine. Schemas of draft-04,
draft-06, draft-07 and 2019-09 are converted to 2020-12 exactly, or refused with the
reason; pointers lead into the converted schema.

With --pairs the input is JSON Lines: one {"id","a","b","dialect"?} per line, with
schemas in a and b. The output is one line for each in the same order:
{"id","answer","witness"?,"pointer"?,"reason"?,"micros"}. A line that cannot be judged,
because it is no such object or a schema in it is none, is answered with Unknown, the
reason and "error":true, and the next ones follow. Empty lines are passed over. Pairs are
judged on all cores, in bounded memory.

Flags:
      --pairs FILE|-
                    judge the pairs in FILE
      --dialect DIALECT
                    the dialect of schemas whose line names none: draft-04, draft-06,
                    draft-07, 2019-09, 2020-12. Without it the $schema of each decides,
                    and without that it is 2020-12
  -o, --output text|json
                    text is for people (default); json has one object
  -h, --help        print this text

Exit code: 0 Proven; 1 Refuted or Unknown; 2 bad usage, or a schema that cannot be read.
With --pairs: 0 every line was judged, whatever the answer; 1 some lines have an error;
2 bad usage, or an input that cannot be read.

Examples:
  {command} contains old.json new.json
  {command} contains old.json new.json -o json | jq .witness
  {command} contains --pairs pairs.jsonl --dialect draft-07 > answers.jsonl
`

func (p *Program) contains(arguments []string) int {
	f := p.flags("contains")
	pairs := f.String("pairs", "", "")
	spoken := f.String("dialect", "", "")
	output := f.StringP("output", "o", "text", "")
	if code, done := p.parse(f, containsUsage, arguments); done {
		return code
	}
	switch {
	case *spoken != "" && !dialect.Known(*spoken):
		return p.badUsage(f, "there is no dialect %s; write %s", finding.Quote(*spoken), strings.Join(dialect.Names(), ", "))
	case *output != "text" && *output != "json":
		return p.badUsage(f, "there is no output format %q; write text or json", *output)
	case f.Changed("pairs") && f.NArg() > 0:
		return p.badUsage(f, "--pairs takes the schemas from its file; name no others")
	case f.Changed("pairs") && f.Changed("output") && *output != "json":
		return p.badUsage(f, "--pairs writes JSON Lines only")
	case f.Changed("pairs"):
		return p.containsPairs(*pairs, *spoken)
	}
	return p.containsFiles(f, *spoken, *output == "json")
}

// containsFiles judges the schemas of two files.
func (p *Program) containsFiles(f *pflag.FlagSet, spoken string, asJSON bool) int {
	if f.NArg() != 2 {
		return p.badUsage(f, "name the files of two schemas, or --pairs FILE")
	}
	if wrong := checkInputs(f.Args()); wrong != "" {
		return p.badUsage(f, "%s", wrong)
	}
	var schemas [2]*schema.Schema
	for i, name := range f.Args() {
		source, err := p.open("schema", name)
		if err != nil {
			p.complain("%v", err)
			return exitUsage
		}
		admitted, failed := readSchema(source.Data, spoken)
		if failed != nil {
			p.complain("%s: %s", fileName(name), failed)
			return exitUsage
		}
		schemas[i] = admitted
	}
	result := contain.Contains(schemas[0], schemas[1])
	if asJSON {
		p.writeJSON(answerOf(result))
	} else {
		p.writeAnswer(result, fileName(f.Arg(0)), fileName(f.Arg(1)))
	}
	if result.Answer != contain.Proven {
		return exitFindings
	}
	return exitOK
}

// fileName is how messages name an input.
func fileName(argument string) string {
	if argument == manifest.Stdin {
		return "standard input"
	}
	return argument
}

// readSchema reads a schema that stands by itself, in its dialect. The finding
// says why it cannot be judged.
func readSchema(text []byte, spoken string) (*schema.Schema, *finding.Finding) {
	if compact := jsontext.Value(text).Clone(); len(text) > schema.MaxText && compact.Compact() == nil {
		text = compact // white space does not count
	}
	root, failed := schema.Parse(text)
	if failed != nil {
		return nil, failed
	}
	if !root.IsSchema() {
		return nil, &finding.Finding{
			Rule: schema.RuleInvalidSchema, Severity: finding.Error,
			Message: "it is no JSON Schema, which is an object or a boolean", Fix: "write an object",
		}
	}
	root, findings := dialect.Convert(root, spoken)
	if root == nil {
		return nil, &findings[0]
	}
	admitted, findings := schema.Admit(root)
	if admitted == nil {
		return nil, &finding.Errors(findings)[0]
	}
	if _, invalid := admitted.Compile(); len(invalid) > 0 {
		return nil, &invalid[0]
	}
	return admitted, nil
}

// containment is the JSON output about a pair. Members are only added to it.
type containment struct {
	Answer string `json:"answer"`
	// Witness is an instance that the first schema accepts and the second refuses.
	// It is left out if the smallest one found is longer than people read.
	Witness json.RawMessage `json:"witness,omitempty"`
	// Pointer leads to the place in the second schema that the answer is about; in
	// the first if only that has it. It is there unless the answer is Proven.
	Pointer *string `json:"pointer,omitempty"`
	Reason  string  `json:"reason,omitempty"`
}

func answerOf(r contain.Result) containment {
	a := containment{Answer: r.Answer.String(), Reason: r.Reason}
	if r.Answer != contain.Proven {
		a.Pointer = &r.Pointer
	}
	if r.Witness != nil {
		a.Witness = json.RawMessage(r.Witness.JSON())
	}
	return a
}

// writeAnswer writes for people.
func (p *Program) writeAnswer(r contain.Result, a, b string) {
	line := func(format string, arguments ...any) {
		fmt.Fprintln(p.out, finding.Printable(fmt.Sprintf(format, arguments...)))
	}
	if r.Answer == contain.Proven {
		line("Proven: every instance that %s accepts is accepted by %s", a, b)
		return
	}
	line("%s at %s: %s", r.Answer, finding.Finding{Pointer: r.Pointer}.Place(), r.Reason)
	switch {
	case r.Witness != nil && r.Answer == contain.Refuted:
		line("%s accepts and %s refuses: %s", a, b, r.Witness.JSON())
	case r.Answer == contain.Unknown:
		line("It is neither proved nor refuted that every instance that %s accepts is accepted by %s", a, b)
	}
}
