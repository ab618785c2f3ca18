# syntax=docker/dockerfile:1
# SPDX-License-Identifier: Apache-2.0
# For those who build with a container engine. `make image` needs none; both build the
# binary with the same script, so that one Go version gives the same binary.
FROM --platform=$BUILDPLATFORM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG TARGETARCH
RUN hack/image/build.sh $TARGETARCH /manager

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build --chmod=0555 /manager /manager
USER 65532:65532
ENTRYPOINT ["/manager"]
LABEL org.opencontainers.image.title="toolcontract-operator" \
      org.opencontainers.image.description="Operator for LLM tool contracts" \
      org.opencontainers.image.source="https://github.com/toolcontract/operator" \
      org.opencontainers.image.licenses="Apache-2.0"
