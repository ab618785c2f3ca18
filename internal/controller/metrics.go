// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"github.com/prometheus/client_golang/prometheus"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
)

// retentionErrors counts failed deletions: retention is best effort and says
// nothing in a contract's status.
var retentionErrors = prometheus.NewCounter(prometheus.CounterOpts{
	Name: "toolcontract_retention_errors_total",
	Help: "Deletions of superseded revisions and renderings that failed.",
})

// checkerDefects counts proofs that a counter-example disproved. Each is a
// defect of ours; the change counts as breaking all the same.
var checkerDefects = prometheus.NewCounter(prometheus.CounterOpts{
	Name: "toolcontract_checker_defects_total",
	Help: "Proofs of compatibility that a counter-example disproved. Every one is a defect of the operator worth reporting.",
})

func init() { metrics.Registry.MustRegister(retentionErrors, checkerDefects) }
