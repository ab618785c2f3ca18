// SPDX-License-Identifier: Apache-2.0

// Command dist builds the command toolcontract for all systems, packs each build
// with the license, and writes the sums and the krew manifest of the archives:
//
//	dist -version v1.2.3 -output dist
//
// It runs in the root of the repository. The same sources and the same Go give the
// same bytes.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// system is what a build is for.
type system struct{ os, arch string }

var systems = []system{
	{"darwin", "amd64"},
	{"darwin", "arm64"},
	{"linux", "amd64"},
	{"linux", "arm64"},
	{"windows", "amd64"},
	{"windows", "arm64"},
}

// versions are those that krew takes: semantic ones with a v.
var versions = regexp.MustCompile(`^v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?$`)

func main() {
	version := flag.String("version", "", "the version of the build: v1.2.3")
	output := flag.String("output", "dist", "the directory of the archives")
	flag.Parse()
	if err := dist(".", *version, *output); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

// dist writes all archives, SHA256SUMS and the krew manifest toolcontract.yaml.
func dist(root, version, output string) error {
	if !versions.MatchString(version) {
		return fmt.Errorf("-version %q: write a version such as v1.2.3", version)
	}
	if err := os.MkdirAll(output, 0o755); err != nil { //nolint:gosec // archives for everybody
		return err
	}
	sums := map[string]string{}
	var lines strings.Builder
	for _, s := range systems {
		name, data, err := pack(root, version, s)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		sums[name] = hex.EncodeToString(sum[:])
		fmt.Fprintf(&lines, "%s  %s\n", sums[name], name)
		if err := write(filepath.Join(output, name), data); err != nil {
			return err
		}
		fmt.Println(filepath.Join(output, name))
	}
	template, err := os.ReadFile(filepath.Join(root, ".krew.yaml"))
	if err != nil {
		return err
	}
	manifest, err := krewManifest(string(template), version, sums)
	if err != nil {
		return err
	}
	return errors.Join(write(filepath.Join(output, "SHA256SUMS"), []byte(lines.String())), write(filepath.Join(output, "toolcontract.yaml"), manifest))
}

func write(path string, data []byte) error {
	return os.WriteFile(path, data, 0o644) //nolint:gosec // archives for everybody
}

// archiveName is the name of an archive, as the krew manifest has it.
func archiveName(version string, s system) string {
	name := "toolcontract_" + version + "_" + s.os + "_" + s.arch
	if s.os == "windows" {
		return name + ".zip"
	}
	return name + ".tar.gz"
}

// pack builds the command for a system and packs it.
func pack(root, version string, s system) (name string, archive []byte, err error) {
	license, err := os.ReadFile(filepath.Join(root, "LICENSE"))
	if err != nil {
		return "", nil, err
	}
	binary, err := build(root, version, s)
	if err != nil {
		return "", nil, err
	}
	files := []file{{"LICENSE", license, false}, {"toolcontract", binary, true}}
	packed := tarGz
	if s.os == "windows" {
		files[1].name, packed = "toolcontract.exe", zipped
	}
	archive, err = packed(files)
	return archiveName(version, s), archive, err
}

// build is a static binary. No path of the machine and no state of the repository
// enters it beside the version.
func build(root, version string, s system) ([]byte, error) {
	dir, err := os.MkdirTemp("", "toolcontract-dist-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "toolcontract")
	command := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -X main.version="+version, "-o", path, "./cmd/toolcontract") //nolint:noctx // the version is checked; the user may interrupt it
	command.Dir = root
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOOS="+s.os, "GOARCH="+s.arch)
	if out, err := command.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building for %s/%s: %w: %s", s.os, s.arch, err, out)
	}
	return os.ReadFile(path)
}
