// SPDX-License-Identifier: Apache-2.0

package controller

// Mounts tells which ConfigMaps something mounts. A nil Mounts means that
// nobody looks: then nothing counts as mounted.
type Mounts interface {
	// Ready is false until everything that runs has been seen. Until then every
	// ConfigMap counts as mounted, so that nothing is deleted on half a view.
	Ready() bool
	// Consumers names what mounts a ConfigMap as Kind/name, sorted; it is nil if
	// nothing does.
	Consumers(namespace, configMap string) []string
}
