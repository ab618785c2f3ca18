// SPDX-License-Identifier: Apache-2.0

package jsonpatch

import (
	"encoding/json"
	"testing"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

func TestApply(t *testing.T) {
	t.Parallel()
	for patch, want := range map[string]string{
		`[]`:                                                          `{"a":[1,2],"b":{"c":null}}`,
		`[{"op":"add","path":"/d","value":3}]`:                        `{"a":[1,2],"b":{"c":null},"d":3}`,
		`[{"op":"add","path":"/a/-","value":3}]`:                      `{"a":[1,2,3],"b":{"c":null}}`,
		`[{"op":"add","path":"/a/0","value":0}]`:                      `{"a":[0,1,2],"b":{"c":null}}`,
		`[{"op":"add","path":"/a","value":0}]`:                        `{"a":0,"b":{"c":null}}`,
		`[{"op":"replace","path":"/b/c","value":[]}]`:                 `{"a":[1,2],"b":{"c":[]}}`,
		`[{"op":"replace","path":"/a/1","value":0}]`:                  `{"a":[1,0],"b":{"c":null}}`,
		`[{"op":"replace","path":"","value":0}]`:                      `0`,
		`[{"op":"remove","path":"/a/0"},{"op":"remove","path":"/b"}]`: `{"a":[2]}`,
		`[{"op":"move","from":"/b","path":"/a/0"}]`:                   `{"a":[{"c":null},1,2]}`,
		`[{"op":"move","from":"/b/c","path":"/b/d"}]`:                 `{"a":[1,2],"b":{"d":null}}`,
		`[{"op":"replace","path":"/d","value":0}]`:                    "",
		`[{"op":"remove","path":"/d"}]`:                               "",
		`[{"op":"remove","path":"/a/2"}]`:                             "",
		`[{"op":"remove","path":""}]`:                                 "",
		`[{"op":"add","path":"/d/e","value":0}]`:                      "",
		`[{"op":"add","path":"/b/c/d","value":0}]`:                    "",
		`[{"op":"add","path":"/d"}]`:                                  "",
		`[{"op":"move","from":"/d","path":"/e"}]`:                     "",
		`[{"op":"copy","from":"/a","path":"/e"}]`:                     "",
	} {
		var operations []finding.Operation
		if err := json.Unmarshal([]byte(patch), &operations); err != nil {
			t.Fatal(err)
		}
		got, err := Apply(schematest.Value(t, `{"a":[1,2],"b":{"c":null}}`), operations)
		switch {
		case err != nil && want == "":
		case err != nil:
			t.Errorf("%s: %v", patch, err)
		case got.JSON() != want:
			t.Errorf("%s: %s, want %s", patch, got.JSON(), want)
		}
	}
}
