// SPDX-License-Identifier: Apache-2.0

package host

import (
	"fmt"
	"io/fs"
	"maps"
	"os"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/render"
	"github.com/toolcontract/operator/internal/schema"
)

// Files of a set.
const (
	toolsFile    = "tools.json"
	requestFile  = "request.json"
	manifestFile = "manifest.json"
)

// requestView is the form of request.json that this package reads.
const requestView = "toolcontract.dev/request/v1"

// Set is the tools of one published ToolSet for one profile. It is immutable and
// safe for concurrent use.
type Set struct {
	digest, profile      string
	tools, request, body []byte
	endpoint             string
	headers              map[string]string
	list                 []*Tool
	byName               map[string]*Tool
}

// LoadSetDir reads the folder of a set, such as a mounted ConfigMap.
func LoadSetDir(dir string) (*Set, error) { return LoadSet(os.DirFS(dir)) }

// LoadSet reads the folder of a set and verifies every file against index.json.
// The error is [ErrTorn] if the files do not belong together.
func LoadSet(folder fs.FS) (*Set, error) {
	files, digest, err := readFolder(folder)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{toolsFile, requestFile, manifestFile} {
		if files[name] == nil {
			return nil, fmt.Errorf("loading set: index.json names no %s; the folder is not that of a set", name)
		}
	}
	s := &Set{digest: digest, tools: files[toolsFile], request: files[requestFile], byName: map[string]*Tool{}}
	if err := s.readRequest(); err != nil {
		return nil, err
	}
	tools, failed := schema.ParseWithin(s.tools, maxFile, maxFileDepth)
	if failed != nil {
		return nil, fmt.Errorf("loading set: %s: %s", toolsFile, failed.Message)
	}
	manifest, failed := schema.ParseWithin(files[manifestFile], maxFile, maxFileDepth)
	if failed != nil {
		return nil, fmt.Errorf("loading set: %s: %s", manifestFile, failed.Message)
	}
	parts := map[render.Place]render.Part{}
	for _, p := range render.Parts(tools) {
		parts[p.Place()] = p
	}
	for _, view := range itemsOf(manifest, "tools") {
		if err := s.add(view, parts); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// readRequest takes from request.json what a request holds beside the tools.
func (s *Set) readRequest() error {
	root, failed := schema.ParseWithin(s.request, maxFile, maxFileDepth)
	if failed != nil {
		return fmt.Errorf("loading set: %s: %s", requestFile, failed.Message)
	}
	if version := textOf(root, "schemaVersion"); version != requestView {
		return fmt.Errorf("loading set: %s has the form %s, and this host reads %s; update the host", requestFile, finding.Quote(version), requestView)
	}
	s.profile, s.endpoint, s.body = textOf(root, "profile"), textOf(root, "endpoint"), []byte("{}")
	if body := root.Get("body"); body != nil {
		s.body = body.AppendJSON(nil)
	}
	s.headers = map[string]string{}
	if headers := root.Get("headers"); headers != nil {
		for _, h := range headers.Members() {
			s.headers[h.Name] = h.Value.Text()
		}
	}
	return nil
}

// add reads one tool of the manifest.
func (s *Set) add(view *schema.Value, parts map[render.Place]render.Part) error {
	tool, err := newTool(view.AppendJSON(nil), view)
	if err != nil {
		return err
	}
	tool.digest = s.digest
	if profiles := tool.Profiles(); len(profiles) != 1 || s.profile != profiles[0] {
		return fmt.Errorf("loading set: %s in %s is not for %s alone; the folder was not published by the operator",
			finding.Quote(tool.contract), manifestFile, finding.Quote(s.profile))
	}
	if s.byName[tool.Name()] != nil {
		return fmt.Errorf("loading set: %s names two tools %s; the folder was not published by the operator", manifestFile, finding.Quote(tool.Name()))
	}
	for _, place := range render.PlacesOf(view) {
		if p, found := parts[place]; found {
			tool.renderings[s.profile] = p.Element.AppendJSON(nil)
			break
		}
	}
	if tool.renderings[s.profile] == nil {
		return fmt.Errorf("loading set: the tool %s of %s is not in %s; the folder was not published by the operator",
			finding.Quote(tool.Name()), manifestFile, toolsFile)
	}
	s.byName[tool.Name()] = tool
	s.list = append(s.list, tool)
	return nil
}

// Profile is the profile that the set is published for.
func (s *Set) Profile() string { return s.profile }

// Digest identifies the published files: it is the digest of index.json.
func (s *Set) Digest() string { return s.digest }

// Tools is the value of tools in a request, byte for byte as it was published. The
// caller must not change it.
func (s *Set) Tools() []byte { return s.tools }

// Request is request.json as published: what a request must hold beside the tools,
// and what its user has to know. The caller must not change it.
func (s *Set) Request() []byte { return s.request }

// Body is the JSON object whose members a request must hold beside the tools, as
// the switch that makes strict tools strict. The caller must not change it.
func (s *Set) Body() []byte { return s.body }

// Headers are the headers that a request must have, beside those of the account.
func (s *Set) Headers() map[string]string { return maps.Clone(s.headers) }

// Endpoint is the base URL that a request must be sent to; empty for the usual one.
func (s *Set) Endpoint() string { return s.endpoint }

// All returns the tools in their order.
func (s *Set) All() []*Tool { return append([]*Tool(nil), s.list...) }

// Tool returns the tool that a model calls by a name.
func (s *Set) Tool(name string) (t *Tool, ok bool) {
	t, ok = s.byName[name]
	return t, ok
}
