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
	return hex[:min(8, len(hex))]
}
