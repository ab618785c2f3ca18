// SPDX-License-Identifier: Apache-2.0

package publish

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/render"
	"github.com/toolcontract/operator/internal/schema"
)

// MaxBundle is the most bytes that the files of one ConfigMap may have. The
// API server takes 1,048,576 bytes of data; the rest is for names and metadata.
const MaxBundle = 900 << 10

// File is one rendering of a bundle.
type File struct {
	// Profile names the file: <profile>.json.
	Profile string
	Bytes   []byte
}

// Bundle is the content of one published ConfigMap.
type Bundle struct {
	// Files maps file names to their exact bytes, index.json included.
	Files map[string]string
	// Digest is the SHA-256 of index.json; it identifies the bundle.
	Digest string
}

// TooLargeError says that a bundle does not fit into a ConfigMap.
type TooLargeError struct {
	Bytes   int
	Largest []string // file names with their sizes, largest first, at most three
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("the files have %d bytes together, more than the %d that fit into a ConfigMap; the largest are %s",
		e.Bytes, MaxBundle, strings.Join(e.Largest, ", "))
}

// Host are the files for the host that runs the tool.
type Host struct {
	// View is contract.json.
	View []byte
	// Result and Audit are the schemas of the envelope and of the audit record;
	// nil if no host makes them.
	Result, Audit *schema.Value
}

// Build packs the renderings and the host's files into a bundle, or says that
// they are too large.
func Build(host Host, renderings []File) (*Bundle, *TooLargeError) {
	files := map[string]string{v1alpha1.FileContract: string(host.View)}
	if host.Result != nil {
		files[v1alpha1.FileResultSchema] = string(render.Line(host.Result))
	}
	if host.Audit != nil {
		files[v1alpha1.FileAuditSchema] = string(render.Line(host.Audit))
	}
	for _, r := range renderings {
		files[r.Profile+".json"] = string(r.Bytes)
	}
	return Pack(files)
}

// Pack writes the index of files and counts their bytes.
func Pack(files map[string]string) (*Bundle, *TooLargeError) {
	files = maps.Clone(files)
	index := writeIndex(files)
	files[v1alpha1.FileIndex] = string(index)
	if total := size(files); total > MaxBundle {
		return nil, &TooLargeError{Bytes: total, Largest: largest(files)}
	}
	return &Bundle{Files: files, Digest: schema.DigestBytes(index)}, nil
}

// writeIndex lists the digest of every file, so that a reader can tell a torn
// view of a mounted directory from a whole one.
func writeIndex(files map[string]string) []byte {
	entries := make([]schema.Member, 0, len(files))
	for _, name := range slices.Sorted(maps.Keys(files)) {
		entries = append(entries, schema.Member{
			Name: name, Value: schema.NewString(schema.DigestBytes([]byte(files[name]))),
		})
	}
	return render.Line(schema.NewObject(schema.Member{Name: "files", Value: schema.NewObject(entries...)}))
}

func size(files map[string]string) int {
	total := 0
	for name, data := range files {
		total += len(name) + len(data)
	}
	return total
}

func largest(files map[string]string) []string {
	names := slices.Sorted(maps.Keys(files))
	slices.SortStableFunc(names, func(a, b string) int { return len(files[b]) - len(files[a]) })
	out := make([]string, 0, 3)
	for _, name := range names[:min(3, len(names))] {
		out = append(out, fmt.Sprintf("%s (%d)", name, len(files[name])))
	}
	return out
}

// DataDigest identifies the data of a ConfigMap without reference to its own
// index: the operator's cache keeps it in place of the data.
func DataDigest(data map[string]string) string {
	entries := make([]schema.Member, 0, len(data))
	for _, name := range slices.Sorted(maps.Keys(data)) {
		entries = append(entries, schema.Member{Name: name, Value: schema.NewString(data[name])})
	}
	return schema.NewObject(entries...).Digest()
}
