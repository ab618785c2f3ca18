// SPDX-License-Identifier: Apache-2.0

package mounts

import "unique"

// consumer is what mounts a ConfigMap of its own namespace.
type consumer struct{ kind, name string }

func (c consumer) String() string { return c.kind + "/" + c.name }

// configMap is the key of the index. Thousands of pods name the same ConfigMap
// and the same controller: each such text is in memory once.
type configMap struct{ namespace, name unique.Handle[string] }

// index says what mounts a ConfigMap, and through how many objects. A controller
// and its thousand pods are one consumer.
type index map[configMap]map[unique.Handle[consumer]]int

// add counts one object and reports whether its consumer is new here.
func (x index) add(cm configMap, c unique.Handle[consumer]) bool {
	if x[cm] == nil {
		x[cm] = map[unique.Handle[consumer]]int{}
	}
	x[cm][c]++
	return x[cm][c] == 1
}

// remove takes one object back and reports whether its consumer is gone.
func (x index) remove(cm configMap, c unique.Handle[consumer]) bool {
	if x[cm][c]--; x[cm][c] > 0 {
		return false
	}
	delete(x[cm], c)
	if len(x[cm]) == 0 {
		delete(x, cm)
	}
	return true
}
