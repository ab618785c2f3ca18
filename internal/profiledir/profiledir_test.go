// SPDX-License-Identifier: Apache-2.0

package profiledir

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/provider"
)

const (
	facts    = "extends: openai-responses\nrevision: 101\nreviewed: \"2026-11-30\"\n"
	file     = "name: house\n" + facts
	manifest = "apiVersion: toolcontract.dev/v1alpha1\nkind: ProviderProfile\nmetadata: {name: branch}\nspec:\n" +
		"  extends: house\n  revision: 102\n  reviewed: \"2026-11-30\"\n"
	override = `{"name":"anthropic-messages","extends":"anthropic-messages","revision":103,"reviewed":"2026-11-30"}`
)

func directory(files map[string]string) fstest.MapFS {
	dir := fstest.MapFS{}
	for name, text := range files {
		dir[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return dir
}

func TestReadTakesProfileFilesAndManifests(t *testing.T) {
	t.Parallel()
	dir := directory(map[string]string{
		"house.yaml": file, "anything.yml": manifest, "anthropic-messages.json": override,
		// What a mounted ConfigMap, an editor and people leave in a directory.
		"..data/house.yaml": "{", ".house.yaml.swp": "{", ".hidden.yaml": "{", "README.md": "# Profiles", "more/other.yaml": "{", "folder.yaml/x": "{",
	})
	catalog, err := Read(dir, provider.Builtin())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, name := range catalog.Names() {
		if profile, _ := catalog.Lookup(name); profile.Revision > 100 {
			got[name] = profile.Revision
		}
	}
	if diff := cmp.Diff(map[string]int{"house": 101, "branch": 102, "anthropic-messages": 103}, got); diff != "" {
		t.Errorf("revisions (-want +got):\n%s", diff)
	}
}

func TestReadNamesEveryProblemWithItsPlace(t *testing.T) {
	t.Parallel()
	_, err := Read(directory(map[string]string{
		"a-name.yaml":   file,
		"facts.yaml":    strings.Replace("name: facts\n"+facts, "revision", "revison", 1),
		"manifest.yaml": strings.Replace(manifest, "revision", "revison", 1),
		"kind.yaml":     strings.Replace(manifest, "ProviderProfile", "Profile", 1),
		"house.yaml":    file,
		"twice.yaml":    strings.Replace(manifest, "branch", "house", 1),
		"broken.json":   `{"name": "broken"`,
	}), provider.Builtin())
	if err == nil {
		t.Fatal("it was read")
	}
	for _, want := range []string{
		`a-name.yaml: Error /name: `, `facts.yaml: Error /revison: `, `manifest.yaml: Error /spec/revison: `,
		`kind.yaml: Error `, `twice.yaml: the profile "house" is also in house.yaml`, `broken.json: Error `,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q:\n%v", want, err)
		}
	}
}

func TestReadOpensRegularFilesOnly(t *testing.T) {
	t.Parallel()
	dir := directory(map[string]string{"pipe.yaml": "name: pipe\n" + facts, "device.json": "{}"})
	dir["pipe.yaml"].Mode, dir["device.json"].Mode = fs.ModeNamedPipe, fs.ModeDevice|fs.ModeCharDevice
	_, err := Read(dir, provider.Builtin())
	if err == nil {
		t.Fatal("it was read")
	}
	for _, want := range []string{"pipe.yaml: it is not a regular file", "device.json: it is not a regular file"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q:\n%v", want, err)
		}
	}
}

func TestReadTakesNoMoreThanAProfileMayHave(t *testing.T) {
	t.Parallel()
	_, err := Read(directory(map[string]string{"large.yaml": strings.Repeat("#", provider.MaxFile+1)}), provider.Builtin())
	if want := "large.yaml: it has 262145 bytes, more than the limit of 262144"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestReadOfNoDirectoryFails(t *testing.T) {
	t.Parallel()
	missing, err := fs.Sub(directory(map[string]string{"house.yaml": file}), "nowhere")
	if err != nil {
		t.Fatal(err)
	}
	if catalog, err := Read(missing, provider.Builtin()); err == nil {
		t.Errorf("it was read: %v", catalog.Names())
	}
	if catalog, err := Read(directory(nil), provider.Builtin()); err != nil || !cmp.Equal(catalog.Names(), provider.Builtin().Names()) {
		t.Errorf("an empty directory: %v, %v", catalog, err)
	}
}
