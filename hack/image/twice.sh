#!/bin/sh
# Builds the image twice, from two copies of the source in different directories,
# with different flags, time zones, umasks and file times, the second time without
# anything that the first has compiled, and fails unless the digests are the same.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

# copy DIRECTORY copies what a clone would hold, with what is not committed yet.
copy() {
	mkdir -p "$1"
	(cd "$root" && git ls-files --cached --others --exclude-standard | while IFS= read -r file; do
		[ ! -e "$file" ] || printf '%s\n' "$file"
	done | tar -cf - -T -) | tar -C "$1" -xf -
}

# image DIRECTORY builds there and prints the digest.
image() {
	mkdir -p "$1/dist"
	for arch in amd64 arm64; do
		"$1/hack/image/build.sh" $arch "$1/dist/manager-$arch"
	done
	(cd "$1/hack/image" && go run . -name toolcontract-operator:dev -output ../../dist/manager.oci.tar \
		amd64=../../dist/manager-amd64 arm64=../../dist/manager-arm64)
}

copy "$work/one"
copy "$work/a/longer path/two"
find "$work/a" -type f -exec touch -t 200102030405 {} +
one=$(umask 022 && TZ=UTC image "$work/one")
two=$(umask 077 && TZ=Asia/Tokyo GOFLAGS=-p=2 GOAMD64=v3 GOCACHE="$work/cache" image "$work/a/longer path/two")
echo "first:  $one"
echo "second: $two"
if [ "$one" != "$two" ] || ! cmp "$work/one/dist/manager.oci.tar" "$work/a/longer path/two/dist/manager.oci.tar" ||
	! cmp "$work/one/dist/manager-amd64.cdx.json" "$work/a/longer path/two/dist/manager-amd64.cdx.json"; then
	echo "Two builds of one source differ." >&2
	exit 1
fi
