// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/pattern"
)

// Validator decides whether instances are valid. It is safe for concurrent use.
type Validator struct {
	schema   *Schema
	compiled *jsonschema.Schema

	// The library's engine interface answers yes or no only, so a pattern that
	// could not answer leaves its error here. Patterns that need the
	// backtracking engine make validations take turns.
	exclusive   sync.Mutex
	irregular   bool
	engineError error
}

// resource is the URL under which the one document is known to the library.
const resource = "schema:///document"

// sealed refuses every load. The library's default loader opens file: URLs.
type sealed struct{}

func (sealed) Load(url string) (any, error) {
	return nil, fmt.Errorf("opening %s: nothing outside the document is ever opened", url)
}

// Compile checks the document against the 2020-12 meta-schema and prepares it
// for validation. It does the work once. Findings are errors with pointers
// into the document; then the validator is nil.
func (s *Schema) Compile() (*Validator, []finding.Finding) {
	s.compileOnce.Do(func() {
		v := &Validator{schema: s}
		for _, p := range s.patterns {
			v.irregular = v.irregular || !p.Regular()
		}
		compiled, err := v.compile()
		if err != nil {
			s.compileErr = s.explainCompile(err)
			return
		}
		v.compiled = compiled
		s.validator = v
	})
	return s.validator, s.compileErr
}

func (v *Validator) compile() (compiled *jsonschema.Schema, err error) {
	// The library panics on documents it does not foresee. Admission refuses
	// the known ones; the rest must not take the process down.
	defer func() {
		if p := recover(); p != nil {
			compiled, err = nil, fmt.Errorf("the validator could not read the schema: %v", p)
		}
	}()
	c := jsonschema.NewCompiler()
	c.UseLoader(sealed{})
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	c.UseRegexpEngine(v.engine)
	if err := c.AddResource(resource, dialectOnly(v.schema.root).native()); err != nil {
		return nil, err
	}
	return c.Compile(resource)
}

// dialectOnly drops the keywords that 2020-12 does not know. The library still
// follows some of former drafts, such as dependencies, past the references
// and the work that admission has seen.
func dialectOnly(root *Value) *Value {
	unknown := func(m Member) bool {
		_, known := LookupKeyword(m.Name)
		return !known
	}
	return mapSubschemas(root, func(node *Value) *Value {
		if !slices.ContainsFunc(node.members, unknown) {
			return node
		}
		return NewObject(slices.DeleteFunc(slices.Clone(node.members), unknown)...)
	})
}

// engine hands the library our patterns; also for format: regex and for the
// meta-schema's own patterns.
func (v *Validator) engine(source string) (jsonschema.Regexp, error) {
	p := v.schema.patterns[source]
	if p == nil {
		compiled, err := pattern.Compile(source)
		if err != nil {
			return nil, err
		}
		p = compiled
	}
	return recordingEngine{p, v}, nil
}

type recordingEngine struct {
	*pattern.Pattern
	validator *Validator
}

func (r recordingEngine) MatchString(s string) bool {
	matched, err := r.Match(s)
	if err != nil {
		r.validator.engineError = err
	}
	return matched
}

// Validate returns what is wrong with an instance; no findings means valid.
// Pointers lead into the instance. An instance whose validation could take
// unbounded work, or which a pattern could not judge, is an error as well.
func (v *Validator) Validate(instance *Value) []finding.Finding {
	if f := v.schema.checkCost(instance); f != nil {
		return []finding.Finding{*f}
	}
	err := v.validate(instance)
	var invalid *jsonschema.ValidationError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &invalid):
		return explainInstance(invalid, instance)
	default:
		return []finding.Finding{*failure(RuleInstanceInvalid, "", finding.Clip(err.Error(), 300), "simplify the value or the schema")}
	}
}

// Accepts reports whether an instance is valid; the error says that this
// could not be decided within bounds.
func (v *Validator) Accepts(instance *Value) (bool, error) {
	if f := v.schema.checkCost(instance); f != nil {
		return false, errors.New(f.Message)
	}
	err := v.validate(instance)
	if _, invalid := errors.AsType[*jsonschema.ValidationError](err); invalid {
		return false, nil
	}
	return err == nil, err
}

// Cost is the work of judging an instance, in the units of [MaxValidationCost];
// above that it is one more, and the instance is not judged. It is for whoever
// judges many instances and needs a bound for all of them together.
func (v *Validator) Cost(instance *Value) int { return v.schema.cost(instance) }

func (v *Validator) validate(instance *Value) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the validator could not judge the value: %v", p)
		}
	}()
	if !v.irregular {
		return v.compiled.Validate(instance.native())
	}
	v.exclusive.Lock()
	defer v.exclusive.Unlock()
	v.engineError = nil
	err = v.compiled.Validate(instance.native())
	if v.engineError != nil {
		return v.engineError
	}
	return err
}
