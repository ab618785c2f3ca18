// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/manifest"
	"github.com/toolcontract/operator/internal/publish"
	"github.com/toolcontract/operator/pkg/host"
)

// tool reads the contract that a call or a result is held to, in any of the forms
// in which there are contracts. Without a tool it has been said why, and the code
// is that of the run.
func (p *Program) tool(path, profile, name string) (tool *host.Tool, code int) {
	complain := func(err error) (*host.Tool, int) {
		p.complain("%s: %v", fileName(path), err)
		return nil, exitUsage
	}
	if isPublished(path, v1alpha1.FileTools) {
		set, err := host.LoadSetDir(path)
		if err != nil {
			return complain(err)
		}
		var names []string
		for _, t := range set.All() {
			names = append(names, t.Name())
		}
		if tool, ok := set.Tool(name); ok {
			return tool, exitOK
		}
		return complain(fmt.Errorf("it is a set; choose with --tool one of %s", finding.Clip(strings.Join(names, ", "), 400)))
	}
	if name != "" {
		return complain(errors.New("--tool is for the folder of a set, and this is none"))
	}
	if isPublished(path, v1alpha1.FileContract) {
		tool, err := host.LoadDir(path)
		if err != nil {
			return complain(err)
		}
		return tool, exitOK
	}
	if filepath.Base(path) == v1alpha1.FileContract {
		text, err := p.readFile(path, publish.MaxBundle)
		if err != nil {
			p.complain("%v", err)
			return nil, exitUsage
		}
		tool, err := host.Read(text)
		if err != nil {
			return complain(err)
		}
		return tool, exitOK
	}
	return p.toolOfManifest(path, profile)
}

// isPublished reports whether a path is a folder with an index and a file.
func isPublished(dir, file string) bool {
	for _, name := range []string{v1alpha1.FileIndex, file} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.IsDir() {
			return false
		}
	}
	return true
}

// toolOfManifest writes the host's view of a contract as the operator would, for
// one profile or for none.
func (p *Program) toolOfManifest(path, profile string) (*host.Tool, int) {
	var given []v1alpha1.Target
	if profile != "" {
		parsed, err := parseTarget(profile, p.profiles)
		if err != nil {
			p.complain("--profile %s: %v", finding.Quote(profile), err)
			return nil, exitUsage
		}
		given = append(given, parsed)
	}
	var all []*judged
	if !p.contracts([]string{path}, given, func(j *judged) { all = append(all, j) }) {
		return nil, exitUsage
	}
	if len(all) != 1 {
		p.complain("%s: there are %d ToolContracts in it; name a file with one", fileName(path), len(all))
		return nil, exitUsage
	}
	j := all[0]
	refuse := func(why string, findings []finding.Finding) (*host.Tool, int) {
		p.complain("%s:%d: %s: %s", j.File, j.Line, j.identity(), why)
		for _, f := range finding.Errors(findings) {
			p.complain("  line %d: %s", j.line(f), f)
		}
		return nil, exitFindings
	}
	if j.invalid() {
		return refuse("it is not valid", j.findings)
	}
	var views []publish.TargetView
	for _, t := range j.targets {
		switch {
		case t.Compatible():
			views = append(views, t.View())
		case profile != "":
			return refuse(t.Spec.Profile+" cannot take it", t.Findings)
		}
	}
	tool, err := host.Read(publish.HostView(j.Name, j.content, j.content.Digest(), views))
	if err != nil { // the host reads what the operator writes
		p.complain("%s:%d: %s: %v", j.File, j.Line, j.identity(), err)
		return nil, exitUsage
	}
	return tool, exitOK
}

// readFile reads a file or standard input, up to so many bytes.
func (p *Program) readFile(path string, most int) ([]byte, error) {
	in := p.In
	if path != manifest.Stdin {
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = file
	}
	text, err := io.ReadAll(io.LimitReader(in, int64(most)+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading %s: %w", fileName(path), err)
	case len(text) > most:
		return nil, fmt.Errorf("%s has more than %d bytes", fileName(path), most)
	}
	return text, nil
}

// compact writes JSON on one line.
func compact(text json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return string(text)
	}
	return b.String()
}
