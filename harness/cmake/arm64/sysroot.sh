#!/bin/sh
# sysroot.sh FOLDER: the libraries of arm64 Linux that the programs are linked with, from Debian's packages, in FOLDER/root. Needs
# apt-get, no rights, and changes nothing of this machine: the lists and packages of the other architecture stay in FOLDER.
# FOLDER/packages says what the root was made of: while the course needs the same, nothing is fetched.
set -eu
folder=$1
tree=$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd -P)
headers=$(sed -n 's/^inc:[^ ]* *\([^ ]*\).*/\1/p' "$tree/scanlab") # the libraries that the entry script would install
[ ! -f "$folder/packages" ] || [ "$(cat "$folder/packages")" != "$headers" ] || exit 0
echo "-- Fetching the libraries of arm64 Linux into $folder"
command -v apt-get > /dev/null && command -v dpkg-deb > /dev/null || {
  echo "sysroot.sh: there is no apt-get; name a folder with the libraries of arm64 Linux: -DSL_ARM64_ROOT=DIR" >&2
  exit 4
}
mkdir -p "$folder/lists/partial" "$folder/archives/partial"
folder=$(CDPATH='' cd -- "$folder" && pwd -P)
: > "$folder/status"
get() {
  apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State::lists="$folder/lists" \
    -o Dir::State::status="$folder/status" -o Dir::Cache="$folder" -o Debug::NoLocking=1 "$@"
}
get update
get install -y --no-install-recommends --download-only libc6-dev $headers
rm -rf "$folder/new"
for package in "$folder"/archives/*.deb; do dpkg-deb -x "$package" "$folder/new"; done
[ -e "$folder/new/lib/ld-linux-aarch64.so.1" ] || { echo "sysroot.sh: the packages hold no loader" >&2; exit 4; }
rm -rf "$folder/root" "$folder/packages"
mv "$folder/new" "$folder/root"
rm -rf "$folder/archives" "$folder/lists"
echo "$headers" > "$folder/packages"
