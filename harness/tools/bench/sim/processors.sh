#!/bin/sh
# The simulator compiled for any processor, for those with wide vectors, for those with the widest, and for this one alone:
# `bench sim` of each. Usage: harness/tools/bench/sim/processors.sh [ROUNDS]: in each round (default 6) they take turns, and the best
# figures of all rounds count, so that other work on the machine disturbs few of them. Builds the last in a copy of the tree, which
# takes a minute. Prints the page docs/results/processors.md. Needs a processor with AVX-512. Exit code 1: what this machine runs is
# more than a tenth slower than the last.
set -u
rounds=${1:-6}
root=$(cd "$(dirname "$0")/../../../.." && pwd)
build=${SCANLAB_BUILD:-$root/build/sim}
work=$(mktemp -d "${TMPDIR:-/tmp}/scanlab-processors.XXXXXX") || exit 4
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
native=$work/build
[ -x "$build/bin/sl-bench" ] && [ -x "$build/bin/sl-gpu-widest" ] || { echo "processors.sh: build it first: ./scanlab bench sim" >&2; exit 4; }
cmake -S "$root" -B "$native" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS=-march=native \
  -DSL_NVCC="$(sed -n 's/^nvcc=//p' "$build/course")" > "$work/log" 2>&1 &&
  ninja -C "$native" -j2 sl-gpu > "$work/log" 2>&1 || { tail "$work/log" >&2; exit 4; }

# A folder of tools for each, which takes the same program on every processor.
for kind in any wide widest native; do
  mkdir -p "$work/$kind/bin" && cp "$build/course" "$work/$kind" && ln -s "$build/lib" "$work/$kind/lib" || exit 4
  case $kind in any) gpu=$build/bin/sl-gpu ;; wide | widest) gpu=$build/bin/sl-gpu-$kind ;; native) gpu=$native/bin/sl-gpu ;; esac
  cp "$build/bin/sl-bench" "$build/bin/bench_workloads" "$work/$kind/bin" && cp "$gpu" "$work/$kind/bin/sl-gpu" &&
    cp "$gpu" "$work/$kind/bin/sl-gpu-wide" && cp "$gpu" "$work/$kind/bin/sl-gpu-widest" || exit 4
done
round=0
while [ $round -lt "$rounds" ]; do
  round=$((round + 1))
  for kind in any wide widest native; do
    "$work/$kind/bin/sl-bench" sim --alone --best --cores 1 --n 32768 --reps 60 > "$work/out" 2>&1 || { cat "$work/out" >&2; exit 4; }
    awk -v kind=$kind '/^scanlab  /{ print kind, "plain", $3, $4, $5 } /^scanlab, counters /{ print kind, "counters", $4, $5, $6 }
      /^scanlab, all observers/{ print kind, "observers", $5, $6, $7 }' "$work/out" >> "$work/figures"
  done
done
cat <<END
# Processors

What the simulator loses by running on every processor. \`harness/tools/bench/sim/processors.sh $rounds\` makes this page: ns an element of
the workloads of \`bench sim\` (2^15 elements, one core, best of $rounds times 60 repetitions in turns).
Processor: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), compiler: $(gcc --version | head -n 1).

| | scan | split | count | with counters: scan | split | count | all observers: scan | split | count |
|---|---|---|---|---|---|---|---|---|---|
END
awk '
  { for (k = 3; k <= 5; k++) { i = $1 SUBSEP $2 SUBSEP k; if (!(i in best) || $k < best[i]) best[i] = $k } }
  function row(name, kind, base,   k, w, text, x) {
    text = "| " name
    for (w = 1; w <= 3; w++) for (k = 3; k <= 5; k++) {
      x = best[kind, what[w], k]
      if (base != "") { x /= best[base, what[w], k]; if (x > worst) worst = x; text = text sprintf(" | %.2f", x) }
      else text = text sprintf(" | %.1f", x)
    }
    print text " |"
  }
  END {
    split("plain counters observers", what, " ")
    row("any processor (`sl-gpu`)", "any"); row("wide vectors (`sl-gpu-wide`)", "wide")
    row("the widest (`sl-gpu-widest`)", "widest"); row("this processor alone (`-march=native`)", "native")
    row("any : this processor alone", "any", "native")
    row("wide : this processor alone", "wide", "native")
    worst = 0
    row("widest : this processor alone", "widest", "native")
    printf "\nThe course runs `sl-gpu-wide` where the processor has AVX2, FMA, BMI and BMI2, `sl-gpu-widest` where it has AVX-512, too. That one is at\nmost %.0f %% slower than what is compiled for this processor alone.\n", (worst > 1 ? (worst - 1) * 100 : 0)
    exit (worst > 1.1)
  }' "$work/figures"
