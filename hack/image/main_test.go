// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

// writeBinary writes a file that stands for a binary and returns its path.
func writeBinary(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "binary")
	if err := os.WriteFile(path, []byte(content), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// untar unpacks an archive into a new directory.
func untar(t *testing.T, archive string) string {
	t.Helper()
	file, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	dir := t.TempDir()
	for r := tar.NewReader(file); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			return dir
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, header.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestArchiveIsAValidIndexOfOneImagePerArchitecture(t *testing.T) {
	t.Parallel()
	archive := filepath.Join(t.TempDir(), "image.tar")
	binaries := []string{"amd64=" + writeBinary(t, "first"), "arm64=" + writeBinary(t, "second")}
	digest, err := build("operator:dev", archive, binaries)
	if err != nil {
		t.Fatal(err)
	}
	root, err := layout.ImageIndexFromPath(untar(t, archive))
	if err != nil {
		t.Fatal(err)
	}
	index, err := root.ImageIndex(digest)
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Index(index); err != nil {
		t.Error(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	if len(manifest.Manifests) != 2 {
		t.Fatalf("%d images, want 2", len(manifest.Manifests))
	}
	for i, want := range []string{"amd64", "arm64"} {
		image, err := index.Image(manifest.Manifests[i].Digest)
		if err != nil {
			t.Fatal(err)
		}
		config, err := image.ConfigFile()
		if err != nil {
			t.Fatal(err)
		}
		if got := config.OS + "/" + config.Architecture; got != "linux/"+want || manifest.Manifests[i].Platform.Architecture != want {
			t.Errorf("image %d is for %s, listed for %s; want linux/%s", i, got, manifest.Manifests[i].Platform, want)
		}
		if config.Config.User != user || config.Config.Entrypoint[0] != "/"+entrypoint {
			t.Errorf("image %d runs %q as %q", i, config.Config.Entrypoint, config.Config.User)
		}
	}
}

func TestSameBinariesGiveTheSameBytes(t *testing.T) {
	t.Parallel()
	var digests []v1.Hash
	var archives [][]byte
	for range 2 {
		archive := filepath.Join(t.TempDir(), "image.tar")
		digest, err := build("operator:dev", archive, []string{"amd64=" + writeBinary(t, "same")})
		if err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(archive)
		if err != nil {
			t.Fatal(err)
		}
		digests, archives = append(digests, digest), append(archives, content)
	}
	if digests[0] != digests[1] || !bytes.Equal(archives[0], archives[1]) {
		t.Errorf("digests %v and %v, archives equal: %t", digests[0], digests[1], bytes.Equal(archives[0], archives[1]))
	}
}

func TestBuildErrors(t *testing.T) {
	t.Parallel()
	archive := filepath.Join(t.TempDir(), "image.tar")
	tests := map[string]struct {
		name     string
		binaries []string
		want     string
	}{
		"no name":                    {binaries: []string{"amd64=x"}, want: "-name"},
		"no binaries":                {name: "a:b", want: "ARCHITECTURE=FILE"},
		"an argument without a file": {name: "a:b", binaries: []string{"amd64"}, want: `"amd64" is not ARCHITECTURE=FILE`},
		"a file that is not there":   {name: "a:b", binaries: []string{"amd64=/no/such/file"}, want: "/no/such/file"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := build(test.name, archive, test.binaries)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error is %v, want one that says %q", err, test.want)
			}
		})
	}
}
