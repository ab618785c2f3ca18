// SPDX-License-Identifier: Apache-2.0

package host

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// ErrTorn says that the files do not belong together: a mounted ConfigMap is
// being replaced, or a file was changed. Load again; if it stays, the folder
// was not written by the operator.
var ErrTorn = errors.New("the files do not belong together")

// Limits on what is read. A ConfigMap holds at most one MiB.
const (
	maxFile = 1 << 20
	// maxFileDepth leaves room for a schema of the greatest depth inside
	// contract.json.
	maxFileDepth = schema.MaxDepth + 32
	maxFiles     = 256
)

const (
	indexFile    = "index.json"
	contractFile = "contract.json"
)

// LoadDir reads a published folder, such as a mounted ConfigMap.
func LoadDir(dir string) (*Tool, error) { return Load(os.DirFS(dir)) }

// Load reads a published folder and verifies every file against index.json.
// Files that the index does not name are not looked at. The error is [ErrTorn]
// if the files do not belong together.
func Load(folder fs.FS) (*Tool, error) {
	files, digest, err := readFolder(folder)
	if err != nil {
		return nil, err
	}
	if files[contractFile] == nil {
		return nil, fmt.Errorf("loading tool: index.json names no %s; the folder was not published by the operator", contractFile)
	}
	t, err := Read(files[contractFile])
	if err != nil {
		return nil, err
	}
	t.digest = digest
	for profile := range t.targets {
		if rendering := files[profile+".json"]; rendering != nil {
			t.renderings[profile] = rendering
		}
	}
	return t, nil
}

// readFolder reads the files that index.json names, each with the digest that it
// has there, and returns them with the digest of the index.
func readFolder(folder fs.FS) (files map[string][]byte, digest string, err error) {
	index, err := readFile(folder, indexFile)
	if err != nil {
		return nil, "", err
	}
	digests, err := readIndex(index)
	if err != nil {
		return nil, "", err
	}
	files = make(map[string][]byte, len(digests))
	for _, d := range digests {
		content, err := readFile(folder, d.name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, "", fmt.Errorf("loading tool: %w: index.json names %s, which is not there; load the folder again", ErrTorn, finding.Quote(d.name))
		}
		if err != nil {
			return nil, "", err
		}
		if schema.DigestBytes(content) != d.digest {
			return nil, "", fmt.Errorf("loading tool: %w: %s is not the file that index.json names; load the folder again", ErrTorn, finding.Quote(d.name))
		}
		files[d.name] = content
	}
	return files, schema.DigestBytes(index), nil
}

// fileDigest is one entry of index.json.
type fileDigest struct{ name, digest string }

func readIndex(text []byte) ([]fileDigest, error) {
	root, failed := schema.ParseWithin(text, maxFile, maxFileDepth)
	if failed != nil {
		return nil, fmt.Errorf("loading tool: %s: %s", indexFile, failed.Message)
	}
	files := root.Get("files")
	if files == nil || files.Kind() != schema.Object || files.Len() > maxFiles {
		return nil, fmt.Errorf("loading tool: %s lists no files; the folder was not published by the operator", indexFile)
	}
	out := make([]fileDigest, 0, files.Len())
	for _, m := range files.Members() {
		if m.Value.Kind() != schema.String || !isFileName(m.Name) {
			return nil, fmt.Errorf("loading tool: %s names %s, which is no file of a ConfigMap", indexFile, finding.Quote(m.Name))
		}
		out = append(out, fileDigest{m.Name, m.Value.Text()})
	}
	return out, nil
}

// isFileName reports whether a name is a key that a ConfigMap can have, so that
// no index leads out of its folder.
func isFileName(name string) bool {
	return name != "" && len(name) <= 253 && name != "." && name != ".." && !strings.ContainsFunc(name, func(r rune) bool {
		isLetterOrDigit := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
		return !isLetterOrDigit && !slices.Contains([]rune("-_."), r)
	})
}

// readFile reads a file of bounded size.
func readFile(folder fs.FS, name string) ([]byte, error) {
	// Opening a pipe would wait for somebody to write into it.
	if info, err := fs.Stat(folder, name); err != nil {
		return nil, fmt.Errorf("loading tool: %w", err)
	} else if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("loading tool: %s is no regular file", finding.Quote(name))
	}
	file, err := folder.Open(name)
	if err != nil {
		return nil, fmt.Errorf("loading tool: %w", err)
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("loading tool: %w", err)
	}
	if len(content) > maxFile {
		return nil, fmt.Errorf("loading tool: %s has more than %d bytes, which no ConfigMap holds", finding.Quote(name), maxFile)
	}
	return content, nil
}
