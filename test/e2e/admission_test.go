// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// TestTheAPIServerRefusesWrongContracts: what a shape can say is refused before
// the operator sees it, with the way out in the message.
func TestTheAPIServerRefusesWrongContracts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	version := func(v string) func(*v1alpha1.ToolContract) {
		return func(c *v1alpha1.ToolContract) { c.Spec.Version = v }
	}
	profile := func(p string) func(*v1alpha1.ToolContract) {
		return func(c *v1alpha1.ToolContract) { c.Spec.Targets[0].Profile = p }
	}
	named := func(name string) func(*v1alpha1.ToolContract) {
		return func(c *v1alpha1.ToolContract) { c.Name = name }
	}
	for name, test := range map[string]struct {
		change func(*v1alpha1.ToolContract)
		want   string
	}{
		"a name with dots":                       {named("find.order"), "must be a DNS label"},
		"a name of 64 characters":                {named(strings.Repeat("a", 64)), "must be a DNS label"},
		"a version with two parts":               {version("1.0.0"[:3]), "spec.version"},
		"a version with a v":                     {version("v1.0.0"), "spec.version"},
		"a version with build data":              {version("1.0.0+build"), "spec.version"},
		"a version with upper case":              {version("1.0.0-RC.1"), "spec.version"},
		"a version with leading zero":            {version("1.01.0"), "spec.version"},
		"a pre-release with an empty identifier": {version("1.0.0-a..b"), "spec.version"},
		"a pre-release that ends in a hyphen":    {version("1.0.0-a-"), "spec.version"},
		"a version that is too long":             {version("1.0.0-" + strings.Repeat("a", 40)), "spec.version"},
		"no version":                             {version(""), "spec.version"},
		"no input":                               {func(c *v1alpha1.ToolContract) { c.Spec.Input.SchemaText = "" }, "set input for the types Function and MCP"},
		"no schema": {func(c *v1alpha1.ToolContract) {
			c.Spec.Input.SchemaText, c.Spec.Input.Writer = "", v1alpha1.WriterAsDeclared
		}, "exactly one of schema and schemaText"},
		"a free text with an input": {func(c *v1alpha1.ToolContract) {
			c.Spec.Type, c.Spec.FreeForm = v1alpha1.TypeFreeForm, &v1alpha1.FreeForm{}
		}, "set input for the types Function and MCP"},
		"a free text without its field": {func(c *v1alpha1.ToolContract) {
			c.Spec.Type, c.Spec.Input = v1alpha1.TypeFreeForm, v1alpha1.Input{}
		}, "set freeForm exactly when type is FreeForm"},
		"a function with a field of another type": {func(c *v1alpha1.ToolContract) {
			c.Spec.BuiltIn = &v1alpha1.BuiltIn{Type: "web_search"}
		}, "set builtIn exactly when type is BuiltIn"},
		"a grammar without a syntax": {func(c *v1alpha1.ToolContract) {
			c.Spec.Type, c.Spec.Input, c.Spec.FreeForm = v1alpha1.TypeFreeForm, v1alpha1.Input{}, &v1alpha1.FreeForm{Definition: "a"}
		}, "set definition exactly when syntax is Lark or Regex"},
		"a server by two ways": {func(c *v1alpha1.ToolContract) {
			c.Spec.Type, c.Spec.MCP = v1alpha1.TypeMCP, &v1alpha1.MCP{Server: v1alpha1.MCPServer{Label: "a", URL: "https://a.example", ConnectorID: "a"}}
		}, "exactly one of url and connectorID"},
		"a token in an address": {func(c *v1alpha1.ToolContract) {
			c.Spec.Type, c.Spec.MCP = v1alpha1.TypeMCP, &v1alpha1.MCP{Server: v1alpha1.MCPServer{Label: "a", URL: "https://user:secret@a.example"}}
		}, "spec.mcp.server.url"},
		"a token for a source": {func(c *v1alpha1.ToolContract) {
			c.Spec.Type, c.Spec.MCP = v1alpha1.TypeMCP, &v1alpha1.MCP{Server: v1alpha1.MCPServer{Label: "a", URL: "https://a.example", Authorization: "Bearer abc"}}
		}, "spec.mcp.server.authorization"},
		"a wait without a retry": {func(c *v1alpha1.ToolContract) {
			c.Spec.Output = &v1alpha1.Output{Errors: []v1alpha1.OutputError{{Code: "A", Category: "Timeout", RetryAfterMs: new(int32(5))}}}
		}, "retryAfterMs only with the recovery RetryLater"},
		"a pointer that is none": {func(c *v1alpha1.ToolContract) {
			c.Spec.Output = &v1alpha1.Output{Bindings: []v1alpha1.OutputBinding{{Output: "order_ref", Input: "/order_ref"}}}
		}, "spec.output.bindings[0].output"},
		"a selector that is not asked for": {func(c *v1alpha1.ToolContract) {
			c.Spec.AllowedNamespaces = &v1alpha1.AllowedNamespaces{From: v1alpha1.NamespacesAll, Selector: &metav1.LabelSelector{}}
		}, "set selector exactly when from is Selector"},
		"no schema of a session parameter": {func(c *v1alpha1.ToolContract) {
			c.Spec.Input.SessionParameters = []v1alpha1.SessionParameter{{Name: "tenant_id", Source: "session.tenant"}}
		}, "exactly one of schema and schemaText"},
		"two session parameters of one name": {func(c *v1alpha1.ToolContract) {
			p := v1alpha1.SessionParameter{Name: "tenant_id", Source: "session.tenant", SchemaText: "{}"}
			c.Spec.Input.SessionParameters = []v1alpha1.SessionParameter{p, p}
		}, "Duplicate value"},
		"a value for a source": {func(c *v1alpha1.ToolContract) {
			c.Spec.Input.SessionParameters = []v1alpha1.SessionParameter{{Name: "tenant_id", Source: "t_42", SchemaText: "{}"}}
		}, "spec.input.sessionParameters[0].source"},
		"a writer of another kind": {func(c *v1alpha1.ToolContract) { c.Spec.Input.Writer = "Signed" }, "spec.input.writer"},
		"two schemas": {func(c *v1alpha1.ToolContract) {
			c.Spec.Input.Schema = &v1alpha1.JSONObject{Raw: []byte(`{"type":"object"}`)}
		}, "exactly one of schema and schemaText"},
		"two output schemas": {func(c *v1alpha1.ToolContract) {
			c.Spec.Output = &v1alpha1.Output{Schema: &v1alpha1.JSONObject{Raw: []byte(`{}`)}, SchemaText: "{}"}
		}, "at most one of schema and schemaText"},
		"an example without a value":    {func(c *v1alpha1.ToolContract) { c.Spec.Input.Examples = []v1alpha1.Example{{}} }, "exactly one of value and valueText"},
		"the reserved profile contract": {profile("contract"), "reserved"},
		"the reserved profile manifest": {profile("manifest"), "reserved"},
		"the reserved profile index":    {profile("index"), "reserved"},
		"the reserved profile request":  {profile("request"), "reserved"},
		"the reserved profile tools":    {profile("tools"), "reserved"},
		"a profile with a path":         {profile("../etc"), "spec.targets[0].profile"},
		"one profile twice":             {func(c *v1alpha1.ToolContract) { c.Spec.Targets[1].Profile = c.Spec.Targets[0].Profile }, "Duplicate value"},
		"no target":                     {func(c *v1alpha1.ToolContract) { c.Spec.Targets = []v1alpha1.Target{} }, "spec.targets"},
		"a tool name with spaces":       {func(c *v1alpha1.ToolContract) { c.Spec.ToolName = "find order" }, "spec.toolName"},
		"an unknown strict policy":      {func(c *v1alpha1.ToolContract) { c.Spec.Targets[0].Strict = "Maybe" }, "spec.targets[0].strict"},
		"a key without its parameter": {func(c *v1alpha1.ToolContract) {
			c.Spec.Execution = &v1alpha1.Execution{Idempotency: &v1alpha1.Idempotency{Mode: "Key"}}
		}, "keyParameter exactly when mode is Key"},
		"a negative history limit": {func(c *v1alpha1.ToolContract) { limited(c, -1) }, "spec.revisionHistoryLimit"},
	} {
		c := tool("find-order", "1.0.0", inputFirst)
		c.Namespace = w.namespace
		test.change(c)
		err := admin.Create(t.Context(), c, client.DryRunAll)
		if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want Invalid with %q", name, err, test.want)
		}
	}
	for _, fine := range []string{"0.0.0", "0.1.0", "10.20.30", "1.0.0-rc.1", "1.0.0-0", "1.0.0-alpha-1.2"} {
		c := tool("find-order", fine, inputFirst)
		c.Namespace = w.namespace
		if err := admin.Create(t.Context(), c, client.DryRunAll); err != nil {
			t.Errorf("version %s is refused: %v", fine, err)
		}
	}
}

// TestToolNameIsImmutable: models know the tool by it.
func TestToolNameIsImmutable(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.create(tool("find-order", "1.0.0", inputFirst))
	err := w.edit(&v1alpha1.ToolContract{}, "find-order", func(c client.Object) {
		c.(*v1alpha1.ToolContract).Spec.ToolName = "search_order"
	})
	if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "toolName is immutable") {
		t.Errorf("changing toolName: %v, want Invalid", err)
	}
}

// TestARevisionCannotBeChanged tries every part of a revision, as the
// administrator. Labels and annotations are free.
func TestARevisionCannotBeChanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.startOperator()
	object := tool("find-order", "1.0.0", "")
	object.Spec.Input.Schema = &v1alpha1.JSONObject{Raw: []byte(inputFirst)} // covers what the API server keeps unstructured
	w.publish(object)
	w.eventually(w.complete)
	before := mustJSON(t, w.revisions()[0].Spec)
	for name, change := range map[string]func(*v1alpha1.ToolRevisionSpec){
		"version":           func(s *v1alpha1.ToolRevisionSpec) { s.Content.Version = "1.0.1" },
		"description":       func(s *v1alpha1.ToolRevisionSpec) { s.Content.Description.Summary += " Really." },
		"a field is added":  func(s *v1alpha1.ToolRevisionSpec) { s.Content.Title = "Find" },
		"inside the schema": func(s *v1alpha1.ToolRevisionSpec) { s.Content.Input.Schema.Raw = []byte(inputBroken) },
		"digest":            func(s *v1alpha1.ToolRevisionSpec) { s.ContentDigest = "sha256:" + strings.Repeat("0", 64) },
		"contract":          func(s *v1alpha1.ToolRevisionSpec) { s.ContractRef.Name = "other" },
		"acknowledgements": func(s *v1alpha1.ToolRevisionSpec) {
			s.Acknowledgements = []v1alpha1.Acknowledgement{{Version: "1.0.0", Rule: "r", Reason: "r"}}
		},
	} {
		err := w.edit(&v1alpha1.ToolRevision{}, "find-order-v1.0.0", func(r client.Object) {
			change(&r.(*v1alpha1.ToolRevision).Spec)
		})
		if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "immutable") {
			t.Errorf("%s: %v, want Invalid", name, err)
		}
	}
	w.mustEdit(&v1alpha1.ToolRevision{}, "find-order-v1.0.0", func(r client.Object) {
		r.SetAnnotations(map[string]string{"example.com/note": "free"})
	})
	if after := mustJSON(t, w.revisions()[0].Spec); after != before {
		t.Errorf("the revision was changed:\n%s\nbefore:\n%s", after, before)
	}
}
