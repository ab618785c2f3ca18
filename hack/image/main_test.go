// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/tar"
	"bytes"
	"crypto/x509"
	"debug/elf"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

// writeBinary builds a program that says so and returns its path.
func writeBinary(t *testing.T, says string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  "module example.com/program\n\ngo 1.26\n",
		"main.go": "package main\n\nfunc main() { println(" + strconv.Quote(says) + ") }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "binary")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-buildvcs=false", "-o", path, ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("building a program: %v: %s", err, out)
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
		if got := config.Config.Labels["org.opencontainers.image.version"]; got != "dev" {
			t.Errorf("image %d says it is version %q", i, got)
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
		"a program with a loader":    {name: "a:b", binaries: []string{"amd64=" + dynamic(t)}, want: "is not static"},
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

// dynamic writes the head of a program that asks for a loader.
func dynamic(t *testing.T) string {
	t.Helper()
	var out bytes.Buffer
	header := elf.Header64{Type: uint16(elf.ET_EXEC), Machine: uint16(elf.EM_X86_64), Version: 1, Phoff: 64, Ehsize: 64, Phentsize: 56, Phnum: 1}
	copy(header.Ident[:], elf.ELFMAG)
	header.Ident[elf.EI_CLASS], header.Ident[elf.EI_DATA], header.Ident[elf.EI_VERSION] = byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), 1
	for _, part := range []any{header, elf.Prog64{Type: uint32(elf.PT_INTERP)}} {
		if err := binary.Write(&out, binary.LittleEndian, part); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "dynamic")
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestTheImageHoldsTwoFiles reads the layer as a runtime does.
func TestTheImageHoldsTwoFiles(t *testing.T) {
	t.Parallel()
	program := writeBinary(t, "hello")
	layer, err := newLayer(program)
	if err != nil {
		t.Fatal(err)
	}
	content, err := layer.Uncompressed()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for r := tar.NewReader(content); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if header.Mode&0o022 != 0 || header.Uid != 0 || !header.ModTime.IsZero() && header.ModTime.Unix() != 0 {
			t.Errorf("%s: mode %o, owner %d, time %v", header.Name, header.Mode, header.Uid, header.ModTime)
		}
		if header.Typeflag == tar.TypeReg {
			if files[header.Name], err = io.ReadAll(r); err != nil {
				t.Fatal(err)
			}
		}
	}
	want, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 2 || !bytes.Equal(files["manager"], want) {
		t.Errorf("the layer has %d files; the program is the same: %t", len(files), bytes.Equal(files["manager"], want))
	}
	if !x509.NewCertPool().AppendCertsFromPEM(files["etc/ssl/certs/ca-certificates.crt"]) {
		t.Error("there are no certificate authorities")
	}
}

func TestTheBillNamesEveryModule(t *testing.T) {
	t.Parallel()
	path := writeBinary(t, "bill")
	if err := writeBill(path); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path + ".cdx.json")
	if err != nil {
		t.Fatal(err)
	}
	var got bom
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if got.Format != "CycloneDX" || got.SpecVersion != "1.6" || got.Metadata.Component.Name != "example.com/program" {
		t.Errorf("the bill is\n%s", text)
	}
	if len(got.Components) != 1 || !strings.HasPrefix(got.Components[0].PURL, "pkg:golang/std@1.") || got.Dependencies[0].DependsOn[0] != got.Components[0].Ref {
		t.Errorf("the bill lists %+v", got.Components)
	}
	if err := writeBill(filepath.Join("testdata", "none")); err == nil {
		t.Error("a file that is not there has a bill")
	}
}
