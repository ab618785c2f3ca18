// SPDX-License-Identifier: Apache-2.0

// Package publish decides what is published and under which name: the files
// of one revision, their digests, the names of objects, and what fits into a
// ConfigMap. It makes no calls.
package publish
