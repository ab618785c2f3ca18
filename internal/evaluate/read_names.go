// SPDX-License-Identifier: Apache-2.0

package evaluate

import (
	"fmt"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/lint"
)

// RuleSecretInName says that a field that names a secret, or a source, holds one. It
// would be published with everything else.
const RuleSecretInName = "secret-in-name"

// names refuses secrets where only names belong.
func (r *reader) names(api *v1alpha1.ToolContent) {
	check := func(pointer, value string) {
		if lint.LooksLikeSecret(value) {
			r.fail(RuleSecretInName, pointer, "the field holds what looks like a secret, and it is published; it takes the name of one only",
				"replace the secret where it is in use, and write the name under which the host finds it")
		}
	}
	if m := api.MCP; m != nil {
		check("/spec/mcp/server/authorization", m.Server.Authorization)
		for i, h := range m.Server.Headers {
			check(fmt.Sprintf("/spec/mcp/server/headers/%d/source", i), h.Source)
		}
	}
	for i, p := range api.Input.SessionParameters {
		check(fmt.Sprintf("/spec/input/sessionParameters/%d/source", i), p.Source)
	}
	if e := api.Execution; e != nil {
		check("/spec/execution/credentials", e.Credentials)
		check("/spec/execution/authorization", e.Authorization)
	}
	if api.Output != nil && api.Output.Provenance != nil {
		check("/spec/output/provenance/source", api.Output.Provenance.Source)
		check("/spec/output/provenance/producerRevision", api.Output.Provenance.ProducerRevision)
	}
}
