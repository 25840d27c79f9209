#!/bin/sh
# release.sh ROOT WORK [--out FILE]: `scanlab release`. The students' archive: the files that allow.txt names, as they are
# in the tree ROOT, in a folder scanlab/. The same tree gives the same bytes: names are sorted, times and owners fixed.
# Nothing is written when a line of a solution or of a wrong kernel is in it (leaks.sh), or a skeleton has been worked on.
# WORK is for what is made on the way. Exit codes: docs/reference/exit-codes.md.
set -u
root=$1 work=$2
shift 2
out=$work/scanlab-students.tar.gz
# shellcheck source=grader/release/common.sh
. "$root/grader/release/common.sh"

usage() {
  cat <<EOF
usage: ./scanlab release [--out FILE]

The students' archive: skeletons, handouts, the harness and the grader as
sources; no solutions, wrong kernels or tests.
The same tree gives the same bytes.

  --out FILE   the archive (default: build/scanlab-students.tar.gz)

example:
  ./scanlab release --out scanlab.tar.gz
EOF
}

while [ $# -gt 0 ]; do
  case $1 in
    -h|--help) usage 2>/dev/null || die 4 "cannot write the output" "is the disk full?"; exit 0 ;;
    --out) [ $# -ge 2 ] || die 2 "option --out: expected a file"; out=$2; shift 2 ;;
    --out=*) out=${1#*=}; shift ;;
    *) die 2 "unexpected argument '$1'" "./scanlab release --help lists the options" ;;
  esac
done

check_out "$out" gzip
stage=$(mktemp -d) || die 4 "no temporary folder can be made"
trap 'rm -rf "$stage"' EXIT
stage_students "$root" "$stage/scanlab"
pack_tar "$stage" scanlab "$out"
printf '%s: %s files, %s bytes\nsha256 %s\n' "$out" "$(find "$stage/scanlab" -type f | wc -l)" "$(wc -c <"$out")" "$(sha256sum <"$out" | cut -c1-64)"
