// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Limits on inputs. An API server takes requests of at most 3 MiB, so no
// single object can be larger.
const (
	// MaxSource is the most bytes that one file, or standard input, may have.
	MaxSource = 64 << 20
	// MaxDocument is the most bytes that one YAML document or one object of a
	// JSON list may have, in YAML also with its aliases written out.
	MaxDocument = 3 << 20
)

// Stdin is the argument, and the file name in results, of standard input.
const Stdin = "-"

// Source is one input.
type Source struct {
	// Name is the path as it was given or found, or [Stdin].
	Name string
	Data []byte
	// Found says that the file was found in a directory, and not named.
	Found bool
}

// extensions are the files that count in a directory, as for kubectl. A file
// that is named explicitly may have any name.
var extensions = []string{".json", ".yaml", ".yml"}

// Open yields the inputs in the order of the arguments, those of a directory
// in lexical order of their paths. Directories below it with a leading dot, and
// node_modules, are passed over. An input that cannot be read is an error;
// the others follow.
func Open(arguments []string, stdin io.Reader) iter.Seq2[Source, error] {
	return func(yield func(Source, error) bool) {
		for _, argument := range arguments {
			if !open(argument, stdin, yield) {
				return
			}
		}
	}
}

func open(argument string, stdin io.Reader, yield func(Source, error) bool) bool {
	if argument == Stdin {
		return yield(ReadSource(Stdin, stdin))
	}
	info, err := os.Stat(argument)
	if err != nil {
		return yield(Source{Name: argument}, fmt.Errorf("reading manifest: %w", err))
	}
	if !info.IsDir() {
		return yield(openFile(argument))
	}
	ok := true
	walkErr := filepath.WalkDir(argument, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			ok = yield(Source{Name: path}, fmt.Errorf("reading directory: %w", err))
		case path != argument && entry.IsDir() && isAside(entry.Name()):
			return fs.SkipDir
		case isManifestFile(path, entry):
			source, err := openFile(path)
			source.Found = true
			ok = yield(source, err)
		}
		if !ok {
			return fs.SkipAll
		}
		return nil
	})
	if walkErr != nil && ok {
		ok = yield(Source{Name: argument}, fmt.Errorf("reading directory: %w", walkErr))
	}
	return ok
}

// Counts reports whether a file counts in a directory, given its path below that,
// with slashes.
func Counts(path string) bool {
	names := strings.Split(path, "/")
	return isManifestName(path) && !slices.ContainsFunc(names[:len(names)-1], isAside)
}

// isAside reports whether a directory of this name is passed over: a directory that
// is named may be a whole repository, with all that its tools need. A mounted
// ConfigMap has every file again in a directory with a leading dot.
func isAside(name string) bool { return strings.HasPrefix(name, ".") || name == "node_modules" }

func isManifestName(path string) bool { return slices.Contains(extensions, filepath.Ext(path)) }

// isManifestFile accepts regular files and links to them: a mounted ConfigMap
// is a directory of links. Pipes and devices in a directory would block.
func isManifestFile(path string, entry fs.DirEntry) bool {
	if !isManifestName(path) {
		return false
	}
	if entry.Type()&fs.ModeSymlink == 0 {
		return entry.Type().IsRegular()
	}
	info, err := os.Stat(path)
	return err != nil || info.Mode().IsRegular() // a dangling link is reported when it is opened
}

func openFile(path string) (Source, error) {
	f, err := os.Open(path)
	if err != nil {
		return Source{Name: path}, fmt.Errorf("reading manifest: %w", err)
	}
	defer f.Close()
	return ReadSource(path, f)
}

// ReadSource reads one input within [MaxSource].
func ReadSource(name string, r io.Reader) (Source, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxSource+1))
	if err != nil {
		return Source{Name: name}, fmt.Errorf("reading %s: %w", name, err)
	}
	if len(data) > MaxSource {
		return Source{Name: name}, fmt.Errorf("reading %s: it has more than %d bytes; split it", name, MaxSource)
	}
	return Source{Name: name, Data: data}, nil
}
