// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/manifest"
)

// gitSources reads what the arguments were at a commit, with the program git. A
// path that the commit does not have is empty there. commit is its full name.
func gitSources(ref string, arguments []string) (sources []manifest.Source, commit string, err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	for _, argument := range arguments {
		r, err := openGit(ctx, argument)
		if err != nil {
			return nil, "", err
		}
		at, err := r.commit(ctx, ref)
		if err != nil {
			return nil, "", err
		}
		if commit != "" && commit != at {
			return nil, "", fmt.Errorf("%s is in another repository than %s, where %s is another commit; plan them apart", argument, arguments[0], finding.Quote(ref))
		}
		commit = at
		found, err := r.sources(ctx, commit)
		if err != nil {
			return nil, "", err
		}
		sources = append(sources, found...)
	}
	return sources, commit, nil
}

// gitPath is a path inside a repository.
type gitPath struct {
	argument string
	top      string // of the working tree
	path     string // below top, with slashes; empty for all
	isDir    bool
}

func openGit(ctx context.Context, argument string) (*gitPath, error) {
	info, err := os.Stat(argument)
	if err != nil {
		return nil, fmt.Errorf("reading manifest: %w", err)
	}
	whole, err := filepath.Abs(argument)
	if err == nil {
		whole, err = filepath.EvalSymlinks(whole)
	}
	if err != nil {
		return nil, fmt.Errorf("reading manifest: %w", err)
	}
	g := &gitPath{argument: argument, isDir: info.IsDir(), top: whole}
	if !g.isDir {
		g.top = filepath.Dir(whole)
	}
	top, err := g.git(ctx, nil, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, fmt.Errorf("--against: %s is not in the working tree of a Git repository: %w", argument, err)
	}
	if g.top, err = filepath.EvalSymlinks(strings.TrimSuffix(string(top), "\n")); err != nil {
		return nil, fmt.Errorf("--against: %w", err)
	}
	below, err := filepath.Rel(g.top, whole)
	if err != nil || below == ".." || strings.HasPrefix(below, ".."+string(filepath.Separator)) {
		return nil, fmt.Errorf("--against: %s is outside of the repository %s", argument, g.top)
	}
	if below != "." {
		g.path = filepath.ToSlash(below)
	}
	return g, nil
}

// git runs the program in the repository. Paths are taken as they are, and nothing
// asks a person or writes.
func (g *gitPath) git(ctx context.Context, input io.Reader, arguments ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"--literal-pathspecs", "-C", g.top}, arguments...)...)
	cmd.Env = append(os.Environ(), "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1")
	cmd.Stdin = input
	var out, failed bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &failed
	err := cmd.Run()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return nil, errors.New("the program git is not installed")
	case err != nil:
		return nil, fmt.Errorf("git %s: %s", arguments[0], finding.Clip(strings.TrimSpace(failed.String()+" "+err.Error()), 300))
	}
	return out.Bytes(), nil
}

// commit is the full name of a commit.
func (g *gitPath) commit(ctx context.Context, ref string) (string, error) {
	name, err := g.git(ctx, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}")
	if err != nil {
		return "", fmt.Errorf("--against: there is no commit %s in %s; in CI, fetch it first (a shallow clone has the newest commit only)", finding.Quote(ref), g.top)
	}
	return strings.TrimSpace(string(name)), nil
}

// blob is a file of a commit.
type blob struct{ hash, path string }

// sources reads the manifests below the path.
func (g *gitPath) sources(ctx context.Context, commit string) ([]manifest.Source, error) {
	arguments := []string{"ls-tree", "-r", "-z", "--full-tree", commit}
	if g.path != "" {
		arguments = append(arguments, "--", g.path)
	}
	list, err := g.git(ctx, nil, arguments...)
	if err != nil {
		return nil, fmt.Errorf("--against: %w", err)
	}
	var blobs []blob
	for entry := range strings.SplitSeq(string(list), "\x00") {
		facts, path, ok := strings.Cut(entry, "\t")
		fields := strings.Fields(facts) // mode, type, hash
		if !ok || len(fields) != 3 {
			continue
		}
		switch {
		case fields[0] == "160000" && (path == g.path || strings.HasPrefix(g.path, path+"/") || g.isDir):
			return nil, fmt.Errorf("--against: %s is a submodule, whose files the commit does not hold; plan it by itself", finding.Quote(path))
		case path != g.path && !manifest.Counts(strings.TrimPrefix(path, g.path+"/")):
		case fields[0] == "120000":
			return nil, fmt.Errorf("--against: %s is a symbolic link, which is not followed in a commit; name the file that it leads to", finding.Quote(path))
		case fields[1] == "blob":
			blobs = append(blobs, blob{fields[2], path})
		}
	}
	slices.SortFunc(blobs, func(a, b blob) int { return strings.Compare(a.path, b.path) })
	return g.read(ctx, commit, blobs)
}

// read reads files in one run of git.
func (g *gitPath) read(ctx context.Context, commit string, blobs []blob) ([]manifest.Source, error) {
	if len(blobs) == 0 {
		return nil, nil
	}
	var names strings.Builder
	for _, b := range blobs {
		names.WriteString(b.hash + "\n")
	}
	text, err := g.git(ctx, strings.NewReader(names.String()), "cat-file", "--batch")
	if err != nil {
		return nil, fmt.Errorf("--against: %w", err)
	}
	r := bufio.NewReader(bytes.NewReader(text))
	out := make([]manifest.Source, 0, len(blobs))
	for _, b := range blobs {
		header, err := r.ReadString('\n')
		fields := strings.Fields(header) // hash, type, size
		if err != nil || len(fields) != 3 {
			return nil, fmt.Errorf("--against: %s cannot be read from %s: %s", finding.Quote(b.path), commit, finding.Clip(strings.TrimSpace(header), 100))
		}
		size, err := strconv.Atoi(fields[2])
		if err != nil || size > manifest.MaxSource {
			return nil, fmt.Errorf("--against: %s has %s bytes, more than %d; split it", finding.Quote(b.path), fields[2], manifest.MaxSource)
		}
		data := make([]byte, size)
		if _, err := io.ReadFull(r, data); err != nil {
			return nil, fmt.Errorf("--against: reading %s: %w", finding.Quote(b.path), err)
		}
		if _, err := r.Discard(1); err != nil {
			return nil, fmt.Errorf("--against: reading %s: %w", finding.Quote(b.path), err)
		}
		out = append(out, manifest.Source{Name: commit[:min(12, len(commit))] + ":" + b.path, Data: data, Found: b.path != g.path})
	}
	return out, nil
}
