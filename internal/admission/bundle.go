// SPDX-License-Identifier: Apache-2.0

package admission

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"slices"
	"time"
)

// maxAuthorities bounds a bundle. A replica that restarts leaves its authority
// there until that expires; beyond the bound the oldest entries go, and a replica
// that misses its own adds it again, at the end.
const maxAuthorities = 32

// merged is a bundle with the authorities of this replica and without those that
// it has left, those that have expired, and whatever is none. All others are of
// other replicas and stay where they are, so that replicas that agree write
// nothing.
func merged(bundle []byte, wanted, left [][]byte, now time.Time) []byte {
	var kept [][]byte
	for rest := bundle; ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		parsed, err := x509.ParseCertificate(block.Bytes)
		text := pem.EncodeToMemory(&pem.Block{Type: certificateBlock, Bytes: block.Bytes})
		if block.Type != certificateBlock || err != nil || now.After(parsed.NotAfter) || contains(left, text) || contains(kept, text) {
			continue
		}
		kept = append(kept, text)
	}
	for _, authority := range wanted {
		if !contains(kept, authority) {
			kept = append(kept, authority)
		}
	}
	return bytes.Join(kept[max(0, len(kept)-maxAuthorities):], nil)
}

func contains(list [][]byte, text []byte) bool {
	return slices.ContainsFunc(list, func(have []byte) bool { return bytes.Equal(have, text) })
}
