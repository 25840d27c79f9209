#!/bin/sh
# arm64.sh FOLDER [TEST..]: the tests labelled quick of the preset arm64, one by one; FOLDER keeps a line and the output of each.
#
# Needs what docs/machines/README.md#arm64 builds. Without names: each test that has no line of the tree's commit. A line: its state (pass,
# skip, fail), seconds, commit, label, name, and why it is skipped. `arm64.sh FOLDER --page` prints them as a part of docs/results/machines.md.
# ARM64_SECONDS: the most that a test may take (3000). ARM64_JOBS: how many at a time (1).
# ARM64_COMMIT: the commit, where the tree is no checkout.
# Exit code 0: none failed. 77, skipped: nothing is built in build/arm64.
set -u
case ${1:-} in -h | --help | '') sed -n '2,8s/^# \{0,1\}//p' "$0"; [ -n "${1:-}" ]; exit ;; esac
tree=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
mkdir -p "$1" && folder=$(CDPATH='' cd -- "$1" && pwd -P) || exit 4
shift
cd "$tree" || exit 4
commit=${ARM64_COMMIT:-$(git rev-parse --short=8 HEAD)}

# one LABEL NAME: runs a test and keeps its line, in place of an older one.
one() {
  began=$(date +%s)
  pattern=$(printf %s "$2" | sed 's/[.+]/[&]/g')
  timeout "${ARM64_SECONDS:-3000}" ctest --preset arm64 -V -R "^$pattern\$" > "$folder/$2.log" 2>&1
  state=fail
  ! grep -q '^100% tests passed' "$folder/$2.log" || state=pass
  ! grep -q '[*]Skipped' "$folder/$2.log" || state=skip
  why=$(sed -n 's/^[0-9]*: skipped: //p' "$folder/$2.log" | tail -n 1)
  line=$(printf '%s\t' $state $(($(date +%s) - began)) "$commit" "$1" "$2" && printf %s "$why")
  flock "$folder/lock" sh -c '{ [ ! -f "$0" ] || awk -F"\t" -v name="$2" "\$5 != name" "$0"; printf "%s\n" "$1"; } > "$0.new" && mv "$0.new" "$0"' "$folder/figures" "$line" "$2"
  echo "$line"
}

# page: the kept lines as a part of the page of results.
page() {
  cat << END

## arm64

The tests labelled quick of the preset arm64, on another machine under qemu, as \`docs/machines/arm64.sh --help\` says;
\`docs/machines/arm64.sh FOLDER --page\` made this part of the lines that its runs kept. Seconds are those of all tests of a row,
of which many ran at a time. Commits: $(cut -f 3 "$folder/figures" | sort | uniq -c | sed 's/^ *\([0-9]*\) \(.*\)/\2 (\1 tests)/' | paste -sd, | sed 's/,/, /g').

| label | tests | passed | skipped | failed | seconds |
|---|---|---|---|---|---|
END
  awk -F'\t' '
    function row(l) { return "| " l " | " n[l] " | " s[l, "pass"] + 0 " | " s[l, "skip"] + 0 " | " s[l, "fail"] + 0 " | " t[l] " |" }
    { for (k = 0; k < 2; k++) { l = k ? "all" : $4; n[l]++; s[l, $1]++; t[l] += $2 } }
    END { for (l in n) if (l != "all") print row(l) | "sort"; close("sort"); print row("all") }' "$folder/figures"
  awk -F'\t' '$1 == "fail" { print "\nFailed: `" $5 "`" }' "$folder/figures"
  printf '\nSkipped, and why:\n\n'
  awk -F'\t' '$1 == "skip" { names[$6] = names[$6] " `" $5 "`" } END { for (why in names) print "* " why ":" names[why] | "sort" }' "$folder/figures"
}
case ${1:-} in
  --page) page; exit ;;
  --one) shift; one "$@"; exit ;;
esac
[ -x build/arm64/bin/sl-gpu ] || { echo "skipped: nothing is built in build/arm64"; exit 77; }
ctest --preset arm64 -L quick --show-only=json-v1 | python3 -c '
import json, sys
folder, commit, *names = sys.argv[1:]
try: done = [line.split("\t") for line in open(folder + "/figures")]
except OSError: done = []
done = {line[4] for line in done if line[2] == commit}
for test in json.load(sys.stdin)["tests"]:
    labels = next(p["value"] for p in test["properties"] if p["name"] == "LABELS")
    label = next((l for l in labels if l not in ("quick", "unit", "places")), "quick")
    if test["name"] in names if names else test["name"] not in done: print(label, test["name"])' "$folder" "$commit" "$@" |
  xargs -r -P "${ARM64_JOBS:-1}" -n 2 -- "$0" "$folder" --one
! grep -q '^fail' "$folder/figures"
