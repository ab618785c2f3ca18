// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/plan"
	"github.com/toolcontract/operator/internal/snapshot"
	"github.com/toolcontract/operator/internal/testkit/golden"
)

// gitRepository is a repository with one commit of some files, whose working tree
// has others.
type gitRepository struct {
	t   *testing.T
	dir string
}

func newRepository(t *testing.T) gitRepository {
	t.Helper()
	r := gitRepository{t, filepath.Join(t.TempDir(), "repo")}
	if err := os.MkdirAll(r.dir, 0o750); err != nil {
		t.Fatal(err)
	}
	r.git("init", "-q", "-b", "main")
	return r
}

// git runs git with nothing of the machine in it, so that commits have the same
// name everywhere.
func (r gitRepository) git(arguments ...string) {
	r.t.Helper()
	cmd := exec.CommandContext(r.t.Context(), "git", append([]string{"-C", r.dir}, arguments...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_ALLOW_PROTOCOL=file",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_AUTHOR_DATE=2026-12-01T00:00:00Z",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_COMMITTER_DATE=2026-12-01T00:00:00Z")
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("git %v: %v\n%s", arguments, err, out)
	}
}

func (r gitRepository) commit() {
	r.t.Helper()
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "x")
}

// copy copies the files of a folder of testdata.
func (r gitRepository) copy(from, to string) {
	r.t.Helper()
	if err := os.CopyFS(filepath.Join(r.dir, to), os.DirFS(filepath.Join("testdata", from))); err != nil {
		r.t.Fatal(err)
	}
}

func (r gitRepository) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

// planned is a repository in which the contracts of testdata/plan changed.
func planned(t *testing.T) gitRepository {
	t.Helper()
	r := newRepository(t)
	r.copy("plan/old", "contracts")
	r.commit()
	if err := os.RemoveAll(filepath.Join(r.dir, "contracts")); err != nil {
		t.Fatal(err)
	}
	r.copy("plan/new", "contracts")
	return r
}

func TestPlan(t *testing.T) {
	t.Parallel()
	r := planned(t)
	dir := filepath.Join(r.dir, "contracts")
	for output, file := range map[string]string{"text": "plan.txt", "json": "plan.json", "markdown": "plan.markdown"} {
		got := run("", "plan", dir, "--against", "main", "-o", output)
		if got.code != exitFindings || got.err != "" {
			t.Errorf("%s: exit code %d, %s", output, got.code, got.err)
		}
		golden.Check(t, filepath.Join("plan", file), strings.ReplaceAll(got.out, r.dir+"/", ""))
		if output == "json" {
			fits(t, outputSchemaOf(t, "plan"), got.out)
		}
		if again := run("", "plan", dir, "--against", "main", "-o", output); again.out != got.out {
			t.Errorf("%s: another output from the same input", output)
		}
	}
}

func TestPlanFailOn(t *testing.T) {
	t.Parallel()
	r := planned(t)
	contracts := func(name string) string { return filepath.Join(r.dir, "contracts", name) }
	tests := []struct {
		file, failOn string
		code         int
	}{
		{"cancel.yaml", "never", exitOK},
		{"cancel.yaml", "refused", exitFindings},
		{"cancel.yaml", "any", exitFindings},
		{"find.yaml", "refused", exitOK},
		{"find.yaml", "major", exitOK},
		{"find.yaml", "minor", exitFindings},
		{"find.yaml", "any", exitFindings},
		{"ship.yaml", "refused", exitOK},
		{"ship.yaml", "major", exitFindings},
		{"same.yaml", "any", exitOK},
		{"track.yaml", "minor", exitFindings},
	}
	for _, test := range tests {
		got := run("", "plan", contracts(test.file), "--against", "HEAD", "--fail-on", test.failOn)
		if got.code != test.code || got.err != "" {
			t.Errorf("%s --fail-on %s: exit code %d, want %d; %s%s", test.file, test.failOn, got.code, test.code, got.err, got.out)
		}
	}
}

// What people wrote means nothing to Markdown, and names nobody.
func TestPlanMarkdownQuotes(t *testing.T) {
	t.Parallel()
	got := code("a|b <script>@all</script> `x` [y](z) **w**\n# h &\x1b")
	if want := "<code>a&#124;b &#60;script&#62;@all&#60;/script&#62; &#96;x&#96; &#91;y&#93;&#40;z&#41; &#42;&#42;w&#42;&#42;"; !strings.HasPrefix(got, want) || strings.ContainsAny(got, "\n|`*[]()\x1b") {
		t.Errorf("got %s", got)
	}
	big := &plan.Plan{}
	for range 2000 {
		big.Contracts = append(big.Contracts, plan.Contract{Namespace: "a", Name: "b", Change: plan.Refused, Refusals: []plan.Refusal{{Reason: "X", Message: strings.Repeat("m", 100)}}})
	}
	var out bytes.Buffer
	p := Program{}
	p.out = bufio.NewWriter(&out)
	p.writePlanMarkdown(big)
	if p.out.Flush() != nil || out.Len() > 64<<10 || !strings.Contains(out.String(), "parts are left out") {
		t.Errorf("%d bytes", out.Len())
	}
}

func TestPlanGit(t *testing.T) {
	t.Parallel()
	r := planned(t)
	r.write("-x/--y.yaml", "a: 1\n")
	dir := filepath.Join(r.dir, "contracts")
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "a.yaml"), nil, 0o600); err != nil {
		t.Fatal(err)
	}

	module := newRepository(t)
	module.write("a.yaml", "kind: ToolContract\napiVersion: toolcontract.dev/v1alpha1\n")
	module.commit()
	modules := newRepository(t)
	modules.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", module.dir, "vendored")
	modules.commit()
	linked := newRepository(t)
	linked.write("links/real.txt", "kind: ToolContract\napiVersion: toolcontract.dev/v1alpha1\n")
	if err := os.Symlink("real.txt", filepath.Join(linked.dir, "links", "link.yaml")); err != nil {
		t.Fatal(err)
	}
	linked.commit()

	tests := []struct {
		name      string
		arguments []string
		code      int
		err       string
	}{
		{"no such commit", []string{dir, "--against", "nobody"}, exitUsage, `there is no commit "nobody"`},
		{"a ref that looks like a flag", []string{dir, "--against", "--output=/tmp/x"}, exitUsage, `there is no commit "--output=/tmp/x"`},
		{"an empty ref", []string{dir, "--against", ""}, exitUsage, "there is no commit"},
		{"no repository", []string{outside, "--against", "main"}, exitUsage, ""},
		{"standard input", []string{"-", "--against", "main"}, exitUsage, "standard input has none"},
		{"both", []string{dir, "--against", "main", "--cluster"}, exitUsage, "choose one"},
		{"flags of clusters", []string{dir, "--prune"}, exitUsage, "go with --cluster"},
		{"no such output", []string{dir, "-o", "xml"}, exitUsage, "write text, json or markdown"},
		{"no such limit", []string{dir, "--fail-on", "x"}, exitUsage, "write never, refused"},
		{"a submodule", []string{filepath.Join(modules.dir, "vendored"), modules.dir, "--against", "main"}, exitUsage, "another repository"},
		{"a directory with a submodule", []string{modules.dir, "--against", "main"}, exitUsage, `"vendored" is a submodule`},
		{"a link", []string{linked.dir, "--against", "main"}, exitUsage, `"links/link.yaml" is a symbolic link`},
		{"a program without clusters", []string{dir, "--cluster"}, exitUsage, "without a client for clusters"},
	}
	for _, test := range tests {
		got := run("", append([]string{"plan"}, test.arguments...)...)
		if got.code != test.code || !strings.Contains(got.err, test.err) {
			t.Errorf("%s: exit code %d, %s", test.name, got.code, got.err)
		}
	}

	// A directory that the commit does not have is new, whatever its name.
	r.copy("plan/new", "--new *[x]")
	got := run("", "plan", filepath.Join(r.dir, "--new *[x]"), "--against", "main", "-o", "json")
	var p plan.Plan
	if err := json.Unmarshal([]byte(got.out), &p); err != nil || p.Summary.Contracts.New != 5 || got.code != exitOK {
		t.Errorf("exit code %d, %s %+v %v", got.code, got.err, p.Summary, err)
	}
	// From below the top, and through a link to the directory.
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(r.dir, link); err != nil {
		t.Fatal(err)
	}
	if got := run("", "plan", filepath.Join(link, "contracts", "same.yaml"), "--against", "HEAD", "--fail-on", "any"); got.code != exitOK {
		t.Errorf("through a link: exit code %d, %s%s", got.code, got.out, got.err)
	}
}

// TestPlanCluster plans against a cluster: the namespace is that of the context, the
// namespaces of sets' references are read, and what may not be read is told.
func TestPlanCluster(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	var asked SnapshotWanted
	var from Cluster
	p := Program{
		Name: "toolcontract", Out: &out, Err: &errs, In: strings.NewReader(`{"apiVersion": "toolcontract.dev/v1alpha1", "kind": "ToolSet", "metadata": {"name": "desk"},
		"spec": {"tools": [{"contract": "find-order", "namespace": "shop", "channel": "1"}], "profiles": [{"profile": "openai-responses"}]}}`),
		Snapshot: func(_ context.Context, where Cluster, wanted SnapshotWanted) (*Snapshot, error) {
			asked, from = wanted, where
			return &Snapshot{Namespace: "agents", Denied: []snapshot.Denied{{Resource: "pods", Namespace: "agents", Reason: "no"}}}, nil
		},
	}
	code := p.Run([]string{"plan", "-", "--cluster", "--context", "c", "-o", "json"})
	var made plan.Plan
	if err := json.Unmarshal(out.Bytes(), &made); err != nil {
		t.Fatal(err, errs.String())
	}
	if code != exitFindings || from.Context != "c" || !asked.Published || !asked.Workloads || strings.Join(asked.Namespaces, ",") != ",shop" {
		t.Errorf("exit code %d, asked %+v of %+v", code, asked, from)
	}
	if len(made.Sets) != 1 || made.Sets[0].Namespace != "agents" || made.Sets[0].Unresolved[0].Reason != "NotFound" || len(made.NotRead) != 1 || !strings.Contains(errs.String(), "pods in namespace agents: no") {
		t.Errorf("%+v\n%s", made, errs.String())
	}
}
