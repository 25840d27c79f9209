#!/bin/sh
# sanitizers.sh ROOT NVCC PROGRAMS [all]: builds every C part with AddressSanitizer and UndefinedBehaviorSanitizer (build/asan), runs its
# unit tests, the fuzz corpora, self-checking programs on the simulated GPU, and one grading. Any report of a sanitizer fails.
# What nvcc makes has no sanitizers, so CUDA programs come from PROGRAMS, the folder of the build that runs this test.
set -u
root=$1 nvcc=$2 programs=$3
build=$root/build/asan
log=$(mktemp)
trap 'rm -f "$log"' EXIT
ASAN_OPTIONS=detect_leaks=1:abort_on_error=0 UBSAN_OPTIONS=print_stacktrace=1
# GCC 13 lays the frames that this option moves to the heap at addresses that variables of 64 bytes' alignment may not have (its bug
# 110027; GCC 12 does not use the option unless told to).
case $(cc -dumpversion) in 13 | 13.*) ASAN_OPTIONS=$ASAN_OPTIONS:detect_stack_use_after_return=0 ;; esac
export ASAN_OPTIONS UBSAN_OPTIONS

step() {
  echo "== $*"
  "$@" >"$log" 2>&1 </dev/null
  code=$?
  grep -E 'ERROR: (Address|Leak|Undefined)|runtime error:' "$log" && { cat "$log"; exit 1; }
  [ "$code" -eq 0 ] || { tail -n 40 "$log"; echo "failed with $code: $*"; exit 1; }
  tail -n 4 "$log"
}

[ -f "$build/build.ninja" ] || step cmake -S "$root" --preset asan -DSL_NVCC="$nvcc"
step ninja -C "$build" tools unit_tests fuzz_targets
# But for all, not once more with the PTX of -O0, which the same code runs, nor what computes for long, or starts programs that read
# what only they have written. Many wait.
without='_O0_test$|^(judge|sim_cores|sandbox|grader_run)_test$'
[ "${4-}" != all ] || without='^$'
step ctest --test-dir "$build" --no-tests=error --output-on-failure -L 'unit|fuzz' -E "$without" -j 4
for program in sim_textbook_scan sim_textbook_radix sim_features sim_errors; do
  step "$build/bin/sl-sim" -- "$programs/$program"
done
for wrong in bounds_global deadlock_flag; do
  step "$build/bin/sl-sim" -- "$programs/corpus_programs" wrong $wrong
done
SCANLAB_ROOT=$root SCANLAB_BUILD=$build
export SCANLAB_ROOT SCANLAB_BUILD
step "$build/bin/sl-grade" "$root/solutions" --lab 03 --fresh
step "$build/bin/sl-data" list
echo "sanitizers: clean"
