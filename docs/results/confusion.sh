#!/bin/bash
# What finds the mistakes of harness/corpus: our findings, compute-sanitizer, or a look at the result?
#
#   confusion.sh gpu OUT.json      on a machine with a GPU, nvcc and compute-sanitizer: runs every kernel, wrong and
#                                  corrected, by itself and under each tool; 10 seconds a program at most, and
#                                  CONFUSION_SECONDS (default 230) together; what was not run by then is called "skipped"
#   confusion.sh table [OUT.json]  here: runs every kernel on the simulated GPU and prints the table as Markdown
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
corpus=$root/harness/corpus
build=${SCANLAB_BUILD:-$root/build/sim}
tools='plain memcheck racecheck initcheck synccheck'
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT

labs() { for dir in "$corpus"/0?_*/; do basename "$dir"; done; }

# ---- On the GPU -------------------------------------------------------------------------------------------------

compile() { # LAB: $tmp/NN
  "$corpus/gather.sh" "$corpus/$1" >"$tmp/${1%%_*}.cu" &&
    "$nvcc" -arch="$arch" -O3 -lineinfo -std=c++17 -cudart static -diag-suppress 177,550 "$tmp/${1%%_*}.cu" -o "$tmp/${1%%_*}" >"$tmp/${1%%_*}.log" 2>&1
}

plain() { # RC: what the program said of its result
  case $1 in 0) echo right ;; 1) echo differs ;; 137) echo hangs ;; *) echo error ;; esac
}

reported() { # RC LOG: whether a tool has said something
  [ "$1" -eq 137 ] && echo hangs && return
  [ "$1" -eq 9 ] && echo found && return
  grep -qE 'SUMMARY: [1-9][0-9]* (error|hazard)' "$2" && echo found && return
  grep -q 'SUMMARY: 0' "$2" && echo none || echo "no answer"
}

one() { # NN VARIANT NAME TOOL
  local result log=$tmp/log.$1.$2.$3.$4 options=
  if [ "$(date +%s)" -ge "$end" ]; then
    result=skipped
  elif [ "$4" = plain ]; then
    timeout -s KILL 10 "$tmp/$1" "$2" "$3" >"$log" 2>&1 </dev/null
    result=$(plain $?)
  else
    [ "$4" = memcheck ] && options='--leak-check full'
    # shellcheck disable=SC2086
    timeout -s KILL 10 "$sanitizer" --tool "$4" $options --error-exitcode 9 --print-limit 2 "$tmp/$1" "$2" "$3" >"$log" 2>&1 </dev/null
    result=$(reported $? "$log")
  fi 2>/dev/null
  echo "{\"lab\": \"$1\", \"name\": \"$3\", \"variant\": \"$2\", \"tool\": \"$4\", \"result\": \"$result\"}" >"$tmp/result.$1.$2.$3.$4"
}

jobs_of_all() { # each under all tools; last those that may hang, which slow down everybody on the same GPU
  for hanging in no yes; do
    for variant in wrong twin; do
      for file in "$corpus"/0?_*/*.cu; do
        may=no
        [ $variant = twin ] || ! head -1 "$file" | grep -qE 'progress|barrier' || may=yes
        [ $may = $hanging ] || continue
        lab=$(basename "$(dirname "$file")")
        for tool in $tools; do echo "${lab%%_*} $variant $(basename "$file" .cu) $tool"; done
      done
    done
  done
}

command_of() { # NAME: in the path, or where the toolkit lies
  command -v "$1" || { for at in "${CUDA_HOME:-/usr/local/cuda}/bin/$1" /usr/local/cuda*/bin/"$1" /usr/local/cuda*/compute-sanitizer/"$1"; do [ -x "$at" ] && echo "$at" && return; done; }
}

gpu() { # OUT.json
  local out=$1 cores
  nvcc=${NVCC:-$(command_of nvcc)} sanitizer=$(command_of compute-sanitizer)
  [ -n "$nvcc" ] || { echo "confusion.sh: no nvcc in the path and none under /usr/local/cuda; name one with NVCC=" >&2; exit 3; }
  [ -n "$sanitizer" ] || { echo "confusion.sh: no compute-sanitizer in the path, and none under /usr/local/cuda" >&2; exit 3; }
  arch=sm_$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -1 | tr -d '. ')
  [ "$arch" != sm_ ] || arch=sm_90
  end=$(($(date +%s) + ${CONFUSION_SECONDS:-230}))
  cores=$(nproc)
  export tmp end sanitizer nvcc arch corpus
  export -f one plain reported compile
  labs | xargs -P "$cores" -I{} bash -c 'compile "$1" || { echo "confusion.sh: $1 does not compile" >&2; cat "$tmp/${1%%_*}.log" >&2; }' _ {}
  jobs_of_all | xargs -P "$((cores < 12 ? cores : 12))" -L 1 bash -c 'one "$1" "$2" "$3" "$4"' _
  {
    echo "[{\"device\": \"$(nvidia-smi --query-gpu=name --format=csv,noheader | head -1)\", \"sanitizer\": \"$("$sanitizer" --version | grep -i version | head -1)\"}"
    for file in "$tmp"/result.*; do echo ", $(cat "$file")"; done
    echo "]"
  } >"$out.part" && mv "$out.part" "$out"
  echo "$out: $(grep -c '"tool"' "$out") runs, $(grep -c '"skipped"' "$out") skipped, $(grep -c 'no answer' "$out") without an answer"
}

# ---- Here -------------------------------------------------------------------------------------------------------

ours() { # one line of JSON a kernel and variant
  for lab in $(labs); do
    for variant in wrong twin; do
      "$build/bin/corpus_check" --list "$build/bin/sl-sim" "$build/bin/corpus_${lab%%_*}" $variant "$corpus/$lab"/*.cu
    done
  done
}

table() { # [OUT.json]
  ours >"$tmp/ours" || exit 1
  [ -s "$tmp/ours" ] || { echo "confusion.sh: build the corpus first: ./scanlab build" >&2; exit 3; }
  awk -v gpu="${1:-}" -f "$root/docs/results/confusion.awk" "$tmp/ours" ${1:+"$1"}
}

case "${1:-} $#" in
'gpu 2') gpu "$2" ;;
'table 1' | 'table 2') table "${2:-}" ;;
*) sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
