// SPDX-License-Identifier: Apache-2.0

package publish_test

import (
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/publish"
)

func TestSetOf(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 63)
	for name, want := range map[string]string{
		"shop.openai-responses":          "shop",
		"shop.openai-responses-0a1b2c3d": "shop",
		"shop-v2x.gemini":                "shop-v2x",
		long + "." + long:                long,
		long + "." + long + "-0a1b2c3d":  long,
		"shop":                           "",
		"shop.":                          "",
		".openai":                        "",
		"shop.openai.responses":          "",
		"Shop.openai":                    "",
		"shop.open_ai":                   "",
		"shop.-0a1b2c3d":                 "",
		long + "a.openai":                "",
		"kube-root-ca.crt":               "",
		"openshift-service-ca.crt":       "",
		"find-order-v0.3":                "", // the channel of a contract
		"find-order-v1.2.0-0a1b2c3d":     "",
		"find-order-v1":                  "",
	} {
		set, ok := publish.SetOf(name)
		if got := map[bool]string{true: set}[ok]; got != want {
			t.Errorf("SetOf(%s) is %q, want %q", name, got, want)
		}
	}
}
