// SPDX-License-Identifier: Apache-2.0

package publish

// SetName is the stable name of the ConfigMap of a set for a profile. Both are
// DNS labels, so no two pairs share a name, and none is a name of a contract's
// children: a set's name does not end in -v and a number.
func SetName(set, profile string) string { return set + "." + profile }

// SetRenderingName is the name of the immutable ConfigMap with the bundle of this
// digest.
func SetRenderingName(set, profile, digest string) string {
	return SetName(set, profile) + "-" + ShortDigest(digest)
}
