#!/bin/sh
# sysroot.sh FOLDER NVCC: what programs for arm64 Linux are made with on another machine, in FOLDER; needs no rights, and changes
# nothing of this machine.
#
#   root    the libraries, from Debian's packages: the lists and packages of the other architecture stay in FOLDER
#   g++     the compiler of C++ for arm64
#   cuda    NVCC's toolkit as it is for arm64: its own programs and headers, the runtime's libraries from the pinned wheel, and an
#           nvcc that has that g++ compile the host's part, whoever calls it
#
# FOLDER/made says what it was made of, and by which version of this file: while that is the same, nothing is fetched.
set -eu
folder=$1 nvcc=$2
tree=$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd -P)
headers=$(sed -n 's/^inc:[^ ]* *\([^ ]*\).*/\1/p' "$tree/scanlab") # the libraries that the entry script would install
runtime=$(sed -n 's/^nvidia-cuda-runtime==\([^ ]*\) [^ ]* \([0-9a-f]*\)$/nvidia-cuda-runtime==\1 --hash=sha256:\2/p' "$tree/scanlab")
made=$(printf '%s\n' "$headers" "$runtime" "$nvcc" "$(cksum < "$0")")
[ ! -f "$folder/made" ] || [ "$(cat "$folder/made")" != "$made" ] || exit 0
stop() { echo "sysroot.sh: $1" >&2; exit 4; }
echo "-- Fetching the libraries of arm64 Linux into $folder"
command -v apt-get > /dev/null && command -v dpkg-deb > /dev/null || stop "there is no apt-get; name a folder with the libraries of arm64 Linux: -DSL_ARM64_ROOT=DIR"
mkdir -p "$folder/lists/partial" "$folder/archives/partial"
folder=$(CDPATH='' cd -- "$folder" && pwd -P)
: > "$folder/status"
get() {
  apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State::lists="$folder/lists" \
    -o Dir::State::status="$folder/status" -o Dir::Cache="$folder" -o Debug::NoLocking=1 "$@"
}
get update
get install -y --no-install-recommends --download-only libc6-dev libstdc++6 $headers
rm -rf "$folder/new"
for package in "$folder"/archives/*.deb; do dpkg-deb -x "$package" "$folder/new"; done
[ -e "$folder/new/lib/ld-linux-aarch64.so.1" ] || stop "the packages hold no loader"
rm -rf "$folder/root" "$folder/made" "$folder/cuda" "$folder/runtime"
mv "$folder/new" "$folder/root"
rm -rf "$folder/archives" "$folder/lists"

# nvcc looks for the parts of a toolkit beside itself, so it is copied; links lead to the others. It is called by a script: what is
# built for arm64 must not depend on what a caller has in its environment.
toolkit=${nvcc%/bin/nvcc} target=$folder/cuda/targets/aarch64-linux
mkdir -p "$folder/cuda/bin" "$target"
ln -s "$toolkit"/bin/* "$folder/cuda/bin/" && rm "$folder/cuda/bin/nvcc" && cp "$nvcc" "$folder/cuda/bin/nvcc-itself"
printf '#!/bin/sh\nNVCC_CCBIN="%s" exec "${0%%/*}/nvcc-itself" "$@"\n' "$folder/g++" > "$folder/cuda/bin/nvcc" && chmod +x "$folder/cuda/bin/nvcc"
ln -s "$toolkit/nvvm" "$folder/cuda/nvvm"
ln -s "$(readlink -f "$toolkit/include")" "$target/include"
echo "$runtime" > "$folder/wheels.txt"
python3 -m pip install -q --disable-pip-version-check --no-deps --only-binary :all: --require-hashes --platform manylinux2014_aarch64 \
  --target "$folder/runtime" -r "$folder/wheels.txt"
mv "$folder/runtime/nvidia/cu13/lib" "$target/lib" && rm -rf "$folder/runtime"
ln -s libcudart.so.13 "$target/lib/libcudart.so"
ln -s targets/aarch64-linux/include "$folder/cuda/include"
ln -s targets/aarch64-linux/lib "$folder/cuda/lib"
ln -s lib "$folder/cuda/lib64"

# Programs name their loader and libraries by whole paths.
at=$folder/root
printf '#!/bin/sh\nexec aarch64-linux-gnu-g++ -Wl,--dynamic-linker,"%s",--disable-new-dtags,-rpath,"%s" "$@"\n' "$at/lib/ld-linux-aarch64.so.1" \
  "$at/lib/aarch64-linux-gnu:$at/usr/lib/aarch64-linux-gnu" > "$folder/g++" && chmod +x "$folder/g++"
echo "$made" > "$folder/made"
