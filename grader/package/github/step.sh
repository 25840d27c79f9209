#!/bin/sh
# step.sh LAB: one lab as a step of the workflow. Its result goes to the step's output "result", in base64, for the reporter.
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P) || exit 1
work=$root/build/classroom/$1
mkdir -p "$work" || exit 1
lab=$1
set -- --lab "$lab"
while IFS= read -r option; do set -- "$@" "$option"; done <"$root/.github/scanlab/options"
"$root/.github/scanlab/grade_one.sh" "$root" "$root/labs" "$work" github "$work/result.json" "$@"
printf 'result=%s\n' "$(base64 -w 0 <"$work/result.json")" >>"$GITHUB_OUTPUT"
