// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/testkit/golden"
)

// stored is a ToolRevision as a server has it.
func stored(t *testing.T, version, schemaText string) map[string]any {
	t.Helper()
	content := v1alpha1.ToolContent{
		Version: version, ToolName: "find_order", Description: v1alpha1.Description{Summary: "Finds an order."},
		Input: v1alpha1.Input{SchemaText: schemaText},
	}
	read, findings := evaluate.Read(&content)
	if read == nil {
		t.Fatal(findings)
	}
	text, err := json.Marshal(v1alpha1.ToolRevisionSpec{
		ContractRef: v1alpha1.ContractReference{Name: "find-order"}, Content: content, ContentDigest: read.Digest(), CheckerVersion: "contain-9/change-9",
	})
	if err != nil {
		t.Fatal(err)
	}
	return map[string]any{
		"apiVersion": "toolcontract.dev/v1alpha1", "kind": "ToolRevision",
		"metadata": map[string]any{
			"name": "find-order-v" + version, "namespace": "shop", "uid": "0a", "resourceVersion": "17", "generation": 1,
			"creationTimestamp": "2026-11-30T00:00:00Z", "managedFields": []any{map[string]any{"manager": "x"}},
			"ownerReferences": []any{map[string]any{"kind": "ToolContract", "name": "find-order", "uid": "0b"}},
			"labels":          map[string]any{"toolcontract.dev/contract": "find-order", "app.kubernetes.io/managed-by": "toolcontract-controller", "team": "blue"},
			"annotations":     map[string]any{"x": "y"},
		},
		"spec":   json.RawMessage(text),
		"status": map[string]any{"observedGeneration": 1},
	}
}

// frozen runs freeze over objects of a cluster.
func frozen(t *testing.T, objects []map[string]any, arguments ...string) (outcome, Cluster) {
	t.Helper()
	var out, errs bytes.Buffer
	var asked Cluster
	p := Program{Name: "toolcontract", Out: &out, Err: &errs, Revisions: func(_ context.Context, from Cluster, contract string) (string, []json.RawMessage, error) {
		asked = from
		if contract != "find-order" {
			return "", nil, errors.New("listing ToolRevisions in namespace shop: refused\x1b")
		}
		var list []json.RawMessage
		for _, o := range objects {
			text, err := json.Marshal(o)
			if err != nil {
				return "", nil, err
			}
			list = append(list, text)
		}
		return "shop", list, nil
	}}
	code := p.Run(append([]string{"freeze"}, arguments...))
	return outcome{code, out.String(), errs.String()}, asked
}

// oddText is what YAML has opinions about.
const oddText = "{\n\t\"type\": \"object\",  \n  \"properties\": {\"n\": {\"minimum\": 1.0, \"description\": \"é # : 'x' \\u0001\"}, \"on\": {\"enum\": [\"y\", null]}}}\n\n"

func TestFreeze(t *testing.T) {
	t.Parallel()
	objects := []map[string]any{
		stored(t, "10.0.0", `{"type":"object"}`), stored(t, "2.0.0", oddText), stored(t, "2.0.0-rc.1", `{"type": "object"}`),
	}
	got, asked := frozen(t, objects, "find-order", "-n", "shop", "--context", "prod", "--kubeconfig", "/k")
	golden.Check(t, "freeze.yaml", got.out)
	if got.code != 0 || got.err != "" {
		t.Errorf("got code %d and %q", got.code, got.err)
	}
	if diff := cmp.Diff(Cluster{Kubeconfig: "/k", Context: "prod", Namespace: "shop"}, asked); diff != "" {
		t.Error(diff)
	}
	var versions []string
	for _, document := range strings.Split(got.out, "---\n")[1:] {
		var r v1alpha1.ToolRevision
		if err := yaml.UnmarshalStrict([]byte(document), &r); err != nil {
			t.Fatal(err)
		}
		versions = append(versions, r.Spec.Content.Version)
		if r.Spec.Content.Version == "2.0.0" && r.Spec.Content.Input.SchemaText != oddText {
			t.Errorf("the text became %q", r.Spec.Content.Input.SchemaText)
		}
	}
	if diff := cmp.Diff([]string{"2.0.0-rc.1", "2.0.0", "10.0.0"}, versions); diff != "" {
		t.Error(diff)
	}
}

func TestFreezeLeavesOutWhatIsNoRevision(t *testing.T) {
	t.Parallel()
	good := stored(t, "1.0.0", `{"type":"object"}`)
	other := stored(t, "1.1.0", `{"type":"object"}`)
	other["spec"] = json.RawMessage(strings.Replace(string(other["spec"].(json.RawMessage)), `"name":"find-order"`, `"name":"another"`, 1))
	forged := stored(t, "1.2.0", `{"type":"object"}`)
	forged["spec"] = json.RawMessage(strings.Replace(string(forged["spec"].(json.RawMessage)), "Finds", "Deletes", 1))
	invalid := stored(t, "1.3.0", `{"type":"object"}`)
	invalid["spec"] = json.RawMessage(strings.Replace(string(invalid["spec"].(json.RawMessage)), `\"object\"`, `\"strng\"`, 1))
	broken := map[string]any{"metadata": 7}
	got, _ := frozen(t, []map[string]any{good, other, forged, invalid, broken}, "find-order")
	if got.code != 1 || strings.Count(got.out, "---\n") != 1 || !strings.Contains(got.out, "find-order-v1.0.0") {
		t.Errorf("got %+v", got)
	}
	for _, want := range []string{
		`shop/find-order-v1.1.0 is left out: it is of the contract "another"`,
		"shop/find-order-v1.2.0 is left out: its content has the digest sha256:",
		"shop/find-order-v1.3.0 is left out: its content is not valid: input schema /type",
		"shop/ is left out: it cannot be read",
	} {
		if !strings.Contains(got.err, want) {
			t.Errorf("%q is not in %s", want, got.err)
		}
	}
}

func TestFreezeFails(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name      string
		arguments []string
		code      int
		err       string
	}{
		{"no name", nil, 2, "name one contract"},
		{"two names", []string{"a", "b"}, 2, "name one contract"},
		{"a name that is none", []string{"../x"}, 2, "not a DNS label"},
		{"a namespace that is none", []string{"a", "-n", "A"}, 2, "--namespace \"A\" is not a DNS label"},
		{"a cluster that refuses", []string{"a"}, 2, `listing ToolRevisions in namespace shop: refused\x1b`},
		{"no revision", []string{"find-order"}, 1, "there is no ToolRevision of find-order in namespace shop"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got, _ := frozen(t, nil, test.arguments...); got.code != test.code || got.out != "" || !strings.Contains(got.err, test.err) {
				t.Errorf("got %+v", got)
			}
		})
	}
	if got := run("", "freeze", "a"); got.code != 2 || !strings.Contains(got.err, "without a client for clusters") {
		t.Errorf("a program without clusters gives %+v", got)
	}
}

// FuzzFreeze wants every text of a schema back as it was.
func FuzzFreeze(f *testing.F) {
	for _, text := range []string{oddText, " \n x", "\u2028\t", "a: b\n- c\n", "|\n>", "\ufeff{}", "1e3", "~", "'\"\r\n", "\x00\x7f\u0085", "\u0085", "\ufffe𝒳\u2029"} {
		f.Add(text, "1e400")
	}
	f.Fuzz(func(t *testing.T, text, number string) {
		spec, err := json.Marshal(map[string]any{"schemaText": text})
		if err != nil {
			t.Fatal(err)
		}
		if json.Valid([]byte(number)) {
			spec = []byte(fmt.Sprintf(`{"schemaText":%s,"schema":{"const":%s}}`, mustJSON(t, text), number))
		}
		var want map[string]any
		if json.Unmarshal(spec, &want) != nil {
			return // a number that no server has
		}
		out, err := frozenRevision{APIVersion: "a/v1", Kind: "K", Spec: spec}.yaml()
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Spec map[string]any }
		if err := yaml.Unmarshal(out, &got); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if got.Spec["schemaText"] != want["schemaText"] {
			t.Errorf("%q became %q:\n%s", want["schemaText"], got.Spec["schemaText"], out)
		}
	})
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
