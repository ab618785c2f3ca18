// SPDX-License-Identifier: Apache-2.0

package host_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/toolcontract/operator/pkg/host"
)

// mount is a directory that is written the way a kubelet writes a mounted
// ConfigMap: the files stand in a folder of their own, and one symbolic link is
// turned.
type mount struct {
	t   *testing.T
	dir string
}

func (m mount) write(version string, files map[string]string) {
	for name, text := range files {
		path := filepath.Join(m.dir, version, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o750), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			m.t.Fatal(err)
		}
		link := filepath.Join(m.dir, name)
		if _, err := os.Lstat(link); errors.Is(err, fs.ErrNotExist) {
			if err := os.Symlink(filepath.Join("..data", name), link); err != nil {
				m.t.Fatal(err)
			}
		}
	}
	next := filepath.Join(m.dir, "..data_tmp")
	if err := errors.Join(os.Symlink(version, next), os.Rename(next, filepath.Join(m.dir, "..data"))); err != nil {
		m.t.Fatal(err)
	}
}

// follower is a Follow that is running.
type follower struct {
	t     *testing.T
	ticks chan time.Time
	told  chan string
}

func following(t *testing.T, dir string) follower {
	t.Helper()
	f := follower{t, make(chan time.Time), make(chan string, 100)}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		host.Follow(ctx, dir, f.ticks, host.Load, func(tool *host.Tool, err error) {
			if err != nil {
				f.told <- err.Error()
				return
			}
			f.told <- "version " + tool.Version()
		})
	}()
	t.Cleanup(func() { cancel(); <-done })
	return f
}

// next ticks until something is told, and returns how many ticks that took. A tick
// is taken when the look before it is over.
func (f follower) next(want string) (ticks int) {
	f.t.Helper()
	for ; ticks < 50; ticks++ {
		select {
		case got := <-f.told:
			if !strings.Contains(got, want) {
				f.t.Fatalf("got %q, want %q", got, want)
			}
			return ticks
		default:
			f.ticks <- time.Time{}
		}
	}
	f.t.Fatalf("nothing is told, want %q", want)
	return ticks
}

// quiet ticks for a while, in which nothing must be told.
func (f follower) quiet() {
	f.t.Helper()
	for range 12 {
		f.ticks <- time.Time{}
	}
	select {
	case got := <-f.told:
		f.t.Fatalf("got %q, and nothing changed", got)
	default:
	}
}

func TestAFolderThatIsFollowed(t *testing.T) {
	t.Parallel()
	m := mount{t, t.TempDir()}
	first, second := published(t, tagOrder), published(t, strings.ReplaceAll(tagOrder, "1.2.0", "1.3.0"))
	m.write("..1", first)
	f := following(t, m.dir)
	f.next("version 1.2.0")
	f.quiet()
	m.write("..2", second)
	f.next("version 1.3.0")
	if err := os.RemoveAll(filepath.Join(m.dir, "..1")); err != nil {
		t.Fatal(err)
	}
	f.quiet()
	// Files of two versions, which no kubelet writes: told once, and not at once.
	mixed := published(t, tagOrder)
	mixed["contract.json"] = second["contract.json"]
	m.write("..3", mixed)
	if ticks := f.next("do not belong together"); ticks < 4 {
		t.Errorf("a folder in the middle of a change was told after %d ticks", ticks)
	}
	f.quiet()
	m.write("..4", first)
	f.next("version 1.2.0")
	if err := os.Remove(filepath.Join(m.dir, "..data")); err != nil {
		t.Fatal(err)
	}
	f.next("index.json")
	f.quiet()
}
