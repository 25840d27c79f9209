#!/bin/sh
# `scanlab export similarity`: no name gets out but into names.csv, the skeleton is the base, nothing is replaced; where
# compare50 is installed, it finds the copy among kernels that are not copies.   usage: similarity.sh SL_GRADE WORK
set -u
. "$(dirname "$0")/problems.sh"
grade=$1
work=$2
begin_in "$work"
mkdir class || exit 4
hand_in() { # NAME FILE
  mkdir -p "class/$1/01_naive_scan"
  cat "$2" > "class/$1/01_naive_scan/kernel.cu"
}
solution=$SCANLAB_ROOT/solutions/01_naive_scan/kernel.cu
{ echo '// by anna, all of it /* "mine */'; cat "$solution"; echo 'static const char own[] = "a // text, no comment";'; } > anna.cu
{ echo '/* berta wrote'; echo ' this */'; sed 's/  */ /g' "$solution"; } > berta.cu
hand_in anna anna.cu
hand_in berta berta.cu
hand_in 'carl "c"' "$SCANLAB_ROOT/labs/01_naive_scan/kernel.cu"
hand_in other2 "$SCANLAB_ROOT/solutions/02_double_buffer/kernel.cu"
hand_in other3 "$SCANLAB_ROOT/solutions/03_blelloch/kernel.cu"
mkdir -p class/dora packed/01_naive_scan
cp berta.cu packed/01_naive_scan/kernel.cu && tar -cf class/packed.tar -C packed 01_naive_scan

"$grade" --export similarity class --lab 01 --out copies > said 2>&1 || { problem "the export"; cat said; }
[ "$(ls copies/01_naive_scan/submissions | wc -l)" -eq 6 ] || { problem "not all kernels"; ls copies/01_naive_scan/submissions; }
grep -rqiE 'anna|berta' copies/01_naive_scan && problem "a name got out"
grep -rq 'a // text, no comment' copies/01_naive_scan || problem "a text in quotes was taken for a comment"
[ "$(stat -c %a copies/names.csv)" = 600 ] || problem "others may read the names"
grep -q '"carl ""c"""' copies/names.csv && grep -q '"anna"' copies/names.csv || { problem "names.csv"; cat copies/names.csv; }
grep -q 'TODO\|__global__' copies/01_naive_scan/base/kernel.cu || problem "the base is no skeleton"
grep -q 'compare50 -d base/kernel.cu' copies/README.txt || problem "README.txt"
"$grade" --export similarity class --lab 01 --out copies > said 2>&1
[ $? -eq 3 ] && grep -q 'is not empty' said || { problem "a folder with something in it"; cat said; }
"$grade" --export simlarity class --out other > said 2>&1
[ $? -eq 2 ] || problem "another kind"
"$grade" --export similarity class > said 2>&1
[ $? -eq 2 ] || problem "without --out"

code() { sed -n "s/^\(s[0-9]*\),\"$1\".*/\1/p" copies/names.csv; }
three="$(code anna) $(code berta) $(code packed)"
tool=${SCANLAB_COMPARE50:-$(command -v compare50)}
if [ -z "$tool" ] && [ -n "${SCANLAB_CI:-}" ]; then # where all is installed that tests can use
  if timeout 200 python3 -m pip install -q --disable-pip-version-check --target "$work/pip" compare50 > pip.log 2>&1 < /dev/null; then
    tool=$work/pip/bin/compare50
    export PYTHONPATH="$work/pip"
  else tail -n 3 pip.log; fi
fi
if [ -n "$tool" ] && cd copies/01_naive_scan; then
  PATH=$(dirname "$tool"):$PATH "$tool" -d base/kernel.cu -o result -- submissions/*/kernel.cu > "$work/compare50.log" 2>&1 < /dev/null || { problem "compare50"; tail -5 "$work/compare50.log"; }
  # A pair is {"source": "submissions/s003", "target": "submissions/s004", "value": 10.0}; 10 is the most.
  pairs=$(grep -o '"source": "submissions/s[0-9]*", "target": "submissions/s[0-9]*", "value": 10.0' result/index.html | grep -o 's[0-9][0-9]*"' | tr -d '"' | sort -u | tr '\n' ' ')
  want=$(printf '%s\n' $three | sort | tr '\n' ' ')
  [ "$pairs" = "$want" ] || problem "compare50 finds the copies $pairs, they are $want"
else echo "skipped: compare50 is not installed (pip install compare50)"
fi

no_problems
