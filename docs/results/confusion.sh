#!/bin/bash
# What finds the mistakes of harness/corpus: our findings, compute-sanitizer, or a look at the result?
#
#   confusion.sh table [GPU.csv]       here: runs every kernel on the simulated GPU and prints the table as Markdown,
#                                      with what a GPU has answered (docs/results/confusion.csv)
#   confusion.sh orders                here: how many programs with locks, flags and scopes (harness/corpus/orders) are found,
#                                      and how many right ones are blamed
#   confusion.sh gpu [GPU.csv [BIN]]   on a machine with a GPU and compute-sanitizer: makes the runs that the file
#                                      lacks, every kernel, wrong and corrected, by itself and under each tool; a run is
#                                      killed after 5 seconds by itself, 12 under a tool ("hangs"), and no run begins
#                                      after CONFUSION_SECONDS (default 230)
#   confusion.sh build BIN [ARCH]      the programs for that, where nvcc is: BIN/01 .. BIN/06, for sm_90 unless told
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
corpus=$root/harness/corpus
build=${SCANLAB_BUILD:-$root/build/sim}
answers=$root/docs/results/confusion.csv
tools='plain memcheck racecheck initcheck synccheck'
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT

labs() { for dir in "$corpus"/0?_*/; do basename "$dir"; done; }

mistakes() { # NN NAME KIND of every mistake, by name
  awk '/^\/\/ expect/ && (FNR == 1 || $2 == "expect") {
    n = split(FILENAME, at, "/")
    name = $2 == "expect" ? $3 : at[n]
    sub(/(:|[.]cu)$/, "", name)
    print substr(at[n - 1], 1, 2), name, $2 == "expect" ? $4 : $2 == "expect:" ? $3 : ""
  }' "$corpus"/0?_*/*.cu | LC_ALL=C sort
}

command_of() { # NAME: in the path, or where the toolkit lies
  command -v "$1" && return
  for at in "${CUDA_HOME:-/usr/local/cuda}/bin/$1" /usr/local/cuda*/bin/"$1" /usr/local/cuda*/compute-sanitizer/"$1"; do
    [ -x "$at" ] && echo "$at" && return
  done
  echo "confusion.sh: no $1 in the path and none under /usr/local/cuda; put it into the path" >&2
  return 1
}

build() { # BIN ARCH
  local nvcc lab
  nvcc=$(command_of nvcc) || exit 3
  mkdir -p "$1"
  for lab in $(labs); do
    "$corpus/gather.sh" "$corpus/$lab" >"$tmp/$lab.cu" &&
      "$nvcc" -arch="$2" -O3 -lineinfo -std=c++17 -cudart static -diag-suppress 177,550 "$tmp/$lab.cu" -o "$1/${lab%%_*}" || exit 1
  done
}

# ---- On the GPU -------------------------------------------------------------------------------------------------

plain() { # RC: what the program said of its result
  case $1 in 0) echo right ;; 1) echo differs ;; 137) echo hangs ;; *) echo error ;; esac
}

reported() { # RC LOG: whether a tool has said something; a program that hangs may have been reported before
  grep -qE 'SUMMARY: [1-9][0-9]* (error|hazard)|^=+ (Error:|Barrier error|Invalid |Uninitialized )' "$2" && echo found && return
  [ "$1" -eq 137 ] && echo hangs && return
  [ "$1" -eq 9 ] && echo found && return
  grep -q 'SUMMARY: 0' "$2" && echo none || echo "no answer"
}

one() { # NN VARIANT NAME TOOL: runs it, and leaves the answer in a file of its own
  local log=$tmp/log.$1.$2.$3.$4 options='' result
  [ "$(date +%s)" -lt "$end" ] || return 0
  if [ "$4" = plain ]; then
    timeout -s KILL 5 "$bin/$1" "$2" "$3" >"$log" 2>&1 </dev/null
    result=$(plain $?)
  else
    [ "$4" = memcheck ] && options='--leak-check full'
    # shellcheck disable=SC2086
    timeout -s KILL 12 "$sanitizer" --tool "$4" $options --error-exitcode 9 --print-limit 2 "$bin/$1" "$2" "$3" >"$log" 2>&1 </dev/null
    result=$(reported $? "$log")
  fi 2>/dev/null
  [ -z "${CONFUSION_LOGS:-}" ] || cp "$log" "$CONFUSION_LOGS"
  echo "$1,$3,$2,$4,$result" >"$tmp/answer.$1.$2.$3.$4"
}

missing() { # the runs that the file has no answer of; last those that may hang, which slow down all others on the GPU
  mistakes | while read -r lab name kind; do
    for variant in wrong twin; do
      case $variant.$kind in wrong.progress* | wrong.barrier*) last=1 ;; *) last=0 ;; esac
      for tool in $tools; do echo "$last $lab $variant $name $tool"; done
    done
  done | awk -F'[, ]' '
    old { if (!/^#/) for (f = 4; f <= 8; f++) if ($1 != "lab" && $f != "") have[$1, $3, $2, f] = 1; next }
    BEGIN { split("plain memcheck racecheck initcheck synccheck", t, " "); for (k in t) column[t[k]] = k + 3 }
    !(($2, $3, $4, column[$5]) in have)' old=1 "$1" old=0 - | sort -s -k1,1 | cut -d' ' -f2-
}

merged() { # OLD: the file again, with the new answers; of kernels that the corpus still has
  cat "$tmp"/answer.* 2>/dev/null | awk -F, -v head="$about" '
    BEGIN { split("plain memcheck racecheck initcheck synccheck", t, " "); for (k in t) column[t[k]] = k + 3 }
    made { new[$1 "," $2 "," $3, column[$4]] = $5; next }
    /^#/ || $1 == "lab" { next }
    { for (f = 4; f <= 8; f++) old[$1 "," $2 "," $3, f] = $f }
    END {
      print "# " head
      print "lab,kernel,variant,plain,memcheck,racecheck,initcheck,synccheck"
      while ((getline key <"/dev/fd/3") > 0) {
        line = key
        for (f = 4; f <= 8; f++) line = line "," ((key, f) in new ? new[key, f] : old[key, f])
        print line
      }
    }' made=1 - made=0 "$1" 3< <(mistakes | sed 's/\([^ ]*\) \([^ ]*\) .*/\1,\2,wrong\n\1,\2,twin/')
}

gpu() { # CSV [BIN]
  sanitizer=$(command_of compute-sanitizer) || exit 3
  bin=${2:-$tmp/bin}
  [ $# -eq 2 ] || build "$bin" "sm_$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -1 | tr -d '. ')"
  [ -e "$1" ] || : >"$1"
  about="$(nvidia-smi --query-gpu=name --format=csv,noheader | head -1); compute-sanitizer $("$sanitizer" --version | grep -io 'version.*' | head -1)"
  end=$(($(date +%s) + ${CONFUSION_SECONDS:-230}))
  export tmp end sanitizer bin
  export -f one plain reported
  missing "$1" >"$tmp/runs"
  xargs -P "$(nproc)" -L 1 bash -c 'one "$1" "$2" "$3" "$4"' _ <"$tmp/runs"
  merged "$1" >"$tmp/csv" && cp "$tmp/csv" "$1"
  echo "$1: $(wc -l <"$tmp/runs") runs were missing, $(cat "$tmp"/answer.* 2>/dev/null | wc -l) made; $(grep -c hangs <(cat "$tmp"/answer.* 2>/dev/null)) hung"
  "$bin/01" twin one_barrier_a_step >"$tmp/after" && grep -q right "$tmp/after" || { echo "confusion.sh: the GPU is of no use afterwards: $(cat "$tmp/after")" >&2; exit 1; }
}

# ---- Here -------------------------------------------------------------------------------------------------------

ours() { # one line of JSON a kernel and variant
  for lab in $(labs); do
    for variant in wrong twin; do
      "$build/bin/corpus_check" --list "$build/bin/sl-sim" "$build/bin/corpus_${lab%%_*}" $variant "$corpus/$lab"/*.cu | LC_ALL=C sort
    done
  done
}

table() { # CSV
  ours >"$tmp/ours" || exit 1
  [ -s "$tmp/ours" ] || { echo "confusion.sh: build the corpus first: ./scanlab build" >&2; exit 3; }
  awk -f "$root/docs/results/confusion.awk" "$tmp/ours" "$1"
}

orders() {
  for variant in wrong twin; do
    "$build/bin/corpus_check" --list "$build/bin/sl-sim" "$build/bin/corpus_orders" $variant "$corpus"/orders/*.cu || exit 1
  done | awk -F'"' '
    { n[$12]++; told[$12] += $19 ~ /1/ }
    $12 == "wrong" && $19 !~ /1/ { print "missed: " $8 }
    $12 == "twin" && $19 ~ /1/ { print "blamed: " $8 }
    END {
      if (!n["wrong"]) exit 3
      printf "%d of %d wrong programs found (recall %.1f %%), ", told["wrong"], n["wrong"], 100 * told["wrong"] / n["wrong"]
      printf "%d of %d right ones blamed", told["twin"], n["twin"]
      printf " (precision %.1f %%)\n", 100 * told["wrong"] / (told["wrong"] + told["twin"])
      exit told["wrong"] < n["wrong"] || told["twin"] > 0
    }'
}

case "${1:-} $#" in
'orders 1') orders ;;
'gpu 1' | 'gpu 2') gpu "${2:-$answers}" ;;
'gpu 3') gpu "$2" "$(realpath -- "$3")" ;;
'build 2' | 'build 3') build "$2" "${3:-sm_90}" ;;
'table 1' | 'table 2') table "${2:-$answers}" ;;
*) sed -n '2,14s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
