// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
)

// ReshapeFor gives a schema another form as if these were the findings of a
// profile, whatever it says itself.
func ReshapeFor(s *schema.Schema, findings []finding.Finding, p *provider.Profile) Result {
	d := draft{profile: p, mode: provider.Strict, author: s, schema: s, findings: findings, checked: true}
	d.reshape(Reshape)
	return d.result(true)
}

// Say puts a keyword into words.
func Say(v *schema.Value, keyword string) string { return say(v, keyword) }

// Rewritten adapts without looking first whether there is nothing to do.
func Rewritten(s *schema.Schema, p *provider.Profile, mode provider.Mode, most Effect) Result {
	return rewritten(s, p, mode, most)
}
