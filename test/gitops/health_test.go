// SPDX-License-Identifier: Apache-2.0

package gitops

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	gocmp "github.com/google/go-cmp/cmp"
	lua "github.com/yuin/gopher-lua"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
	"sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/testkit/golden"
	"github.com/toolcontract/operator/internal/testkit/statuslint"
)

// argoWord is how Argo CD says what kstatus says. Nothing here is ever suspended.
var argoWord = map[status.Status]string{
	status.CurrentStatus: "Healthy", status.InProgressStatus: "Progressing",
	status.TerminatingStatus: "Progressing", status.FailedStatus: "Degraded",
}

// argoDir is laid out as resource_customizations of
// https://github.com/argoproj/argo-cd is; the folder _ stands for all kinds.
var argoDir = repository("config/argocd/resource_customizations/toolcontract.dev/_")

// argoHealth is what a health.lua returns.
type argoHealth struct {
	Status  string `json:"status"`
	Message string `json:"message"`
}

// luaHealth runs a health.lua as Argo CD does: with base, table and string only,
// and with the object as the global obj.
func luaHealth(t *testing.T, script string, object map[string]any) argoHealth {
	t.Helper()
	state := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer state.Close()
	for name, open := range map[string]lua.LGFunction{lua.BaseLibName: lua.OpenBase, lua.TabLibName: lua.OpenTable, lua.StringLibName: lua.OpenString} {
		if err := state.CallByParam(lua.P{Fn: state.NewFunction(open), Protect: true}, lua.LString(name)); err != nil {
			t.Fatal(err)
		}
	}
	state.SetContext(t.Context())
	state.SetGlobal("obj", luaValue(state, object))
	if err := state.DoString(script); err != nil {
		t.Fatal(err)
	}
	table, ok := state.Get(-1).(*lua.LTable)
	if !ok {
		t.Fatalf("health.lua returns %s, not a table", state.Get(-1).Type())
	}
	return argoHealth{table.RawGetString("status").String(), table.RawGetString("message").String()}
}

func luaValue(state *lua.LState, value any) lua.LValue {
	switch v := value.(type) {
	case string:
		return lua.LString(v)
	case bool:
		return lua.LBool(v)
	case int64:
		return lua.LNumber(v)
	case float64:
		return lua.LNumber(v)
	case []any:
		table := state.NewTable()
		for _, element := range v {
			table.Append(luaValue(state, element))
		}
		return table
	case map[string]any:
		table := state.NewTable()
		for key, member := range v {
			table.RawSetString(key, luaValue(state, member))
		}
		return table
	}
	return lua.LNil
}

// states are what a health check can meet: the recorded lives, and objects that
// the operator never touched.
func states(t *testing.T) []observation {
	t.Helper()
	var out []observation
	lives := recordedLives(t)
	for _, name := range slices.Sorted(maps.Keys(lives)) {
		out = append(out, lives[name]...)
	}
	for name, status := range map[string]map[string]any{"no status": nil, "empty status": {}, "no conditions": {"observedGeneration": int64(1)}} {
		object := map[string]any{
			"apiVersion": v1alpha1.GroupVersion.String(), "kind": "ToolContract",
			"metadata": map[string]any{"name": "untouched", "generation": int64(1)},
		}
		if status != nil {
			object["status"] = status
		}
		out = append(out, observation{Step: name, Object: object})
	}
	return out
}

// TestArgoCDSaysWhatKstatusSays runs health.lua over every recorded state.
func TestArgoCDSaysWhatKstatusSays(t *testing.T) {
	t.Parallel()
	script := read(t, filepath.Join(argoDir, "health.lua"))
	said := map[string]bool{}
	for _, o := range states(t) {
		verdict, err := statuslint.Verdict(o.object())
		if err != nil {
			t.Fatal(err)
		}
		health := luaHealth(t, script, o.Object)
		said[health.Status] = true
		if health.Status != argoWord[verdict] {
			t.Errorf("%s, %s: Argo CD reads %s, kstatus %s", o.Step, o.name(), health.Status, verdict)
		}
		ready := conditionOf(o.Object, "Ready")
		if health.Message == "" || health.Message == "nil" {
			t.Errorf("%s, %s: there is no message", o.Step, o.name())
		}
		if health.Status == "Degraded" && !strings.Contains(health.Message, fmt.Sprintf("%s: %s", ready["reason"], ready["message"])) {
			t.Errorf("%s, %s: the message %q does not say what is wrong", o.Step, o.name(), health.Message)
		}
	}
	if len(said) != 3 {
		t.Errorf("Argo CD said %v; want Healthy, Progressing and Degraded", said)
	}
}

// TestARefusedVersionStillSaysWhatIsServed: a reader of Argo CD sees at once that
// agents keep working.
func TestARefusedVersionStillSaysWhatIsServed(t *testing.T) {
	t.Parallel()
	script := read(t, filepath.Join(argoDir, "health.lua"))
	for _, o := range recordedLives(t)["contract"] {
		if o.Settled && o.Step == "refused version" {
			health := luaHealth(t, script, o.Object)
			if health.Status != "Degraded" || !strings.Contains(health.Message, "MajorBumpRequired") || !strings.Contains(health.Message, "serving 1.1.0") {
				t.Errorf("got %+v", health)
			}
			return
		}
	}
	t.Error("no version is refused in the recorded life of a contract")
}

// argoTest is one entry of a health_test.yaml.
type argoTest struct {
	HealthStatus argoHealth `json:"healthStatus"`
	InputPath    string     `json:"inputPath"`
}

// TestTheArgoCDFilesAreOfTheLives holds the files that Argo CD's own tests read,
// and the ConfigMap for those who run Argo CD, to health.lua and the recordings.
// -update writes them.
func TestTheArgoCDFilesAreOfTheLives(t *testing.T) {
	t.Parallel()
	script := read(t, filepath.Join(argoDir, "health.lua"))
	files := map[string]string{}
	var tests []argoTest
	for _, o := range states(t) {
		health := luaHealth(t, script, o.Object)
		path := "testdata/" + strings.ToLower(o.object().GetKind()+"_"+health.Status)
		if o.object().GetDeletionTimestamp() != nil {
			path += "_terminating"
		}
		path += ".yaml"
		if files[path] != "" || o.Event == "" {
			continue
		}
		object, err := yaml.Marshal(o.Object)
		if err != nil {
			t.Fatal(err)
		}
		files[path] = string(object)
		tests = append(tests, argoTest{health, path})
	}
	slices.SortFunc(tests, func(a, b argoTest) int { return strings.Compare(a.InputPath, b.InputPath) })
	list, err := yaml.Marshal(map[string]any{"tests": tests})
	if err != nil {
		t.Fatal(err)
	}
	files["health_test.yaml"] = string(list)
	for path, text := range files {
		same(t, filepath.Join(argoDir, filepath.FromSlash(path)), text)
	}
	same(t, repository("config/argocd/argocd-cm.yaml"), argoConfigMap(script))
	entries, err := os.ReadDir(filepath.Join(argoDir, "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if files["testdata/"+entry.Name()] == "" {
			t.Errorf("%s/testdata/%s is of no recorded life", argoDir, entry.Name())
		}
	}
}

// argoConfigMap is the patch of argocd-cm. It names each kind: hosted Argo CDs
// take no wildcard.
func argoConfigMap(script string) string {
	var out strings.Builder
	out.WriteString(`# Health of tool contracts for Argo CD: health.lua once for each kind. Merge it with
#   kubectl patch configmap argocd-cm -n argocd --type=merge --patch-file argocd-cm.yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: argocd-cm
  namespace: argocd
data:
`)
	for _, kind := range kinds {
		fmt.Fprintf(&out, "  resource.customizations.health.%s_%s: |\n", v1alpha1.GroupVersion.Group, kind)
		for line := range strings.Lines(script) {
			if strings.TrimSpace(line) != "" {
				out.WriteString("    ")
			}
			out.WriteString(line)
		}
	}
	return out.String()
}

// TestTheConfigMapHasTheScript reads the ConfigMap as Argo CD does.
func TestTheConfigMapHasTheScript(t *testing.T) {
	t.Parallel()
	var cm struct{ Data map[string]string }
	if err := yaml.Unmarshal([]byte(read(t, repository("config/argocd/argocd-cm.yaml"))), &cm); err != nil {
		t.Fatal(err)
	}
	script := read(t, filepath.Join(argoDir, "health.lua"))
	for _, kind := range kinds {
		if diff := gocmp.Diff(script, cm.Data["resource.customizations.health.toolcontract.dev_"+kind]); diff != "" {
			t.Errorf("%s (-health.lua +argocd-cm.yaml):\n%s", kind, diff)
		}
	}
	if len(cm.Data) != len(kinds) {
		t.Errorf("argocd-cm.yaml has %d entries for %d kinds", len(cm.Data), len(kinds))
	}
}

// fluxCheck is one entry of healthCheckExprs.
type fluxCheck struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	InProgress string `json:"inProgress"`
	Failed     string `json:"failed"`
	Current    string `json:"current"`
}

// fluxVerdict evaluates the expressions in the order that Flux has
// (https://fluxcd.io/flux/components/kustomize/kustomizations/#health-check-expressions,
// read 2026-12-01), with the members of the object as variables. An expression
// that fails makes Flux wait until its timeout: here it is an error, except for an
// object without a status, which no cluster with the CRDs has.
func fluxVerdict(check fluxCheck, object map[string]any) (status.Status, error) {
	options := []cel.EnvOption{}
	for _, name := range []string{"apiVersion", "kind", "metadata", "spec", "status"} {
		options = append(options, cel.Variable(name, cel.DynType))
	}
	env, err := cel.NewEnv(options...)
	if err != nil {
		return "", err
	}
	if object["status"] == nil {
		return status.InProgressStatus, nil
	}
	for _, step := range []struct {
		expression string
		verdict    status.Status
	}{
		{check.InProgress, status.InProgressStatus}, {check.Failed, status.FailedStatus}, {check.Current, status.CurrentStatus},
	} {
		ast, issues := env.Compile(step.expression)
		if issues.Err() != nil {
			return "", issues.Err()
		}
		program, err := env.Program(ast)
		if err != nil {
			return "", err
		}
		value, _, err := program.Eval(object)
		if err != nil {
			return "", fmt.Errorf("%s: %w", step.expression, err)
		}
		if is, ok := value.Value().(bool); !ok {
			return "", fmt.Errorf("%s is %v, not true or false", step.expression, value)
		} else if is {
			return step.verdict, nil
		}
	}
	return status.InProgressStatus, nil
}

// TestFluxSaysWhatKstatusSays runs the expressions over every recorded state.
func TestFluxSaysWhatKstatusSays(t *testing.T) {
	t.Parallel()
	var kustomization struct {
		Spec struct {
			Wait             bool        `json:"wait"`
			HealthCheckExprs []fluxCheck `json:"healthCheckExprs"`
		} `json:"spec"`
	}
	if err := yaml.Unmarshal([]byte(read(t, repository("config/flux/kustomization_patch.yaml"))), &kustomization); err != nil {
		t.Fatal(err)
	}
	checks := map[string]fluxCheck{}
	for _, check := range kustomization.Spec.HealthCheckExprs {
		if check.APIVersion != v1alpha1.GroupVersion.String() || checks[check.Kind].Kind != "" {
			t.Errorf("a check of %s %s", check.APIVersion, check.Kind)
		}
		checks[check.Kind] = check
	}
	for _, o := range states(t) {
		want, err := statuslint.Verdict(o.object())
		if err != nil {
			t.Fatal(err)
		}
		if want == status.TerminatingStatus {
			want = status.InProgressStatus
		}
		if got, err := fluxVerdict(checks[o.object().GetKind()], o.Object); err != nil || got != want {
			t.Errorf("%s, %s: Flux reads %s, kstatus %s: %v", o.Step, o.name(), got, want, err)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// same holds a generated file to what it is generated from; -update writes it.
func same(t *testing.T, path, want string) {
	t.Helper()
	if golden.Updating() {
		if err := os.WriteFile(path, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, []byte(want)) {
		t.Errorf("%s (refresh it with -update; -want +got):\n%s", path, gocmp.Diff(want, string(got)))
	}
}
