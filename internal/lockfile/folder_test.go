// SPDX-License-Identifier: Apache-2.0

package lockfile_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/lockfile"
	"github.com/toolcontract/operator/internal/schema"
)

// files are those of a folder with an index of them.
func files(t *testing.T, content map[string]string) map[string]string {
	t.Helper()
	index := map[string]string{}
	for name, data := range content {
		index[name] = schema.DigestBytes([]byte(data))
	}
	text, err := json.Marshal(map[string]any{"files": index})
	if err != nil {
		t.Fatal(err)
	}
	out := maps.Clone(content)
	out["index.json"] = string(text)
	return out
}

func toolFiles(t *testing.T) map[string]string {
	t.Helper()
	return files(t, map[string]string{
		"contract.json": `{"contract":"get-order","toolName":"get_order","version":"1.0.0","contentDigest":"` + digest("1") + `","targets":[{"profile":"p"}]}`,
		"p.json":        "{}\n", "result.schema.json": "{}",
	})
}

func setFiles(t *testing.T) map[string]string {
	t.Helper()
	return files(t, map[string]string{
		"tools.json": "[]\n", "request.json": `{"set":"desk","profile":"p"}`,
		"manifest.json": `{"tools":[{"namespace":"shop","contract":"get-order","toolName":"get_order","version":"1.0.0","contentDigest":"` + digest("1") + `"}]}`,
	})
}

func at(root fstest.MapFS, dir string, files map[string]string) fstest.MapFS {
	for name, data := range files {
		root[strings.TrimPrefix(dir+"/"+name, "/")] = &fstest.MapFile{Data: []byte(data)}
	}
	return root
}

func TestFolders(t *testing.T) {
	t.Parallel()
	root := at(fstest.MapFS{"README.md": {Data: []byte("not ours")}}, "tools/get-order", toolFiles(t))
	at(root, "sets/desk.p", setFiles(t))
	folders, err := lockfile.Folders(root)
	if err != nil {
		t.Fatal(err)
	}
	lock := lockfile.LockOf(folders)
	if len(folders) != 2 || len(lock.Tools) != 1 || len(lock.Sets) != 1 || len(folders[0].Differences)+len(folders[1].Differences) > 0 {
		t.Fatalf("got %+v", folders)
	}
	if got := lock.Tools[0]; got.Name() != "get-order" || len(got.Renderings) != 1 || len(got.Files) != 2 || got.Digest != schema.DigestBytes([]byte(toolFiles(t)["index.json"])) {
		t.Errorf("got the tool %+v", got)
	}
	if got := lock.Sets[0]; got.FullName() != "desk.p" || got.Tools[0].Name() != "shop/get-order" || len(got.Files) != 3 {
		t.Errorf("got the set %+v", got)
	}
	if differences := lock.Compare(folders, false); len(differences) > 0 {
		t.Errorf("the lock of what is there differs from it: %v", differences)
	}
}

// TestAMountedVolume reads a directory as the kubelet writes it: the files are
// links into a folder that a link names.
func TestAMountedVolume(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := filepath.Join(dir, "..2026_12_01")
	if err := os.Mkdir(data, 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("..2026_12_01", filepath.Join(dir, "..data")); err != nil {
		t.Fatal(err)
	}
	for name, text := range toolFiles(t) {
		if err := os.WriteFile(filepath.Join(data, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join("..data", name), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	folders, err := lockfile.Folders(os.DirFS(dir))
	if err != nil || len(folders) != 1 || folders[0].Path != "." || folders[0].Tool == nil || len(folders[0].Differences) > 0 {
		t.Errorf("got %+v, %v", folders, err)
	}
}

func TestFoldersThatContradictThemselves(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		files  func(*testing.T) map[string]string
		change func(map[string]string)
		want   []string
	}{
		"a file was changed": {toolFiles, func(f map[string]string) { f["p.json"] = "{ }\n" }, []string{
			"d/p.json: it has the digest " + schema.DigestBytes([]byte("{ }\n")) + ", and index.json says " + schema.DigestBytes([]byte("{}\n")) +
				": it was changed, or the folder is being replaced [other-bytes]",
		}},
		"a file is gone":      {toolFiles, func(f map[string]string) { delete(f, "p.json") }, []string{"d/p.json: index.json names it, and it is not there [missing]"}},
		"a file is too large": {toolFiles, func(f map[string]string) { f["p.json"] = strings.Repeat("x", 1<<20+1) }, []string{"d/p.json: it has more than 1048576 bytes, which no ConfigMap holds [other-bytes]"}},
		"a file of others":    {toolFiles, func(f map[string]string) { f["q.json"] = "{}" }, []string{"d/q.json: index.json does not name it: it was put there by somebody else [extra]"}},
		"no index":            {toolFiles, func(f map[string]string) { f["index.json"] = "[1]" }, []string{"d/index.json: it lists no files; the folder was not published by the operator [invalid]"}},
		"a huge index":        {toolFiles, func(f map[string]string) { f["index.json"] = strings.Repeat("x", 1<<20+1) }, []string{"d/index.json: it lists no files; the folder was not published by the operator [invalid]"}},
		"a deep index":        {toolFiles, func(f map[string]string) { f["index.json"] = strings.Repeat(`{"files":`, 100_000) }, []string{"d/index.json: it lists no files; the folder was not published by the operator [invalid]"}},
		"an index that leads out": {toolFiles, func(f map[string]string) {
			f["index.json"] = strings.Replace(f["index.json"], `"p.json"`, `"../p.json"`, 1)
		}, []string{
			`d/index.json: it names "../p.json", which is no file of a ConfigMap; the folder was not published by the operator [invalid]`,
			"d/p.json: index.json does not name it: it was put there by somebody else [extra]",
		}},
		"a rendering that was never there": {func(t *testing.T) map[string]string {
			t.Helper()
			return files(t, map[string]string{"contract.json": `{"contract":"c","version":"1.0.0","targets":[{"profile":"p"}]}`})
		}, func(map[string]string) {}, []string{"d/p.json: contract.json has the profile, and index.json does not name the file [missing]"}},
		"a set that is whole": {setFiles, func(map[string]string) {}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			content := test.files(t)
			test.change(content)
			var got []string
			folders, err := lockfile.Folders(at(fstest.MapFS{}, "d", content))
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range folders[0].Differences {
				got = append(got, d.String())
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFoldersThatAreNotPublished(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]map[string]string{
		"neither":                    {"a.json": "{}"},
		"a contract without a name":  {"contract.json": `{"version":"1.0.0"}`},
		"a contract that is a list":  {"contract.json": `[]`},
		"a set without request.json": {"manifest.json": `{"tools":[]}`},
		"a set of nobody":            {"manifest.json": `{"tools":[]}`, "request.json": `{"profile":"p"}`},
		"a set without tools":        {"manifest.json": `{"tools":3}`, "request.json": `{"set":"s","profile":"p"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folders, err := lockfile.Folders(at(fstest.MapFS{}, "d", files(t, content)))
			if err != nil || len(folders[0].Differences) != 1 || folders[0].Differences[0].Kind != lockfile.Invalid {
				t.Errorf("got %+v, %v", folders, err)
			}
		})
	}
	if _, err := lockfile.Folders(fstest.MapFS{"a/contract.json": {}}); !errors.Is(err, lockfile.ErrNothing) {
		t.Errorf("got %v", err)
	}
	many := fstest.MapFS{}
	for i := range 5000 {
		many[fmt.Sprintf("%d/index.json", i)] = &fstest.MapFile{Data: []byte("{}")}
	}
	if _, err := lockfile.Folders(many); err == nil || !strings.Contains(err.Error(), "4096 folders") {
		t.Errorf("got %v", err)
	}
}
