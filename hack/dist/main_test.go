// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestOneBuildIsPackedTwice: the same sources give the same bytes, and the archive
// holds the command with its version, and the license.
func TestOneBuildIsPackedTwice(t *testing.T) {
	t.Parallel()
	here := system{runtime.GOOS, runtime.GOARCH}
	name, first, err := pack("../..", "v1.2.3", here)
	if err != nil {
		t.Fatal(err)
	}
	_, second, err := pack("../..", "v1.2.3", here)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, second) {
		t.Errorf("%s has other bytes the second time", name)
	}
	files := unpackedTar(t, first)
	if len(files["toolcontract"]) < 1<<20 || !strings.Contains(files["LICENSE"], "Apache License") || len(files) != 2 {
		t.Errorf("the archive has %d files", len(files))
	}
	if !strings.Contains(files["toolcontract"], "v1.2.3") {
		t.Error("the command does not know its version")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(files["toolcontract"], root+"/") {
		t.Errorf("the command holds the path %s of this machine", root)
	}
}

func unpackedTar(t *testing.T, data []byte) map[string]string {
	t.Helper()
	compressed, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for archive := tar.NewReader(compressed); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		if executable := header.Mode&0o111 != 0; executable != (header.Name == "toolcontract") || !header.ModTime.Equal(epoch) || header.Uid != 0 {
			t.Errorf("%s: got %+v", header.Name, header)
		}
		out[header.Name] = string(text)
	}
}

func TestZip(t *testing.T) {
	t.Parallel()
	files := []file{{"LICENSE", []byte("free"), false}, {"toolcontract.exe", []byte("MZ"), true}}
	first, err := zipped(files)
	if err != nil {
		t.Fatal(err)
	}
	if second, err := zipped(files); err != nil || !bytes.Equal(first, second) {
		t.Errorf("the archive has other bytes the second time; %v", err)
	}
	archive, err := zip.NewReader(bytes.NewReader(first), int64(len(first)))
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil || f.Name != files[i].name || !bytes.Equal(text, files[i].data) || (f.Mode()&0o111 != 0) != files[i].executable || !f.Modified.Equal(epoch) {
			t.Errorf("got %+v; %v", f, err)
		}
	}
}

// plugin is what krew reads of a manifest.
type plugin struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Spec struct {
		Version          string `json:"version"`
		Homepage         string `json:"homepage"`
		ShortDescription string `json:"shortDescription"`
		Description      string `json:"description"`
		Caveats          string `json:"caveats"`
		Platforms        []struct {
			Selector struct {
				MatchLabels map[string]string `json:"matchLabels"`
			} `json:"selector"`
			URI    string `json:"uri"`
			Sha256 string `json:"sha256"`
			Bin    string `json:"bin"`
		} `json:"platforms"`
	} `json:"spec"`
}

// TestKrewManifest: the manifest has what krew demands of a plugin, for every system.
func TestKrewManifest(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../.krew.yaml")
	if err != nil {
		t.Fatal(err)
	}
	sums := map[string]string{}
	for i, s := range systems {
		sums[archiveName("v1.2.3", s)] = strings.Repeat(string(rune('a'+i)), 64)
	}
	filled, err := krewManifest(string(text), "v1.2.3", sums)
	if err != nil {
		t.Fatal(err)
	}
	var p plugin
	if err := yaml.UnmarshalStrict(filled, &p); err != nil {
		t.Fatalf("%v\n%s", err, filled)
	}
	if p.APIVersion != "krew.googlecontainertools.github.com/v1alpha2" || p.Kind != "Plugin" || !regexp.MustCompile(`^[\w-]+$`).MatchString(p.Metadata.Name) {
		t.Errorf("got %s %s %s", p.APIVersion, p.Kind, p.Metadata.Name)
	}
	if s := p.Spec; s.Version != "v1.2.3" || s.Homepage == "" || s.Description == "" || s.ShortDescription == "" || len(s.ShortDescription) > 50 || strings.ContainsAny(s.ShortDescription, "\n\r") {
		t.Errorf("got %+v", s)
	}
	var got []system
	for _, platform := range p.Spec.Platforms {
		s := system{platform.Selector.MatchLabels["os"], platform.Selector.MatchLabels["arch"]}
		got = append(got, s)
		name := archiveName("v1.2.3", s)
		if want := "https://github.com/toolcontract/operator/releases/download/v1.2.3/" + name; platform.URI != want || platform.Sha256 != sums[name] {
			t.Errorf("%v: got %s with the sum %s", s, platform.URI, platform.Sha256)
		}
		if wantsExe := s.os == "windows"; strings.HasSuffix(platform.Bin, ".exe") != wantsExe || strings.TrimSuffix(platform.Bin, ".exe") != "toolcontract" {
			t.Errorf("%v: got %s", s, platform.Bin)
		}
	}
	slices.SortFunc(got, func(a, b system) int { return strings.Compare(a.os+" "+a.arch, b.os+" "+b.arch) })
	if !slices.Equal(got, systems) {
		t.Errorf("got %v, want %v", got, systems)
	}
	delete(sums, archiveName("v1.2.3", systems[0]))
	if _, err := krewManifest(string(text), "v1.2.3", sums); err == nil || !strings.Contains(err.Error(), "no archive toolcontract_v1.2.3_darwin_amd64.tar.gz was packed") {
		t.Errorf("an archive that is not there: %v", err)
	}
}

func TestVersions(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]bool{
		"v1.2.3": true, "v0.0.0-3-g0123abc-dirty": true, "v1.0.0-rc.1": true,
		"1.2.3": false, "v1.2": false, "v1.2.3 -X main.x=y": false, "": false, "0123abc": false,
	} {
		if got := versions.MatchString(version); got != want {
			t.Errorf("%q: got %t", version, got)
		}
	}
	if err := dist("../..", "latest", t.TempDir()); err == nil || !strings.Contains(err.Error(), "v1.2.3") {
		t.Errorf("got %v", err)
	}
}
