#!/bin/sh
# new_lab_test.sh ROOT WORK NVCC: adds a seventh lab to a copy of the tree, as docs/internals/adding-a-lab.md says: a row of
# labs.def, its folders under labs/ and solutions/. It must build, be graded with all points, and its skeleton with none. So must the
# reduction of the walk-through, a lab with its own entry point.
set -u
root=$1 work=$2 nvcc=$3
tree=$work/tree
name=08_one_more
rm -rf "$work" && mkdir -p "$tree" || exit 2
tar -C "$root" --exclude=./build --exclude=./.git -cf - . | tar -C "$tree" -xf - || exit 2
fail() { echo "FAILED: $*"; exit 1; }
step() { "$@" >"$work/log" 2>&1 </dev/null || { tail -n 40 "$work/log"; fail "$*"; }; }

# The lab is the first one under another name.
row=$(sed -n 's/^SL_LAB(01, naive_scan, "naive", \(.*\)lab01_naive_scan/SL_LAB(08, one_more, "one more", \1lab08_one_more/p' \
      "$tree/harness/include/scanlab/labs.def")
[ -n "$row" ] || fail "labs.def has no row of lab 01"
sed -i "s|^SL_LAB(06, .*|&\n$row|" "$tree/harness/include/scanlab/labs.def"
for part in labs solutions; do
  cp -R "$tree/$part/01_naive_scan" "$tree/$part/$name"
  find "$tree/$part/$name" -type f -exec sed -i "s/lab01_naive_scan/lab08_one_more/g; s/01_naive_scan/$name/g; s/lab01/lab08/g; s/Lab 01/Lab 08/g" {} +
done

# The walk-through of the page: new-lab, then the files of its blocks ("`FILE`:" and the block behind it).
step "$tree/labs/new_lab.sh" "$tree" 42_reduction
"$tree/labs/new_lab.sh" "$tree" reduction >"$work/log" 2>&1 && fail "new-lab makes the same lab again"
"$tree/labs/new_lab.sh" "$tree" 42_other >"$work/log" 2>&1 && fail "new-lab takes a number twice"
"$tree/labs/new_lab.sh" "$tree" ../up >"$work/log" 2>&1 && fail "new-lab takes a path"
step "$tree/labs/new_lab.sh" "$tree" twice # stays as it was made: number 10
awk -v labs="$tree/labs/42_reduction/" -v solutions="$tree/solutions/42_reduction/" '
  /^`[a-z]+[.][a-z]+`:$/ { file = substr($0, 2, length($0) - 3); file = (file ~ /cu$/ ? solutions : labs) file }
  /^```c$/ && file { printf "" >file; open = 1; n++; next }
  /^```$/ && open { close(file); file = ""; open = 0; next }
  open { print >file }
  END { exit n != 3 }' "$tree/docs/internals/adding-a-lab.md" || fail "the walk-through has not three files"
line=$(sed -n 's/.*gets a line in front of `"hints"`: `\(.*\)`$/\1/p' "$tree/docs/internals/adding-a-lab.md")
[ -n "$line" ] || fail "the walk-through names no line of lab.json"
sed -i "s|^  \"hints\"|  $line\n&|" "$tree/labs/42_reduction/lab.json"
"$tree/labs/skeleton.sh" "$tree/solutions/42_reduction/kernel.cu" >"$tree/labs/42_reduction/kernel.cu"

step cmake -S "$tree" -B "$tree/build/sim" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DSL_NVCC="$nvcc"
step ninja -C "$tree/build/sim" tools labs_json cases_test
step ctest --test-dir "$tree/build/sim" --no-tests=error --output-on-failure -R '^(labs_json|labs_regions|cases_test)$'
SCANLAB_ROOT=$tree SCANLAB_BUILD=$tree/build/sim
export SCANLAB_ROOT SCANLAB_BUILD
cd "$tree" || exit 2
step build/sim/bin/sl-student list
grep -q '^labs/08_one_more/kernel.cu  *100 points' "$work/log" || fail "it is not listed: $(cat "$work/log")"
step build/sim/bin/sl-run 08 --file "solutions/$name/kernel.cu" --n 1000
grade() { # FOLDER [LAB]: prints "POINTS / 100"
  build/sim/bin/sl-grade "$1" --lab "${2:-08}" --no-plots --out "$work/out" >"$work/log" 2>&1
  grep -o '[0-9.]* / 100' "$work/log" | tail -1
}
[ "$(grade solutions)" = '100 / 100' ] || { cat "$work/log"; fail "the solution has not all points"; }
[ "$(grade labs)" = '0 / 100' ] || { cat "$work/log"; fail "the skeleton has points"; }
for lab in 42 10; do
  [ "$(grade solutions $lab)" = '100 / 100' ] || { cat "$work/log"; fail "the solution of lab $lab has not all points"; }
  [ "$(grade labs $lab)" = '0 / 100' ] || { cat "$work/log"; fail "the skeleton of lab $lab has points"; }
done
# A reduction that forgets its last tile loses; so does one by the host.
kernel=$tree/solutions/42_reduction/kernel.cu
cp "$kernel" "$work/kernel.cu"
sed -i 's|(n + 255) / 256|(n < 256 ? 256 : n) / 256|' "$kernel"
[ "$(grade solutions 42)" != '100 / 100' ] || fail "a reduction without its last tile has all points"
grep -q 'sum\[0\]' "$work/log" || { cat "$work/log"; fail "the wrong sum is not named"; }
sed 's|sum_kernel<<<.*|int h = 0, *x = new int[n]; cudaMemcpy(x, d_in, n * 4, cudaMemcpyDeviceToHost); for (size_t k = 0; k < n; k++) h += x[k]; cudaMemcpy(d_sum, \&h, 4, cudaMemcpyHostToDevice);|' "$work/kernel.cu" >"$kernel"
[ "$(grade solutions 42)" != '100 / 100' ] || fail "a sum by the host has all points"
rm -rf "$work"
echo "a seventh lab: one row and its folders; a reduction: its folders"
