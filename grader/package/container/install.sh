#!/bin/sh
# install.sh: builds /opt/scanlab in an image for any processor of this kind and installs it in /usr/local. The compiler stays in
# /opt/scanlab/build/cuda. Nobody needs to write to any of it.
set -eu
cd /opt/scanlab
export SCANLAB_FETCH_NVCC=1 DEBIAN_FRONTEND=noninteractive
./scanlab setup
cmake --build --preset sim --target tools
cmake --install build/sim --prefix /usr/local
rm -rf build/sim
apt-get clean
rm -rf /var/lib/apt/lists/*
