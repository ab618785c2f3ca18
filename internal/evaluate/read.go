// SPDX-License-Identifier: Apache-2.0

package evaluate

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/envelope"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// maxContent is the most bytes that the content of a contract may have as JSON.
// A client-side kubectl apply copies the object, escaped, into an annotation,
// and all annotations together hold 262,144 bytes; the rest is for targets,
// acknowledgements and what others annotate.
const maxContent = 160 << 10

// Rules about the contract itself.
const (
	RuleSpecTooLarge   = "spec-too-large"
	RuleVersion        = "version-syntax"
	RuleSchemaMissing  = "schema-missing"
	RuleSchemaTwice    = "schema-twice"
	RuleExampleInvalid = "example-invalid"
	RuleKeyParameter   = "key-parameter-unknown"
	RuleDuplicateError = "duplicate-error-code"
	RuleSummaryBlank   = "summary-blank"
	// RuleSessionExposed: the model could fill in what the host injects.
	RuleSessionExposed = "session-parameter-exposed"
	// RuleDuplicateSession: two session parameters have one name.
	RuleDuplicateSession = "duplicate-session-parameter"
	// RuleWriterNothing: no call has only declared members.
	RuleWriterNothing = "writer-admits-nothing"
	RuleReaderNothing = "reader-without-schema"
)

// Read parses the content of a contract. With an error among the findings the
// content is nil: nothing downstream could be trusted.
func Read(api *v1alpha1.ToolContent) (*contract.Content, []finding.Finding) {
	r := reader{content: &contract.Content{
		Type:     cmp.Or(string(api.Type), contract.Function),
		ToolName: api.ToolName,
		Title:    api.Title,
		Description: contract.Description{
			Summary: api.Description.Summary, UseWhen: api.Description.UseWhen,
			DoNotUseWhen: api.Description.DoNotUseWhen, Returns: api.Description.Returns,
			SideEffects: api.Description.SideEffects, Failures: api.Description.Failures,
		},
		Execution: execution(api.Execution),
	}}
	r.size(api)
	r.version(api.Version)
	if strings.TrimSpace(api.Description.Summary) == "" {
		r.fail(RuleSummaryBlank, "/spec/description/summary", "the summary is blank, so a model would choose the tool by its name alone",
			"say in a sentence what the tool does")
	}
	r.types(api)
	r.names(api)
	if api.Output != nil {
		r.output(*api.Output)
	}
	if !finding.HasErrors(r.findings) {
		r.examples(api.Input.Examples)
		r.keyParameter()
		r.exposed()
		r.writer()
		r.places()
	}
	if !finding.HasErrors(r.findings) {
		_, unmerged := r.content.Input.HandlerSchema()
		r.findings = append(r.findings, unmerged...)
	}
	findings := finding.Sort(r.findings)
	if finding.HasErrors(findings) {
		return nil, findings
	}
	return r.content, findings
}

type reader struct {
	content  *contract.Content
	findings []finding.Finding
}

func (r *reader) fail(rule, pointer, message, fix string) {
	r.findings = append(r.findings, finding.Finding{
		Rule: rule, Severity: finding.Error, Side: finding.Contract, Pointer: pointer, Message: message, Fix: fix,
	})
}

func (r *reader) size(api *v1alpha1.ToolContent) {
	text, err := json.Marshal(api)
	if err != nil || len(text) <= maxContent {
		return // what cannot be marshalled is reported where it is read
	}
	r.fail(RuleSpecTooLarge, "/spec",
		fmt.Sprintf("the content has %d bytes as JSON, more than the limit of %d", len(text), maxContent),
		"shorten descriptions, enums and examples, or split the tool")
}

func (r *reader) version(text string) {
	v, err := contract.ParseVersion(text)
	if err != nil {
		r.fail(RuleVersion, "/spec/version", finding.Clip(err.Error(), 200), "write three numbers of at most nine digits and optionally a pre-release, such as 1.2.0 or 2.0.0-rc.1; no build metadata")
		return
	}
	r.content.Version = v
}

func (r *reader) input(in v1alpha1.Input) {
	if in.Schema == nil && in.SchemaText == "" {
		r.fail(RuleSchemaMissing, "/spec/input", "there is no input schema",
			`set input.schema, for a tool without arguments to {type: object, additionalProperties: false}`)
		return
	}
	r.content.Input.Schema = r.schema(finding.Input, "/spec/input", in.Schema, in.SchemaText)
	if in.Writer != v1alpha1.WriterAsDeclared { // absence stands for it
		r.content.Input.Writer = string(in.Writer)
	}
	seen := map[string]bool{}
	for i, p := range in.SessionParameters {
		at := finding.Pointer("/spec/input/sessionParameters", strconv.Itoa(i))
		if seen[p.Name] {
			r.fail(RuleDuplicateSession, at+"/name",
				fmt.Sprintf("the session parameter %s is declared twice", finding.Quote(p.Name)), "give each session parameter its own name")
		}
		seen[p.Name] = true
		r.content.Input.SessionParameters = append(r.content.Input.SessionParameters, contract.SessionParameter{
			Name: p.Name, Source: p.Source, Optional: p.Optional, Schema: r.sessionSchema(at, p),
		})
	}
}

// sessionSchema reads the schema of a session parameter. The pointers of its
// findings lead into the manifest: no side has it.
func (r *reader) sessionSchema(at string, p v1alpha1.SessionParameter) *schema.Schema {
	if p.Schema == nil && p.SchemaText == "" {
		r.fail(RuleSchemaMissing, at, fmt.Sprintf("the session parameter %s has no schema", finding.Quote(p.Name)), "set schema, for any text to {type: string}")
		return nil
	}
	before := len(r.findings)
	admitted := r.schema(finding.Contract, at, p.Schema, p.SchemaText)
	form := "schema"
	if p.Schema == nil {
		form = "schemaText"
	}
	for i := range r.findings[before:] {
		if f := &r.findings[before+i]; f.Rule != RuleSchemaTwice {
			f.Pointer = finding.Pointer(at, form) + f.Pointer
			f.Patch = nil // it is for the schema alone
		}
	}
	return admitted
}

func (r *reader) output(out v1alpha1.Output) {
	if out.Schema != nil || out.SchemaText != "" {
		r.content.Output.Schema = r.schema(finding.Output, "/spec/output", out.Schema, out.SchemaText)
	}
	if out.Reader != v1alpha1.ReaderAsDeclared {
		r.content.Output.Reader = string(out.Reader)
	}
	if r.content.Output.Reader != "" && out.Schema == nil && out.SchemaText == "" {
		r.fail(RuleReaderNothing, "/spec/output/reader", "there is no output schema, so no member of the answer is declared and none can be told from the others",
			"set output.schema, or remove reader")
	}
	if r.content.Output.Reader != "" && !envelope.HostRuns(r.content) {
		r.fail(RuleHostNeeded, "/spec/output/reader", "the provider gets the answer by itself, so no host can leave out undeclared members",
			"remove reader, or use a type whose calls the application gets")
	}
	seen := map[string]bool{}
	for i, e := range out.Errors {
		if seen[e.Code] {
			r.fail(RuleDuplicateError, finding.Pointer("/spec/output/errors", strconv.Itoa(i), "code"),
				fmt.Sprintf("the error code %s is declared twice", finding.Quote(e.Code)), "give each failure its own code")
		}
		seen[e.Code] = true
		r.content.Output.Errors = append(r.content.Output.Errors, contract.OutputError{
			Code: e.Code, Category: string(e.Category), Recovery: string(e.Recovery), SafeMessage: e.SafeMessage, RetryAfterMs: e.RetryAfterMs,
		})
		r.declaredError(finding.Pointer("/spec/output/errors", strconv.Itoa(i)), e)
	}
	r.promises(out)
}

// schema reads one embedded schema in either form and judges it on its own.
func (r *reader) schema(side finding.Side, at string, object *v1alpha1.JSONObject, text string) *schema.Schema {
	root, failed := embedded(object, text)
	if object != nil && text != "" {
		r.fail(RuleSchemaTwice, at, "both schema and schemaText are set", "keep one of them")
		return nil
	}
	if failed != nil {
		r.findings = append(r.findings, finding.On(side, []finding.Finding{*failed})...)
		return nil
	}
	admitted, findings := schema.Admit(root)
	r.findings = append(r.findings, finding.On(side, findings)...)
	if admitted == nil {
		return nil
	}
	if object != nil {
		r.findings = append(r.findings, finding.On(side, admitted.CheckYAMLNames())...)
	}
	_, invalid := admitted.Compile()
	r.findings = append(r.findings, finding.On(side, invalid)...)
	return admitted
}

func embedded(object *v1alpha1.JSONObject, text string) (*schema.Value, *finding.Finding) {
	if object != nil {
		return schema.FromObject(object.Raw)
	}
	return schema.Parse([]byte(text))
}

// examples reads the examples and validates them against the input schema.
func (r *reader) examples(examples []v1alpha1.Example) {
	for i, e := range examples {
		at := finding.Pointer("/spec/input/examples", strconv.Itoa(i), "value")
		if e.Value == nil {
			at += "Text"
		}
		value, failed := embedded(e.Value, e.ValueText)
		if failed != nil {
			failed.Pointer = at + failed.Pointer
			failed.Side = finding.Contract
			r.findings = append(r.findings, *failed)
			continue
		}
		r.content.Input.Examples = append(r.content.Input.Examples, value)
		r.example(at, value)
	}
}

func (r *reader) example(at string, value *schema.Value) {
	validator, invalid := r.content.Input.Schema.Compile()
	if len(invalid) > 0 {
		return // already reported with the schema
	}
	for _, f := range validator.Validate(value) {
		r.fail(RuleExampleInvalid, at+f.Pointer, "the example is not valid: "+f.Message, "correct the example or the schema")
	}
}

// keyParameter checks that the idempotency key is something the model can send.
func (r *reader) keyParameter() {
	key := r.content.Execution.IdempotencyKey
	if key == "" {
		return
	}
	if r.content.Input.Schema == nil {
		r.fail(RuleKeyParameter, "/spec/execution/idempotency/keyParameter", "the tool takes no arguments from the model, so none can be the key",
			"use the mode Idempotent or None")
		return
	}
	if _, declared := r.content.Input.Schema.Node(finding.Pointer("/properties", key)); !declared {
		r.fail(RuleKeyParameter, "/spec/execution/idempotency/keyParameter",
			fmt.Sprintf("the input schema declares no property %s", finding.Quote(key)), "name a property of the input schema")
	}
}

// exposed finds session parameters that the model could fill in, or that its
// side of the contract gives away by name.
func (r *reader) exposed() {
	for i, p := range r.content.Input.SessionParameters {
		fail := func(pointer, message string) {
			r.findings = append(r.findings, finding.Finding{
				Rule: RuleSessionExposed, Severity: finding.Error, Side: finding.Contract,
				Pointer: finding.Pointer("/spec/input/sessionParameters", strconv.Itoa(i), "name"),
				Message: fmt.Sprintf("%s is injected by the host, and %s at %s", finding.Quote(p.Name), message, pointer),
				Fix:     "remove it there if the host knows the value, or remove the session parameter if the model has to write it",
			})
		}
		if pointer, how := mentions(r.content.Input.Schema, p.Name); how != "" {
			fail("input schema "+pointer, how)
		}
		for k, example := range r.content.Input.Examples {
			if example.Has(p.Name) {
				fail(finding.Pointer("/spec/input/examples", strconv.Itoa(k)), "an example shows it to the model")
			}
		}
	}
}

// mentions says where and how a schema names a member of the arguments
// themselves, in any schema that applies to them; how is empty if none does.
func mentions(s *schema.Schema, name string) (pointer, how string) {
	seen := map[int]bool{0: true}
	for queue := []int{0}; len(queue) > 0; queue = queue[1:] {
		n := s.Nodes()[queue[0]]
		v := n.Value
		switch keyword := naming(s, v, name); keyword {
		case "":
		case "properties", "patternProperties", "dependentSchemas":
			return finding.Pointer(n.Pointer, keyword), "the model may write it"
		case "required", "dependentRequired":
			return finding.Pointer(n.Pointer, keyword), "the model must write it"
		default:
			return finding.Pointer(n.Pointer, keyword), "the model sees it"
		}
		for _, next := range s.AppliesInPlace(queue[0]) {
			if !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return "", ""
}

// naming returns the keyword with which a node names a member, empty if none
// does.
func naming(s *schema.Schema, v *schema.Value, name string) string {
	for _, m := range v.Members() {
		named := false
		switch m.Name {
		case "properties", "dependentSchemas":
			named = m.Value.Has(name)
		case "patternProperties":
			named = slices.ContainsFunc(m.Value.Members(), func(p schema.Member) bool {
				matched, err := s.Pattern(p.Name).Match(name)
				return matched || err != nil
			})
		case "required":
			named = slices.Contains(m.Value.Strings(), name)
		case "dependentRequired":
			named = m.Value.Has(name) || slices.ContainsFunc(m.Value.Members(), func(d schema.Member) bool {
				return slices.Contains(d.Value.Strings(), name)
			})
		case "const", "default":
			named = m.Value.Has(name)
		case "enum", "examples":
			named = slices.ContainsFunc(m.Value.Items(), func(v *schema.Value) bool { return v.Has(name) })
		}
		if named {
			return m.Name
		}
	}
	return ""
}

// writer refuses a promise that no call can keep.
func (r *reader) writer() {
	if r.content.Input.Writer == "" {
		return
	}
	if contain.Proves(r.content.Input.Schema.Closed(), noObject()) && !contain.Proves(r.content.Input.Schema, noObject()) {
		r.fail(RuleWriterNothing, "/spec/input/writer",
			"no call is left when undeclared members are rejected: the schema requires what it does not declare",
			"declare below properties what required names, or leave writer out")
	}
}

// noObject is the schema of what is no call.
var noObject = sync.OnceValue(func() *schema.Schema {
	types := make([]*schema.Value, 0, schema.Object)
	for k := range schema.Object {
		types = append(types, schema.NewString(k.String()))
	}
	s, _ := schema.Admit(schema.NewObject(schema.Member{Name: "type", Value: schema.NewArray(types...)}))
	return s
})

func execution(e *v1alpha1.Execution) contract.Execution {
	if e == nil {
		return contract.Execution{}
	}
	out := contract.Execution{
		Location: string(e.Location), Credentials: e.Credentials, Authorization: e.Authorization,
		SideEffect: string(e.SideEffect), Reach: string(e.Reach), Risk: string(e.Risk),
		TimeoutSeconds: e.TimeoutSeconds, Approval: string(e.Approval), DataClassification: string(e.DataClassification),
	}
	if e.Retry != nil {
		out.Retry = &contract.Retry{MaxAttempts: e.Retry.MaxAttempts, BackoffSeconds: e.Retry.BackoffSeconds}
	}
	if e.Idempotency != nil {
		out.IdempotencyMode, out.IdempotencyKey = string(e.Idempotency.Mode), e.Idempotency.KeyParameter
	}
	return out
}

// reasons orders the reasons of SchemaValid: the first rule that has an error
// names the condition's reason.
var reasons = []struct {
	rules  []string
	reason string
}{
	{[]string{schema.RuleTextTooLarge, RuleSpecTooLarge}, v1alpha1.ReasonTooLarge},
	{[]string{schema.RuleDialect}, v1alpha1.ReasonUnsupportedDialect},
	{[]string{schema.RuleNullInObject}, v1alpha1.ReasonNullInObjectForm},
	{[]string{RuleExampleInvalid}, v1alpha1.ReasonInvalidExample},
	{[]string{RuleSessionExposed}, v1alpha1.ReasonSessionParameterExposed},
	{[]string{
		RuleVersion, RuleSchemaMissing, RuleSchemaTwice, RuleKeyParameter, RuleDuplicateError, RuleSummaryBlank,
		RuleDuplicateSession, RuleWriterNothing, RuleReaderNothing, RuleSecretInName, contract.RuleHandlerSchema,
		RuleTypeFields, RuleExecutionUnsaid, RuleGrammar, RuleHostNeeded,
		RuleRetryAfter, RulePlatformCode, RuleTruncation, RulePagination, RuleBinding, RuleFreshness,
	}, v1alpha1.ReasonInvalidContract},
}

// Reason is the reason of the SchemaValid condition for these findings.
func Reason(findings []finding.Finding) string {
	if !finding.HasErrors(findings) {
		return v1alpha1.ReasonValid
	}
	for _, r := range reasons {
		for _, f := range findings {
			if f.Severity == finding.Error && slices.Contains(r.rules, f.Rule) {
				return r.reason
			}
		}
	}
	return v1alpha1.ReasonInvalidSchema
}
