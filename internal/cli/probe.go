// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/pflag"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/probe"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/render"
	"github.com/toolcontract/operator/internal/schema"
)

const probeUsage = `Ask a provider API whether it takes the tools of contracts, with a key of your own.
Each tool is sent in a request of its own, the smallest one that makes the API judge
it: the model may leave the tool alone, and answers with hardly any tokens. It costs
what such a request costs.

Usage:
  {command} probe FILE|DIR|-... --profile NAME[:STRICT[:ADAPTATION]] --model MODEL
      [--base-url URL] [--key-env VARIABLE] [--timeout 60s] [--as-written]
      [--profile-dir DIR]

What is sent is what render writes. A contract that the profile refuses is sent as
its author wrote it, so that the answer shows whether the profile is right. When
something is refused, the same model is asked with a tool that nobody refuses: only
if that one is taken is the refusal about the tool.

Standard output gets one line of JSON per tool: what was asked, with the digests of
content, profile and bytes, and what came back, with the strictness that the API
says the tool has. {command} check --evidence compares such lines with the profile.

APIs and their keys: OpenAI Responses and Chat Completions (OPENAI_API_KEY), Azure
OpenAI (AZURE_OPENAI_API_KEY, with --base-url https://NAME.openai.azure.com/openai/v1),
Anthropic Messages (ANTHROPIC_API_KEY), Gemini generateContent (GEMINI_API_KEY or
GOOGLE_API_KEY). An API that is compatible with those of OpenAI needs --base-url, and
--key-env unless it is on this machine. A key is sent to that address and nowhere
else, is never printed, and redirects are not followed.

Flags:
      --profile NAME[:STRICT[:ADAPTATION]]
                    the profile of the API; STRICT is Required, Preferred or
                    Disabled, ADAPTATION is Keep, Narrow, Reshape or Widen. Without
                    them the contract's own target of this profile decides, else
                    Preferred and Narrow. Profiles:
                    {profiles}
      --model MODEL the model to ask
      --base-url URL
                    the address of the API in place of the provider's own
      --key-env VARIABLE
                    the environment variable with the key
      --timeout D   how long one answer may take, and the most that is waited before
                    an API that is busy is asked again (default 60s; waits end
                    after 30s)
      --as-written  send schemas as their authors wrote them, with nothing adapted
      --profile-dir DIR
                    also know the profiles in DIR, as for the command profiles
  -h, --help        print this text

Exit code: 0 every tool was taken; 1 one was refused; 2 bad usage, or an input that
cannot be read; 3 not every tool could be judged.

Examples:
  {command} probe refund.yaml --profile openai-responses --model gpt-5 > evidence.jsonl
  {command} probe config/samples --profile anthropic-messages:Required --model claude-sonnet-5
  {command} check refund.yaml --evidence evidence.jsonl
`

// defaultTimeout is how long one answer may take.
const defaultTimeout = time.Minute

// probeJob is one run of probe.
type probeJob struct {
	p        *Program
	client   *apiClient
	profile  *provider.Profile
	surface  probe.Surface
	address  string
	key      string
	model    string
	written  bool // send everything as written
	code     int
	counts   map[probe.Outcome]int
	controls map[bool]probe.Answer // by strictness: what became of the tool that nobody refuses
	stopped  string                // why nothing more is asked; empty while it is
}

func (p *Program) probe(arguments []string) int {
	f := p.flags("probe")
	profile := f.String("profile", "", "")
	model := f.String("model", "", "")
	base := f.String("base-url", "", "")
	keyEnv := f.String("key-env", "", "")
	timeout := f.Duration("timeout", defaultTimeout, "")
	written := f.Bool("as-written", false, "")
	dir := profileDirFlag(f)
	if code, done := p.parse(f, probeUsage, arguments); done {
		return code
	}
	if code, done := p.loadProfiles(f, *dir); done {
		return code
	}
	switch {
	case *profile == "":
		return p.badUsage(f, "name the profile of the API with --profile")
	case *model == "":
		return p.badUsage(f, "name the model to ask with --model")
	case *timeout <= 0:
		return p.badUsage(f, "--timeout must be more than nothing")
	}
	given, code, done := p.profilesAndInputs(f, []string{*profile})
	if done {
		return code
	}
	job := &probeJob{
		p: p, client: p.newClient(*timeout), model: *model, written: *written,
		counts: map[probe.Outcome]int{}, controls: map[bool]probe.Answer{},
	}
	if code, done := job.target(f, given[0].Profile, *base, *keyEnv); done {
		return code
	}
	readable := p.contracts(f.Args(), given, job.contract)
	p.complain("%s taken, %d refused, %d not judged", plural(job.counts[probe.Taken], "tool"), job.counts[probe.Refused], job.counts[probe.NotAsked])
	if !readable {
		return exitUsage
	}
	return job.code
}

// variableName is what an environment variable with a key is called.
var variableName = regexp.MustCompile(`^[A-Z_][A-Z0-9_]*$`)

// target finds out where and how to ask. done is as of [Program.parse].
func (job *probeJob) target(f *pflag.FlagSet, name, base, keyEnv string) (code int, done bool) {
	p := job.p
	job.profile, _ = p.profiles.Lookup(name) // parseTargets has found it
	var err error
	if job.surface, err = probe.SurfaceOf(job.profile); err != nil {
		return p.badUsage(f, "%v", err), true
	}
	if job.address, err = job.surface.Address(base); err != nil {
		return p.badUsage(f, "%v", err), true
	}
	names := job.surface.Keys
	if keyEnv != "" {
		names = []string{keyEnv}
	}
	if keyEnv != "" && !variableName.MatchString(keyEnv) { // it may be a key: it is not repeated
		return p.badUsage(f, "--key-env takes the name of an environment variable, in capitals, and never a key"), true
	}
	holder := ""
	for _, name := range names {
		if job.key == "" {
			job.key, holder = strings.TrimSpace(p.getenv(name)), name // files that keys are read from end with a line break
		}
	}
	switch {
	case strings.ContainsFunc(job.key, unicode.IsControl): // no header can carry it
		return p.badUsage(f, "the environment variable %s holds a line break or another control character within the key; set it to the key alone", holder), true
	case job.key != "", keyEnv == "" && probe.IsLocal(job.address):
		return exitOK, false
	case len(names) == 0:
		return p.badUsage(f, "name the environment variable with the key for %s with --key-env", job.profile.Title), true
	default:
		return p.badUsage(f, "the environment has no %s, the key for %s", strings.Join(names, " or "), job.profile.Title), true
	}
}

func (p *Program) getenv(name string) string {
	if p.Getenv != nil {
		return p.Getenv(name)
	}
	return os.Getenv(name)
}

// contract asks about one contract and writes its line.
func (job *probeJob) contract(j *judged) {
	if j.invalid() {
		job.notJudged(j, "it is not valid")
		for _, f := range finding.Errors(j.findings) {
			job.p.complain("  line %d: %s", j.line(f), f)
		}
		return
	}
	if j.content.BuiltIn != nil || j.content.MCP != nil {
		job.notJudged(j, "the provider would run a tool of type "+j.content.Type+", or call its server; only tools of the application are asked about")
		return
	}
	t := j.targets[0]
	sent, err := job.send(j, t)
	if err != nil {
		job.notJudged(j, err.Error())
		return
	}
	answer := job.ask(sent)
	job.write(j, t, sent, answer)
}

// notJudged says why there is no line for a contract.
func (job *probeJob) notJudged(j *judged, why string) {
	job.counts[probe.NotAsked]++
	job.raise(exitNotAsked)
	job.p.complain("%s:%d: %s: not asked: %s", j.File, j.Line, j.identity(), why)
}

// raise keeps the worst exit code.
func (job *probeJob) raise(code int) { job.code = max(job.code, code) }

// sentTool is what goes out for a contract.
type sentTool struct {
	form   probe.Form
	bytes  []byte
	strict bool
}

// send decides what goes out: what the operator publishes, or, where that is
// nothing or where it was asked for, what the author wrote.
func (job *probeJob) send(j *judged, t evaluate.Target) (sentTool, error) {
	if t.Compatible() && !job.written {
		return sentTool{probe.Adapted, t.Bytes, t.Given}, nil
	}
	strict := asWrittenStrict(j, t)
	text, err := asWritten(j, t, strict)
	return sentTool{probe.AsWritten, text, strict}, err
}

// asWrittenStrict decides whether the author's schema goes out strict: as asked,
// and where strict mode is only preferred, if the profile takes it so.
func asWrittenStrict(j *judged, t evaluate.Target) bool {
	switch t.Asked() {
	case v1alpha1.StrictRequired:
		return true
	case v1alpha1.StrictDisabled:
		return false
	default:
		available, _ := t.Profile.StrictFor(t.Spec.Models)
		return available && j.content.Type == contract.Function && !finding.HasErrors(t.Profile.CheckSchema(j.content.Input.Schema, provider.Strict))
	}
}

// asWritten renders the contract with nothing adapted. The error says that the
// wire format has no words for what the author wrote.
func asWritten(j *judged, t evaluate.Target, strict bool) ([]byte, error) {
	if j.content.Type != contract.Function {
		return nil, fmt.Errorf("a tool of type %s has no form but the one that the profile gives it, so it cannot be sent as it was written", j.content.Type)
	}
	if t.Profile.WireFormat == openAPIFormat && hasWideType(j.content.Input.Schema.Root()) {
		return nil, errors.New("the OpenAPI spelling has no lists of several types, so the schema cannot be sent as it was written")
	}
	tool := render.Tool{
		Name: j.content.ToolName, Title: j.content.Title, Description: j.content.Description.Text(),
		Input: j.content.Input.Schema.Root(), Strict: strictSpelling(t.Profile, strict),
	}
	if t.Profile.Examples.Field != "" {
		tool.Examples = j.content.Input.Examples
	}
	return render.Render(t.Profile.WireFormat, tool)
}

// openAPIFormat spells a type and null as nullable, and no other list of types.
const openAPIFormat = "gemini-function-declaration-openapi"

// hasWideType reports whether a list of several types other than null stands
// anywhere in a schema.
func hasWideType(n *schema.Value) bool {
	names := slices.DeleteFunc(schema.Types(n), func(name string) bool { return name == "null" })
	return len(names) > 1 || slices.ContainsFunc(schema.Children(n), func(c schema.Child) bool { return hasWideType(c.Value) })
}

func strictSpelling(p *provider.Profile, strict bool) render.Strict {
	switch {
	case p.Strict.Place != provider.PerTool:
		return render.StrictOmitted
	case strict:
		return render.StrictTrue
	case p.Strict.NonStrict == provider.EmitFalse:
		return render.StrictFalse
	default:
		return render.StrictOmitted
	}
}

// ask sends a tool. A refusal counts only if the same model takes a tool that
// nobody refuses; else it is about the model, the key or the request.
func (job *probeJob) ask(sent sentTool) probe.Answer {
	answer := job.request(sent.bytes, sent.strict)
	if answer.Outcome != probe.Refused {
		return answer
	}
	control, asked := job.controls[sent.strict]
	if !asked {
		if tool := job.control(sent.strict); tool != nil {
			control = job.request(tool, sent.strict)
		} else { // the profile itself has no such tool: the refusal stands
			control = probe.Answer{Outcome: probe.Taken}
		}
		job.controls[sent.strict] = control
	}
	if control.Outcome != probe.Taken {
		answer.Outcome = probe.NotAsked
		answer.Error = probe.Scrub(fmt.Sprintf("a tool that nobody refuses is not taken either (%s), so this is not about the tool: %s", control.Error, answer.Error), job.key)
	}
	return answer
}

// request sends one tool, unless an earlier answer made that senseless.
func (job *probeJob) request(tool []byte, strict bool) probe.Answer {
	if job.stopped != "" {
		return probe.Answer{Outcome: probe.NotAsked, Error: job.stopped}
	}
	r, err := job.surface.Request(probe.Ask{
		Address: job.address, Key: job.key, Model: job.model, Tool: tool,
		Strict: strict && job.profile.Strict.Place == provider.PerRequest,
	})
	if err != nil {
		return probe.Answer{Outcome: probe.NotAsked, Error: err.Error()}
	}
	answer, hopeless := job.client.send(r, job.surface, job.key)
	if hopeless {
		job.stopped = "an earlier request failed in a way that the next one would, too: " + answer.Error
	}
	return answer
}

// controlSchema is a schema that every API takes, strict or not.
const controlSchema = `{"type":"object","properties":{"text":{"type":"string"}},"required":["text"],"additionalProperties":false}`

// control renders the tool that nobody refuses; nil if the profile does.
func (job *probeJob) control(strict bool) []byte {
	root, failed := schema.Parse([]byte(controlSchema))
	if failed != nil { // it is a constant
		return nil
	}
	admitted, _ := schema.Admit(root)
	content := controlContent(admitted)
	policy := v1alpha1.StrictDisabled
	if strict {
		policy = v1alpha1.StrictRequired
	}
	return evaluate.Targets("echo", content, []v1alpha1.Target{{Profile: job.profile.Name, Strict: policy}}, job.p.profiles)[0].Bytes
}

// write writes the line of a contract at once: what was paid for is not lost
// when the run ends early.
func (job *probeJob) write(j *judged, t evaluate.Target, sent sentTool, answer probe.Answer) {
	p := job.p
	adaptation := t.Spec.Adaptation
	if adaptation == "" {
		adaptation = v1alpha1.EffectNarrow
	}
	line, err := probe.Evidence{
		Date: p.today().Format(time.DateOnly), Provider: job.profile.Provider, API: job.profile.API, Model: job.model, AnsweredBy: answer.Model,
		Profile: job.profile.Name, ProfileRevision: job.profile.Revision, ProfileDigest: job.profile.Digest(),
		Namespace: j.Namespace, Contract: j.Name, Version: j.content.Version.String(), ToolName: j.content.ToolName, ContentDigest: j.content.Digest(),
		Form: sent.form, Strict: string(t.Asked()), Adaptation: string(adaptation),
		Renderer: render.Version(job.profile.WireFormat), RenderingDigest: schema.DigestBytes(sent.bytes),
		StrictSent: sent.strict, StrictReturned: answer.Strict,
		Outcome: answer.Outcome, Status: answer.Status, ErrorCode: answer.Code, ErrorParam: answer.Param, Error: answer.Error,
	}.Line()
	if err != nil {
		job.notJudged(j, err.Error())
		return
	}
	_, _ = p.out.Write(line) // an error stays in the writer and is reported when it is flushed
	_ = p.out.Flush()
	job.counts[answer.Outcome]++
	switch answer.Outcome {
	case probe.Taken:
	case probe.Refused:
		job.raise(exitFindings)
		p.complain("%s:%d: %s: %s refuses it: %s", j.File, j.Line, j.identity(), job.model, answer.Error)
	case probe.NotAsked:
		job.raise(exitNotAsked)
		p.complain("%s:%d: %s: not judged: %s", j.File, j.Line, j.identity(), answer.Error)
	}
}
