# Needs Go, make, git and a POSIX shell. Everything else is built, once, from
# pinned Go modules below hack/tools.

# The name that `make image` gives the image and that config/manager runs.
IMAGE ?= toolcontract-operator:dev
# More flags for `go test`, for example TESTFLAGS='-run Rollback -v'.
TESTFLAGS ?= -timeout=30m
# The version that `make dist` builds, as krew wants it.
VERSION ?= $$(git describe --tags --match 'v*' --dirty 2>/dev/null || echo v0.0.0-$$(git rev-parse --short=12 HEAD))

# kubectl of the PATH, else the one that belongs to the local control plane.
KUBECTL = $$(command -v kubectl || echo "$$(hack/tools/build.sh controlplane)/kubectl")
# Puts the binaries of the local control plane where internal/localplane looks.
with-plane = TOOLCONTRACT_CONTROLPLANE=$$(hack/tools/build.sh controlplane) && export TOOLCONTRACT_CONTROLPLANE
# Interpreters for the code of the guides that are not there. CI has them all.
left-out = $$([ -n "$$CI" ] || for i in python3 node; do command -v $$i >/dev/null || printf '%s ' $$i; done)

.DEFAULT_GOAL := help

##@ See it

.PHONY: help
help: ## Show this list
	@awk -F ':.*## ' '/^##@/ {printf "\n%s\n", substr($$0, 5)} /^[a-z-]+:.*## / {printf "  %-13s %s\n", $$1, $$2}' Makefile

.PHONY: demo
demo: ## Run the operator on a local control plane and show what it does
	@$(with-plane) && go build -o bin/demo ./hack/demo && exec bin/demo

.PHONY: local
local: ## Run an empty local control plane until Ctrl-C
	@$(with-plane) && go build -o bin/localplane ./hack/localplane && exec bin/localplane

##@ Develop

.PHONY: test
test: ## Run all tests against a local control plane
	@[ -n "$$TOOLCONTRACT_CORPUS" ] || echo "TOOLCONTRACT_CORPUS is not set: tests over the corpus of real tools are not run"
	@[ -z "$(left-out)" ] || echo "not there, so the code of the guides for it is not run: $(left-out)"
	@$(with-plane) && export TOOLCONTRACT_LEAVE_OUT="$$TOOLCONTRACT_LEAVE_OUT $(left-out)" && go test $(TESTFLAGS) ./...
	@cd hack/image && go test ./...
	@cd hack/charts && go test ./...
	@cd test/sdk && go test ./...

.PHONY: test-pages
test-pages: build ## Look at the pages of the catalogue in Chromium; needs Node.js
	@if [ -n "$$CI" ] && [ "$$(id -u)" = 0 ] && [ -z "$$CHROMIUM" ] && ! command -v chromium >/dev/null && ! command -v google-chrome >/dev/null; then \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null; fi
	@cd test/pages && npm ci --no-audit --no-fund --ignore-scripts --silent && node pages.mjs

.PHONY: test-install
test-install: ## Install, upgrade and remove the operator with Helm and kustomize
	@$(with-plane) && TOOLCONTRACT_HELM=$$(hack/tools/build.sh helm) && export TOOLCONTRACT_HELM && \
	cd test/install && go test -timeout=30m .

.PHONY: test-image
test-image: ## Build the image twice and compare the digests
	@hack/image/twice.sh

.PHONY: test-rules
test-rules: ## Test the alerts and the dashboard with promtool
	@TOOLCONTRACT_PROMTOOL=$$(hack/tools/build.sh promtool)/promtool && export TOOLCONTRACT_PROMTOOL && cd test/rules && go test ./...

.PHONY: soak
soak: ## Prove every adaptation of every tool of the corpus, ask about a million pairs of schemas, and fuzz for longer
	@TOOLCONTRACT_SOAK=1 go test -v -timeout=240m -run='RandomPairs|Mutations|Itself|Everything|Transitive|Spelling' ./test/containment
	@TOOLCONTRACT_SOAK=1 go test -timeout=120m ./internal/contain ./internal/adapt/... ./internal/decode/... ./internal/render/... ./internal/evaluate/... ./pkg/host/... ./test/proof/...

.PHONY: bench
bench: ## Run all benchmarks, with the tools from npm if Node.js is there
	@if command -v npm >/dev/null; then for tools in test/converters test/containment/npm; do \
			(cd $$tools && npm ci --no-audit --no-fund --ignore-scripts --silent) || exit 1; done; \
		else echo "npm is not there: the comparison with what npm has is not run"; fi
	@$(with-plane) && go test -run='^$$' -bench=. -benchmem -timeout=60m ./...

.PHONY: passrates
passrates: ## Print how many tools of the corpus each profile takes, per adaptation
	@tools=$${TOOLCONTRACT_CORPUS:?names the folder with real tools}/tools && go run ./hack/passrates \
		servers=$$tools/npm,$$tools/github-mcp-server.jsonl,$$tools/kubernetes-mcp-server.jsonl,$$tools/mcp-grafana.jsonl,$$tools/dbt-mcp.jsonl \
		benchmarks=$$tools/acebench-zh.jsonl,$$tools/bfcl-live.jsonl,$$tools/bfcl-multi-turn.jsonl,$$tools/tau-bench.jsonl,$$tools/toolbench.jsonl

.PHONY: lint
lint: ## Check style with golangci-lint
	@lint=$$(hack/tools/build.sh lint)/golangci-lint && $$lint run ./... && \
	for module in hack/image hack/charts test/install test/rules test/sdk test/containment/oasdiff; do (cd $$module && $$lint run ./...) || exit 1; done

.PHONY: generate
generate: ## Write deep copies, CRDs, the manager's role and the references below docs
	@gen=$$(hack/tools/build.sh)/controller-gen && \
	$$gen object:headerFile=hack/boilerplate.go.txt paths=./api/... && \
	$$gen crd paths=./api/... output:crd:dir=config/crd/bases && \
	$$gen rbac:roleName=manager-role paths=./internal/controller/... output:rbac:dir=config/rbac
	@go run ./hack/docs
	@cd hack/charts && go run .
	@reference=$$(hack/tools/build.sh)/crd-ref-docs && \
	$$reference --log-level=ERROR --source-path=api/v1alpha1 --config=hack/docs/reference.yaml \
		--renderer=markdown --output-path=docs/spec/v1alpha1/reference.md

.PHONY: build
build: ## Build bin/manager and bin/toolcontract
	go build -trimpath -o bin/ ./cmd/manager ./cmd/toolcontract

.PHONY: dist
dist: ## Pack toolcontract for all systems below dist, with the krew manifest of the plugin
	@go run ./hack/dist -version "$(VERSION)" -output dist

.PHONY: controlplane
controlplane: ## Build the local control plane and print its directory
	@hack/tools/build.sh controlplane

.PHONY: clean
clean: ## Remove everything that was built
	rm -rf bin dist

##@ Use it on the cluster of the current kubeconfig

.PHONY: install
install: ## Install the CRDs
	@$(KUBECTL) apply --server-side -k config/crd

.PHONY: uninstall
uninstall: ## Remove the CRDs and with them every contract
	@$(KUBECTL) delete --ignore-not-found -k config/crd

.PHONY: run
run: ## Run the operator from here
	go run ./cmd/manager

.PHONY: image
image: ## Pack the operator as dist/manager.oci.tar, without a container engine
	@for arch in amd64 arm64; do hack/image/build.sh $$arch dist/manager-$$arch || exit 1; done
	@cd hack/image && go run . -name $(IMAGE) -output ../../dist/manager.oci.tar \
		amd64=../../dist/manager-amd64 arm64=../../dist/manager-arm64

.PHONY: deploy
deploy: ## Install the CRDs and run the operator in the cluster, from IMAGE
	@$(KUBECTL) kustomize config/default | sed 's|image: toolcontract-operator:dev|image: $(IMAGE)|' | $(KUBECTL) apply --server-side -f -

.PHONY: undeploy
undeploy: ## Remove the operator and the CRDs
	@$(KUBECTL) delete --ignore-not-found -k config/default
