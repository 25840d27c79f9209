#!/bin/sh
# Plants violations of the layers in a copy of the sources and sees that layers.sh reports each one.
# Usage: layers_test.sh ROOT LINKS
set -u
root=$1 links=$2
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
bad=0

(cd "$root" && tar -cf - harness datasets grader labs $([ ! -d solutions ] || echo solutions)) | tar -xf - -C "$tmp" || exit 4

# report EXPECTED: one report of layers.sh has these words.
report() {
  "$root/harness/tests/layers.sh" "$tmp" "$tmp/links" >"$tmp/out" && { echo "not refused: $1"; bad=1; }
  grep -qF "$1" "$tmp/out" || { echo "not reported: $1"; sed 's/^/  /' "$tmp/out"; bad=1; }
}
# plant FILE HEADER: FILE includes HEADER in a third line, and that is reported.
plant() {
  cp "$tmp/$1" "$tmp/saved"
  { sed 2q "$tmp/saved"; printf '#include "%s"\n' "$2"; sed 1,2d "$tmp/saved"; } >"$tmp/$1"
  cp "$links" "$tmp/links"
  report "$1:3: includes $2; "
  cp "$tmp/saved" "$tmp/$1"
}
# plant_link TARGET LIBRARY: TARGET links LIBRARY, too.
plant_link() {
  sed "s/^$1 .*/& $2/" "$links" >"$tmp/links"
  report "$1 links $2"
}

plant harness/base/file.c ptx/ir.h
plant harness/ptx/lexer.c engine/gpu.h
plant harness/ptx/lexer.c ../engine/gpu.h
plant harness/engine/warp.c gpu/wire.h
plant harness/engine/warp.c observers/meter.h
plant harness/observers/race.c gpu/server/server.h
plant harness/gpu/start/control.c engine/gpu.h
plant harness/libcudart/copy.c gpu/start/control.h
plant harness/judge/judge.c engine/gpu.h
plant harness/jail/jail.c judge/judge.h
plant harness/tools/run/main.c tools/student/student.h
plant harness/judge/tests/judge_test.c tools/student/student.h
plant grader/main.c tools/student/student.h
plant labs/03_blelloch/kernel.cu judge/judge.h
plant_link sl_ptx sl_engine
plant_link sl_judge_core sl_engine
report 'sl-judge links sl_engine, which it never may: sl-judge -> sl_judge_core -> sl_engine'
plant_link sl_base sl_judge_core
exit $bad
