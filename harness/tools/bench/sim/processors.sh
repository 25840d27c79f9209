#!/bin/sh
# The simulator as it is packaged against one that is compiled for a kind of processor alone, and what wide vectors bring.
#
# Usage: harness/tools/bench/sim/processors.sh [ROUNDS]. In each round (default 6) all programs take turns, and the best figures of all
# rounds count, so that other work on the machine disturbs few of them; where chrt may, it leaves them a core. Builds a simulator for
# each kind of processor in a copy of the tree, a minute or two each. Prints the page docs/results/processors.md. Needs a processor
# with AVX-512. Exit code 1: on a kind of processor the packaged simulator is more than a tenth slower.
set -u
rounds=${1:-6}
root=$(cd "$(dirname "$0")/../../../.." && pwd)
build=${SCANLAB_BUILD:-$root/build/sim}
# The processor :: what the course runs there :: what the compiler is told to make for it alone.
kinds='this one :: widest :: native
with AVX2, without AVX-512 :: wide :: x86-64-v3
with AVX, without AVX2 (2011 to 2013) :: any :: ivybridge
without AVX (before 2011; small ones until 2021) :: any :: x86-64-v2'
marches=$(printf '%s\n' "$kinds" | sed 's/.*:: //')
work=$(mktemp -d "${TMPDIR:-/tmp}/scanlab-processors.XXXXXX") || exit 4
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
[ -x "$build/bin/sl-bench" ] && [ -x "$build/bin/sl-gpu-widest" ] || { echo "processors.sh: build it first: ./scanlab bench sim" >&2; exit 4; }

# tools NAME PROGRAM: a folder of tools that takes PROGRAM on every processor.
tools() {
  mkdir -p "$work/$1/bin" && cp "$build/course" "$work/$1" && ln -s "$build/lib" "$work/$1/lib" &&
    cp "$build/bin/sl-bench" "$build/bin/bench_workloads" "$work/$1/bin" || exit 4
  for as in sl-gpu sl-gpu-wide sl-gpu-widest; do cp "$2" "$work/$1/bin/$as" || exit 4; done
}

for march in $marches; do
  cmake -S "$root" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS="-march=$march" \
    -DSL_NVCC="$(sed -n 's/^nvcc=//p' "$build/course")" > "$work/log" 2>&1 &&
    ninja -C "$work/build" -j2 sl-gpu > "$work/log" 2>&1 || { tail "$work/log" >&2; exit 4; }
  tools "$march" "$work/build/bin/sl-gpu"
done
tools any "$build/bin/sl-gpu"
for width in wide widest; do tools $width "$build/bin/sl-gpu-$width"; done
quiet=
! chrt -r 10 true 2> /dev/null || quiet='chrt -r 10'
round=0
while [ $round -lt "$rounds" ]; do
  round=$((round + 1))
  for program in any wide widest $marches; do
    $quiet "$work/$program/bin/sl-bench" sim --alone --best --cores 1 --n 32768 --reps 60 > "$work/out" 2>&1 || { cat "$work/out" >&2; exit 4; }
    awk -v program="$program" '/^scanlab  /{ print program, "plain", $3, $4, $5 } /^scanlab, counters /{ print program, "counters", $4, $5, $6 }
      /^scanlab, all observers/{ print program, "observers", $5, $6, $7 }' "$work/out" >> "$work/figures"
  done
done
cat << END
# Processors

What the simulator loses by running on every processor. \`harness/tools/bench/sim/processors.sh $rounds\` makes this page: ns an element of
the workloads of \`bench sim\` (2^15 elements, one core${quiet:+ that does nothing else meanwhile}, best of $rounds times 60 repetitions in turns).
Processor: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), compiler: $(gcc --version | head -n 1).

## As packaged, and compiled for one kind of processor

The package holds three programs, and starts the widest that the processor runs: \`sl-gpu-widest\` where it has AVX-512, \`sl-gpu-wide\`
where it has AVX2, FMA, BMI and BMI2, otherwise \`sl-gpu\`. Each is compared with the simulator compiled for such a processor alone
(\`-march\`). All ran on the processor above, for which none of them is too wide.

END
kinds=$kinds awk '
  { for (k = 3; k <= 5; k++) { i = $1 SUBSEP $2 SUBSEP k; if (!(i in best) || $k < best[i]) best[i] = $k } }
  function row(name, program, base,   k, w, text, x) {
    text = "| " name
    for (w = 1; w <= 3; w++) for (k = 3; k <= 5; k++) {
      x = best[program, what[w], k]
      if (base != "") { x /= best[base, what[w], k]; if (x > worst) worst = x; text = text sprintf(" | %.2f", x) }
      else text = text sprintf(" | %.1f", x)
    }
    print text " |"
  }
  function head(first) {
    print "| " first " | scan | split | count | with counters: scan | split | count | all observers: scan | split | count |\n|---|---|---|---|---|---|---|---|---|---|"
  }
  function called(program) { return program == "any" ? "`sl-gpu`" : "`sl-gpu-" program "`" }
  END {
    split("plain counters observers", what, " ")
    n = split(ENVIRON["kinds"], kind, "\n")
    head("processor")
    for (j = 1; j <= n; j++) {
      split(kind[j], part, " :: ")
      row(part[1] ": " called(part[2]), part[2])
      row("`-march=" part[3] "`", part[3])
      row("packaged : alone", part[2], part[3])
    }
    printf "\nThe packaged simulator is at most %.0f %% slower.\n", (worst > 1 ? (worst - 1) * 100 : 0)
    print "\n## What wide vectors bring\n\nThe narrower programs on this processor, which never takes them: with its wide vectors masked.\n"
    slower = worst > 1.1
    head("masked")
    row("AVX-512: `sl-gpu-wide` : `sl-gpu-widest`", "wide", "widest")
    row("AVX-512 and AVX2: `sl-gpu` : `sl-gpu-widest`", "any", "widest")
    exit slower
  }' "$work/figures"
