# For tests of sl-sim's command line: a folder of the test's own, and checks of what the last run said. Sourced with CASE BIN_DIR.
bin=$2
sim=$bin/sl-sim
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export TMPDIR="$dir"
fail() { echo "FAILED: $*"; cat "$dir/out" "$dir/err" 2> /dev/null; exit 1; }
run() { "$sim" "$@" > "$dir/out" 2> "$dir/err"; status=$?; }
expect() { [ "$status" = "$1" ] || fail "exit status $status, expected $1"; }
says() { grep -q -- "$2" "$dir/$1" || fail "'$2' is not in $1"; }
