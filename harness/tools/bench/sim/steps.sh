#!/bin/sh
# What each step that made the simulator fast is worth: takes them out of a copy of the engine, one at a time, and runs
# `bench sim` on each copy. Usage: harness/tools/bench/sim/steps.sh [REPS] [WORD]: only steps whose name has WORD. Takes a minute a step.
# Repetitions are short (2^15 elements) and the best one counts, so that a busy machine disturbs few of the figures.
# steps.sh --check only makes the edits, and fails when one does not fit any more.
# One line each: ns an element of scan, split and count without observers, then with all of them.
set -u
reps=${1:-99} only=${2:-} check=
[ "$reps" != --check ] || check=yes
root=$(cd "$(dirname "$0")/../../../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/scanlab-steps.XXXXXX") || exit 4
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
mkdir "$work/src"
if [ -n "$check" ]; then mkdir "$work/src/harness" && cp -R "$root/harness/engine" "$root/harness/observers" "$root/harness/cmake" "$work/src/harness"
else (cd "$root" && tar cf - --exclude=./build --exclude=./.git .) | tar xf - -C "$work/src"
fi || exit 4
cd "$work/src" || exit 4
[ -n "$check" ] || cmake -S . -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release >"$work/log" 2>&1 || { tail "$work/log"; exit 4; }

measure() { # NAME: builds, prints one line
  [ -z "$check" ] || return 0
  ninja -C "$work/build" -j2 bench >"$work/log" 2>&1 || { tail "$work/log"; echo "$1: does not build"; return; }
  SCANLAB_BUILD=$work/build "$work/build/bin/sl-bench" sim --alone --best --n 32768 --reps "$reps" >"$work/out" 2>&1 ||
    { cat "$work/out"; echo "$1: fails"; return; }
  awk -v name="$1" '/^scanlab  /{a=sprintf("%9s %9s %9s", $3, $4, $5)}
    /^scanlab, all observers/{b=sprintf("%9s %9s %9s", $5, $6, $7)} END{printf "%-52s %s %s\n", name, a, b}' "$work/out"
}

# without NAME FILE SED: the figures with the edit made; an edit that changes nothing is an error of this script.
without() {
  case $1 in *"$only"*) ;; *) return ;; esac
  cp "$2" "$work/kept"
  sed -i "$3" "$2"
  if cmp -s "$2" "$work/kept"; then echo "$1: the edit does not fit $2 any more"; bad=1; else measure "without $1"; fi
  cp "$work/kept" "$2"
}

bad=0
[ -n "$check" ] || printf '%-52s %29s %29s\n' 'ns an element' 'scan, split, count' 'with all observers'
measure 'as it is'
without 'the vectors of wider processors' harness/cmake/ScanlabOptions.cmake 's/^  set(SL_WIDTHS .*/  set(SL_WIDTHS)/'
without 'sharing slots among registers' harness/engine/regalloc.c 's/if (p->end\[k\] <= start)/if (p->end[k] < start \&\& start == 0)/'
without 'handlers for whole warps' harness/engine/core.h 's/w->full = mask == SL_FULL;/w->full = false;/'
without 'short cuts for words in a row' harness/engine/op_mem.c 's/return op->plain && space != NONE ?/return !op ?/'
without 'address checks of all lanes at once' harness/engine/resolve.c \
  's/if (op->addr32 || r->size < op->bytes) return false;/if (op) return false;/; s/if (!op->addr32 || size < op->bytes) return false;/if (op) return false;/'
without 'going on after a jump of the whole warp' harness/engine/warp.c 's/bool whole = c->n_splits == 1;/bool whole = false;/'
without 'code laid out so that lanes meet early' harness/engine/layout.c \
  's/^  return a->n_order == a->n ||/  for (uint32_t b = 0; b < a->n; b++) a->order[b] = b;\n&/'
without 'observers: one cell for a row' harness/observers/race.c \
  's/if (!a->row || a->addr\[0\] % SL_ROW_BYTES) return false;/if (a) return false;/'
without 'observers: quiet cells settled at once' harness/observers/race.c 's/if (!quiet(/if (me || !quiet(/'
without 'observers: one look at all lanes of an access' harness/engine/emit.c 's/if (all_in_one_space(a))/if (!a)/'
exit $bad
