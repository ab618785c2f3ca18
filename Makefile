# Needs Go, make, git and a POSIX shell. Everything else is built, once, from
# pinned Go modules below hack/tools.

# The name that `make image` gives the image and that config/manager runs.
IMAGE ?= toolcontract-operator:dev
# More flags for `go test`, for example TESTFLAGS='-run Rollback -v'.
TESTFLAGS ?= -timeout=30m

# kubectl of the PATH, else the one that belongs to the local control plane.
KUBECTL = $$(command -v kubectl || echo "$$(hack/tools/build.sh controlplane)/kubectl")
# Puts the binaries of the local control plane where internal/localplane looks.
with-plane = TOOLCONTRACT_CONTROLPLANE=$$(hack/tools/build.sh controlplane) && export TOOLCONTRACT_CONTROLPLANE

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
	@$(with-plane) && go test $(TESTFLAGS) ./...
	@cd hack/image && go test ./...

.PHONY: bench
bench: ## Run all benchmarks
	@$(with-plane) && go test -run='^$$' -bench=. -benchmem -timeout=60m ./...

.PHONY: lint
lint: ## Check style with golangci-lint
	@lint=$$(hack/tools/build.sh lint)/golangci-lint && $$lint run ./... && cd hack/image && $$lint run ./...

.PHONY: generate
generate: ## Write deep copies, CRDs and the manager's role from the Go source
	@gen=$$(hack/tools/build.sh)/controller-gen && \
	$$gen object:headerFile=hack/boilerplate.go.txt paths=./api/... && \
	$$gen crd paths=./api/... output:crd:dir=config/crd/bases && \
	$$gen rbac:roleName=manager-role paths=./internal/controller/... output:rbac:dir=config/rbac

.PHONY: build
build: ## Build bin/manager and bin/toolcontract
	go build -trimpath -o bin/ ./cmd/manager ./cmd/toolcontract

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
	@for arch in amd64 arm64; do \
		CGO_ENABLED=0 GOOS=linux GOARCH=$$arch \
			go build -trimpath -buildvcs=false -ldflags='-s -w' -o dist/manager-$$arch ./cmd/manager || exit 1; \
	done
	@cd hack/image && go run . -name $(IMAGE) -output ../../dist/manager.oci.tar \
		amd64=../../dist/manager-amd64 arm64=../../dist/manager-arm64

.PHONY: deploy
deploy: ## Install the CRDs and run the operator in the cluster, from IMAGE
	@$(KUBECTL) kustomize config/default | sed 's|image: toolcontract-operator:dev|image: $(IMAGE)|' | $(KUBECTL) apply --server-side -f -

.PHONY: undeploy
undeploy: ## Remove the operator and the CRDs
	@$(KUBECTL) delete --ignore-not-found -k config/default
