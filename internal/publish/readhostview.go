// SPDX-License-Identifier: Apache-2.0

package publish

import "encoding/json"

// ReadHostView reads back from contract.json how a publication was made: the
// digest of its content, and of each target its profile and what the contract
// asked for. It returns nothing for what is no such file.
func ReadHostView(text []byte) (contentDigest string, targets []TargetView) {
	var view struct {
		SchemaVersion string   `json:"schemaVersion"`
		ContentDigest string   `json:"contentDigest"`
		Targets       []target `json:"targets"`
	}
	if json.Unmarshal(text, &view) != nil || view.SchemaVersion != hostViewVersion {
		return "", nil
	}
	for _, t := range view.Targets {
		targets = append(targets, TargetView{
			Profile: t.Profile, Models: t.Models, Asked: t.Strict.Asked, Adaptation: t.Adaptation, Examples: t.Examples,
		})
	}
	return view.ContentDigest, targets
}

type target struct {
	Profile string   `json:"profile"`
	Models  []string `json:"models"`
	Strict  struct {
		Asked string `json:"asked"`
	} `json:"strict"`
	Adaptation string `json:"adaptation"`
	Examples   string `json:"examples"`
}
