// SPDX-License-Identifier: Apache-2.0

package metrics

// Labels that several metrics have.
var (
	namespace = Label{"namespace", "the namespace of the objects"}
	ready     = Label{"ready", "the status of Ready: True, False, or Unknown while the operator has not looked at the current generation"}
	reason    = Label{"reason", "the reason of Ready, or NotObserved while ready is Unknown"}
	profile   = Label{"profile", "the name of a provider profile in use"}
	target    = Label{"profile", "the name of a provider profile in use; (unknown) stands for all others, which authors may have made up"}
	kind      = Label{"kind", "ToolContract or ToolSet"}
)

// What there is, counted in the cache when somebody asks. Only the replica that
// is active shows them.
var (
	Contracts = Metric{
		Name: "toolcontract_contracts", Type: Gauge,
		Help:   "ToolContracts, by what Ready says of their current generation.",
		Labels: []Label{namespace, ready, reason},
	}
	ContractTargets = Metric{
		Name: "toolcontract_contract_targets", Type: Gauge,
		Help: "Targets of ToolContracts, by the provider profile and what it says of the contract.",
		Labels: []Label{
			target,
			{"compatible", "Yes, No, or Unknown while the operator has not looked at the current generation"},
			{"strict", "Strict, NotStrict or None: how the target is rendered"},
		},
	}
	LintFindings = Metric{
		Name: "toolcontract_lint_findings", Type: Gauge,
		Help:   "Lint findings about ToolContracts that are not merely information.",
		Labels: []Label{namespace, {"severity", "Error, Warning, or Acknowledged for those that authors accept"}},
	}
	Revisions = Metric{
		Name: "toolcontract_revisions", Type: Gauge,
		Help:   "ToolRevisions, by what Ready says of them.",
		Labels: []Label{namespace, ready, reason},
	}
	ConfigMaps = Metric{
		Name: "toolcontract_configmaps", Type: Gauge,
		Help:   "ConfigMaps that the operator has published.",
		Labels: []Label{namespace, {"role", "rendering and set-rendering are immutable; channel and set are what agents mount by a name that stays"}},
	}
	Sets = Metric{
		Name: "toolcontract_sets", Type: Gauge,
		Help:   "ToolSets, by what Ready says of their current generation.",
		Labels: []Label{namespace, ready, reason},
	}
	SetToolsMissing = Metric{
		Name: "toolcontract_set_tools_missing", Type: Gauge,
		Help:   "Tools that ToolSets name and that are not in what is published for a profile. A set can be ready all the same.",
		Labels: []Label{namespace, target},
	}
	SetTokenBudget = Metric{
		Name: "toolcontract_set_token_budget_used_ratio", Type: Gauge,
		Help:   "The highest share of a token budget that the published tools of a ToolSet take, by the operator's estimate; above 1 is over the budget. Sets without a budget do not count.",
		Labels: []Label{namespace, target},
	}
	ProviderProfiles = Metric{
		Name: "toolcontract_provider_profiles", Type: Gauge,
		Help:   "ProviderProfiles of the cluster, by what Ready says of their current generation.",
		Labels: []Label{ready, reason},
	}
	ProfileReviewed = Metric{
		Name: "toolcontract_profile_reviewed_timestamp_seconds", Type: Gauge,
		Help:   "When the facts of a provider profile in use were last compared with their sources.",
		Labels: []Label{profile},
	}
	ProfileInfo = Metric{
		Name: "toolcontract_profile_info", Type: Gauge,
		Help:   "The revision and digest of the facts that are in force under the name of a provider profile; always 1.",
		Labels: []Label{profile, {"revision", "the revision of the profile"}, {"digest", "the digest of its facts"}},
	}
	MountsReady = Metric{
		Name: "toolcontract_mounts_ready", Type: Gauge,
		Help: "1 if all objects of a resource that may mount published ConfigMaps are seen, else 0. " +
			"While one of them is 0 nothing is deleted that may be mounted. Only with --track-mounts.",
		Labels: []Label{{"resource", "the resource, as deployments.apps"}},
	}
	MountsConsumers = Metric{
		Name: "toolcontract_mounts_consumers", Type: Gauge,
		Help: "Workloads and single pods that mount published ConfigMaps, as far as they are seen. Only with --track-mounts.",
	}
)

// What happens, counted since the process began.
var (
	PublishDuration = Metric{
		Name: "toolcontract_publish_duration_seconds", Type: Histogram,
		Help: "Time from when the operator was told of a new generation until what it says is published and its status says so. " +
			"Generations that are refused, or replaced by a newer one before, do not count.",
		Labels:  []Label{kind},
		Buckets: []float64{0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300},
	}
	PublishedBytes = Metric{
		Name: "toolcontract_published_bytes", Type: Histogram,
		Help:    "Size of the data of each ConfigMap that was written.",
		Labels:  []Label{{"role", "as in toolcontract_configmaps"}},
		Buckets: []float64{1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 512 << 10, 1 << 20},
	}
	ProverDuration = Metric{
		Name: "toolcontract_prover_duration_seconds", Type: Histogram,
		Help: "Time that comparing two schemas took. Answers that were remembered do not count.",
		Labels: []Label{{"outcome", "Proven: all values of the old schema are values of the new one; " +
			"Refuted: there is a counter-example; Unknown: neither, and the change counts as breaking"}},
		Buckets: []float64{0.0001, 0.001, 0.01, 0.1, 1, 10},
	}
	Writes = Metric{
		Name: "toolcontract_writes_total", Type: Counter,
		Help: "Writes that the controllers sent to the API server, without events and leases. In the steady state there are none.",
		Labels: []Label{
			{"kind", "the kind of the object that was written"},
			{"verb", "create, patch, delete, or patch-status"},
			{"result", "Done; Conflict: somebody else was quicker, and it is tried again; Refused: anything else"},
		},
	}
	DriftRepaired = Metric{
		Name: "toolcontract_drift_repaired_total", Type: Counter,
		Help: "Times that the operator restored a published object that somebody else had changed or deleted.",
		Labels: []Label{
			{"kind", "ConfigMap or ToolRevision"},
			{"drift", "Missing: the object was gone; Data: it had other data, or could be changed and should not; Metadata: labels or annotations were wrong"},
		},
	}
	Refusals = Metric{
		Name: "toolcontract_refusals_total", Type: Counter,
		Help:   "Times that a ToolContract was refused, or was refused in other words than before.",
		Labels: []Label{{"reason", "the reason of Ready"}},
	}
	RetentionErrors = Metric{
		Name: "toolcontract_retention_errors_total", Type: Counter,
		Help: "Deletions of superseded revisions and renderings that failed. They are tried again.",
	}
	CheckerDefects = Metric{
		Name: "toolcontract_checker_defects_total", Type: Counter,
		Help: "Proofs of compatibility that a counter-example disproved. Every one is a defect of the operator worth reporting; the change counts as breaking all the same.",
	}
)

// WebhookCertificateExpiry is shown while the admission webhook is served.
var WebhookCertificateExpiry = Metric{
	Name: "toolcontract_webhook_certificate_expiry_timestamp_seconds", Type: Gauge,
	Help: "When the certificate that the admission webhook serves stops being valid. Only where the webhook is on.",
}

// All returns every metric, in the order of the reference.
func All() []*Metric {
	return []*Metric{
		&Contracts, &ContractTargets, &LintFindings, &Revisions, &ConfigMaps, &Sets, &SetToolsMissing, &SetTokenBudget,
		&ProviderProfiles, &ProfileReviewed, &ProfileInfo, &MountsReady, &MountsConsumers,
		&PublishDuration, &PublishedBytes, &ProverDuration, &Writes, &DriftRepaired, &Refusals, &RetentionErrors, &CheckerDefects,
		&WebhookCertificateExpiry,
	}
}
