# For tests of the student's commands: what a command says, and its exit code. The test sets $bin, and $tmp, where commands run.
failed=0 checks=0

fail() {
  echo "FAILED: $*"
  head -n 60 "$tmp/out" "$tmp/err" | sed 's/^/    /'
  failed=1
}

# expect CODE STREAM PHRASE ARGS..: exit code, and a phrase on stdout or stderr.
expect() {
  code=$1 stream=$2 phrase=$3
  shift 3
  checks=$((checks + 1))
  (cd "$tmp" && "$bin/sl-student" "$@") >"$tmp/out" 2>"$tmp/err" </dev/null
  got=$?
  [ "$got" -eq "$code" ] || fail "$*: exit code $got, expected $code"
  grep -qF -- "$phrase" "$tmp/$stream" || fail "$*: no \"$phrase\" on std$stream"
}

# also PHRASE: the last command printed this, too.   never PHRASE: it did not.
also() { grep -qF -- "$1" "$tmp/out" || fail "no \"$1\" on stdout"; }
never() { if grep -qF -- "$1" "$tmp/out"; then fail "\"$1\" on stdout"; fi; }
