// SPDX-License-Identifier: Apache-2.0

package install

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

// fromVariable names the commit to upgrade from, in place of the one before.
const fromVariable = "TOOLCONTRACT_UPGRADE_FROM"

// count is how many contracts are there during an upgrade.
const count = 200

// TestUpgraded goes from the commit before to this one with contracts in place,
// and through both mixtures of the two: the new operator with the old CRDs (Helm does
// not upgrade CRDs by itself) and the old operator with the new CRDs. No step makes
// a revision, changes a byte that agents read, or loses a field.
func TestUpgraded(t *testing.T) {
	const shop = "many"
	old := checkout(t)
	oldManager := filepath.Join(t.TempDir(), "manager")
	if err := buildManager(t.Context(), old, oldManager); err != nil {
		t.Fatal(err)
	}
	namespaceFor(t, home)
	namespaceFor(t, shop)
	t.Cleanup(func() { uninstall(t, home, "toolcontract-operator", "toolcontract-crds") })

	upgrade := append([]string{"upgrade", "--install", "--namespace", home}, installFrom(t, old)...)
	token := scraper(t, shop)
	p := start(t, home, oldManager)
	applyMany(t, shop)
	var before map[string]map[string]any
	eventually(t, func() error { before = picture(t, shop); return settled(before) })
	stop(t, p)

	step := func(what, program string) {
		t.Helper()
		p := start(t, home, program)
		busy(t, p, token)
		if err := p.isRunning(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		stop(t, p)
		wantSame(t, what, before, picture(t, shop))
	}
	must(t, helm, append(upgrade, "toolcontract-operator", archive(t, "toolcontract-operator"))...)
	step("the new operator with the old CRDs", manager())
	must(t, helm, append(upgrade, "toolcontract-crds", archive(t, "toolcontract-crds"))...)
	step("the old operator with the new CRDs", oldManager)
	step("the new operator with the new CRDs", manager())
}

// checkout copies the commit to upgrade from into a directory.
func checkout(t *testing.T) string {
	t.Helper()
	commit := os.Getenv(fromVariable)
	if commit == "" {
		commit = "HEAD~1"
		if shallow(t) {
			commit = "HEAD"
			fmt.Fprintf(os.Stderr, "install: this clone has no commit before its last one, so the upgrade is from the last one; %s names another\n", fromVariable)
		}
	}
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", `git archive "$1" >"$2/tree.tar" && tar -C "$2" -xf "$2/tree.tar"`, "sh", commit, dir)
	cmd.Dir = root("")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("copying the commit %s: %v: %s\nFix: fetch more than the last commit, or name one in %s", commit, err, out, fromVariable)
	}
	return dir
}

// shallow reports whether the clone has its last commit only.
func shallow(t *testing.T) bool {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", "rev-parse", "--is-shallow-repository")
	cmd.Dir = root("")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git: %v", err)
	}
	parent := exec.CommandContext(t.Context(), "git", "rev-parse", "--quiet", "--verify", "HEAD~1")
	parent.Dir = root("")
	return strings.TrimSpace(string(out)) == "true" && parent.Run() != nil
}

// installFrom installs the charts of a commit, or its kustomization if it has none,
// and returns the flags that the next installation by Helm needs.
func installFrom(t *testing.T, repository string) (flags []string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(repository, "charts")); err != nil {
		must(t, kube, "apply", "--server-side", "--force-conflicts", "--kustomize", filepath.Join(repository, "config", "default"))
		return takeOver
	}
	must(t, helm, append([]string{"install", "toolcontract-crds", filepath.Join(repository, "charts", "toolcontract-crds"), "--namespace", home}, takeOver...)...)
	must(t, helm, "install", "toolcontract-operator", filepath.Join(repository, "charts", "toolcontract-operator"), "--namespace", home)
	return nil
}

// applyMany applies contracts made of the project's catalogue, under several names.
func applyMany(t *testing.T, namespace string) {
	t.Helper()
	paths, err := filepath.Glob(root("test/catalogue/*.yaml"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("the catalogue: %v, %v", paths, err)
	}
	var all strings.Builder
	for i := range count {
		text, err := os.ReadFile(paths[i%len(paths)])
		if err != nil {
			t.Fatal(err)
		}
		var contract map[string]any
		if err := yaml.Unmarshal(text, &contract); err != nil {
			t.Fatal(err)
		}
		metadata := contract["metadata"].(map[string]any)
		metadata["name"] = fmt.Sprintf("%s-%d", metadata["name"], i/len(paths))
		written, err := yaml.Marshal(contract)
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString("---\n" + string(written))
	}
	if out, err := kubectl(t.Context(), all.String(), "apply", "--server-side", "--namespace", namespace, "--filename=-"); err != nil {
		t.Fatalf("applying contracts: %v: %s", err, out)
	}
	must(t, kube, "apply", "--namespace", namespace, "--filename", root("config/samples"), "--filename", root("config/samples/sets"))
}

// settled says what is missing until every contract and set of a picture has been
// judged, and the judgement is about what it says now.
func settled(objects map[string]map[string]any) error {
	contracts := 0
	for id, o := range objects {
		if !strings.HasPrefix(id, "ToolContract ") && !strings.HasPrefix(id, "ToolSet ") {
			continue
		}
		contracts++
		status, _ := o["status"].(map[string]any)
		if generation := o["metadata"].(map[string]any)["generation"]; status["observedGeneration"] != generation {
			return fmt.Errorf("%s is not judged yet", id)
		}
		conditions, _ := status["conditions"].([]any)
		if !strings.Contains(fmt.Sprint(conditions), "type:Ready") {
			return fmt.Errorf("%s has no condition Ready", id)
		}
	}
	if contracts < count {
		return fmt.Errorf("%d contracts and sets", contracts)
	}
	return nil
}

// scraper gives a token with which metrics may be read.
func scraper(t *testing.T, namespace string) string {
	t.Helper()
	for _, o := range []client.Object{
		&corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "observer", Namespace: namespace}},
		&rbacv1.ClusterRoleBinding{
			ObjectMeta: metav1.ObjectMeta{Name: "observer"},
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "toolcontract-metrics-reader"},
			Subjects:   []rbacv1.Subject{{Kind: "ServiceAccount", Name: "observer", Namespace: namespace}},
		},
	} {
		if err := admin.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { remove(t, "clusterrolebinding", "observer") })
	return token(t, namespace, "observer")
}

var (
	reconciled = regexp.MustCompile(`(?m)^controller_runtime_reconcile_total\{controller="toolcontract",result="[a-z_]*"\} (\d+)$`)
	waiting    = regexp.MustCompile(`(?m)^(?:workqueue_depth|controller_runtime_active_workers)\{.*\} (\d+)$`)
)

// busy waits until a manager has looked at every contract and has nothing to do,
// twice in a row.
func busy(t *testing.T, p *process, token string) {
	t.Helper()
	last := -1
	eventually(t, func() error {
		if err := p.isRunning(); err != nil {
			t.Fatal(err)
		}
		status, body, err := read(t, p, token)
		if err != nil || status != 200 {
			return fmt.Errorf("metrics: %d, %w", status, err)
		}
		done, queued := sum(reconciled, body), sum(waiting, body)
		same := done == last
		last = done
		if done < count || queued > 0 || !same {
			return fmt.Errorf("%d contracts were looked at, %d wait", done, queued)
		}
		return nil
	})
}

func sum(pattern *regexp.Regexp, text string) int {
	total := 0
	for _, match := range pattern.FindAllStringSubmatch(text, -1) {
		n, err := strconv.Atoi(match[1])
		if err != nil {
			continue // more than an int has
		}
		total += n
	}
	return total
}

// TestKubectlTakesEverythingOnTheClientSide: client-side apply keeps a copy of the
// object in an annotation, which may have 256 KiB. CRDs fit, and so does the largest
// contract that is accepted.
func TestKubectlTakesEverythingOnTheClientSide(t *testing.T) {
	must(t, kube, "apply", "--filename", root("config/crd/bases"))
	namespaceFor(t, "large")
	contract := func(size int) string {
		return "apiVersion: toolcontract.dev/v1alpha1\nkind: ToolContract\nmetadata: {name: large, namespace: large}\nspec:\n  version: 1.0.0\n  toolName: large\n" +
			"  description: {summary: Has much to say.}\n  targets: [{profile: openai-responses}]\n" +
			"  input: {schemaText: '{\"type\":\"object\",\"properties\":{},\"description\":\"" + strings.Repeat("x", size/2) + "\"}'}\n" +
			"  output: {schemaText: '{\"type\":\"object\",\"properties\":{},\"description\":\"" + strings.Repeat("x", size/2) + "\"}'}\n"
	}
	if out, err := kubectl(t.Context(), contract(150<<10), "apply", "--filename=-"); err != nil {
		t.Errorf("a contract of 150 KiB: %v: %s", err, out[max(0, len(out)-400):])
	}
	out, err := kubectl(t.Context(), contract(300<<10), "apply", "--server-side", "--filename=-")
	if err == nil || !strings.Contains(out, "98304") && !strings.Contains(out, "Too long") {
		t.Errorf("a contract of 300 KiB: %v: %s", err, out[max(0, len(out)-400):])
	}
}
