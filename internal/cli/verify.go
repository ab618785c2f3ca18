// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/lockfile"
	"github.com/toolcontract/operator/pkg/host"
)

const verifyUsage = `Check that mounted tools are whole, and that they are those of a lock.

Usage:
  {command} verify DIR [--lock FILE] [--part] [-o text|json]

DIR is a folder as a pod mounts it, of a contract or of a set, or a directory of
such folders. Every file is held to its digest in index.json, and a host must be
able to load the folder. With --lock also the versions, the contents and the digests
of all files are those of the lock, and every tool and set of the lock is there. A
tool that a locked set holds needs no folder of its own. If DIR is one folder, only
that one is compared.

Flags:
      --lock FILE   the lock, as {command} lock writes it
      --part        DIR may hold less than the lock
  -o, --output text|json
                    text is for people (default); json has one object with what is
                    there and what differs
  -h, --help        print this text

The kinds of differences are other-version, other-content (the same version says
something else), other-bytes (the same content in other bytes: another profile,
operator or target), other-order, missing, extra and invalid.

Exit code: 0 all is as it should be; 1 something differs; 2 bad usage, or an input
that cannot be read.

Examples:
  {command} verify /etc/toolcontract
  {command} verify /etc/toolcontract --lock tools.lock.json
  {command} verify rendered --lock tools.lock.json --part -o json
`

// verified is the JSON output of verify. Members are only added to it.
type verified struct {
	lockfile.Lock
	Differences []lockfile.Difference `json:"differences"`
}

func (p *Program) verify(arguments []string) int {
	f := p.flags("verify")
	path := f.String("lock", "", "")
	part := f.Bool("part", false, "")
	output := f.StringP("output", "o", "text", "")
	if code, done := p.parse(f, verifyUsage, arguments); done {
		return code
	}
	switch {
	case f.NArg() != 1:
		return p.badUsage(f, "name one directory")
	case *output != "text" && *output != "json":
		return p.badUsage(f, "there is no output format %q; write text or json", *output)
	case *part && *path == "":
		return p.badUsage(f, "--part is about a lock; name it with --lock")
	}
	var lock *lockfile.Lock
	if *path != "" {
		if lock = p.readLock(*path); lock == nil {
			return exitUsage
		}
	}
	folders, code := p.folders(f.Arg(0))
	if code != exitOK {
		return code
	}
	out := verified{Lock: lockfile.LockOf(folders), Differences: []lockfile.Difference{}}
	out.SchemaVersion = lockfile.SchemaVersion
	if out.Tools == nil {
		out.Tools = []lockfile.Tool{}
	}
	for _, folder := range folders {
		out.Differences = append(out.Differences, folder.Differences...)
	}
	if lock != nil {
		alone := len(folders) == 1 && folders[0].Path == "."
		out.Differences = append(out.Differences, lock.Compare(folders, *part || alone)...)
	}
	if *output == "json" {
		p.writeJSON(out)
	} else {
		p.verifyText(&out)
	}
	if len(out.Differences) > 0 {
		return exitFindings
	}
	return exitOK
}

// readLock reads a lock; nil if it said why not.
func (p *Program) readLock(path string) *lockfile.Lock {
	file, err := os.Open(filepath.Clean(path))
	if err != nil {
		p.complain("reading the lock: %v", err)
		return nil
	}
	defer file.Close()
	lock, err := lockfile.Read(file)
	if err != nil {
		p.complain("%s: %v", path, err)
		return nil
	}
	return lock
}

// loadable says of a folder that is whole whether a host can load it.
func loadable(root fs.FS, folder *lockfile.Folder) {
	if len(folder.Differences) > 0 {
		return
	}
	sub, err := fs.Sub(root, folder.Path)
	if err == nil && folder.Set != nil {
		_, err = host.LoadSet(sub)
	} else if err == nil {
		_, err = host.Load(sub)
	}
	if err != nil {
		folder.Differences = append(folder.Differences, lockfile.Difference{
			Kind: lockfile.Invalid, Place: folder.Path, Message: fmt.Sprintf("no host can load it: %v", err),
		})
	}
}

func (p *Program) verifyText(out *verified) {
	for _, d := range out.Differences {
		fmt.Fprintln(p.out, finding.Printable(d.String()))
	}
	fmt.Fprintf(p.out, "%s, %s: %s\n", plural(len(out.Tools), "tool"), plural(len(out.Sets), "set"), plural(len(out.Differences), "difference"))
}
