# For tests that go on after a problem, and count them. Sourced; such a test ends with no_problems.
bad=0
problem() {
  echo "PROBLEM: $*"
  bad=$((bad + 1))
}
no_problems() {
  echo "$bad problems"
  [ "$bad" -eq 0 ]
}
# The test goes on in this folder, which is empty.
begin_in() { rm -rf "$1" && mkdir -p "$1" && cd "$1" || exit 4; }
