// SPDX-License-Identifier: Apache-2.0

package toolset

import (
	"fmt"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/publish"
	"github.com/toolcontract/operator/internal/render"
	"github.com/toolcontract/operator/internal/schema"
)

// Published is what a set published for one profile.
type Published struct {
	// Tools are in the order of manifest.json.
	Tools []PublishedTool
	// Groups are those that tools.json has, as far as it has any.
	Groups []v1alpha1.ToolGroup
}

// PublishedTool is one tool of it.
type PublishedTool struct {
	Namespace, Contract, Version, ContentDigest, ToolName string
	// Group is the name of the group that it stands in; empty for none.
	Group string
	Kept  Kept
}

// maxDepth leaves room for schemas of the greatest depth inside the files.
const maxDepth = schema.MaxDepth + 48

// ReadPublished reads the files of a set back. The error says what is wrong with
// files that no set was published as. The work is bounded by the size of the
// files, and what they say is taken for text: whether they are what was written is
// for the caller to verify, by their digest.
func ReadPublished(files map[string]string) (*Published, error) {
	manifest, failed := schema.ParseWithin([]byte(files[v1alpha1.FileManifest]), publish.MaxBundle, maxDepth)
	if failed != nil {
		return nil, fmt.Errorf("reading %s: %s", v1alpha1.FileManifest, failed.Message)
	}
	tools, failed := schema.ParseWithin([]byte(files[v1alpha1.FileTools]), publish.MaxBundle, maxDepth)
	if failed != nil {
		return nil, fmt.Errorf("reading %s: %s", v1alpha1.FileTools, failed.Message)
	}
	if manifest.Get("tools") == nil || manifest.Get("tools").Kind() != schema.Array || tools.Kind() != schema.Array {
		return nil, fmt.Errorf("reading %s and %s: they hold no lists of tools", v1alpha1.FileManifest, v1alpha1.FileTools)
	}
	parts := map[render.Place]render.Part{}
	for _, p := range render.Parts(tools) {
		parts[p.Place()] = p
	}
	out := &Published{}
	for _, g := range render.Groups(tools) {
		out.Groups = append(out.Groups, v1alpha1.ToolGroup{Name: g.Name, Description: g.Description})
	}
	for i, entry := range manifest.Get("tools").Items() {
		p, found := find(parts, entry)
		if !found {
			return nil, fmt.Errorf("reading %s: the tool at /tools/%d is not in %s", v1alpha1.FileManifest, i, v1alpha1.FileTools)
		}
		out.Tools = append(out.Tools, PublishedTool{
			Namespace: entry.Get("namespace").Text(), Contract: entry.Get("contract").Text(),
			Version: entry.Get("version").Text(), ContentDigest: entry.Get("contentDigest").Text(), ToolName: entry.Get("toolName").Text(),
			Group: p.Group, Kept: Kept{Element: described(p.Element, entry), Manifest: entry},
		})
	}
	return out, nil
}

// described gives the tool of an MCP server its own description of the server back:
// the entry that it was merged into has that of the first one.
func described(element, entry *schema.Value) *schema.Value {
	const field = "server_description"
	own := entry.Get("mcp").Get("server").Get("description")
	switch has := element.Get(field); {
	case element.Get("type").Text() != "mcp" || own == nil && has == nil || own != nil && own.Equal(has):
		return element
	case own == nil:
		return element.Without(field)
	default:
		return element.With(field, own)
	}
}

// find looks an entry of manifest.json up in tools.json.
func find(parts map[render.Place]render.Part, entry *schema.Value) (render.Part, bool) {
	for _, place := range render.PlacesOf(entry) {
		if p, found := parts[place]; found {
			return p, true
		}
	}
	return render.Part{}, false
}
