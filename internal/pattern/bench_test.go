// SPDX-License-Identifier: Apache-2.0

package pattern

import (
	"strings"
	"testing"
)

var benchmarks = []struct{ name, pattern, text string }{
	{"identifier", `^[a-zA-Z0-9_-]{1,64}$`, "create_refund_draft"},
	{"date", `^\d{4}-\d{2}-\d{2}$`, "2026-02-28"},
	{"email", `^[^\s@]+@[^\s@]+\.[^\s@]+$`, "someone@example.com"},
	{"letters", `^\p{L}+(?: \p{L}+)*$`, "Ægir Þór"},
	{"large count", `^.{0,4096}$`, strings.Repeat("a", 4096)},
	{"host name", `^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$`, "api.eu-west-1.example.com"},
	{"password", `^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[^\w\s]).{8,}$`, "correct Horse 1 battery!"},
}

func BenchmarkCompile(b *testing.B) {
	for _, bm := range benchmarks {
		b.Run(bm.name, func(b *testing.B) {
			for b.Loop() {
				mustCompile(b, bm.pattern)
			}
		})
	}
}

func BenchmarkMatch(b *testing.B) {
	for _, bm := range benchmarks {
		b.Run(bm.name, func(b *testing.B) {
			p := mustCompile(b, bm.pattern)
			for b.Loop() {
				if !mustMatch(b, p, bm.text) {
					b.Fatalf("%q does not match %q", p, bm.text)
				}
			}
		})
	}
}
