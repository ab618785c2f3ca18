// SPDX-License-Identifier: Apache-2.0

package host

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/toolcontract/operator/internal/schema"
)

// Follow loads a mounted folder with [Load] or [LoadSet], and again whenever what
// is published in it changes, until the context ends. It looks at index.json on
// every tick: a kubelet turns a symbolic link, so the files change all at once, and
// the index tells whether they did.
//
// What was loaded goes to changed. So does an error, with the zero value: keep what
// was loaded before, and look into the log; it is told once for each state of the
// folder. Files that do not belong together ([ErrTorn]) are a folder in the middle
// of a change and are looked at again on the next tick without being told, at most
// five times in a row.
//
// Ticks are the caller's, as of a [time.Ticker]; the first look does not wait for
// one.
func Follow[T any](ctx context.Context, dir string, ticks <-chan time.Time, load func(fs.FS) (T, error), changed func(T, error)) {
	f := follower{dir: dir}
	for {
		if folder, is := f.look(); is {
			loaded, err := load(folder)
			if f.tell(err) {
				changed(loaded, err)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-ticks:
		}
	}
}

// none stands for the index of a folder that has none.
const none = "none"

// maxTorn is how often in a row a folder may be in the middle of a change.
const maxTorn = 5

// follower remembers what was last seen of a folder.
type follower struct {
	dir     string
	seen    string // of the index that was told
	pending string // of the index that is being loaded
	failed  string // what was told of a folder that could not be loaded
	torn    int
}

// look reports whether there is something to load, and where. What could not be
// loaded is tried again: a file may be mended under the same index.
func (f *follower) look() (folder fs.FS, is bool) {
	at := f.dir
	// All files are read behind the link as it is now.
	if resolved, err := filepath.EvalSymlinks(filepath.Join(f.dir, "..data")); err == nil {
		at = resolved
	}
	folder = os.DirFS(at)
	f.pending = none
	if index, err := readFile(folder, indexFile); err == nil {
		f.pending = schema.DigestBytes(index)
	}
	return folder, f.pending != f.seen || f.failed != ""
}

// tell reports whether the result of loading is to be told.
func (f *follower) tell(err error) bool {
	// A kubelet removes the old files as soon as the link leads to the new ones.
	changing := errors.Is(err, ErrTorn) || f.pending != none && errors.Is(err, fs.ErrNotExist)
	if changing && f.failed == "" && f.torn < maxTorn {
		f.torn++
		return false
	}
	f.torn = 0
	text := ""
	if err != nil {
		text = err.Error()
	}
	known := text != "" && text == f.failed && f.pending == f.seen
	f.seen, f.failed = f.pending, text
	return !known
}
