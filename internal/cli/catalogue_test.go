// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/catalogue"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/snapshot"
	"github.com/toolcontract/operator/internal/testkit/contracts"
)

func readFile(t *testing.T, parts ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// wants fails for each text that is not there.
func wants(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not there", part)
		}
	}
}

// TestCatalogueOfSamples: of several versions of a contract the highest that is not
// refused is shown, and what is refused says why.
func TestCatalogueOfSamples(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "new", "site")
	got := run("", "catalogue", "../../config/samples", "--out", out, "--title", "Tools of <the> shop", "--profile-dir", "../../config/samples/profiles")
	if got.code != 0 {
		t.Fatalf("got %+v", got)
	}
	if !regexp.MustCompile(`/site: 12 contracts, 1 set, 51 results \(.*; \d+ errors, \d+ warnings; \d+ files, \d+ bytes\n$`).MatchString(got.out) {
		t.Errorf("got %s", got.out)
	}
	wants(t, readFile(t, out, "index.html"), "Tools of &lt;the&gt; shop", "default_set-product-attributes.html", "12 contracts")
	wants(t, readFile(t, out, "contracts", "default_list-shipments.html"),
		"version <bdi>2.1.0", "Against 1.0.0 it needs a major bump, and its number says only minor: it is refused", "counter-example")
	wants(t, readFile(t, out, "contracts", "default_create-refund-draft.html"), "../sets/default_shop-assistant.html", "config/samples/create-refund-draft.yaml:")
	wants(t, readFile(t, out, "sets", "default_shop-assistant.html"), "6 of 6 tools")
}

// TestCatalogueSaysWhatCheckSays: the same findings, counted.
func TestCatalogueSaysWhatCheckSays(t *testing.T) {
	t.Parallel()
	counts := regexp.MustCompile(`\d+ errors?, \d+ warnings?`)
	for _, file := range append(samples(t), "../../config/samples/refused/no-strict-provider.yaml") {
		checked, written := run("", "check", file), run("", "catalogue", file, "--out", filepath.Join(t.TempDir(), "site"))
		all := counts.FindAllString(checked.out, -1)
		if want, found := all[len(all)-1], counts.FindString(written.out); written.code != 0 || found != want {
			t.Errorf("%s: check says %s, the catalogue %s", file, want, found)
		}
	}
}

// TestCatalogueFolder writes into a folder that is new, empty or an earlier
// catalogue, and touches no other.
func TestCatalogueFolder(t *testing.T) {
	t.Parallel()
	const sample = "../../config/samples/get-inventory.yaml"
	write := func(t *testing.T, dir, name string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	written := func(t *testing.T, dir string) {
		t.Helper()
		if got := run("", "catalogue", sample, "--out", dir); got.code != 0 {
			t.Fatalf("got %+v", got)
		}
	}
	for _, test := range []struct {
		name  string
		setup func(t *testing.T, dir string)
		want  string // the refusal, empty for none
	}{
		{"new", func(*testing.T, string) {}, ""},
		{"empty", func(t *testing.T, dir string) {
			t.Helper()
			if err := os.Mkdir(dir, 0o750); err != nil {
				t.Fatal(err)
			}
		}, ""},
		{"an earlier catalogue", func(t *testing.T, dir string) {
			t.Helper()
			if got := run("", "catalogue", "../../config/samples", "--out", dir); got.code != 0 {
				t.Fatalf("got %+v", got)
			}
		}, ""},
		{"something else", func(t *testing.T, dir string) { t.Helper(); write(t, dir, "README.md") }, "no catalogue.json says that it is a catalogue"},
		{"a marker that is none", func(t *testing.T, dir string) { t.Helper(); write(t, dir, "catalogue.json") }, "is that of no catalogue"},
		{"a file beside an earlier one", func(t *testing.T, dir string) {
			t.Helper()
			written(t, dir)
			write(t, dir, "contracts/CNAME")
		}, `no catalogue wrote "contracts/CNAME", which would be lost`},
		{"a repository", func(t *testing.T, dir string) {
			t.Helper()
			written(t, dir)
			write(t, dir, ".git/config")
		}, `no catalogue wrote ".git"`},
		{"a file", func(t *testing.T, dir string) { t.Helper(); write(t, filepath.Dir(dir), filepath.Base(dir)) }, "it is no folder"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			parent := t.TempDir()
			dir := filepath.Join(parent, "site")
			test.setup(t, dir)
			before := tree(t, parent)
			got := run("", "catalogue", sample, "--out", dir)
			if test.want == "" {
				fresh := filepath.Join(t.TempDir(), "site")
				written(t, fresh)
				if diff := cmp.Diff(tree(t, fresh), tree(t, dir)); got.code != 0 || diff != "" {
					t.Errorf("got %+v\n%s", got, diff)
				}
				if entries, err := os.ReadDir(parent); err != nil || len(entries) != 1 {
					t.Errorf("beside the folder are %v (%v)", entries, err)
				}
				return
			}
			if got.code != 2 || got.out != "" || !strings.Contains(got.err, test.want) {
				t.Errorf("got %+v", got)
			}
			if diff := cmp.Diff(before, tree(t, parent)); diff != "" {
				t.Errorf("something was touched:\n%s", diff)
			}
		})
	}
}

// TestCatalogueBehindALink: the link stays, what it leads to is written.
func TestCatalogueBehindALink(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	link := filepath.Join(parent, "link")
	if err := errors.Join(os.Mkdir(filepath.Join(parent, "real"), 0o750), os.Symlink("real", link)); err != nil {
		t.Fatal(err)
	}
	if got := run("", "catalogue", "../../config/samples/get-inventory.yaml", "--out", link); got.code != 0 {
		t.Fatalf("got %+v", got)
	}
	if to, err := os.Readlink(link); err != nil || to != "real" {
		t.Errorf("the link leads to %s (%v)", to, err)
	}
	readFile(t, parent, "real", "index.html")
}

func TestCatalogueUsage(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "site")
	for _, test := range []struct {
		arguments []string
		want      string
	}{
		{[]string{"-"}, "say where to write: --out DIR"},
		{[]string{"--out", out}, "name a file, a directory"},
		{[]string{"-", "--out", out, "--title", " "}, "--title is blank"},
		{[]string{"-", "--out", out, "--cluster"}, "not both"},
		{[]string{"-", "--out", out, "-A"}, "go with --cluster"},
		{[]string{"--cluster", "--out", out, "-A", "-n", "shop"}, "name one namespace"},
		{[]string{"--cluster", "--out", out, "-n", "Shop"}, "DNS label"},
		{[]string{"-", "--out", out, "-n", "Shop"}, "lower-case"},
		{[]string{"--cluster", "--out", out}, "without a client for clusters"},
		{[]string{"missing.yaml", "--out", out}, "no such file"},
		{[]string{"-", "--out", out}, "there is no ToolContract"},
	} {
		if got := run("", append([]string{"catalogue"}, test.arguments...)...); got.code != 2 || got.out != "" || !strings.Contains(got.err, test.want) {
			t.Errorf("%v: got %+v", test.arguments, got)
		}
	}
	if _, err := os.Stat(out); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something was written: %v", err)
	}
}

// TestCatalogueOfInvalid: a contract that is not valid has a page, and one of
// several manifests that is not valid stands on the page of the others.
func TestCatalogueOfInvalid(t *testing.T) {
	t.Parallel()
	good := readFile(t, "../../config/samples/get-inventory.yaml")
	bad := strings.Replace(good, "version: 1.0.0", "version: one", 1)
	alone := strings.Replace(bad, "name: get-inventory", "name: alone", 1)
	nameless := "apiVersion: toolcontract.dev/v1alpha1\nkind: ToolContract\nspec: 7\n"
	out := filepath.Join(t.TempDir(), "site")
	got := run(strings.Join([]string{good, bad, alone, nameless}, "\n---\n"), "catalogue", "-", "--out", out)
	if got.code != 0 {
		t.Fatalf("got %+v", got)
	}
	wants(t, readFile(t, out, "contracts", "default_get-inventory.html"), "Manifests of this name that are not valid", "version <bdi>one", "version <bdi>1.0.0")
	wants(t, readFile(t, out, "contracts", "default_alone.html"), "The contract is not valid", ">invalid<")
	names, err := filepath.Glob(filepath.Join(out, "contracts", "d_*.html"))
	if err != nil || len(names) != 1 {
		t.Errorf("of the contract without a name there are %v (%v)", names, err)
	}
}

// TestCatalogueOfCluster: a contract whose new version is refused, with what is
// served, its conditions, and what could not be read.
func TestCatalogueOfCluster(t *testing.T) {
	t.Parallel()
	served := contracts.Read(t, "config/samples/refused/versions/01-list-shipments-1.0.0.yaml")
	contract := contracts.Read(t, "config/samples/refused/versions/02-list-shipments-1.1.0-wrong.yaml")
	contract.Namespace = "shop"
	contract.Status.Conditions = []metav1.Condition{{Type: "VersionAccepted", Status: "False", Reason: "MajorBumpRequired", Message: "<i>no</i>"}}
	contract.Status.Channels = []v1alpha1.Channel{{Line: "1", Revision: "list-shipments-1.0.0", ConfigMap: "list-shipments-v1", Digest: "sha256:1234"}}
	content, _ := evaluate.Read(&served.Spec.ToolContent)
	revision := func(name, digest string) v1alpha1.ToolRevision {
		return v1alpha1.ToolRevision{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name},
			Spec:       v1alpha1.ToolRevisionSpec{ContractRef: v1alpha1.ContractReference{Name: contract.Name}, Content: served.Spec.ToolContent, ContentDigest: digest},
		}
	}
	set := v1alpha1.ToolSet{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "agent"}, Spec: v1alpha1.ToolSetSpec{
		Tools: []v1alpha1.ToolReference{{Contract: contract.Name, Channel: "1"}}, Profiles: []v1alpha1.SetProfile{{Profile: "openai-responses"}},
	}}
	var asked snapshot.Wanted
	var stdout, stderr bytes.Buffer
	p := Program{Name: "toolcontract", Out: &stdout, Err: &stderr, Snapshot: func(_ context.Context, from Cluster, wanted SnapshotWanted) (*Snapshot, error) {
		if from.Namespace != "shop" {
			return nil, errors.New("another namespace was asked for")
		}
		asked = wanted
		return &Snapshot{
			Namespaces: []string{"shop"}, Contracts: []v1alpha1.ToolContract{*contract}, Sets: []v1alpha1.ToolSet{set},
			Revisions: []v1alpha1.ToolRevision{revision("list-shipments-1.0.0", content.Digest()), revision("forged", "sha256:0")},
			Denied:    []snapshot.Denied{{Resource: "providerprofiles.toolcontract.dev", Reason: "forbidden"}},
		}, nil
	}}
	out := filepath.Join(t.TempDir(), "site")
	if code := p.Run([]string{"catalogue", "--cluster", "-n", "shop", "--out", out}); code != 0 {
		t.Fatalf("got %d: %s", code, stderr.String())
	}
	if asked.AllNamespaces || asked.Workloads || asked.Published {
		t.Errorf("asked for %+v", asked)
	}
	wants(t, readFile(t, out, "contracts", "shop_list-shipments.html"),
		"version <bdi>1.0.0", "MajorBumpRequired", "&lt;i&gt;no&lt;/i&gt;", "list-shipments-v1", "ToolRevision list-shipments-1.0.0", "it is refused", "shop_agent.html")
	wants(t, readFile(t, out, "sets", "shop_agent.html"), "1 of 1 tool,")
	wants(t, readFile(t, out, "index.html"), "providerprofiles.toolcontract.dev in all namespaces: forbidden", "the ToolRevision shop/forged: it is not what its digest says", "namespace shop")
}

// TestCatalogueIsWhole: a run that fails leaves the folder as it was.
func TestCatalogueIsWhole(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	folder, err := openCatalogueFolder(filepath.Join(parent, "site"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(folder.write("contracts/a.html", []byte("a")), folder.close(false)); err != nil {
		t.Fatal(err)
	}
	if left := tree(t, parent); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	for _, text := range []string{"", "{}", `{"schemaVersion":"toolcontract.dev/lock/v1"}`} {
		if _, ok := catalogue.ReadMarker([]byte(text)); ok {
			t.Errorf("%q is taken for a marker", text)
		}
	}
}
