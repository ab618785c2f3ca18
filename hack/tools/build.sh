#!/bin/sh
# Builds the pinned tools of one module below this directory and prints the
# directory that holds them, so that a caller writes
#
#     "$(hack/tools/build.sh)/controller-gen" …
#
# Usage: hack/tools/build.sh [MODULE]
#   .             generators and benchstat (the default)
#   lint          golangci-lint
#   controlplane  etcd, kube-apiserver, kube-controller-manager, kubectl
#   helm          helm
#   promtool      promtool
#
# The directory is named after everything that decides its content, so that a
# second run only looks whether the files are there. Needs a POSIX shell, Go and
# git. Safe to interrupt: a tool appears under its name only when it is complete,
# and Go keeps what it has compiled. Safe to run twice at the same time.
set -eu

module=${1:-.}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
cd "$here/$module"
name=$(basename "$PWD")

say() { printf '%s: %s\n' "$name" "$*" >&2; }

# Prebuilt Kubernetes binaries are taken where the user has them, file by file.
assets=
if [ "$name" = controlplane ] && [ -n "${KUBEBUILDER_ASSETS:-}" ]; then
	assets=$(CDPATH='' cd -- "$KUBEBUILDER_ASSETS" && pwd)
fi

key=$({
	cat go.mod go.sum "$here/build.sh"
	go env GOVERSION GOOS GOARCH
	printf '%s\n' "$assets"
} | git hash-object --stdin | cut -c 1-12)
out=$root/bin/$name/$key

packages=$(sed -n -e '/^tool (/,/^)/s/^[[:space:]]\{1,\}//p' -e 's/^tool \([^(]\)/\1/p' go.mod)

# binary PACKAGE prints the file name of a tool: the last element of its path,
# except that etcd's main package is called "server".
binary() {
	case $1 in
	go.etcd.io/etcd/server/*) echo etcd ;;
	*) echo "${1##*/}" ;;
	esac
}

missing=0
for package in $packages; do
	[ -x "$out/$(binary "$package")" ] || missing=$((missing + 1))
done
if [ "$missing" -eq 0 ]; then
	echo "$out"
	exit 0
fi

mkdir -p "$out"
if command -v flock >/dev/null 2>&1; then
	exec 9>"$out/.lock"
	until flock -n 9; do
		say "waiting for another build of the same tools"
		sleep 10
	done
fi

tmp=$out/.build.$$
pid=
# SIGINT, not SIGTERM: the go command then removes its own work directory.
cleanup() {
	if [ -n "$pid" ]; then
		kill -INT "$pid" 2>/dev/null || true
		wait "$pid" 2>/dev/null || true
	fi
	rm -rf "$tmp"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
rm -rf "$tmp"
mkdir "$tmp"

# An unstamped kubectl or kube-apiserver reports a version that clients, Helm
# among them, cannot parse.
ldflags='-s -w'
kubernetes=$(sed -n 's/^.*k8s\.io\/kubernetes \(v1\.[0-9.]*\).*/\1/p' go.mod)
if [ -n "$kubernetes" ]; then
	minor=${kubernetes#v1.}
	minor=${minor%%.*}
	version=k8s.io/component-base/version
	ldflags="$ldflags -X $version.gitVersion=$kubernetes -X $version.gitMajor=1"
	ldflags="$ldflags -X $version.gitMinor=$minor -X $version.gitTreeState=clean"
	say "building Kubernetes $kubernetes from source: 6 to 9 minutes on 2 cores the first time; interrupting is safe"
fi

# build FILE PACKAGE compiles one tool and prints a line of progress every 20 s.
# One tool at a time, because two links of this size at once need 6 GB of memory,
# and without cgo, so that whether there is a C compiler makes no difference.
build() {
	begin=$(date +%s)
	CGO_ENABLED=0 go build -v -buildvcs=false -tags "$tags" -ldflags "$ldflags" -o "$tmp/$1" "$2" >"$tmp/log" 2>&1 &
	pid=$!
	shown=0
	while kill -0 "$pid" 2>/dev/null; do
		sleep 1
		elapsed=$(($(date +%s) - begin))
		if [ $((elapsed - shown)) -ge 20 ]; then
			shown=$elapsed
			compiled=$(grep -c -v '^go: ' "$tmp/log" || true)
			say "$1: ${elapsed}s, $compiled packages compiled, last: $(tail -n 1 "$tmp/log")"
		fi
	done
	status=0
	wait "$pid" || status=$?
	pid=
	if [ "$status" -ne 0 ]; then
		tail -n 30 "$tmp/log" >&2
		say "building $2 failed (exit code $status)"
		exit 1
	fi
	mv "$tmp/$1" "$out/$1"
	say "$1: built in $(($(date +%s) - begin))s"
}

# Without it promtool takes in every cloud's client: three times the time and memory.
tags=
[ "$name" != promtool ] || tags=remove_all_sd

for package in $packages; do
	file=$(binary "$package")
	if [ -x "$out/$file" ]; then
		continue
	fi
	if [ -n "$assets" ] && [ -x "$assets/$file" ]; then
		ln -sf "$assets/$file" "$out/$file"
		say "$file: taken from $assets"
		continue
	fi
	build "$file" "$package"
done
echo "$out"
