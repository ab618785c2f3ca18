// SPDX-License-Identifier: Apache-2.0

package publish

import (
	"strings"

	"github.com/toolcontract/operator/internal/contract"
)

// RevisionName is the name of the ToolRevision of one version. A contract name
// is a DNS label and a version holds only letters, digits, dots and hyphens,
// so the name is a DNS subdomain and no two pairs share one.
func RevisionName(contractName string, version contract.Version) string {
	return contractName + "-v" + version.String()
}

// ChannelName is the stable name of the ConfigMap that serves a line.
func ChannelName(contractName, line string) string { return contractName + "-v" + line }

// RenderingName is the name of the immutable ConfigMap with the bundle of
// this digest.
func RenderingName(contractName string, version contract.Version, digest string) string {
	return RevisionName(contractName, version) + "-" + ShortDigest(digest)
}

// ShortDigest is the first eight hexadecimal digits. The full digest is an
// annotation and is what is compared.
func ShortDigest(digest string) string {
	hex := strings.TrimPrefix(digest, "sha256:")
	return hex[:min(shortDigest, len(hex))]
}

const shortDigest = 8

// ContractOf reads the contract's name from the name of a channel or of a
// rendering. No other name is of either shape, and none is of both: a contract's
// name has no dot, so its version begins at the last "-v" before the first one.
func ContractOf(configMap string) (contractName string, ok bool) {
	head, _, _ := strings.Cut(configMap, ".")
	end := strings.LastIndex(head, "-v")
	if end < 0 || len(configMap) > maxName || !isLabel(configMap[:end]) {
		return "", false
	}
	text := configMap[end+len("-v"):]
	if i := strings.LastIndexByte(text, '-'); i >= 0 {
		if _, err := contract.ParseVersion(text[:i]); err != nil || !isShortDigest(text[i+1:]) {
			return "", false
		}
		return configMap[:end], true
	}
	for _, rest := range []string{".0.0", ".0"} {
		if v, err := contract.ParseVersion(text + rest); err == nil && v.Line() == text {
			return configMap[:end], true
		}
	}
	return "", false
}

// maxName and maxLabel are the most characters of an object's name and of a DNS
// label.
const maxName, maxLabel = 253, 63

func isLabel(text string) bool {
	return text != "" && len(text) <= maxLabel && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" &&
		text[0] != '-' && text[len(text)-1] != '-'
}

func isShortDigest(text string) bool {
	return len(text) == shortDigest && strings.Trim(text, "0123456789abcdef") == ""
}
