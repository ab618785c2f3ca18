#!/bin/sh
# Builds the manager for one architecture, so that the same source and the same Go
# give the same bytes wherever and whenever they are built:
#
#     hack/image/build.sh ARCHITECTURE FILE
#
# The caller's GOFLAGS and the settings of its machine have no say.
set -eu
cd "$(dirname -- "$0")/../.."
CGO_ENABLED=0 GOOS=linux GOARCH=$1 GOAMD64=v1 GOARM64=v8.0 GOFLAGS=-mod=readonly GOEXPERIMENT='' GOWORK=off \
	exec go build -trimpath -buildvcs=false -ldflags='-s -w' -o "$2" ./cmd/manager
