#!/bin/sh
# Gradescope runs this once, as root, when it makes the image: packages, NVIDIA's compiler, the build, a trial.
set -eu
auto=${SCANLAB_AUTOGRADER:-/autograder}
cd "$auto/source/scanlab"
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends python3-pip
./scanlab setup || true # installs cmake, which may be too old
cmake_minor=$(cmake --version | sed -n 's/^cmake version 3\.\([0-9]*\).*/\1/p')
if [ "${cmake_minor:-99}" -lt 25 ]; then python3 -m pip install 'cmake>=3.25,<4'; hash -r; fi
./scanlab setup
./scanlab doctor
[ ! -f ../overlay.json ] || chmod 600 ../overlay.json
# A skeleton scores 0 (exit code 1). Anything else means that nothing can be graded in this image.
code=0
./scanlab grade labs --lab 01 --no-plots --out "$auto/trial" || code=$?
[ "$code" -eq 1 ] || { echo "setup.sh: the trial ended with exit code $code" >&2; exit 1; }
rm -rf "$auto/trial"
