// SPDX-License-Identifier: Apache-2.0

// Command image packs static binaries into an OCI image without a base image and
// without a container engine, and prints the image's digest:
//
//	image -name operator:dev -output dist/manager.oci.tar amd64=dist/manager-amd64 arm64=dist/manager-arm64
//
// The image has two files, the binary and the certificate authorities of the Web.
// The same binaries give the same digest: no time, user or path of the machine
// enters the image. The archive is an OCI image layout, which `podman load`,
// `skopeo copy oci-archive:…`, `ctr images import` and `kind load image-archive`
// read. Beside it, each binary gets a bill of materials,
// dist/manager-amd64.cdx.json.
package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

const (
	// entrypoint is the one file of the image.
	entrypoint = "manager"
	// user is the numeric "nonroot" that Kubernetes' runAsNonRoot accepts
	// without a passwd file.
	user = "65532:65532"
)

func main() {
	name := flag.String("name", "", "`name:tag` that the archive is loaded under")
	output := flag.String("output", "", "archive `file` to write")
	flag.Parse()
	digest, err := build(*name, *output, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
	for _, binary := range flag.Args() {
		_, path, _ := strings.Cut(binary, "=")
		if err := writeBill(path); err != nil {
			fmt.Fprintln(os.Stderr, "image:", err)
			os.Exit(1)
		}
	}
	fmt.Println(digest)
}

// build writes an archive with one image per ARCHITECTURE=FILE and returns the
// digest of the index over them.
func build(name, output string, binaries []string) (v1.Hash, error) {
	if name == "" || output == "" || len(binaries) == 0 {
		return v1.Hash{}, errors.New("-name, -output and at least one ARCHITECTURE=FILE are required")
	}
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, binary := range binaries {
		architecture, path, found := strings.Cut(binary, "=")
		if !found {
			return v1.Hash{}, fmt.Errorf("argument %q is not ARCHITECTURE=FILE", binary)
		}
		image, err := newImage(name, architecture, path)
		if err != nil {
			return v1.Hash{}, fmt.Errorf("building the image for %s: %w", architecture, err)
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{
			Add:        image,
			Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: architecture}},
		})
	}
	if err := writeArchive(output, name, index); err != nil {
		return v1.Hash{}, fmt.Errorf("writing %s: %w", output, err)
	}
	return index.Digest()
}

// newImage returns an image whose only layer has the binary at path.
func newImage(name, architecture, path string) (v1.Image, error) {
	if err := checkStatic(path); err != nil {
		return nil, err
	}
	layer, err := newLayer(path)
	if err != nil {
		return nil, err
	}
	image := mutate.MediaType(empty.Image, types.OCIManifestSchema1)
	image = mutate.ConfigMediaType(image, types.OCIConfigJSON)
	image, err = mutate.AppendLayers(image, layer)
	if err != nil {
		return nil, err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture = "linux", architecture
	config.Config = v1.Config{
		Entrypoint: []string{"/" + entrypoint},
		User:       user,
		Labels:     labels(name),
	}
	return mutate.ConfigFile(image, config)
}

// labels say what the image is. When it was built is not among them, nor is
// anything else that two builds of one source would say differently.
func labels(name string) map[string]string {
	_, version, _ := strings.Cut(name[strings.LastIndex(name, "/")+1:], ":")
	return map[string]string{
		"org.opencontainers.image.title":       "toolcontract-operator",
		"org.opencontainers.image.description": "Operator for LLM tool contracts",
		"org.opencontainers.image.source":      "https://github.com/toolcontract/operator",
		"org.opencontainers.image.licenses":    "Apache-2.0",
		"org.opencontainers.image.version":     version,
	}
}

// newLayer returns a layer with the file at path as [entrypoint], and with the
// certificate authorities where Go looks for them.
func newLayer(path string) (v1.Layer, error) {
	binary, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	authorities, err := authorities()
	if err != nil {
		return nil, err
	}
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	for _, file := range []struct {
		name    string
		mode    int64
		content []byte
	}{
		{"etc/", 0o755, nil},
		{"etc/ssl/", 0o755, nil},
		{"etc/ssl/certs/", 0o755, nil},
		{"etc/ssl/certs/ca-certificates.crt", 0o444, authorities},
		{entrypoint, 0o555, binary},
	} {
		if err := w.WriteHeader(&tar.Header{Name: file.name, Mode: file.mode, Size: int64(len(file.content))}); err != nil {
			return nil, err
		}
		if _, err := w.Write(file.content); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(archive.Bytes())), nil }
	return tarball.LayerFromOpener(open, tarball.WithMediaType(types.OCILayer), tarball.WithCompressedCaching)
}

// writeArchive writes an OCI image layout as a tar file.
func writeArchive(output, name string, index v1.ImageIndex) error {
	dir, err := os.MkdirTemp("", "image-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	root, err := layout.Write(dir, mutate.IndexMediaType(empty.Index, types.OCIImageIndex))
	if err != nil {
		return err
	}
	// Podman and skopeo look for the first name, containerd and Docker for the second.
	err = root.AppendIndex(index, layout.WithAnnotations(map[string]string{
		"org.opencontainers.image.ref.name": name,
		"io.containerd.image.name":          name,
	}))
	if err != nil {
		return err
	}
	return tarFiles(output, dir)
}

// tarFiles writes the regular files below dir, in the order of their names.
func tarFiles(output, dir string) (err error) {
	file, err := os.Create(output)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	w := tar.NewWriter(file)
	files := os.DirFS(dir)
	err = fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		header := &tar.Header{Name: name, Mode: 0o644, Size: int64(len(content))}
		if err := w.WriteHeader(header); err != nil {
			return err
		}
		_, err = w.Write(content)
		return err
	})
	return errors.Join(err, w.Close())
}
