// SPDX-License-Identifier: Apache-2.0

// Package metrics names every metric that the operator adds to those of its
// libraries: its type, its labels and what it means. The controllers fill them,
// docs/metrics.md is generated from them, and the alerts and the dashboard below
// config/prometheus are checked against them.
//
// No label holds the name of a contract, a set or a revision, and none holds text
// of an author: the number of series is bounded by the namespaces, the profiles
// and the reasons that the code knows. What a series is about is found with
// kubectl.
package metrics
