#!/bin/sh
# page_program.sh SL-STEPS NVCC HEADERS FILE.cu PROGRAM [FLAGS..]: compiles a page's program in its folder as nvcc does; without flags of
# its own from behind the runtime's headers, in a fifth of the time. The first one that needs them prepares them in the folder HEADERS.
set -u
steps=$1 nvcc=$2 headers=$3 source=$4 program=$5 flags='-arch=compute_75 -lineinfo -O3 -std=c++17 -cudart shared'
shift 5
case $* in *-arch=*) flags=${flags#* } ;; esac
mkdir -p "$headers" && headers=$(realpath "$headers") || exit
object=$headers/object.o
# compile HEADERS|--prepare: kernel.cu, as all sources are called that share headers
compile() { "$steps" "$1" "$nvcc" $flags --keep --no-device-link kernel.cu "$object" -o runner; }
# Fills the current folder, once for these compilers: object.o stays where the system can. Others wait meanwhile.
prepare() {
  flock 9
  made_by=$(stat -L -c '%n %s %Y' "$steps" "$nvcc" && uname -r)
  [ "$made_by" != "$(cat made_by 2>/dev/null)" ] || return 0
  rm -rf ./*
  cc -x c -c -o object.o /dev/null && echo 'int sl_below_headers;' >kernel.cu || return
  compile --prepare >log 2>&1 || { cat log; echo "no headers are prepared"; rm object.o; }
  echo "$made_by" >made_by
}
# SL_EMULATED: the compilers are of this machine, the programs of another one.
[ $# -gt 0 ] || [ -n "${SL_EMULATED:-}" ] || (cd "$headers" && prepare) 9<"$headers" || exit
if [ $# -gt 0 ] || ! [ -e "$object" ]; then exec "$nvcc" $flags "$@" -o "$program" "$source"; fi
{ echo "#line 1 \"$source\"" && cat "$source"; } >kernel.cu
compile "$headers" && mv runner "$program"
made=$?
rm -f kernel.* front.* device.* host.log gold.log below.cpp steps sl-resume.so
exit $made
