// SPDX-License-Identifier: Apache-2.0

package importer

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// maxLabel is the most characters of a DNS label; hashLength are those of the
// hash that tells names apart.
const (
	maxLabel   = 63
	hashLength = 8
)

// namer gives contracts distinct object names that depend on nothing but the
// tool names and their order.
type namer struct{ taken map[string]bool }

// name makes a DNS label of a tool name: lower case, and a hyphen for all that
// a label cannot hold. A name that had to be cut, or that an earlier tool has
// already, ends in a hash of the tool name.
func (n *namer) name(toolName string) string {
	if n.taken == nil {
		n.taken = map[string]bool{}
	}
	plain := strings.Trim(strings.Map(labelCharacter, strings.ToLower(toolName)), "-")
	if plain == "" {
		plain = "tool"
	}
	name := plain
	if len(plain) > maxLabel {
		name = withHash(plain, toolName)
	}
	for again := 1; n.taken[name]; again++ {
		seed := toolName
		if again > 1 {
			seed = fmt.Sprintf("%s#%d", toolName, again)
		}
		name = withHash(plain, seed)
	}
	n.taken[name] = true
	return name
}

func labelCharacter(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
		return r
	}
	return '-'
}

func withHash(label, seed string) string {
	sum := sha256.Sum256([]byte(seed))
	label = strings.TrimRight(label[:min(len(label), maxLabel-1-hashLength)], "-")
	return label + "-" + hex.EncodeToString(sum[:])[:hashLength]
}
