// SPDX-License-Identifier: Apache-2.0

package host_test

import (
	"sync"
	"testing"

	"github.com/toolcontract/operator/pkg/host"
)

// TestOneToolServesManyCalls at the same time, also while what it makes on demand
// is not made yet. It is for the race detector.
func TestOneToolServesManyCalls(t *testing.T) {
	t.Parallel()
	tool := shipments(t)
	var calls sync.WaitGroup
	for i := range 16 {
		calls.Go(func() {
			if i%2 == 0 {
				if _, err := tool.Succeed(call, observed(`{"order_ref":"ord_1","shipments":[{"id":"s1"}],"next":null}`), noon); err != nil {
					t.Error(err)
				}
				return
			}
			text, err := tool.Fail(host.Failure{Code: host.CodeInternal})
			if err != nil {
				t.Error(err)
			}
			if err := tool.ValidateEnvelope(call, text, noon); err != nil {
				t.Error(err)
			}
		})
	}
	calls.Wait()
}
