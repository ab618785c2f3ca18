// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/importer"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
)

// losses are what an export has no place for: fields that import does not give
// back. It is found by importing, so it needs no table of what forms can carry.
type losses map[string]*loss

type loss struct {
	count int
	first string // the contract that has it first
}

// adapted stands for a schema that comes back as another one.
const adapted = "/spec/input comes back with another schema, because it was adapted for the profile or the form spells schemas its own way"

func (l losses) say(what, contract string) {
	if l[what] == nil {
		l[what] = &loss{first: contract}
	}
	l[what].count++
}

func (l losses) add(j *judged, t evaluate.Target, profiles *provider.Catalog) {
	back, _, _ := importer.Import(t.Bytes, importer.Options{
		Version: j.Contract.Spec.Version, Profiles: profiles, Targets: []v1alpha1.Target{{Profile: t.Spec.Profile}},
	})
	if len(back) != 1 {
		l.say("the tool is not one that import reads", j.identity())
		return
	}
	before, after := j.Contract.Spec, back[0].Spec
	if in := j.content.Input.Schema; in != nil {
		again, failed := schema.Parse([]byte(after.Input.SchemaText))
		if failed != nil || again.Digest() != in.Root().Digest() {
			l.say(adapted, j.identity())
		}
	}
	was, is := members(before.ToolContent), members(after.ToolContent)
	for _, name := range []string{"version", "toolName"} {
		delete(was, name)
	}
	l.compare("/spec", was, is, j.identity())
}

// compare notes the members that are gone; the texts of a description come back as
// one, and a schema as text.
func (l losses) compare(at string, was, is map[string]any, contract string) {
	for name, value := range was {
		pointer := finding.Pointer(at, name)
		got, ok := is[name]
		switch {
		case pointer == "/spec/description" || name == "schema" && is["schemaText"] != nil || name == "schemaText" && ok:
		case !ok:
			l.say(pointer+" is not carried", contract)
		default:
			below, isObject := value.(map[string]any)
			other, both := got.(map[string]any)
			if isObject && both {
				l.compare(pointer, below, other, contract)
			}
		}
	}
}

func members(content v1alpha1.ToolContent) map[string]any {
	text, err := json.Marshal(content)
	out := map[string]any{}
	if err == nil {
		_ = json.Unmarshal(text, &out)
	}
	return out
}

func (l losses) lines() []string {
	out := make([]string, 0, len(l))
	for _, what := range slices.Sorted(maps.Keys(l)) {
		n := l[what]
		if n.count == 1 {
			out = append(out, fmt.Sprintf("%s (%s)", what, n.first))
		} else {
			out = append(out, fmt.Sprintf("%s (%s and %s)", what, n.first, plural(n.count-1, "other tool")))
		}
	}
	return out
}
