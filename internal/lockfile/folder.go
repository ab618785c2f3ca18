// SPDX-License-Identifier: Apache-2.0

package lockfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// Names of the files that tell what a folder is.
const (
	indexFile    = "index.json"
	contractFile = "contract.json"
	manifestFile = "manifest.json"
	requestFile  = "request.json"
)

// Limits on what is read: a ConfigMap holds at most a MiB, and a pod mounts some
// of them.
const (
	maxFile    = 1 << 20
	maxFiles   = 256
	maxFolders = 4096
	maxEntries = 200_000
)

// ErrNothing says that a directory holds no published folder.
var ErrNothing = errors.New("no published folder is there: none holds index.json")

// Folder is one published folder as it is.
type Folder struct {
	// Path is where it is below the root; "." is the root itself.
	Path string
	// Tool or Set is what the folder holds; both are nil if it holds neither.
	Tool *Tool
	Set  *Set
	// Differences say where the folder contradicts itself.
	Differences []Difference
}

// LockOf is the lock of what is there.
func LockOf(folders []Folder) Lock {
	var l Lock
	for _, f := range folders {
		switch {
		case f.Tool != nil:
			l.Tools = append(l.Tools, *f.Tool)
		case f.Set != nil:
			l.Sets = append(l.Sets, *f.Set)
		}
	}
	return l
}

// Folders reads what is mounted: a folder with index.json, or a directory of such
// folders at any depth. Every file is held to its digest. Links to directories are
// not followed.
func Folders(root fs.FS) ([]Folder, error) {
	var out []Folder
	entries := 0
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entries++; entries > maxEntries || len(out) > maxFolders {
			return fmt.Errorf("there are more than %d files or %d folders", maxEntries, maxFolders)
		}
		// The kubelet keeps the files of a volume in a folder that begins with two
		// dots; the files beside it are links into it.
		if entry.IsDir() && strings.HasPrefix(path.Base(name), "..") {
			return fs.SkipDir
		}
		if entry.IsDir() || path.Base(name) != indexFile {
			return nil
		}
		f, err := folder(root, path.Dir(name))
		out = append(out, f)
		return err
	})
	if err == nil && len(out) == 0 {
		err = ErrNothing
	}
	if err != nil {
		return nil, fmt.Errorf("reading the folders: %w", err)
	}
	return out, nil
}

func (f *Folder) say(kind Kind, file, format string, arguments ...any) {
	f.Differences = append(f.Differences, Difference{kind, path.Join(f.Path, file), fmt.Sprintf(format, arguments...)})
}

// folder reads one folder. The error is that of the file system.
func folder(root fs.FS, dir string) (Folder, error) {
	f := Folder{Path: dir}
	index, err := readFile(root, path.Join(dir, indexFile))
	if err != nil {
		return f, err
	}
	listed := filesOf(index)
	if listed == nil {
		f.say(Invalid, indexFile, "it lists no files; the folder was not published by the operator")
		return f, nil
	}
	files := map[string][]byte{}
	digests := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		if !isFileName(name) {
			f.say(Invalid, indexFile, "it names %s, which is no file of a ConfigMap; the folder was not published by the operator", finding.Quote(name))
			continue
		}
		data, err := readFile(root, path.Join(dir, name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			f.say(Missing, name, "index.json names it, and it is not there")
			continue
		case err != nil:
			return f, err
		case data == nil:
			f.say(Bytes, name, "it has more than %d bytes, which no ConfigMap holds", maxFile)
			continue
		}
		files[name], digests[name] = data, schema.DigestBytes(data)
		if digests[name] != listed[name] {
			f.say(Bytes, name, "it has the digest %s, and index.json says %s: it was changed, or the folder is being replaced", digests[name], finding.Clip(listed[name], 80))
		}
	}
	if err := f.extra(root, listed); err != nil {
		return f, err
	}
	f.identify(files, digests, schema.DigestBytes(index))
	return f, nil
}

// filesOf are the digests of an index by file name; nil if it lists none.
func filesOf(index []byte) map[string]string {
	var listed struct {
		Files map[string]string `json:"files"`
	}
	if json.Unmarshal(index, &listed) != nil || len(listed.Files) == 0 || len(listed.Files) > maxFiles {
		return nil
	}
	return listed.Files
}

// extra names files that nobody published.
func (f *Folder) extra(root fs.FS, listed map[string]string) error {
	entries, err := fs.ReadDir(root, f.Path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		_, known := listed[e.Name()]
		if !known && e.Name() != indexFile && !e.IsDir() && !strings.HasPrefix(e.Name(), "..") {
			f.say(Extra, e.Name(), "index.json does not name it: it was put there by somebody else")
		}
	}
	return nil
}

// isFileName reports whether a name is a key that a ConfigMap can have, so that
// no index leads out of its folder.
func isFileName(name string) bool {
	return name != "" && len(name) <= 253 && name != "." && name != ".." &&
		strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") == ""
}

// entry is what is read of contract.json and of an entry of manifest.json.
type entry struct {
	Identity
	Targets []struct {
		Profile string `json:"profile"`
	} `json:"targets"`
}

// identify reads what the folder holds.
func (f *Folder) identify(files map[string][]byte, digests map[string]string, index string) {
	switch {
	case files[contractFile] != nil:
		var e entry
		if json.Unmarshal(files[contractFile], &e) != nil || e.Contract == "" || e.Version == "" {
			f.say(Invalid, contractFile, "it names no contract and version; the folder was not published by the operator")
			return
		}
		f.Tool = &Tool{Identity: e.Identity, Digest: index, Renderings: map[string]string{}, Files: digests}
		for _, t := range e.Targets {
			if digest, ok := digests[t.Profile+".json"]; ok {
				f.Tool.Renderings[t.Profile] = digest
				delete(digests, t.Profile+".json")
			} else if !slices.ContainsFunc(f.Differences, func(d Difference) bool { return d.Place == path.Join(f.Path, t.Profile+".json") }) {
				f.say(Missing, t.Profile+".json", "contract.json has the profile, and index.json does not name the file")
			}
		}
	case files[manifestFile] != nil:
		f.set(files, digests, index)
	case len(f.Differences) == 0:
		f.say(Invalid, "", "it holds neither contract.json nor manifest.json; the folder was not published by the operator")
	}
}

func (f *Folder) set(files map[string][]byte, digests map[string]string, index string) {
	var request struct {
		Set     string `json:"set"`
		Profile string `json:"profile"`
	}
	if json.Unmarshal(files[requestFile], &request) != nil || request.Set == "" || request.Profile == "" {
		f.say(Invalid, requestFile, "it does not say of which set and profile the folder is; the folder was not published by the operator")
		return
	}
	var manifest struct {
		Tools []entry `json:"tools"`
	}
	if json.Unmarshal(files[manifestFile], &manifest) != nil {
		f.say(Invalid, manifestFile, "it lists no tools; the folder was not published by the operator")
		return
	}
	f.Set = &Set{Name: request.Set, Profile: request.Profile, Digest: index, Files: digests, Tools: []Identity{}}
	for _, e := range manifest.Tools {
		f.Set.Tools = append(f.Set.Tools, e.Identity)
	}
}

// readFile reads a file of bounded size; nil for a larger one.
func readFile(root fs.FS, name string) ([]byte, error) {
	// Opening a pipe would wait for somebody to write into it.
	if info, err := fs.Stat(root, name); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxFile {
		return nil, nil
	}
	return data, nil
}
