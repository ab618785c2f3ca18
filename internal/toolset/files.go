// SPDX-License-Identifier: Apache-2.0

package toolset

import (
	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/render"
	"github.com/toolcontract/operator/internal/schema"
)

// files are tools.json, request.json and manifest.json.
func (s *set) files(in []*candidate) map[string]string {
	tools, entries := make([]render.SetTool, len(in)), make([]*schema.Value, len(in))
	for i, c := range in {
		tools[i], entries[i] = render.SetTool{Element: c.form.element, Group: c.Group}, c.form.entry
	}
	groups := make([]render.Group, len(s.Groups))
	for i, g := range s.Groups {
		groups[i] = render.Group{Name: g.Name, Description: g.Description}
	}
	manifest := schema.NewObject(schema.Member{Name: "tools", Value: schema.NewArray(entries...)})
	return map[string]string{
		v1alpha1.FileTools:    string(render.Line(render.Tools(s.Profile.WireFormat, tools, groups, s.Profile.Request.Namespaces))),
		v1alpha1.FileRequest:  string(render.Line(s.request(in))),
		v1alpha1.FileManifest: string(render.Line(manifest)),
	}
}

func size(files map[string]string) int {
	n := 0
	for name, data := range files {
		n += len(name) + len(data)
	}
	return n
}
