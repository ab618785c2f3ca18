// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"encoding/json"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/toolset"
)

// ServedTarget is what published files say of one profile.
type ServedTarget struct {
	Profile string `json:"profile"`
	Strict  bool   `json:"strict"`
	// Adaptation is the strongest effect of a rewrite; Keep if there is none.
	Adaptation v1alpha1.Effect `json:"adaptation"`
	// Tokens estimates what the tool takes in every request.
	Tokens int `json:"tokens"`
	// Digest is that of the bytes.
	Digest string `json:"digest"`
}

// effects are the words for effects, the weakest first.
var effects = []v1alpha1.Effect{v1alpha1.EffectKeep, v1alpha1.EffectNarrow, v1alpha1.EffectReshape, v1alpha1.EffectWiden}

func strength(e v1alpha1.Effect) int {
	for i, known := range effects {
		if known == e {
			return i
		}
	}
	return 0
}

// ServedTargets reads the targets of a contract's files, in their order.
func ServedTargets(files map[string]string) []ServedTarget {
	var view struct {
		Targets []struct {
			Profile string `json:"profile"`
			Strict  struct {
				Given bool `json:"given"`
			} `json:"strict"`
			Rewrites []struct {
				Effect v1alpha1.Effect `json:"effect"`
			} `json:"rewrites"`
		} `json:"targets"`
	}
	if json.Unmarshal([]byte(files[v1alpha1.FileContract]), &view) != nil {
		return nil
	}
	var out []ServedTarget
	for _, t := range view.Targets {
		bytes, ok := files[t.Profile+".json"]
		if !ok {
			continue
		}
		s := ServedTarget{Profile: t.Profile, Strict: t.Strict.Given, Adaptation: v1alpha1.EffectKeep, Tokens: tokens(bytes), Digest: schema.DigestBytes([]byte(bytes))}
		for _, r := range t.Rewrites {
			if strength(r.Effect) > strength(s.Adaptation) {
				s.Adaptation = r.Effect
			}
		}
		out = append(out, s)
	}
	return out
}

// tokens estimates the tokens of a published element, which ends in a newline that
// no request has.
func tokens(line string) int {
	if n := len(line); n > 0 && line[n-1] == '\n' {
		line = line[:n-1]
	}
	return toolset.Tokens(line)
}

// sameJSON reports whether two values are written as JSON of equal values.
func sameJSON(a, b any) bool {
	x, okX := parsed(a)
	y, okY := parsed(b)
	return okX && okY && x.Equal(y)
}

func parsed(v any) (*schema.Value, bool) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, false
	}
	value, failed := schema.ParseWithin(text, manifestBytes, schema.MaxDepth+manifestDepth)
	return value, failed == nil
}

// manifestBytes and manifestDepth leave room for schemas inside a manifest.
const manifestBytes, manifestDepth = 4 << 20, 16
