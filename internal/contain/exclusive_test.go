// SPDX-License-Identifier: Apache-2.0

package contain

import "testing"

func TestExclusive(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		branches string
		want     bool
	}{
		"types":                {`{"type":"string"},{"type":"integer"}`, true},
		"tags":                 {`{"type":"object","properties":{"k":{"const":"a"}},"required":["k"]},{"type":"object","properties":{"k":{"enum":["b","c"]}},"required":["k"]}`, true},
		"tags behind a target": {`{"$ref":"#/$defs/a"},{"type":"object","properties":{"k":{"const":"b"}},"required":["k"]}`, true},
		"ranges":               {`{"type":"integer","maximum":3},{"type":"integer","minimum":4}`, true},
		"a name one forbids":   {`{"type":"object","required":["a"]},{"type":"object","properties":{"b":{}},"additionalProperties":false}`, true},
		"ranges that touch":    {`{"type":"integer","maximum":3},{"type":"integer","minimum":3}`, false},
		"optional tags":        {`{"type":"object","properties":{"k":{"const":"a"}}},{"type":"object","properties":{"k":{"const":"b"}}}`, false},
		"anything":             {`{},{"type":"string"}`, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := admitted(t, `{"oneOf":[`+c.branches+`],"$defs":{"a":{"type":"object","properties":{"k":{"const":"a"}},"required":["k"]}}}`)
			if got := Exclusive(s)(0, "oneOf"); got != c.want {
				t.Errorf("got %v", got)
			}
			if Exclusive(s)(0, "anyOf") != true {
				t.Error("no branches overlap where there are none")
			}
		})
	}
	if s, _ := admit(`{"oneOf":[{"minLength":"x"},{"type":"null"}]}`); s != nil && Exclusive(s)(0, "oneOf") {
		t.Error("something was claimed of what is no schema")
	}
}

func TestProves(t *testing.T) {
	t.Parallel()
	a, b := admitted(t, `{"type":"integer","minimum":1}`), admitted(t, `{"type":"number","minimum":0}`)
	if !Proves(a, b) || Proves(b, a) || !Proves(a, a) {
		t.Errorf("a in b: %v, b in a: %v, a in a: %v", Proves(a, b), Proves(b, a), Proves(a, a))
	}
}
