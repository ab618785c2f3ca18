// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/toolcontract/operator/internal/schema"
)

// prng is a small pseudo-random generator (SplitMix64). The search owns it, so
// that no library and no version of one can change a witness.
type prng uint64

// seedOf makes the same start from the same two schemas as they are written.
func seedOf(a, b *schema.Schema) prng {
	left, right := sha256.Sum256([]byte(a.Root().JSON())), sha256.Sum256([]byte(b.Root().JSON()))
	return prng(binary.LittleEndian.Uint64(left[:]) ^ binary.BigEndian.Uint64(right[:]))
}

// below returns a number from 0 to n-1.
func (r *prng) below(n int) int {
	if n <= 1 {
		return 0
	}
	*r += 0x9E3779B97F4A7C15
	z := uint64(*r)
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
	z = (z ^ (z >> 27)) * 0x94D049BB133111EB
	z ^= z >> 31
	return int(z % uint64(n)) //nolint:gosec // below n
}

// oneIn is true once in n times.
func (r *prng) oneIn(n int) bool { return r.below(n) == 0 }

// pick returns one element of a list that is not empty.
func pick[T any](r *prng, list []T) T { return list[r.below(len(list))] }
