// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/lockfile"
	"github.com/toolcontract/operator/internal/manifest"
	"github.com/toolcontract/operator/internal/schema"
)

const lockUsage = `Write down which version of each tool there is, and the digests of the exact bytes
that each provider gets: for evaluation suites, and for agents that were built for
certain tools.

Usage:
  {command} lock FILE|DIR|-... [--set NAME]... [--out FILE] [-n NAMESPACE]
      [--profile-dir DIR]
  {command} lock --mounted DIR [--out FILE]

The inputs are manifests of ToolContracts and ToolSets, rendered as by render; or,
with --mounted, a folder as a pod mounts it, or a directory of such folders. A lock
of a part would be taken for one of all, so nothing is written if anything cannot be
rendered.

Flags:
      --set NAME    lock only this ToolSet and its tools; may be repeated. NAME is a
                    name, or NAMESPACE/NAME
      --out FILE    write this file (default: tools.lock.json); - is standard output
      --mounted DIR
                    lock what is mounted here
  -n, --namespace NAMESPACE
                    the namespace of manifests that name none (default: default)
      --profile-dir DIR
                    also know the profiles in DIR, as for the command profiles
  -h, --help        print this text

Exit code: 0 the lock is written; 1 something cannot be rendered, or a mounted file
is not what index.json says; 2 bad usage, or input or output that cannot be read or
written.

Examples:
  {command} lock config/samples --set shop-assistant
  {command} lock contracts sets/desk.yaml --set desk --out evals/tools.lock.json
  {command} lock --mounted /etc/toolcontract --out -
`

func (p *Program) lock(arguments []string) int {
	f := p.flags("lock")
	sets := f.StringArray("set", nil, "")
	out := f.String("out", lockfile.FileName, "")
	mounted := f.String("mounted", "", "")
	namespace := namespaceFlag(f)
	dir := profileDirFlag(f)
	if code, done := p.parse(f, lockUsage, arguments); done {
		return code
	}
	if code, done := p.setNamespace(f, *namespace); done {
		return code
	}
	if code, done := p.loadProfiles(f, *dir); done {
		return code
	}
	var lock lockfile.Lock
	var code int
	switch {
	case *mounted != "" && (f.NArg() > 0 || len(*sets) > 0):
		return p.badUsage(f, "--mounted locks what is there; leave manifests and --set out")
	case *mounted != "":
		lock, code = p.lockMounted(*mounted)
	default:
		if wrong := checkInputs(f.Args()); wrong != "" {
			return p.badUsage(f, "%s", wrong)
		}
		lock, code = p.lockManifests(f.Args(), *sets)
	}
	if code != exitOK {
		return code
	}
	if *out == manifest.Stdin {
		_, _ = p.out.Write(lock.Marshal()) // the writer is buffered and reports its error when flushed
		return exitOK
	}
	if err := writeFile(filepath.Clean(*out), string(lock.Marshal())); err != nil {
		p.complain("writing the lock: %v", err)
		return exitUsage
	}
	return exitOK
}

func (p *Program) lockMounted(dir string) (lockfile.Lock, int) {
	folders, code := p.folders(dir)
	for _, f := range folders {
		for _, d := range f.Differences {
			p.complain("%s: %s", dir, d)
			code = max(code, exitFindings)
		}
	}
	return lockfile.LockOf(folders), code
}

// locker collects what is locked.
type locker struct {
	*renderJob
	lock lockfile.Lock
}

// entry is what is locked of one contract, or what says why nothing is.
type entry struct {
	key     contractKey
	content *contract.Content
	tool    lockfile.Tool
	refuse  func()
}

// lockManifests locks what render would write.
func (p *Program) lockManifests(paths, names []string) (lockfile.Lock, int) {
	l := locker{renderJob: &renderJob{p: p}}
	var entries []entry
	var sets []*judgedSet
	readable := p.contractsAndSets(paths, nil, func(j *judged) { entries = append(entries, l.entry(j)) }, func(js *judgedSet) { sets = append(sets, js) })
	if !readable {
		return l.lock, exitUsage
	}
	if len(names) > 0 {
		chosen, unknown := p.choose(sets, names)
		if unknown != "" {
			p.complain("lock: there is no ToolSet %s in %s", finding.Quote(unknown), strings.Join(paths, ", "))
			return l.lock, exitUsage
		}
		sets = chosen
		entries = slices.DeleteFunc(entries, func(e entry) bool {
			return !slices.ContainsFunc(sets, func(js *judgedSet) bool { return js.holds(e) })
		})
	}
	named := map[string]bool{}
	for _, e := range entries {
		switch name := e.tool.Name(); {
		case e.refuse != nil:
			e.refuse()
		case named[name]:
			l.raise(exitFindings)
			p.complain("%s is among the inputs twice; name one version of it", name)
		default:
			named[name] = true
			l.lock.Tools = append(l.lock.Tools, e.tool)
		}
	}
	for _, js := range sets {
		l.set(js)
	}
	return l.lock, l.code
}

// choose picks sets by name; unknown is a name that no set has.
func (p *Program) choose(sets []*judgedSet, names []string) (chosen []*judgedSet, unknown string) {
	for _, name := range names {
		found := false
		for _, js := range sets {
			if js.Name == name || p.namespaceOf(js.Document)+"/"+js.Name == name {
				found = true
				if !slices.Contains(chosen, js) {
					chosen = append(chosen, js)
				}
			}
		}
		if !found {
			return nil, name
		}
	}
	return chosen, ""
}

// holds reports whether a contract is in the set for any profile.
func (js *judgedSet) holds(e entry) bool {
	if e.content == nil {
		return false
	}
	digest := e.content.Digest()
	for _, profile := range js.profiles {
		for i, m := range js.members {
			if profile.result != nil && profile.result.Tools[i].Included && m.key == e.key && m.content.Version == e.content.Version && m.content.Digest() == digest {
				return true
			}
		}
	}
	return false
}

// entry is what is locked of a contract.
func (l *locker) entry(j *judged) entry {
	key := contractKey{l.p.namespaceOf(j.Document), j.Name}
	refused := func(why string, findings []finding.Finding) entry {
		return entry{key: key, content: j.content, refuse: func() { l.refuse(j, why, findings) }}
	}
	if j.invalid() {
		return refused("it is not valid", j.findings)
	}
	tool := lockfile.Tool{Identity: identity(l.p.namespaceOf(j.Document), j.Name, j.content), Renderings: map[string]string{}, Files: map[string]string{}}
	for _, t := range j.targets {
		switch {
		case t.Compatible():
			tool.Renderings[t.Spec.Profile] = schema.DigestBytes(t.Bytes)
		case t.Blocks():
			return refused(t.Spec.Profile+" cannot take it and blocks the others", t.Findings)
		}
	}
	if j.bundle == nil {
		return refused("every target in /spec/targets is left out; correct the schema, or add a target that can take it", nil)
	}
	tool.Digest = j.bundle.Digest
	for name, data := range j.bundle.Files {
		if _, rendering := tool.Renderings[strings.TrimSuffix(name, ".json")]; !rendering && name != v1alpha1.FileIndex {
			tool.Files[name] = schema.DigestBytes([]byte(data))
		}
	}
	return entry{key: key, content: j.content, tool: tool}
}

func identity(namespace, name string, c *contract.Content) lockfile.Identity {
	return lockfile.Identity{ToolName: c.ToolName, Contract: name, Namespace: namespace, Version: c.Version.String(), ContentDigest: c.Digest()}
}

func (l *locker) set(js *judgedSet) {
	l.refuseSet(js, "", js.findings)
	for _, profile := range js.profiles {
		l.refuseSet(js, profile.spec.Profile, profile.findings)
		if profile.result == nil || profile.result.Bundle == nil || len(profile.result.Tools) == 0 {
			l.raise(exitFindings)
			continue
		}
		set := lockfile.Set{
			Name: js.Name, Namespace: l.p.namespaceOf(js.Document), Profile: profile.spec.Profile,
			Digest: profile.result.Bundle.Digest, Files: map[string]string{}, Tools: []lockfile.Identity{},
		}
		for name, data := range profile.result.Bundle.Files {
			if name != v1alpha1.FileIndex {
				set.Files[name] = schema.DigestBytes([]byte(data))
			}
		}
		for i, t := range profile.result.Tools {
			if t.Included {
				set.Tools = append(set.Tools, identity(t.Namespace, t.Contract, js.members[i].content))
			}
		}
		l.lock.Sets = append(l.lock.Sets, set)
	}
}

// folders reads what is mounted, and holds it to what a host can load.
func (p *Program) folders(dir string) ([]lockfile.Folder, int) {
	root := os.DirFS(filepath.Clean(dir))
	folders, err := lockfile.Folders(root)
	if err != nil {
		p.complain("%s: %v", dir, err)
		return nil, exitUsage
	}
	for i := range folders {
		loadable(root, &folders[i])
	}
	return folders, exitOK
}
