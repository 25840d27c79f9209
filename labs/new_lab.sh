#!/bin/sh
# new_lab.sh ROOT NAME: `scanlab new-lab`. Makes an optional lab with its own entry point: labs/NN_name and solutions/NN_name, complete and
# graded, which doubles every element. Change it into yours: docs/internals/adding-a-lab.md. Writes only new folders.
set -u
root=$1 name=${2:-}
die() { printf 'scanlab: error: %s\n  hint: %s\n' "$2" "$3" >&2; exit "$1"; }
case $name in
  -h|--help)
    cat 2>/dev/null <<'HELP' || die 4 "cannot write the output" "is the disk full?"
usage: ./scanlab new-lab [NN_]NAME

Makes an optional lab with an entry point of its own: labs/NN_NAME with
README.md, kernel.cu, lab.json, entry.h and reference.c, and its solution. It
can be graded at once; change it into yours: docs/internals/adding-a-lab.md.
NN is 10 to 99, or the next number that is free.

example:
  ./scanlab new-lab reduction && ./scanlab check reduction
HELP
    exit 0 ;;
esac
[ $# = 2 ] || die 2 "new-lab needs one name" "./scanlab new-lab reduction"
number=
case $name in [0-9][0-9]_*) number=${name%%_*} name=${name#??_} ;; esac
case $name in ''|*[!a-z0-9_]*|[!a-z]*) die 2 "'$2' is no name of a lab" "a letter, then letters, digits and _, all small; NN_ may stand before it" ;; esac
for there in "$root"/labs/[0-9][0-9]_"$name" "$root"/solutions/[0-9][0-9]_"$name"; do
  [ ! -e "$there" ] || die 3 "there is a lab $name: $there" "choose another name; nothing was written"
done
taken() { for lab in "$root"/labs/"$1"_* "$root"/solutions/"$1"_*; do [ ! -e "$lab" ] || return 0; done; return 1; }
if [ -z "$number" ]; then
  number=10
  while taken "$number"; do number=$((number + 1)); done
fi
[ "$number" -ge 10 ] 2>/dev/null && [ "$number" -le 99 ] || die 2 "$number is no number of an optional lab" "10 to 99"
if taken "$number"; then die 3 "number $number is taken" "leave it out, or choose another; nothing was written"; fi
lab=${number}_$name
entry=lab$lab
made="$root/labs/$lab $root/solutions/$lab"
mkdir "$root/labs/$lab" 2>/dev/null || die 4 "$root/labs/$lab cannot be made" "may you write there?"
mkdir "$root/solutions/$lab" 2>/dev/null || { rmdir "$root/labs/$lab"; die 4 "$root/solutions/$lab cannot be made" "may you write there?"; }
failed() { rm -rf "${root:?}/labs/$lab" "${root:?}/solutions/$lab"; die 4 "$made: cannot be written" "is the disk full? Nothing is left"; }

cat >"$root/labs/$lab/entry.h" <<END || failed
// The entry point of lab $number and its arrays: in[k] and out[k] are those of reference.c, on the device.
#pragma once

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

cudaError_t $entry(const int32_t *d_in, int32_t *d_out, size_t n);

#define SL_CALL(in, out, n, scalars) $entry(in[0], out[0], n)
END

cat >"$root/labs/$lab/reference.c" <<END || failed
// What is right in lab $number: every element doubled, modulo 2^32.
#include "scanlab/reference.h"

const sl_argument sl_arguments[] = {
    {SL_IN, "in", SL_I32, 0, NULL, 0},
    {SL_OUT, "out", SL_I32, 0, NULL, 0},
    {SL_END, NULL, 0, 0, NULL, 0},
};

void sl_reference(size_t n, const int64_t scalars[], const void *const in[], void *const out[],
                  size_t written[]) {
  const uint32_t *x = in[0];
  uint32_t *y = out[0];
  (void)scalars, (void)written; // all of out
  for (size_t i = 0; i < n; i++) y[i] = 2 * x[i];
}
END

cat >"$root/solutions/$lab/kernel.cu" <<END || failed
// Lab $number · $name. EDIT ONLY between TODO(...) and END TODO(...).
// Handout: README.md   Check: ./scanlab check $number   One input: ./scanlab run $number --n 1000
#include "scanlab/lab.h"

__global__ void lab_kernel(const int32_t *d_in, int32_t *d_out, size_t n) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  // TODO(lab$number.1, ~1 line): thread i stores twice its element, if there is one
  if (i < n) d_out[i] = 2 * d_in[i];
  // END TODO(lab$number.1)
}

extern "C" cudaError_t $entry(const int32_t *d_in, int32_t *d_out, size_t n) {
  if (n == 0) return cudaSuccess;
  // TODO(lab$number.2, ~1 line): launch a thread for each element
  lab_kernel<<<(unsigned)((n + 255) / 256), 256>>>(d_in, d_out, n);
  // END TODO(lab$number.2)
  return cudaGetLastError();
}
END
"$root/labs/skeleton.sh" "$root/solutions/$lab/kernel.cu" >"$root/labs/$lab/kernel.cu" || failed

cat >"$root/labs/$lab/lab.json" <<END || failed
{
  "lab": "$lab", "title": "$name", "file": "kernel.cu", "points": 100,
  "libraries": ["cooperative_groups", "libcu++"],
  "hints": {
    "1": "A thread behind the end has no element: it must neither read nor write one.",
    "2": "As many blocks as are needed for n threads: round the quotient up."
  },
  "parts": [
    { "id": "right", "title": "Right results", "points": 75, "kind": "correct",
      "defaults": { "type": "i32", "dist": "uniform_int", "seed": 1, "host_bytes": 4 },
      "cases": [
        { "id": "n0", "n": 0, "also": [5] },
        { "id": "n{n}", "n": [1, 2, 31, 32, 33, 255, 256, 257, 1000, 65537] },
        { "id": "calls", "n": 700, "calls": 3, "also": [1, 513] },
        { "id": "drawn", "n": 2, "draw": [[4, 250], [258, 4000]] }
      ] },
    { "id": "clean", "title": "No race, nothing uninitialised, nothing out of bounds", "points": 25, "kind": "clean",
      "defaults": { "type": "i32", "dist": "uniform_int", "seed": 2, "host_bytes": 4 },
      "cases": [
        { "id": "sizes", "n": 2, "schedules": ["order=in", "warps=random,memory=random,seed=3"], "also": [1, 33, 257, 1000] }
      ] }
  ]
}
END

cat >"$root/labs/$lab/README.md" <<END || failed
# Lab $number: $name

What it is about, pseudo-code, an example by hand on [3 1 7 0 4 1 6 3], and the mistakes with what each of them shows.

| part | points | what counts |
|---|---|---|
| right | 75 | exact results |
| clean | 25 | no finding of the simulated GPU |

Allowed libraries: \`cooperative_groups\` and \`libcu++\` (\`cuda::\`). CUB and Thrust have what you are to write.

    ./scanlab check $number
END

printf '# Lab %s: why it is written that way\n' "$number" >"$root/solutions/$lab/NOTES.md" || failed
printf 'labs/%s and solutions/%s are made. Check it:  ./scanlab check %s --file solutions/%s/kernel.cu\n' "$lab" "$lab" "$number" "$lab"
