#!/bin/sh
# page_program.sh SL-STEPS NVCC HEADERS FILE.cu PROGRAM [FLAGS..]: compiles a page's program in its folder as nvcc does; without flags of
# its own from behind the runtime's headers where they are prepared, in a fifth of the time.
# page_program.sh SL-STEPS NVCC HEADERS: prepares them in that folder.
set -u
steps=$1 nvcc=$2 headers=$3 flags='-arch=compute_75 -lineinfo -O3 -std=c++17 -cudart shared'
# compile HEADERS|--prepare: kernel.cu, as all sources are called that share headers
compile() { "$steps" "$1" "$nvcc" $flags --keep --no-device-link kernel.cu "$object" -o runner; }
if [ $# -eq 3 ]; then
  object=$headers/object.o
  rm -rf "$headers"
  [ -z "${SL_EMULATED:-}" ] || exit 0 # compilers of this machine, programs of another one
  mkdir -p "$headers" && cd "$headers" && cc -x c -c -o object.o /dev/null || exit 1
  echo 'int sl_below_headers;' >kernel.cu
  compile --prepare >log 2>&1 || { cat log; echo "no headers are prepared"; rm object.o; } # where a system cannot, nvcc compiles all
  exit 0
fi
source=$4 program=$5
shift 5
case $* in *-arch=*) flags=${flags#* } ;; esac
if [ $# -gt 0 ] || ! [ -e "$headers/object.o" ]; then exec "$nvcc" $flags "$@" -o "$program" "$source"; fi
object=$(realpath "$headers")/object.o
{ echo "#line 1 \"$source\"" && cat "$source"; } >kernel.cu
compile "$(realpath "$headers")" && mv runner "$program"
made=$?
rm -f kernel.* front.* device.* host.log gold.log below.cpp steps sl-resume.so
exit $made
