# weak_solutions.sh SL_RUN SOURCE_DIR: the solutions are right when stores are seen late; that of lab 06 without one of
# its fences gives wrong results.
run=$1
cd "$2" || exit 2
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
failed=0

judge() { # SEED LAB KERNEL OPTIONS..: exit status 0 right, 1 wrong
  seed=$1 lab=$2 kernel=$3
  shift 3
  "$run" "$lab" --file "$kernel" --repeats 0 --schedule "order=random,warps=random,visibility=weak,seed=$seed" "$@" > "$tmp/out" 2>&1
}

right() { # LAB "OPTIONS"
  for seed in 1 2; do
    judge $seed "$1" "$(echo solutions/"$1"_*/kernel.cu)" $2 || { echo "lab $1 $2: wrong with seed $seed"; cat "$tmp/out"; failed=1; }
  done
}

wrong_without() { # a fence of lab 06, by its comment
  sed "s|__threadfence(); *// $1.*||" solutions/06_radix_sort/kernel.cu > "$tmp/kernel.cu"
  cmp -s "$tmp/kernel.cu" solutions/06_radix_sort/kernel.cu && { echo "no fence '$1' in the solution"; failed=1; }
  for seed in 1 2 3 4; do
    judge $seed 06 "$tmp/kernel.cu" --n 40000 --entry scan
    [ $? = 1 ] && echo "without the fence '$1': wrong with seed $seed" && return
  done
  echo "without the fence '$1': never wrong"
  failed=1
}

right 01 "--n 1024"
right 02 "--n 1000"
right 03 "--n 2048"
right 04 "--n 2048"
right 05 "--n 40000"
right 05 "--n 5000 --type affine --op compose --scan inclusive"
right 06 "--n 40000 --entry scan"
right 06 "--n 9000 --entry sort --bits 8 --values"
right 06 "--n 3000 --entry sort --bits 1 --type f32"
wrong_without "the prefix is visible"

# A case of lab.json with schedules is judged under each: right in all, or it says in which not.
mkdir -p "$tmp/tree/labs/06_radix_sort"
for entry in "$2"/*; do [ "${entry##*/}" = labs ] || ln -s "$entry" "$tmp/tree/"; done
cat > "$tmp/tree/labs/06_radix_sort/lab.json" << 'END'
{ "lab": "06", "points": 1, "parts": [ { "id": "p", "kind": "correct", "points": 1, "defaults": { "type": "u32", "dist": "uniform" },
  "cases": [ { "id": "c", "n": 40000, "schedules": ["order=in", "order=reverse,seed=1", "visibility=weak,warps=random,seed=1"] } ] } ] }
END
case_of() { SCANLAB_ROOT="$tmp/tree" "$run" 06 --case p.c --repeats 0 --file "$1" > "$tmp/out" 2>&1; }
case_of "$2/solutions/06_radix_sort/kernel.cu" || { echo "the case with schedules:"; cat "$tmp/out"; failed=1; }
case_of "$tmp/kernel.cu"
tr -s ' \n' ' ' <"$tmp/out" | grep -q 'under the schedule visibility=weak' || { echo "the case with schedules, without a fence:"; cat "$tmp/out"; failed=1; }
exit $failed
