// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Whatever is admitted compiles or says why, validates anything without a
// panic, keeps its digest when it is written and read again, and is judged the
// same every time.
func FuzzSchema(f *testing.F) {
	for _, seed := range [][2]string{
		{wideSchema, `{"b":"a","c":[1,{"x":1}]}`},
		{`{"$ref":"#/$defs/a","$defs":{"a":{"anyOf":[{"items":{"$ref":"#"}},{"not":{"$ref":"#/$defs/b"}}]},"b":{"type":"null"}}}`, `[[[]]]`},
		{`{"allOf":[{"$anchor":"x","propertyNames":{"pattern":"^(?=a)"}},{"$ref":"#x"}],"unevaluatedProperties":{"multipleOf":0.1}}`, `{"a":1.1}`},
		{`{"type":"int","items":[{"$id":"a"}],"required":true,"exclusiveMinimum":true}`, `1e300`},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","dependencies":{"a":{"$ref":"file:///etc/passwd"}}}`, `{"a":null}`},
		{`{"patternProperties":{"[":{}},"format":"regex","uniqueItems":true,"contains":{"const":1},"minContains":2}`, `["[",1,1]`},
		{`{"$id":"https://json-schema.org/draft/2020-12/schema","$ref":"#","dependentSchemas":{"a":false}}`, `"\u0000"`},
	} {
		f.Add([]byte(seed[0]), []byte(seed[1]))
	}
	f.Fuzz(func(t *testing.T, schemaText, instanceText []byte) {
		root, failed := Parse(schemaText)
		if failed != nil {
			return
		}
		if Canonical(Canonical(root)).JSON() != Canonical(root).JSON() || !Canonical(root).Equal(root) {
			t.Error("the canonical form changes a second time, or is another value")
		}
		s, findings := Admit(root)
		checkTexts(t, findings)
		if s == nil {
			if len(findings) == 0 {
				t.Error("it is refused without a word")
			}
			return
		}
		if again := admitted(t, s.Root().JSON()); again.Digest() != s.Digest() {
			t.Error("written and read again it has another digest")
		}
		validator, findings := s.Compile()
		checkTexts(t, findings)
		instance, failed := Parse(instanceText)
		if validator == nil || failed != nil {
			return
		}
		found := validator.Validate(instance)
		checkTexts(t, found)
		if diff := cmp.Diff(found, validator.Validate(instance)); diff != "" {
			t.Errorf("the second answer is another: %s", diff)
		}
		if valid, err := validator.Accepts(instance); valid != (len(found) == 0) || (err != nil && valid) {
			t.Errorf("Accepts says %t, %v; Validate says %v", valid, err, found)
		}
	})
}
