#!/bin/sh
# check_regions_test.sh CHECK: does check_regions.sh find every fault that it is there for? Each case makes one pair of
# files, changes one thing, and says what the report must contain.
set -u
check=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

good_pair() {
  rm -rf "$work/labs" "$work/solutions"
  mkdir -p "$work/labs/07_demo" "$work/solutions/07_demo"
  cat > "$work/labs/07_demo/kernel.cu" <<'EOF'
int given;
// TODO(lab07.1, ~1 line): the first
SL_TODO("lab07.1");
// END TODO(lab07.1)
  // TODO(lab07.2, ~2 lines): the second
  SL_TODO("lab07.2");
  // END TODO(lab07.2)
EOF
  sed -e 's/SL_TODO("lab07.1");/int first;/' -e 's/SL_TODO("lab07.2");/int second;/' \
    "$work/labs/07_demo/kernel.cu" > "$work/solutions/07_demo/kernel.cu"
}

expect() { # EXIT TEXT NAME
  output=$("$check" "$work/labs" "$work/solutions" 2>&1)
  code=$?
  case "$code:$output" in
  "$1":*"$2"*) echo "ok: $3" ;;
  *)
    echo "FAILED: $3: exit $code, expected $1 and: $2"
    echo "$output"
    failed=1
    ;;
  esac
}

change() { # FILE SED-SCRIPT
  sed -i -e "$2" "$work/$1/07_demo/kernel.cu"
}

good_pair; expect 0 "1 pairs, 0 faults" "a good pair"
good_pair; rm -r "$work/labs/07_demo" "$work/solutions/07_demo"; expect 1 "no pair of skeleton" "nothing to compare"
rm -rf "$work/labs" "$work/solutions"; expect 1 "no pair of skeleton" "no folders"
good_pair; rm "$work/solutions/07_demo/kernel.cu"; expect 1 "solutions/07_demo/kernel.cu: missing" "no solution"
good_pair; rm "$work/labs/07_demo/kernel.cu"; expect 1 "labs/07_demo/kernel.cu: missing" "no skeleton"
good_pair; change solutions 's/int given/long given/'; expect 1 "differ outside" "a change outside"
good_pair; change labs 's/the first/the last/'; expect 1 "differ outside" "a change of the TODO line"
good_pair; change labs 's/SL_TODO("lab07.2");/int second;/'; expect 1 "only SL_TODO" "a solved region in a skeleton"
good_pair; change solutions 's/int first;/SL_TODO("lab07.1");/'; expect 1 "SL_TODO in a solution" "an open region in a solution"
good_pair; change solutions '/int first;/d'; expect 1 "region is empty" "an empty region in a solution"
good_pair; change labs 's/07\.2/07.3/'; change solutions 's/07\.2/07.3/'; expect 1 "expected: // TODO(lab07.2" "a gap in the numbers"
good_pair; change labs '/END TODO(lab07.2)/d'; change solutions '/END TODO(lab07.2)/d'; expect 1 "region not closed" "no end"
good_pair; change labs '/TODO/d'; change solutions '/TODO/d'; expect 1 "no region" "no region"
good_pair; change labs 's/, ~1 line//'; change solutions 's/, ~1 line//'; expect 1 "expected: // TODO(lab07.1" "no size"
good_pair; change labs 's/int given/int given; \/\/ TODO later/'; change solutions 's/int given/int given; \/\/ TODO later/'
expect 1 "not a marker" "another kind of TODO"
good_pair; cp "$work/labs/07_demo/kernel.cu" "$work/solutions/07_demo/kernel.cu"; expect 1 "are the same" "the same file twice"
good_pair; change labs 's/the first/a barrier/'; change solutions 's/the first/a barrier/; s/int first/__syncthreads()/'
expect 1 '"barriers" of lab.json: [], expected [1]' "a barrier that lab.json does not name"
good_pair; change labs 's/the first/a barrier/'; change solutions 's/the first/a barrier/'
echo '  "barriers": [1],' > "$work/labs/07_demo/lab.json"; expect 1 'expected [1?]' "a solution without the barrier"
exit $failed
