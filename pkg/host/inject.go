// SPDX-License-Identifier: Apache-2.0

package host

import (
	"encoding/json"
	"fmt"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// SessionParameter is one value that the tool gets from the session of the
// caller, beside the arguments that the model wrote.
type SessionParameter struct {
	// Name is the member of the arguments that the tool finds the value in.
	Name string
	// Source names the place in the session, as session.tenant.
	Source string
	// Optional says that the tool also works without the value.
	Optional bool
}

type sessionParameter struct {
	SessionParameter
	validator *schema.Validator
}

// SessionError says that a session does not give a tool what it needs. It is for
// the operator of the host and its logs: it names what the model must not see, so
// it must not be given to the model. Its text never holds a value of the session.
type SessionError struct {
	// Parameter is what could not be injected.
	Parameter SessionParameter
	// Problem says in one sentence what is wrong.
	Problem string
}

// Error names the parameter, its source and what is wrong.
func (e *SessionError) Error() string {
	return finding.Clip(fmt.Sprintf("the session parameter %s (from %s) cannot be injected: the value %s",
		finding.Quote(e.Parameter.Name), finding.Quote(e.Parameter.Source), e.Problem), maxMessage)
}

// readSession takes the session parameters from contract.json.
func (t *Tool) readSession(list *schema.Value) error {
	if list == nil {
		return nil
	}
	seen := map[string]bool{}
	for _, entry := range list.Items() {
		p := sessionParameter{SessionParameter: SessionParameter{Name: textOf(entry, "name"), Source: textOf(entry, "source")}}
		if optional := entry.Get("optional"); optional != nil {
			p.Optional = optional.IsTrue()
		}
		what := "schema of the session parameter " + finding.Quote(p.Name)
		admitted, err := admit(what, entry.Get("schema"))
		if err != nil {
			return err
		}
		if p.Name == "" || p.Source == "" || admitted == nil || seen[p.Name] {
			return fmt.Errorf("loading tool: %s has a session parameter without name, source or schema, or two of one name; the folder was not published by the operator", contractFile)
		}
		seen[p.Name] = true
		if p.validator, err = compile(what, admitted); err != nil {
			return err
		}
		t.sessionKeys = append(t.sessionKeys, p)
		t.content.Input.SessionParameters = append(t.content.Input.SessionParameters, contract.SessionParameter{
			Name: p.Name, Source: p.Source, Optional: p.Optional, Schema: admitted,
		})
	}
	return nil
}

// SessionParameters are the values that the tool gets from the session, in the
// order of the contract. The model sees none of them.
func (t *Tool) SessionParameters() []SessionParameter {
	out := make([]SessionParameter, len(t.sessionKeys))
	for i, p := range t.sessionKeys {
		out[i] = p.SessionParameter
	}
	return out
}

// Inject adds the session parameters to valid arguments and returns what the tool
// gets: the members that the model wrote, then the injected ones in the order of
// the contract. The session holds its values by source ("session.tenant"), as
// [encoding/json] writes them; what no parameter asks for is not looked at. For a
// tool without session parameters the arguments come back byte for byte.
//
// Each value is held to the schema of its parameter. The error is a
// [*SessionError] if the session is at fault, and an [*InvalidError] if the
// arguments hold a member that the host injects: nobody may write it but the host,
// also where the input schema admits undeclared members.
func (t *Tool) Inject(call []byte, session map[string]any) ([]byte, error) {
	value, err := parse(call)
	if err != nil {
		return nil, err
	}
	if problems := t.injected(value); len(problems) > 0 {
		return nil, &InvalidError{What: arguments, Code: CodeInvalidArguments, Problems: problems}
	}
	if len(t.sessionKeys) == 0 {
		return call, nil
	}
	if value.Kind() != schema.Object {
		return nil, &InvalidError{What: arguments, Code: CodeInvalidArguments, Problems: []Problem{{Message: "they are not an object"}}}
	}
	for _, p := range t.sessionKeys {
		given, ok := session[p.Source]
		if !ok {
			if p.Optional {
				continue
			}
			return nil, &SessionError{Parameter: p.SessionParameter, Problem: "is not in the session; give the session this value, or do not offer the tool to it"}
		}
		injected, failed := p.read(given)
		if failed != nil {
			return nil, failed
		}
		value = value.With(p.Name, injected)
	}
	return value.AppendJSON(nil), nil
}

// read turns a value of the session into JSON and holds it to the schema. What
// the validator says of a value can hold parts of it, so only the keyword is told.
func (p *sessionParameter) read(given any) (*schema.Value, error) {
	text, err := json.Marshal(given)
	if err != nil {
		return nil, &SessionError{Parameter: p.SessionParameter, Problem: "cannot be written as JSON"}
	}
	value, failed := schema.ParseWithin(text, MaxCall, MaxCallDepth)
	if failed != nil {
		return nil, &SessionError{Parameter: p.SessionParameter, Problem: "is beyond the limits of arguments"}
	}
	if findings := p.validator.Validate(value); len(findings) > 0 {
		problem := "is not valid"
		if keyword := findings[0].Keyword; keyword != "" {
			problem = fmt.Sprintf("does not fit %s in the schema of the parameter", keyword)
		}
		return nil, &SessionError{Parameter: p.SessionParameter, Problem: problem}
	}
	return value, nil
}

// injected finds members of arguments that only the host may write.
func (t *Tool) injected(call *schema.Value) (problems []Problem) {
	for _, p := range t.sessionKeys {
		if call.Has(p.Name) {
			problems = append(problems, Problem{
				Pointer: finding.Pointer("", p.Name),
				Message: fmt.Sprintf("the property %s is not allowed; leave it out", finding.Quote(p.Name)),
			})
		}
	}
	return problems
}
