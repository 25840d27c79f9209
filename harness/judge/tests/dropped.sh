#!/bin/sh
# An addition whose result a choice leaves out costs no points: the compiler makes one where the source has `if (c) x += y`. A
# kernel that really adds in all threads has all of them counted, also if it looks at the result after the choice. Usage: dropped.sh BIN SOURCE
set -u
bin=$1 source=$2
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
SCANLAB_ROOT=$source
export SCANLAB_ROOT
failed=0

# variant NAME: the solution of lab 01 with a step whose last lines are those of stdin
variant() {
  awk -v body="$tmp/body" '
    /\/\/ TODO\(lab01.2/ { print; while ((getline line < body) > 0) print line; skip = 1; next }
    /END TODO\(lab01.2/ { skip = 0 }
    !skip' "$source/solutions/01_naive_scan/kernel.cu" >"$tmp/$1.cu"
}
# expect NAME CODE PHRASE
expect() {
  "$bin/sl-run" 01 --case work.adds_n1024 --file "$tmp/$1.cu" --repeats 0 >"$tmp/out" 2>&1
  code=$?
  [ $code -eq "$2" ] && grep -qF -- "$3" "$tmp/out" || { echo "FAILED: $1: exit code $code"; cat "$tmp/out"; failed=1; }
}

cat >"$tmp/body" <<'EOF'
    float x = 0.0f, left = 0.0f;
    if (t < n) x = s[t];
    if (t >= offset && t < n) left = s[t - offset];
    __syncthreads();
    if (t >= offset) x += left;
    if (t < n) s[t] = x;
    __syncthreads();
EOF
variant chosen
expect chosen 0 'additions: 9217 count; 1023 more are executed'
expect chosen 0 ' adds                         9217'
sed 's/    if (t >= offset) x += left;/    x += left;/' "$tmp/chosen.cu" >"$tmp/always.cu"
expect always 0 ' adds                        10240'
sed 's/    if (t >= offset) x += left;/    __shared__ volatile float seen[1024];\n    float sum = x + left;\n    x = t >= offset ? sum : x;\n    seen[t] = sum;/' "$tmp/chosen.cu" >"$tmp/looks.cu"
expect looks 0 ' adds                        10240'
cp "$source/solutions/01_naive_scan/kernel.cu" "$tmp/solution.cu"
expect solution 0 'right'

# Operations on the data: every launch of the same kernel counts the same, as registers die with their block.
# Calls of other sizes come once, the first size four times.
"$bin/sl-run" 05 --case work.adds_n65536 --file "$source/solutions/05_arbitrary_size/kernel.cu" --repeats 3 --report "$tmp/report" >"$tmp/out" 2>&1
grep -o '"data_ops": [0-9]*' "$tmp/report" | sort | uniq -c >"$tmp/counts"
[ "$(awk '$1 == 4' "$tmp/counts" | wc -l)" -eq 3 ] || { echo "FAILED: data_ops of three kernels"; cat "$tmp/out" "$tmp/counts"; failed=1; }
exit $failed
