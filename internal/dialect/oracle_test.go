// SPDX-License-Identifier: Apache-2.0

package dialect_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/toolcontract/operator/internal/dialect"
	"github.com/toolcontract/operator/internal/pattern"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/corpus"
)

// The validator library knows the older dialects itself. Here it reads schemas
// as they are, in their own dialect, and must agree with what the sealed
// validator says of the converted ones.

var libraryDrafts = map[string]*jsonschema.Draft{
	"draft-04": jsonschema.Draft4, "draft-06": jsonschema.Draft6, "draft-07": jsonschema.Draft7, "2019-09": jsonschema.Draft2019,
}

// nothing refuses every load.
type nothing struct{}

func (nothing) Load(string) (any, error) { return nil, errors.New("nothing is opened") }

// engine matches patterns as the sealed validator does.
type engine struct{ *pattern.Pattern }

func (e engine) MatchString(s string) bool {
	matched, err := e.Match(s)
	return err == nil && matched
}

// original is a schema in its own dialect; ok is false if the library, which
// judges it by the meta-schema of that dialect, cannot read it.
func original(v *schema.Value, name string) (accepts func(*schema.Value) (valid, ok bool), ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	c := jsonschema.NewCompiler()
	c.UseLoader(nothing{})
	c.DefaultDraft(libraryDrafts[name])
	c.AssertFormat()
	c.UseRegexpEngine(func(source string) (jsonschema.Regexp, error) {
		p, err := pattern.Compile(source)
		return engine{p}, err
	})
	if v.Has("$schema") {
		v = v.Without("$schema")
	}
	if err := c.AddResource("schema:///document", plain(v)); err != nil {
		return nil, false
	}
	compiled, err := c.Compile("schema:///document")
	if err != nil {
		return nil, false
	}
	return func(instance *schema.Value) (valid, ok bool) {
		defer func() {
			if recover() != nil {
				ok = false
			}
		}()
		return compiled.Validate(plain(instance)) == nil, true
	}, true
}

// plain is a value as the library reads it.
func plain(v *schema.Value) any {
	switch v.Kind() {
	case schema.Bool:
		return v.IsTrue()
	case schema.Number:
		return json.Number(v.Text())
	case schema.String:
		return v.Text()
	case schema.Array:
		out := make([]any, v.Len())
		for i, item := range v.Items() {
			out[i] = plain(item)
		}
		return out
	case schema.Object:
		out := map[string]any{}
		for _, m := range v.Members() {
			out[m.Name] = plain(m.Value)
		}
		return out
	default:
		return nil
	}
}

// converted is a schema after conversion, nil if it is refused anywhere.
func converted(v *schema.Value, name string) *schema.Validator {
	value, _ := dialect.Convert(v, name)
	if value == nil {
		return nil
	}
	admitted, _ := schema.Admit(value)
	if admitted == nil {
		return nil
	}
	validator, _ := admitted.Compile()
	return validator
}

// disagreement says on which instance the two readings differ; empty for none.
func disagreement(v *schema.Value, name string, instances []*schema.Value) (text string, compared int) {
	validator := converted(v, name)
	if validator == nil {
		return "", 0
	}
	accepts, ok := original(v, name)
	if !ok {
		return "", 0
	}
	for _, instance := range instances {
		got, err := validator.Accepts(instance)
		want, ok := accepts(instance)
		if err != nil || !ok {
			continue
		}
		if compared++; got != want {
			value, _ := dialect.Convert(v, name)
			return fmt.Sprintf("%s, %s is valid: %t, and converted, %s: %t", name, v.JSON(), want, value.JSON(), got), compared
		}
	}
	return "", compared
}

// TestSuiteInEveryDialect reads the schemas of the suites of draft-07 and
// 2020-12 in every older dialect, so that keywords which a dialect does not know
// yet are everywhere.
func TestSuiteInEveryDialect(t *testing.T) {
	t.Parallel()
	for name := range libraryDrafts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			compared := 0
			for _, folder := range []string{"draft7", "draft2020-12"} {
				for file, groups := range corpus.Suite(t, folder) {
					for _, group := range groups {
						var instances []*schema.Value
						for _, test := range group.Tests {
							instances = append(instances, parsed(t, test.Data))
						}
						text, n := disagreement(parsed(t, group.Schema), name, instances)
						if text != "" {
							t.Errorf("%s, %q: %s", file, group.Description, text)
						}
						compared += n
					}
				}
			}
			t.Logf("%d verdicts compared", compared)
			if compared < 1_500 {
				t.Errorf("only %d verdicts were compared", compared)
			}
		})
	}
}
