// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"fmt"
	"strings"

	"github.com/toolcontract/operator/internal/localplane"
)

// checkOperatorWrites looks at every write that the operator sent in all tests
// together. It writes ToolRevisions, ConfigMaps, statuses, events and its
// lease; it never writes a contract itself, a Secret or anything else, and
// never asks for what its role does not allow.
func checkOperatorWrites(ctx context.Context) error {
	all, err := plane.Writes(ctx)
	if err != nil {
		return err
	}
	allowed := map[string]bool{
		"create toolrevisions": true, "patch toolrevisions": true, "delete toolrevisions": true,
		"create configmaps": true, "patch configmaps": true, "delete configmaps": true,
		"patch toolcontracts/status": true, "patch toolrevisions/status": true, "patch providerprofiles/status": true, "patch toolsets/status": true,
		"create events": true, "patch events": true,
		"create leases": true, "update leases": true,
		// Whoever scrapes is asked who he is; nothing is stored.
		"create tokenreviews": true, "create subjectaccessreviews": true,
	}
	for _, write := range all {
		if write.User != managerUser {
			continue
		}
		if what := verbAndResource(write); !allowed[what] {
			return fmt.Errorf("the operator asked for %s (%s)", what, write.RequestURI)
		}
	}
	return nil
}

// verbAndResource is for example "patch toolcontracts/status".
func verbAndResource(write localplane.Write) string {
	return strings.TrimSuffix(write.Verb+" "+write.Resource+"/"+write.Subresource, "/")
}
