// SPDX-License-Identifier: Apache-2.0

package publish

import "strings"

// SetOf reads the set's name from the name of a ConfigMap that may be a set's:
// <set>.<profile>, or that and a short digest. A name of another owner can have
// this shape too; no name has it and that of a contract's ConfigMap, because the
// name of a set does not end in -v and a number. The ConfigMaps with certificates
// that a cluster puts into every namespace do not count: every pod mounts them.
func SetOf(configMap string) (set string, ok bool) {
	set, profile, dotted := strings.Cut(configMap, ".")
	if !dotted || !isLabel(set) || len(configMap) > maxName || strings.HasSuffix(configMap, "-ca.crt") {
		return "", false
	}
	if end := strings.LastIndexByte(profile, '-'); end > 0 && isShortDigest(profile[end+1:]) && isLabel(profile[:end]) {
		return set, !isOfContract(configMap)
	}
	return set, isLabel(profile) && !isOfContract(configMap)
}

func isOfContract(configMap string) bool {
	_, ok := ContractOf(configMap)
	return ok
}
